import { inspectors } from "../../clouds/inspectors.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";

/** Warns if the policy for the administrator who applies an export allows anything in the account. */
export function adminPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  return inspectors.flatMap(({ exports: { adminPolicy } }) => {
    const file = files.find(({ path }) => path === adminPolicy.path);
    if (file === undefined || !adminPolicy.isUnbounded(JSON.parse(file.text))) return [];
    const { code, message, bundlePath, field } = adminPolicy.unbounded;
    return [{ ...fileFinding("warning", code, bundlePath, message), ...(field === undefined ? {} : { field }) }];
  });
}
