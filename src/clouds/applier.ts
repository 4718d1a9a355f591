import { textAt, type ValueMap } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { clusterFile } from "./rendered.ts";

/** The field of `cluster.json` that says what applies a package, unless it is `ccf apply`. */
const field = "applier";

/** What `cluster.json` of a cluster says about what applies it. */
export function applierFact({ applier }: Pick<Identity, "applier">): ValueMap {
  return applier === "Ccf" ? {} : { [field]: applier };
}

/** What applies a package. @param files of its bundle ConfigMaps, or of its export, by path. */
export function applierIn(files: ReadonlyMap<string, string>): string {
  const path = [...files.keys()].find((one) => one.split("/").length === 2 && one.endsWith(`/${clusterFile}`));
  return textAt(JSON.parse(files.get(path ?? "") ?? "{}"), [field]) || "Ccf";
}
