import { validate } from "../../../functions/validate-credentials/function.ts";
import type { Finding } from "../../core/finding.ts";
import { generatedBy, type Resource } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import type { FlagsOf } from "../definition.ts";
import { type Package, readPackage, unreadParts } from "../files/package-files.ts";
import { requirePackage } from "../files/require-package.ts";
import { readPipeline } from "../render/kptfile.ts";
import { packageArguments } from "../render/render-command.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import { readTime } from "../terminal/read-time.ts";
import type { validateCommand as definition } from "./definition.ts";
import { sarif } from "./sarif.ts";
import { readInstallConfig, readLive } from "./validated-files.ts";

/** `ccf validate DIR`: exit 0 no problems, 2 problems found, 1 could not decide. */
export function validatePackage(values: FlagsOf<typeof definition>, directory = "."): number {
  const { output } = values;
  const pkg = readPackage(directory);
  const items = pkg.files.flatMap((file) => file.items);
  const installConfig =
    values["install-config"] === undefined ? undefined : readInstallConfig(values["install-config"]);
  const live = values.live === undefined ? [] : readLive(values.live);
  if (installConfig === undefined && !items.some(isRead)) {
    // Requests without a ClusterIdentity are checked, too. A directory without any objects may contain packages.
    if (pkg.subpackages.length > 0)
      requirePackage(pkg, (below) => ["ccf validate", ...packageArguments(below, false)].join(" "));
    throw new UsageError(
      `${quote(directory)} contains nothing to validate: no ClusterIdentity, CredentialsRequest, ClusterServiceVersion, Secret or rendered file`,
    );
  }
  const seconds = values.time === undefined ? Math.floor(Date.now() / 1000) : readTime(values.time);
  const today = new Date(seconds * 1000).toISOString().slice(0, 10);
  const beside = { live, today, ...(installConfig === undefined ? {} : { installConfig }) };
  const found = sortFindings([
    ...pkg.findings,
    // A file that could not be checked must not pass silently.
    ...unreadParts(pkg, "warning", "validate it by itself"),
    ...validate({ items, functionConfig: configOf(pkg) }, beside),
  ]);
  writeFindings(found);
  const count = countOf(found);
  if (output === "sarif") writeJson(sarif(found, { directory, items, installConfig }));
  else if (output === "json") writeJson({ ...count, findings: found.map(toResult) });
  else writeNotes(1, [summary(count)]);
  // An object without a clear value was not checked.
  if (found.some(({ code }) => code === "yaml-value")) return 1;
  return count.errors > 0 || (values.strict && count.warnings > 0) ? 2 : 0;
}

const readKinds = new Set([
  "ClusterIdentity",
  "CredentialsRequest",
  "ClusterServiceVersion",
  "Secret",
  "Authentication",
]);

function isRead({ kind, annotations }: Resource): boolean {
  return readKinds.has(kind) || annotations.has(generatedBy);
}

// The configuration that the pipeline names; without a pipeline, the only ClusterIdentity among the items.
function configOf({ files }: Package) {
  const items = files.flatMap((file) => file.items);
  const kptfile = items.find((item) => item.path === "Kptfile");
  if (kptfile === undefined) return undefined;
  const path = readPipeline(kptfile).steps.find(({ configPath }) => configPath !== undefined)?.configPath;
  return items.find((item) => item.path === path && item.index === 0);
}

interface Count {
  readonly errors: number;
  readonly warnings: number;
  readonly accepted: number;
}

function countOf(found: readonly Finding[]): Count {
  return {
    errors: found.filter(({ severity }) => severity === "error").length,
    warnings: found.filter(({ severity }) => severity === "warning").length,
    accepted: found.filter(({ accepted }) => accepted !== undefined).length,
  };
}

function summary({ errors, warnings, accepted }: Count): string {
  const said = [`${errors} error${errors === 1 ? "" : "s"}`, `${warnings} warning${warnings === 1 ? "" : "s"}`];
  return `${said.join(", ")}, ${accepted} accepted.`;
}
