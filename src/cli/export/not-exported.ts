import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import type { Package } from "../files/package-files.ts";
import { isForCluster } from "../render/manifests.ts";
import type { ExportedFile } from "./export-files.ts";

const maxNamed = 8;

/**
 * A note that names the objects of a package which go to the cluster and are in no export. The installer takes an
 * export's manifests, and CloudCredential, without the mode that a new cluster's has, would put that into another mode.
 */
export function notExported({ files }: Package, exported: readonly ExportedFile[]): Finding[] {
  if (exported.length === 0) return [];
  const all = files
    .flatMap((file) => file.items)
    .filter(isForCluster)
    .filter((item) => !item.annotations.has(generatedBy) && !isConfigObject(item, "Authentication"))
    .map(({ kind, name, path = "" }) => `${kind} ${quoteWhole(name)} (${quoteWhole(path)})`);
  if (all.length === 0) return [];
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : "";
  const named = `${all.slice(0, maxNamed).join(", ")}${more}`;
  const message = `Not exported: ${named}. An export holds what the functions make, for the installer too; apply these objects to the running cluster yourself, such as with "oc apply -f FILE".`;
  return [finding("info", "not-exported", message)];
}
