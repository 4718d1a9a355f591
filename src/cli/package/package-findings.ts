import { type ValidationOptions, validate } from "../../../functions/validate-credentials/function.ts";
import { withAllowCommand } from "../../core/allowances.ts";
import type { Finding } from "../../core/finding.ts";
import type { FunctionInput } from "../../krm/function.ts";
import type { Item } from "../../krm/item.ts";
import { sortFindings } from "../../krm/results.ts";
import { renderCommandLine } from "../terminal/arguments.ts";
import { readPipeline } from "./kptfile.ts";
import { type Package, unreadParts } from "./package-files.ts";

/** The input of the functions of a package, as its Kptfile configures them. All that is read of it is shared. */
export function inputOf({ files }: Pick<Package, "files">): FunctionInput & { readonly items: readonly Item[] } {
  const items = files.flatMap((file) => file.items);
  return { items, functionConfig: configAmong(items) };
}

// The configuration that the pipeline names; without a pipeline, the only ClusterIdentity among the items.
function configAmong(items: readonly Item[]): Item | undefined {
  const kptfile = items.find((item) => item.path === "Kptfile");
  if (kptfile === undefined) return undefined;
  const path = readPipeline(kptfile).steps.find(({ configPath }) => configPath !== undefined)?.configPath;
  return items.find((item) => item.path === path && item.index === 0);
}

/** Everything that is wrong with a package, sorted. */
export function packageFindings(pkg: Package, input: FunctionInput, options: ValidationOptions): Finding[] {
  const findings = sortFindings([
    ...pkg.findings,
    // A file that could not be checked must not pass silently.
    ...unreadParts(pkg, "warning", "validate it by itself"),
    ...validate(input, options),
  ]);
  const allow = (allowed: readonly string[]) => renderCommandLine(pkg.directory, false, undefined, new Set(allowed));
  return [...withAllowCommand(findings, allow)];
}
