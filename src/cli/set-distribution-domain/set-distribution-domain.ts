import { inspectors } from "../../clouds/inspectors.ts";
import { hasError } from "../../core/finding.ts";
import { valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import type { FlagsOf } from "../definition.ts";
import { readPackage } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import { writeFiles } from "../files/write-files.ts";
import { writeProblems } from "../files/write-problems.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import type { setDistributionDomainCommand as definition } from "./definition.ts";

/**
 * `ccf set-distribution-domain DIR DOMAIN`: sets the domain from CloudFront in the package's ClusterIdentity, and
 * changes nothing else. Exit code 0 if the domain is set, 1 for failure.
 */
export function setDistributionDomain(_: FlagsOf<typeof definition>, directory: string, domain: string): number {
  const known = inspectors.flatMap((inspector) => inspector.distribution ?? []);
  const distribution = known.find(({ isDomain }) => isDomain(domain));
  if (distribution === undefined) {
    const examples = known.map(({ example }) => `"${example}"`).join(" or ");
    throw new UsageError(`${quote(domain)} is not the domain of a distribution, for example ${examples}`);
  }
  const { hosting, hostingType } = distribution;
  const pkg = readPackage(directory);
  requirePackage(pkg, (below) => `ccf set-distribution-domain ${shellWord(below)} ${domain}`);
  const configs = pkg.files.flatMap((file) => file.items.filter((item) => item.kind === "ClusterIdentity"));
  const [config] = configs;
  if (config?.path === undefined || configs.length > 1)
    throw new UsageError(
      `${quote(directory)} must contain exactly one ClusterIdentity, but contains ${configs.length}`,
    );
  const type = valueAt(config.value(), [...hosting, "type"]);
  if (type !== hostingType)
    throw new UsageError(
      `the ClusterIdentity ${quote(config.name)} does not have "issuerHosting" of the type "${hostingType}"`,
    );
  const before = config.source.text;
  const edits = setField(config, { resource: config, path: [...hosting, "distributionDomain"], value: domain });
  const changes = [{ path: config.path, before, after: applyEdits(before, edits) }].filter(
    (change) => change.after !== before,
  );
  const target = { directory, command: "render" } as const;
  const problems = writeProblems(target, changes);
  writeFindings(problems);
  if (hasError(problems)) return 1;
  writeFiles(target, [{ changes }]);
  writeNotes(1, [
    `${config.path}: ${[...hosting, "distributionDomain"].join(".")} is ${changes.length === 0 ? "already " : ""}${domain}.`,
    `Next: ccf render ${shellWord(directory)}`,
  ]);
  return 0;
}
