import { inspectors } from "../../clouds/inspectors.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";

/** Warns if the policy for the administrator who applies an export allows anything in the account. */
export function adminPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  return inspectors.flatMap(({ adminPolicy }) => {
    const file = files.find(({ path }) => path === adminPolicy?.path);
    if (adminPolicy === undefined || file === undefined || !adminPolicy.isUnbounded(JSON.parse(file.text))) return [];
    const { boundaryField, bundlePath } = adminPolicy;
    const message = `contains admin-policy.json, the policy for the administrator who applies the export, without a permissions boundary. An administrator with this policy can create roles and policies, and can therefore do anything in the account. To limit it, set "${boundaryField}".`;
    return [{ ...fileFinding("warning", "admin-policy-unbounded", bundlePath, message), field: boundaryField }];
  });
}
