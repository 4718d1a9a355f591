import { guarded, guardedRemoval, removableName } from "../../../core/allowances.ts";
import type { Finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { bundleAt } from "../../rendered.ts";
import { issuerBundlePath } from "../rendered/bundle-paths.ts";
import { type GcpFacts, publishedBy } from "../rendered/facts.ts";
import { defaultUniverse, type GcpCluster } from "./cluster.ts";

/**
 * Reports a project, pool or provider other than those that the package was rendered for. Every Secret names them, so the
 * cluster would lose access to the service accounts that it uses.
 */
export function renderedElsewhere(
  identity: Pick<Identity, "resource" | "allowed">,
  cluster: GcpCluster,
  before: GcpFacts,
  items: readonly Resource[],
): Finding[] {
  const changed = (code: "project-changed" | "pool-changed", field: string, former: string, now: string) => {
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. Every Secret would name ${what[code]}, and the cluster would lose access to the service accounts that it uses. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return guarded(identity, "removal", code, message, { resource: identity.resource, field });
  };
  const base = "spec.platform.gcp";
  const compared = [
    ["project-changed", `${base}.projectID`, before.account, cluster.projectId],
    ["project-changed", `${base}.projectNumber`, before.projectNumber, cluster.projectNumber],
    ["project-changed", `${base}.universeDomain`, before.universeDomain, cluster.universeDomain],
    ["pool-changed", `${base}.pool`, before.pool, cluster.poolId],
    ["pool-changed", `${base}.provider`, before.provider, cluster.providerId],
  ] as const;
  const [first] = compared.filter(([, , former, now]) => former !== undefined && former !== now);
  if (first !== undefined) return [changed(first[0], first[1], first[2] ?? defaultUniverse, first[3])];
  return keysLeaveProvider(identity, before.keyStorage, cluster, items);
}

// No file shows that the provider loses its keys. If the issuer changes as well, that is what is reported.
function keysLeaveProvider(
  identity: Pick<Identity, "resource" | "allowed">,
  before: string | undefined,
  { keyStorage, issuerUrl }: GcpCluster,
  items: readonly Resource[],
): Finding[] {
  const bundle = bundleAt(items, issuerBundlePath)?.resource;
  if (bundle === undefined || before !== "PoolJWKFile" || keyStorage !== "External") return [];
  if (publishedBy(items).url !== issuerUrl) return [];
  const field = "spec.platform.gcp.keyStorage";
  const message = `"${field}" is "External", but the package was rendered with "PoolJWKFile". The provider would lose its keys, and Google would read those at ${quoteWhole(issuerUrl)}, which the package does not publish. Set "${field}" to "PoolJWKFile". If that URL is to take over, publish the discovery document and the keys there first.`;
  const location = { resource: identity.resource, field };
  return [guardedRemoval(identity, [removableName(bundle)], "documents-lost", message, location)];
}

const what = {
  "project-changed": "service accounts and a provider in another project",
  "pool-changed": "another provider, while the old pool would stay trusted",
} as const;
