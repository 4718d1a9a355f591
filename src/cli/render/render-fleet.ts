import { validators } from "../../../functions/validators.ts";
import type { Finding } from "../../core/finding.ts";
import type { FlagsOf } from "../definition.ts";
import { countFiles } from "../files/write-files.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage, writeState, writeStates } from "../fleet/each-package.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { readPackage } from "../package/package-files.ts";
import { planRender } from "../package/render-plan.ts";
import { finish, prepare, renderCode, renderingJson } from "../package/rendering.ts";
import { UsageError } from "../terminal/errors.ts";
import type { renderCommand as definition } from "./definition.ts";

/** `ccf render` for several packages, which it compares with each other. */
export async function renderFleet(values: FlagsOf<typeof definition>, directories: readonly string[]): Promise<number> {
  if (values.stdout || values["rename-from"] !== undefined)
    throw new UsageError(`${values.stdout ? "--stdout" : "--rename-from"} is for one package; name only one directory`);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  const code = await eachPackage(selection, { ...values, states: writeStates, comparison }, (place) => {
    const pkg = readPackage(place.directory, place.inside);
    const planOf: Parameters<typeof prepare>[2] = (options) => planRender(pkg, { ...options, validators });
    const rendering = prepare(values, pkg, planOf, comparison.of(place));
    finish(values, rendering);
    const { plan, findings, isUnfinished, command } = rendering;
    const code = renderCode(values, rendering);
    const count = countFiles(plan.changes.length);
    const isChanged = plan.changes.length > 0 || isUnfinished;
    const line = values.check ? `${count} would change. Run: ${command}` : `${count} written`;
    return {
      code,
      state: writeState(isChanged, !values.check),
      lines: code === 1 || !isChanged ? [] : [line],
      findings,
      json: renderingJson(rendering),
      cluster: clusterIn(pkg.files.flatMap(({ items }) => items)),
    };
  });
  const isAllowed = ({ code }: Finding) => code === "package-removed" && values.allow.includes("removal");
  return values.check && code === 0 && !selection.uncheckedFindings.every(isAllowed) ? 2 : code;
}
