import { removalOf } from "../../core/allowances.ts";
import { hasError } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { quote } from "../../core/text.ts";
import type { FlagsOf } from "../definition.ts";
import { writeFiles, writeProblems } from "../files/write-files.ts";
import { readPackage, requirePackage } from "../package/package-files.ts";
import { planIds } from "../package/plan-ids.ts";
import { renderCommandLine } from "../terminal/arguments.ts";
import { throwErrors, UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import type { setIdentitiesCommand as definition } from "./definition.ts";
import { readGivenIds } from "./given-ids.ts";

/**
 * `ccf set-identities DIR --from FILE`: stores the IDs that the cloud assigned to identities in the package, and changes
 * nothing else. Exit code 0 if the package contains the IDs of the file, 1 for failure.
 */
export function setIdentities({ from, allow }: FlagsOf<typeof definition>, directory = "."): number {
  if (from === undefined || from === "") throw new UsageError('--from FILE is required; use "-" for standard input');
  const pkg = readPackage(directory);
  requirePackage(
    pkg,
    (below) => `ccf set-identities ${shellWord(below)} --from ${from === "-" ? from : shellWord(from)}`,
  );
  throwErrors(pkg.findings);
  const { edits, said, lost, findings } = planIds(pkg, {
    file: from === "-" ? "standard input" : `the file ${quote(from)}`,
    read: (assigned) => readGivenIds(from, assigned.unwrap),
    allowed: new Set<string>(allow),
  });
  writeFindings(findings);
  if (hasError(findings)) return 1;
  const target = { directory, command: "render" } as const;
  const targetFindings = writeProblems(target, edits);
  writeFindings(targetFindings);
  if (hasError(targetFindings)) return 1;
  writeFiles(target, [{ changes: edits }]);
  writeNotes(1, [said, `Next: ${renderCommandLine(directory, false, undefined, new Set(lost.map(removalOf)))}`]);
  return 0;
}
