import { type Finding, finding } from "../core/finding.ts";
import { canonicalJson } from "../core/json.ts";
import { compareLocations, groupOf, type Resource, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";

const group = "fn.cloudcredential.dev";

/** How many ClusterIdentities a message names. */
const maxNames = 5;

/** Whether an object is a ClusterIdentity, of any version. */
export function isClusterIdentity(resource: Resource): boolean {
  return resource.kind === "ClusterIdentity" && groupOf(resource.apiVersion) === group;
}

/**
 * The ClusterIdentity of a run: the function's configuration or, without one, the only ClusterIdentity among the items.
 * A ConfigMap as configuration (`kpt fn eval` sends one) is ignored.
 */
export function findIdentity(items: readonly Resource[], config: Resource | undefined): Resource | Finding {
  if (config !== undefined) {
    if (isClusterIdentity(config)) return config;
    if (config.kind !== "ConfigMap") {
      const message = `functionConfig is of kind ${quote(config.kind)}, not ClusterIdentity. Use a ClusterIdentity of ${group}, or omit functionConfig.`;
      return finding("error", "config-wrong-kind", message, { resource: config });
    }
  }
  const candidates = items.filter(isClusterIdentity);
  const [first, ...others] = candidates;
  if (first === undefined) {
    const message =
      "No ClusterIdentity was found. Pass one as functionConfig (configPath in a Kptfile), or add one to the resources.";
    return finding("error", "config-missing", message);
  }
  if (others.every((other) => canonicalForm(other) === canonicalForm(first))) return first;
  // The message must not depend on the order of the list.
  const sorted = [...candidates].sort(compareLocations) as [Resource, ...Resource[]];
  const different = sorted.find((other) => canonicalForm(other) !== canonicalForm(sorted[0])) as Resource;
  const all = sorted.map(
    (resource) => `${quote(resource.name)}${resource.path === undefined ? "" : ` in ${quoteWhole(resource.path)}`}`,
  );
  const message = `Found ${candidates.length} ClusterIdentities that differ: ${listed(all, maxNames)}. Pass the right one as functionConfig (configPath in a Kptfile), or remove the others.`;
  return finding("error", "config-ambiguous", message, { resource: different });
}

// Without annotations: they record where an object came from, which may differ between copies.
function canonicalForm(resource: Resource): string {
  return canonicalJson([resource.apiVersion, resource.name, valueAt(resource.value(), ["spec"]) ?? null]);
}
