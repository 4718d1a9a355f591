import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import { inspectorFor } from "../../clouds/inspectors.ts";
import type { removalOf } from "../../core/allowances.ts";
import type { Resource } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import { type SelectedRequest, selectRequests } from "../../requests/select.ts";
import type { Merging } from "../../requests/transition.ts";
import { requestContext, requestedIdentities } from "../../upgrade/identities.ts";
import type { Package } from "../files/package-files.ts";
import type { FileChange, WriteStep } from "../files/write-files.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";

/** What an update changes in one package, and for which identities. */
export interface UpdatePlan {
  /** The name of the ClusterIdentity. */
  readonly identity: string;
  /** The key of `spec.platform`. */
  readonly platform: string;
  /** Additions first and removals last, so that an interrupted run takes nothing away. Without unchanged files. */
  readonly steps: readonly WriteStep[];
  readonly new: readonly Affected[];
  readonly changed: readonly Affected[];
  readonly kept: readonly Affected[];
  readonly gone: readonly Affected[];
  /** What the next render must be allowed to remove: see {@link removalOf}. */
  readonly removals: readonly string[];
}

/** A component identity that an update concerns. */
export interface Affected {
  /** The key of its Secret, `<namespace>/<name>`. */
  readonly key: string;
  /** Why, for people. */
  readonly why?: string;
}

/** All changes of a plan, in the order in which they are written. */
export function changesOf({ steps }: Pick<UpdatePlan, "steps">): readonly FileChange[] {
  return steps.flatMap(({ changes }) => changes);
}

/** The directories of removed files below the directory of requests, the innermost first. */
export function directoriesOf(changes: readonly FileChange[]): readonly string[] {
  const found = new Set<string>();
  for (const { path, after } of changes) {
    if (after !== undefined) continue;
    const steps = path.split("/").slice(0, -1);
    for (let depth = steps.length; depth > 1; depth--) found.add(steps.slice(0, depth).join("/"));
  }
  return [...found].sort((a, b) => b.split("/").length - a.split("/").length || compareText(a, b));
}

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
  const { identities, findings } = requestedIdentities(items, [cloud], requestContext(identity, cloud));
  throwErrors(findings);
  return { requests: new Map(requests.map((request) => [request.secretKey ?? "", request])), identities };
}
