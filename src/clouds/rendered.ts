import type { Finding } from "../core/finding.ts";
import type { JsonReading } from "../core/read-json.ts";
import { compareLocations, generatedBy, isMap, type Resource, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";

/** Files that were rendered together: those of a bundle ConfigMap, or of a directory of an export. */
export interface RenderedBundle {
  /** The directory that an export gives them: `aws/issuer`. */
  readonly directory: string;
  /** The ConfigMap; undefined in an export. */
  readonly resource: Resource | undefined;
  /** Texts by file name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Whose tokens the cloud is to believe, and what that issuer publishes, as far as the files say it. */
export interface RenderedIssuer {
  /** The issuer's host and path, without `https://`; undefined where nobody says it. */
  readonly url: string | undefined;
  /** What the cloud knows it by, such as the ARN of a provider; undefined where only the URL is known. */
  readonly id: string | undefined;
  /** The audiences that the cloud takes tokens for. */
  readonly clientIds: readonly string[] | undefined;
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
}

/** An issuer of which nothing is known. */
export const unknownIssuer: RenderedIssuer = {
  url: undefined,
  id: undefined,
  clientIds: undefined,
  discovery: undefined,
  keys: undefined,
};

/** What was rendered for a cluster, as it is in files, whoever wrote them last: nothing is computed anew. */
export interface RenderedCluster {
  /** What everything belongs to, such as an AWS account; undefined where no file of the whole cluster says it. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  readonly resourcePrefix: string | undefined;
  /** The cluster's issuer first, then those that it moves away from. */
  readonly issuers: readonly RenderedIssuer[];
  /** The issuer that the discovery document names. */
  readonly documentIssuer: string | undefined;
  /** Sorted by key. */
  readonly identities: readonly RenderedIdentity[];
  /** An error for each identity whose files cannot be read: passed over, it would count as gone. */
  readonly findings: readonly Finding[];
}

/** The bundles among objects, in the order of their places: ConfigMaps that a function made. */
export function bundlesAmong(items: readonly Resource[]): RenderedBundle[] {
  return items
    .filter(({ kind, annotations }) => kind === "ConfigMap" && annotations.has(generatedBy))
    .sort(compareLocations)
    .map((resource) => {
      const data = valueAt(resource.value(), ["data"]);
      // What is no text is a file that cannot be read, and not one that is missing.
      const files = Object.entries(isMap(data) ? data : {}).map(
        ([name, text]) => [name, typeof text === "string" ? text : ""] as const,
      );
      return { directory: (resource.path ?? "").replace(/\.yaml$/, ""), resource, files: new Map(files) };
    });
}

/** The plain files of an export, by their paths, as the bundles that they were. */
export function bundlesOfFiles(files: ReadonlyMap<string, string>): RenderedBundle[] {
  const directories = new Map<string, Map<string, string>>();
  for (const [path, text] of [...files].sort(([a], [b]) => compareText(a, b))) {
    const slash = path.lastIndexOf("/");
    const directory = path.slice(0, slash);
    directories.set(directory, (directories.get(directory) ?? new Map()).set(path.slice(slash + 1), text));
  }
  return [...directories].map(([directory, texts]) => ({ directory, resource: undefined, files: texts }));
}

/** The file of an identity's bundle that says which Secret it is for; the same for every cloud. */
export const identityFile = "identity.json";

/** The file of a package that says what the whole cluster is; the same for every cloud. */
export const clusterFile = "cluster.json";
