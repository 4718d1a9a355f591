import { type Finding, finding } from "../core/finding.ts";
import { digestOf } from "../core/hash.ts";
import { canonicalJson } from "../core/json.ts";
import { isMap, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { Cluster } from "./cloud.ts";
import type { ClusterPackage } from "./cluster-package.ts";

/*
 * The facts about a cluster with which a team renders the identities of its workloads in a repository of its own: a ClusterIdentity
 * without keys, acceptances, and overrides. Who can change that repository can change the facts, too. Their digest lets a
 * pipeline of the cluster's owner refuse others.
 */

/** The `spec` of the ClusterIdentity in a team's package, with the digest of its facts and without the name of the package. */
export function factsOf({ identity, cloud }: ClusterPackage, cluster: Cluster): ValueMap {
  const spec = valueAt(identity.resource.value(), ["spec"]);
  const given = isMap(spec) ? spec : {};
  const { issuer, tokenPath, secret } = given;
  const { audiences } = isMap(issuer) ? issuer : {};
  const facts: ValueMap = {
    resourcePrefix: identity.prefix,
    issuer: {
      url: cluster.issuerUrl ?? "",
      ...(identity.issuer.previous.length === 0 ? {} : { previous: identity.issuer.previous }),
      ...(audiences === undefined ? {} : { audiences }),
    },
    ...(tokenPath === undefined ? {} : { tokenPath }),
    ...(secret === undefined ? {} : { secret }),
    workloads: (given["workloads"] ?? {}) as Value,
    platform: { [cloud.name]: cluster.platformForTeams() },
  };
  return { ...facts, facts: { digest: digestOfFacts(facts) } };
}

/** The digest of the facts in the `spec` of a ClusterIdentity: `sha256:` and 64 hexadecimal digits. */
function digestOfFacts(spec: ValueMap): string {
  const { facts: _, ...rest } = spec;
  return digestOf(canonicalJson(rest));
}

/** The error that facts were edited, or that they are those of an older schema. */
export function editedFacts({ facts, resource }: Identity): Finding[] {
  const spec = valueAt(resource.value(), ["spec"]);
  if (facts === undefined || !isMap(spec)) return [];
  const digest = digestOfFacts(spec);
  if (digest === facts.digest) return [];
  const field = "spec.facts.digest";
  const message = `"${field}" is ${quote(facts.digest)}, but the facts in this file have the digest ${quote(digest)}, so they were edited, or are those of two clusters. Ask the owner of the cluster for the facts, which "ccf export --format facts" writes, and replace "spec" with them.`;
  return [finding("error", "facts-edited", message, { resource, field })];
}

/** The errors about what a team's package must not contain, because its functions generate the identities of workloads only. */
export function notForTeams({ identity, selection, subscriptions }: ClusterPackage): Finding[] {
  if (identity.facts === undefined) return [];
  const others = [...selection.requests.map(({ resource }) => resource), ...[...subscriptions.values()].flat()];
  return others.map((resource) => {
    const message = `is in the package of a team, which was made with "ccf init --facts" and renders WorkloadIdentities only. Move it to the package of the cluster.`;
    return finding("error", "facts-workloads-only", message, { resource });
  });
}

/** Facts as the ClusterIdentity of a package with this name. */
export function withPackage(facts: ValueMap, name: string): ValueMap {
  const spec = facts["spec"] as ValueMap;
  const { digest } = (spec["facts"] ?? {}) as ValueMap;
  return { ...facts, spec: { ...spec, facts: { package: name, digest: digest ?? "" } } };
}
