import type { FlagsOf } from "../definition.ts";
import { showUnchecked } from "../fleet/each-package.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { writeFields } from "../fleet/write-fields.ts";
import { planPackage } from "../package/plan-set.ts";
import type { setCommand as definition } from "./definition.ts";
import { givenFields, splitWords } from "./given-fields.ts";

/**
 * `ccf set FIELD=VALUE… DIR…`: sets fields of the ClusterIdentity in each package, and changes nothing else. Exit code 0
 * if all packages have the values, 1 for failure, 2 if a file would change with `--check`.
 */
export function set(flags: FlagsOf<typeof definition>, given: readonly string[]): number {
  const { assignments, directories } = splitWords(given);
  const fields = givenFields(assignments, flags.unset, flags.values, flags.replace);
  const selection = selectPackages(directories, flags);
  showUnchecked(selection, flags);
  const plans = selection.places.map((place) => planPackage(place, () => fields, flags["only-missing"]));
  return writeFields(plans, selection, flags);
}
