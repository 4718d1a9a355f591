import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { type JsonReading, readJson } from "../core/json.ts";
import { clusterMark } from "../core/owner-mark.ts";
import {
  compareLocations,
  generatedBy,
  isMap,
  listAt,
  type Resource,
  textAt,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { compareText, quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { MissingDocuments } from "../oidc/checks.ts";
import { discoveryPath } from "../oidc/issuer-url.ts";
import type { Elsewhere } from "../oidc/limits.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";
import type { WorkloadTerms } from "../requests/select.ts";

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
  /** Who publishes the documents, if applying the package does not. */
  readonly elsewhere?: Elsewhere;
  /** Why a document is undefined, if the reason is not that no source contains it. */
  readonly missing?: MissingDocuments;
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

/**
 * The facts about a whole cluster, read from its files as they are, including a user's edits. What the file of the cluster does
 * not contain is read from those of its issuer and of an identity: if one function alone renders a package, only these exist. A
 * fact is undefined if no file names it.
 */
export interface RenderedFacts {
  /** What everything belongs to, such as an AWS account. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  readonly resourcePrefix: string | undefined;
}

/** What was rendered for a cluster, read from its files as they are, including a user's edits. Nothing is recomputed. */
export interface RenderedCluster extends RenderedFacts {
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

/** Where a package contains the bundle ConfigMaps of a cloud. */
export type BundleNames = ReturnType<typeof bundleNames>;

/**
 * @param directory of the bundles of identities.
 * @param identityName the prefix of their names.
 */
export function bundleNames(cloud: string, directory: string, identityName: string) {
  return {
    /** The path of the bundle with the facts about the whole cluster. */
    cluster: `${cloud}/cluster.yaml`,
    issuer: `${cloud}/issuer.yaml`,
    /** The paths of the bundles of identities, one file for each. */
    identities: new RegExp(`^${cloud}/${directory}/[^/]+\\.yaml$`),
    identity: (baseName: string) => `${cloud}/${directory}/${baseName}.yaml`,
    identityName,
  };
}

/** The bundle ConfigMaps among objects, in the order of their locations. */
export function bundlesAmong(items: readonly Resource[]): RenderedBundle[] {
  return items.filter(isBundle).sort(compareLocations).map(bundleOf);
}

/** The bundle ConfigMaps of one kind, by the pattern of their paths, in the order of the items. */
export function bundlesAt(items: readonly Resource[], path: RegExp): RenderedBundle[] {
  return items.filter((item) => isBundle(item) && path.test(item.path ?? "")).map(bundleOf);
}

function isBundle({ kind, annotations }: Resource): boolean {
  return kind === "ConfigMap" && annotations.has(generatedBy);
}

const bundles = new WeakMap<Resource, RenderedBundle>();

/** The files in a bundle ConfigMap. All that read it share one bundle. */
export function bundleOf(resource: Resource): RenderedBundle {
  const known = bundles.get(resource);
  if (known !== undefined) return known;
  const data = valueAt(resource.value(), ["data"]);
  // A value that is not a string becomes a file that cannot be read, instead of a missing file.
  const files = Object.entries(isMap(data) ? data : {}).map(
    ([name, text]) => [name, typeof text === "string" ? text : ""] as const,
  );
  const bundle = { directory: (resource.path ?? "").replace(/\.yaml$/, ""), resource, files: new Map(files) };
  bundles.set(resource, bundle);
  return bundle;
}

/** The first bundle ConfigMap at a path; undefined if the package contains none. */
export function bundleAt(items: readonly Resource[], path: string | RegExp): RenderedBundle | undefined {
  const isAt = typeof path === "string" ? (text: string) => text === path : (text: string) => path.test(text);
  const found = items.find((item) => isBundle(item) && isAt(item.path ?? ""));
  return found === undefined ? undefined : bundleOf(found);
}

/** The name that the ClusterIdentity had when a package was rendered, according to its first bundle; undefined without one. */
export function nameBefore([bundle]: readonly RenderedBundle[]): string | undefined {
  const owner = bundle?.resource?.annotations.get(generatedBy);
  return owner?.slice(owner.indexOf("/") + 1);
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

/** A JSON file of an export, by its path; empty if there is none. @throws SyntaxError if it is not JSON. */
export function fileIn(files: ReadonlyMap<string, string>, path: string): ValueMap {
  return JSON.parse(files.get(path) ?? "{}") as ValueMap;
}

type Files = Pick<RenderedBundle, "files">;

const readings = new WeakMap<Files["files"], Map<string, JsonReading>>();

/** Reads a JSON file of a bundle, once; undefined if the bundle or the file does not exist. */
export function jsonIn(bundle: Files | undefined, name: string): JsonReading | undefined {
  const text = bundle?.files.get(name);
  if (bundle === undefined || text === undefined) return undefined;
  const known = readings.get(bundle.files) ?? new Map<string, JsonReading>();
  const reading = known.get(name) ?? readJson(text);
  readings.set(bundle.files, known.set(name, reading));
  return reading;
}

/**
 * Where the documents of an issuer must be that applying the package does not publish.
 *
 * @param bundle the one with the documents; undefined if applying the package publishes them.
 */
export function publishedElsewhere(bundle: RenderedBundle | undefined): { readonly elsewhere?: Elsewhere } {
  const document = valueIn(bundle, discoveryPath.split("/").at(-1) ?? "");
  const [issuer, keys] = [textAt(document, ["issuer"]), textAt(document, ["jwks_uri"])];
  if (bundle === undefined || issuer === "" || keys === "") return {};
  return { elsewhere: { directory: bundle.directory, discovery: `${issuer}/${discoveryPath}`, keys } };
}

/** The value of a JSON file of a bundle; null if the file does not exist or cannot be read. */
export function valueIn(bundle: Files | undefined, name: string): Value {
  const reading = jsonIn(bundle, name);
  return reading !== undefined && "value" in reading ? reading.value : null;
}

/** The value of a JSON file of the first bundle that contains it; null as for one bundle. */
export function valueAmong(bundles: readonly Files[], name: string): Value {
  return valueIn(
    bundles.find(({ files }) => files.has(name)),
    name,
  );
}

/** The field of {@link identityFile} with the key of a WorkloadIdentity; that of a request has its Secret. */
const workloadField = "workload";

/** What {@link identityFile} says about whom an identity is for. */
export function identityFacts({
  secretNamespace,
  secretName,
  workload,
}: {
  readonly secretNamespace: string;
  readonly secretName: string;
  readonly workload?: WorkloadTerms;
}): ValueMap {
  const key = `${secretNamespace}/${secretName}`;
  return workload === undefined ? { secret: key } : { [workloadField]: key, delivery: workload.delivery };
}

/** The key in the facts of an {@link identityFile}; "" if there is none. */
export function identityKey(facts: Value): string {
  return textAt(facts, ["secret"]) || textAt(facts, [workloadField]);
}

/** Whether the identity of a bundle is that of a WorkloadIdentity. */
export function isOfWorkload(bundle: Files): boolean {
  return textAt(valueIn(bundle, identityFile), [workloadField]) !== "";
}

/**
 * The key of a bundle's identity, `<namespace>/<name>`: that of its Secret, or of its WorkloadIdentity. Undefined if no file names it.
 */
export function secretKeyIn(bundle: Files): string | undefined {
  const key = identityKey(valueIn(bundle, identityFile));
  return /^[^/\s]+\/[^/\s]+$/.test(key) ? key : undefined;
}

/** An error for each identity whose files cannot be read. */
export function unreadableFindings(
  identities: readonly (RenderedIdentity & { readonly directory: string })[],
  code: FindingCode,
  noun: string,
): Finding[] {
  return identities
    .filter(({ compared }) => compared === undefined)
    .map(({ resource, directory }) =>
      resource === undefined
        ? finding(
            "error",
            code,
            `${quoteWhole(directory)} does not contain a rendered ${noun}; render the package again and export it.`,
          )
        : finding("error", code, `is not a rendered ${noun}; render the package again.`, { resource }),
    );
}

/** The URL of an issuer, with `https://`; undefined if no file names it. */
export function issuerUrl({ url }: RenderedIssuer): string | undefined {
  return url === undefined ? undefined : `https://${url}`;
}

/** The IDs of the keys that an issuer publishes, in the order of its document; empty if the document cannot be read. */
export function issuerKeyIds({ keys }: Pick<RenderedIssuer, "keys">): string[] {
  const published = keys !== undefined && "value" in keys ? listAt(keys.value, ["keys"]) : [];
  return published.map((key) => textAt(key, ["kid"])).filter((id) => id !== "");
}

/** The facts in `cluster.json` of a team's package about its mark and its origin; none in that of a cluster. */
export function markFact({ mark }: { readonly mark: string }, { facts }: Pick<Identity, "facts">): ValueMap {
  return facts === undefined ? {} : { ownerMark: mark, facts: facts.digest };
}

/** The digest of the facts with which a team's package was rendered, in `cluster.json`; undefined in that of a cluster. */
export function factsIn(cluster: Value): string | undefined {
  return textAt(cluster, ["facts"]) || undefined;
}

/** The mark in `cluster.json` of what a package makes. */
export function markIn(cluster: Value): string {
  return textAt(cluster, ["ownerMark"]) || clusterMark;
}

/** The field of `cluster.json` that says what applies a package, unless it is `ccf apply`. */
const field = "applier";

/** What `cluster.json` of a cluster says about what applies it. */
export function applierFact({ applier }: Pick<Identity, "applier">): ValueMap {
  return applier === "Ccf" ? {} : { [field]: applier };
}

/** What applies a package, or a package that was exported. @param bundles of either. */
export function applierOf(bundles: readonly RenderedBundle[]): string {
  return textAt(valueAmong(bundles, clusterFile), [field]) || "Ccf";
}

/** What applies a package. @param files of its bundle ConfigMaps, or of its export, by path. */
export function applierIn(files: ReadonlyMap<string, string>): string {
  const path = [...files.keys()].find((one) => one.split("/").length === 2 && one.endsWith(`/${clusterFile}`));
  return textAt(JSON.parse(files.get(path ?? "") ?? "{}"), [field]) || "Ccf";
}
