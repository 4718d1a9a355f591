import { type ValidationOptions, validate } from "../../../functions/validate-credentials/function.ts";
import type { Finding } from "../../core/finding.ts";
import type { Item } from "../../krm/item.ts";
import { sortFindings } from "../../krm/results.ts";
import { type Package, unreadParts } from "../files/package-files.ts";
import { readPipeline } from "../render/kptfile.ts";

/**
 * Everything that is wrong with a package, sorted.
 *
 * @param items its objects
 */
export function packageFindings(pkg: Package, items: readonly Item[], options: ValidationOptions): Finding[] {
  return sortFindings([
    ...pkg.findings,
    // A file that could not be checked must not pass silently.
    ...unreadParts(pkg, "warning", "validate it by itself"),
    ...validate({ items, functionConfig: configOf(pkg) }, options),
  ]);
}

// The configuration that the pipeline names; without a pipeline, the only ClusterIdentity among the items.
function configOf({ files }: Package) {
  const items = files.flatMap((file) => file.items);
  const kptfile = items.find((item) => item.path === "Kptfile");
  if (kptfile === undefined) return undefined;
  const path = readPipeline(kptfile).steps.find(({ configPath }) => configPath !== undefined)?.configPath;
  return items.find((item) => item.path === path && item.index === 0);
}
