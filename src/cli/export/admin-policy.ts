import { inspectors } from "../../clouds/inspectors.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";

/** A warning where the policy for whoever applies an export lets them do anything in the account. */
export function operatorPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  return inspectors.flatMap(({ adminPolicy }) => {
    const file = files.find(({ path }) => path === adminPolicy?.path);
    if (adminPolicy === undefined || file === undefined || !adminPolicy.isUnbounded(JSON.parse(file.text))) return [];
    const { boundaryField, bundlePath } = adminPolicy;
    const message = `carries the policy for whoever applies this, operator-policy.json, without a permissions boundary: whoever holds it can create roles and policies, and so do anything in the account. Set "${boundaryField}" to limit it.`;
    return [{ ...fileFinding("warning", "operator-policy-unbounded", bundlePath, message), field: boundaryField }];
  });
}
