import type { Resource, Value } from "../core/resource.ts";

/** Where a cluster is, as the text of its ClusterIdentity says, valid or not. */
export interface ClusterHome {
  /** The ID of the account, the project, or the subscription; undefined if it is not known. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** More names of the same place, by the cloud's own terms: `partition`, `project`, `subscription`. */
  readonly names: Readonly<Record<string, string>>;
}

/** Reads where the cluster of a ClusterIdentity is. */
export interface Home {
  /** The keys that {@link ClusterHome.names} may have. */
  readonly names: readonly string[];
  /**
   * @param spec the value of `spec.platform.<name>`
   * @param items the package's items, for what the ClusterIdentity may omit.
   */
  read(spec: Value, items: readonly Resource[]): ClusterHome;
}

/** The names that are known. */
export function knownNames(names: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
}
