import { shortHash } from "../core/hash.ts";
import type { ClusterPart, Page } from "./page.ts";

/** The fragment identifiers of a page: they stay the same when other identities come and go, so that links to them last. */
export interface Anchors {
  cluster(cluster: ClusterPart): string;
  /** @param key of an identity */
  identity(cluster: ClusterPart, key: string): string;
  /** What changes in an identity. */
  difference(cluster: ClusterPart, key: string): string;
  /** The findings of a rule. */
  findings(code: string): string;
}

/** Names the parts of a page. Two clusters with the same name are named by their paths. */
export function anchorsOf({ clusters }: Page): Anchors {
  const counts = new Map<string, number>();
  for (const { name } of clusters) counts.set(name, (counts.get(name) ?? 0) + 1);
  const nameOf = ({ name, path }: ClusterPart) => (counts.get(name) === 1 ? name : path);
  return {
    cluster: (cluster) => `cluster:${slug(nameOf(cluster))}`,
    identity: (cluster, key) => `${slug(nameOf(cluster))}/${slug(key)}`,
    difference: (cluster, key) => `difference:${slug(nameOf(cluster))}/${slug(key)}`,
    findings: (code) => `finding:${slug(code)}`,
  };
}

// Characters that need escaping in a URL are replaced; the hash keeps two such names distinct.
function slug(text: string): string {
  const safe = text.replace(/[^A-Za-z0-9._/-]/g, "-");
  return safe === text ? text : `${safe}-${shortHash(text)}`;
}
