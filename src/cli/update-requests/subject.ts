import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import { inspectorFor } from "../../clouds/inspectors.ts";
import type { Resource } from "../../core/resource.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import { type SelectedRequest, selectRequests } from "../../requests/select.ts";
import type { Merging } from "../../requests/transition.ts";
import { clusterRules, requestedIdentities } from "../../upgrade/identities.ts";
import type { Package } from "../files/package-files.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";

/** A package whose requests are updated, and what decides which requests count for it. */
export interface Subject {
  readonly pkg: Package;
  readonly items: readonly Item[];
  readonly identity: Identity;
  readonly cloud: Inspector;
  readonly merging: Merging;
}

/** Reads the ClusterIdentity of a package. @throws FindingsError if it cannot be used. */
export function subjectOf(pkg: Package): Subject {
  const items = pkg.files.flatMap((file) => file.items);
  const identity = readIdentity(items, undefined);
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const cloud = inspectorFor(identity);
  return { pkg, items, identity, cloud, merging: { merge: cloud.merge, tokenPath: identity.tokenPath } };
}

/** The requests that count for a cluster, and what they ask for. */
export interface Counted {
  /** By the key of the Secret. */
  readonly requests: ReadonlyMap<string, SelectedRequest>;
  /** Without those that an override of the ClusterIdentity skips: they have no identity. */
  readonly identities: readonly CloudIdentity[];
}

/**
 * The requests among items that count for the cluster of a package. A request whose feature gate is unknown counts: it is not
 * rendered until the gate is known.
 *
 * @throws FindingsError if one has an error that a render would report.
 */
export function countedOf({ identity, cloud, merging }: Subject, items: readonly Resource[]): Counted {
  const options = { countUndecided: true, merging };
  const { requests } = selectRequests(items, identity.release, cloud.providerKind, options);
  const { identities, findings } = requestedIdentities(items, [cloud], clusterRules(identity, cloud));
  throwErrors(findings);
  return { requests: new Map(requests.map((request) => [request.secretKey ?? "", request])), identities };
}
