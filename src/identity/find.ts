import { type Finding, finding } from "../core/finding.ts";
import { canonicalJson } from "../core/json.ts";
import { listed } from "../core/listed.ts";
import { compareLocations, groupOf, type Resource, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";

const group = "fn.cloudcredential.dev";

/** How many of them a message names. */
const maxNames = 5;

/** Says whether an object is a ClusterIdentity, of whatever version. */
export function isClusterIdentity(resource: Resource): boolean {
  return resource.kind === "ClusterIdentity" && groupOf(resource.apiVersion) === group;
}

/**
 * The one ClusterIdentity of a run: the function's configuration or, failing that, the one among the items. A ConfigMap
 * as configuration (what `kpt fn eval` sends) says nothing and is passed over.
 */
export function findIdentity(items: readonly Resource[], config: Resource | undefined): Resource | Finding {
  if (config !== undefined) {
    if (isClusterIdentity(config)) return config;
    if (config.kind !== "ConfigMap") {
      const message = `functionConfig is of kind ${quote(config.kind)}; it must be a ClusterIdentity of ${group}, or be left out.`;
      return finding("error", "config-wrong-kind", message, { resource: config });
    }
  }
  const candidates = items.filter(isClusterIdentity);
  const [first, ...others] = candidates;
  if (first === undefined) {
    const message =
      "There is no ClusterIdentity: give one as functionConfig (configPath in a Kptfile), or put one among the resources.";
    return finding("error", "config-missing", message);
  }
  if (others.every((other) => canonicalForm(other) === canonicalForm(first))) return first;
  // In one order, whatever order the list had.
  const sorted = [...candidates].sort(compareLocations) as [Resource, ...Resource[]];
  const different = sorted.find((other) => canonicalForm(other) !== canonicalForm(sorted[0])) as Resource;
  const all = sorted.map(
    (resource) => `${quote(resource.name)}${resource.path === undefined ? "" : ` in ${quoteWhole(resource.path)}`}`,
  );
  const message = `There are ${candidates.length} ClusterIdentities that differ: ${listed(all, maxNames)}. Give the one that is meant as functionConfig (configPath in a Kptfile), or remove the others.`;
  return finding("error", "config-ambiguous", message, { resource: different });
}

// Annotations say where an object stands, and that may differ.
function canonicalForm(resource: Resource): string {
  return canonicalJson([resource.apiVersion, resource.name, valueAt(resource.value(), ["spec"]) ?? null]);
}
