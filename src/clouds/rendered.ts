import type { Finding } from "../core/finding.ts";
import type { JsonReading } from "../core/read-json.ts";
import { compareLocations, generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";

/** Files that were rendered together: those of a bundle ConfigMap, or those of a directory of an export. */
export interface RenderedBundle {
  /** Their directory in an export: `aws/issuer`. */
  readonly directory: string;
  /** The ConfigMap; undefined in an export. */
  readonly resource: Resource | undefined;
  /** Contents by file name. */
  readonly files: ReadonlyMap<string, string>;
}

/** An issuer that the cloud trusts, and what it publishes, as far as the files say. */
export interface RenderedIssuer {
  /** The issuer's host and path, without `https://`; undefined if no file names it. */
  readonly url: string | undefined;
  /** Its ID in the cloud, such as the ARN of a provider; undefined if only the URL is known. */
  readonly id: string | undefined;
  /** The audiences for which the cloud accepts tokens. */
  readonly clientIds: readonly string[] | undefined;
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
  /** The cloud itself holds the keys, so it fetches nothing from the issuer. */
  readonly holdsKeys?: boolean;
  /** The provider, in the form of the output of the cloud's issuer command. Only its cloud reads it. */
  readonly definition?: Value;
}

/** An issuer about which nothing is known. */
export const unknownIssuer: RenderedIssuer = {
  url: undefined,
  id: undefined,
  clientIds: undefined,
  discovery: undefined,
  keys: undefined,
};

/** What was rendered for a cluster, read from its files as they are, including a user's edits. Nothing is recomputed. */
export interface RenderedCluster {
  /** What everything belongs to, such as an AWS account; undefined if no file names it. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  readonly resourcePrefix: string | undefined;
  /** Scopes that contain only the cluster's resources; only in a cloud whose roles have scopes. */
  readonly ownScopes?: readonly string[];
  /** The cluster's issuer first, then the previous ones. */
  readonly issuers: readonly RenderedIssuer[];
  /** The issuer that the discovery document names. */
  readonly documentIssuer: string | undefined;
  /** Sorted by key. */
  readonly identities: readonly RenderedIdentity[];
  /** An error for each identity whose files cannot be read; if it were skipped, it would look removed. */
  readonly findings: readonly Finding[];
}

/** The bundle ConfigMaps among objects, in the order of their locations. */
export function bundlesAmong(items: readonly Resource[]): RenderedBundle[] {
  return items
    .filter(({ kind, annotations }) => kind === "ConfigMap" && annotations.has(generatedBy))
    .sort(compareLocations)
    .map((resource) => {
      const data = valueAt(resource.value(), ["data"]);
      // A value that is not a string becomes a file that cannot be read, instead of a missing file.
      const files = Object.entries(isMap(data) ? data : {}).map(
        ([name, text]) => [name, typeof text === "string" ? text : ""] as const,
      );
      return { directory: (resource.path ?? "").replace(/\.yaml$/, ""), resource, files: new Map(files) };
    });
}

/** Groups the plain files of an export, by their paths, into the bundles that they came from. */
export function bundlesOfFiles(files: ReadonlyMap<string, string>): RenderedBundle[] {
  const directories = new Map<string, Map<string, string>>();
  for (const [path, text] of [...files].sort(([a], [b]) => compareText(a, b))) {
    const slash = path.lastIndexOf("/");
    const directory = path.slice(0, slash);
    directories.set(directory, (directories.get(directory) ?? new Map()).set(path.slice(slash + 1), text));
  }
  return [...directories].map(([directory, texts]) => ({ directory, resource: undefined, files: texts }));
}

/** The file of an identity's bundle that names its Secret; the same for every cloud. */
export const identityFile = "identity.json";

/** The file of a package with the facts about the whole cluster; the same for every cloud. */
export const clusterFile = "cluster.json";
