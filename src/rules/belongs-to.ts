import type { Resource } from "../core/resource.ts";
import { type Subscriptions, subscriptionFor } from "../requests/operators.ts";

/** A ClusterServiceVersion that something may belong to. */
export interface Candidate {
  readonly resource: Resource;
  /** The namespaces that it is for, as far as they are known. */
  readonly namespaces: ReadonlySet<string>;
  /** The Subscriptions that install this version (`spec.startingCSV`). */
  readonly installing: readonly Resource[];
}

/**
 * The ClusterServiceVersions that an object of the package may belong to: exactly one if that can be decided, never a guess.
 * None if a Subscription in a different namespace installs the object's operator. If there is only one ClusterServiceVersion,
 * everything else belongs to it. Among several, these decide in order: the namespace, the shortest distance in the directory
 * tree, the Subscription that installs one of them.
 *
 * @param secretKey `<namespace>/<name>` of the Secret, for a request; the namespace of its Subscription takes precedence.
 */
export function belongsTo(
  resource: Resource,
  candidates: readonly Candidate[],
  subscriptions: Subscriptions,
  secretKey: string | undefined,
): readonly Candidate[] {
  const found = subscriptionFor({ resource, value: null, secretKey, copies: [] }, subscriptions);
  const subscription = "severity" in found ? undefined : found;
  const near = candidates.filter(
    ({ namespaces }) => subscription === undefined || namespaces.size === 0 || namespaces.has(subscription.namespace),
  );
  const namespace = subscription?.namespace ?? secretKey?.split("/")[0] ?? "";
  const depth = (candidate: Candidate) => sharedDepth(candidate.resource.path, resource.path);
  const ways: readonly ((all: readonly Candidate[]) => readonly Candidate[])[] = [
    (all) => all.filter(({ namespaces }) => namespaces.has(namespace)),
    (all) => {
      const deepest = Math.max(...all.map(depth));
      return all.filter((candidate) => depth(candidate) === deepest);
    },
    (all) => all.filter(({ installing }) => subscription !== undefined && installing.includes(subscription)),
  ];
  return ways.reduce<readonly Candidate[]>((left, way) => {
    const fewer = way(left);
    return fewer.length === 0 ? left : fewer;
  }, near);
}

/** How many directories two paths share, counted from the package's root; one more if they are the same file. */
function sharedDepth(a = "", b = ""): number {
  const [one, other] = [a.split("/"), b.split("/")];
  const differing = one.findIndex((name, index) => name !== other[index]);
  return differing < 0 ? one.length : differing;
}
