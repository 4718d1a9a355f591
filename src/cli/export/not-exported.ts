import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import type { Package } from "../files/package-files.ts";
import { isForCluster } from "../render/manifests.ts";
import type { ExportedFile } from "./export-files.ts";

const maxNamed = 8;

/**
 * A note that names the objects for the cluster that are in the package but not in its export. The installer applies
 * the manifests of an export. A CloudCredential without the mode of a new cluster would change the mode of that
 * cluster.
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
  const message = `Not exported: ${named}. An export contains only generated objects, because the installer also uses it. Apply these objects to the running cluster yourself, for example with "oc apply -f FILE".`;
  return [finding("info", "not-exported", message)];
}
