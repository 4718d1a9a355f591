import { realpathSync } from "node:fs";
import { posix, resolve } from "node:path";
import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import { inspectorFor } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { describe, type Resource, refOf } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote } from "../../core/text.ts";
import { clusterContext, requestedIdentities } from "../../diff/identities.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import { isCredentialsRequest, isRequestFor, providerSpecOf, secretKeyOf } from "../../requests/credentials-request.ts";
import { isFeatureGate, isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import type { ImplicitCapabilities } from "../../requests/manifests-index.ts";
import { ownerOf, subscriptionsOf } from "../../requests/operators.ts";
import { filterFor, isOfRelease, type ReleaseFilter } from "../../requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../../requests/select.ts";
import { isOfPreviousRelease, type Merging } from "../../requests/transition.ts";
import type { SettledRequest } from "../../requests/undecided.ts";
import { isInside, nearestDirectory } from "../files/paths.ts";
import { readRequestDirectory, requestFilesIn, requestsDirectory, withoutGates } from "../files/request-files.ts";
import { online } from "../online.ts";
import type { Package } from "../package/package-files.ts";
import { enabledBy, type PreviousRelease, withCapabilities } from "../release/capabilities.ts";
import type { ImageFlags } from "../release/read-image.ts";
import {
  factsOfExtract,
  type ReleaseFacts,
  readPreviousRelease,
  readReleaseFacts,
} from "../release/release-directory.ts";
import { FindingsError, throwErrors, UsageError } from "../terminal/errors.ts";
import { writeNotes } from "../terminal/output.ts";

/** A package whose requests are updated, and what decides which requests count for it. */
export interface UpdatedPackage {
  readonly pkg: Package;
  readonly items: readonly Item[];
  readonly identity: Identity;
  /** What the cluster includes: of the release in the package, or of the one that it is updated to. */
  readonly release: ReleaseFilter;
  readonly cloud: Inspector;
  readonly merging: Merging;
}

/** Reads the ClusterIdentity of a package. @throws FindingsError if it cannot be used. */
export function subjectOf(pkg: Package): UpdatedPackage {
  const items = pkg.files.flatMap((file) => file.items);
  const identity = readIdentity(items, undefined);
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const cloud = inspectorFor(identity);
  return {
    pkg,
    items,
    identity,
    release: identity.release,
    cloud,
    merging: { merge: cloud.merge, tokenPath: identity.tokenPath },
  };
}

/** The requests that count for a cluster, and what they ask for. */
export interface Counted {
  /** By the key of the Secret. */
  readonly requests: ReadonlyMap<string, SelectedRequest>;
  /** Without those that an override of the ClusterIdentity skips: they have no identity. */
  readonly identities: readonly CloudIdentity[];
  /** The requests that depend on feature gates of unknown state. */
  readonly undecided: readonly SettledRequest[];
  /** With what FeatureGate objects among the items state. */
  readonly release: ReleaseFilter;
}

/**
 * The requests among items that count for the cluster of a package. A request whose feature gate is unknown counts: it is not
 * rendered until the gate is known.
 *
 * @throws FindingsError if one has an error that a render would report.
 */
export function countedOf(subject: UpdatedPackage, items: readonly Resource[]): Counted {
  const { identity, cloud, merging } = subject;
  const options = { countUndecided: true, merging };
  const { requests, undecided, release } = selectRequests(items, subject.release, cloud.providerKind, options);
  const context = { ...clusterContext(identity, cloud), release: subject.release };
  const { identities, findings } = requestedIdentities(items, [cloud], context);
  throwErrors(findings);
  return {
    requests: new Map(requests.map((request) => [request.secretKey ?? "", request])),
    identities,
    undecided,
    release,
  };
}

/** The requests of a release, read once for all packages. */
export interface Release extends ReleaseFacts {
  /** The option and its value, for messages. */
  readonly named: string;
  /** The files by path, relative to the directory. */
  readonly texts: ReadonlyMap<string, string>;
  /** All objects of the files, with these paths. */
  readonly items: readonly Item[];
  /** The release that the clusters run; undefined if it is not given. */
  readonly previous: PreviousRelease | undefined;
}

/**
 * Reads the directory of `--from` and those below it.
 *
 * @param previous the directory of `--previous-release`
 * @throws UsageError if it cannot be used as a whole.
 */
export function readRelease(from: string, previous?: string): Release {
  const named = `--from ${quote(from)}`;
  const { bytes, items } = readRequestDirectory(named, from);
  return releaseOf(named, bytes, items, { ...readReleaseFacts(named, from), previous: previousOf(previous) });
}

/**
 * The release of `--release`, from its image.
 *
 * @throws UsageError if it cannot be used as a whole.
 */
export async function readReleaseFromImage(release: string, flags: ImageFlags, previous?: string): Promise<Release> {
  const { readExtract, verifiedLine } = await online.releaseReader();
  const wanted = { from: { release }, arch: "amd64", providerKind: undefined };
  const { image, extract } = await readExtract(wanted, flags);
  writeNotes(2, [verifiedLine(image)]);
  const named = `--release ${quote(release)}`;
  const { bytes, items } = requestFilesIn(named, extract.files);
  return releaseOf(named, bytes, items, { ...factsOfExtract(extract), previous: previousOf(previous) });
}

function previousOf(directory: string | undefined): Release["previous"] {
  return directory === undefined ? undefined : readPreviousRelease(directory);
}

function releaseOf(
  named: string,
  bytes: ReadonlyMap<string, Uint8Array>,
  items: readonly Item[],
  facts: ReleaseFacts & Pick<Release, "previous">,
): Release {
  const list = items.find(({ kind }) => kind.endsWith("List"));
  if (list !== undefined)
    throw new UsageError(
      `${named} contains a list, in ${quote(list.path)}, which is not read; write its objects as separate documents`,
    );
  if (!items.some(isCredentialsRequest)) throw new UsageError(`${named} contains no CredentialsRequests`);
  const kept = items.find((item) => isCredentialsRequest(item) && isOfPreviousRelease(item));
  if (kept !== undefined)
    throw new UsageError(
      `${named} contains a request that a package keeps during an upgrade, in ${quote(kept.path)}; name a release as "ccf extract-release" wrote it`,
    );
  const texts = new Map([...bytes].map(([path, content]) => [path, decodeUtf8(content) ?? ""]));
  return { ...facts, named, texts, items };
}

/** Refuses a package that contains the release, or is part of it. @throws UsageError */
export function refuseNested(from: string, directory: string): void {
  const [release, pkg] = [realpathSync(from), nearestDirectory(resolve(directory)).real];
  if (isInside(release, pkg) || isInside(pkg, release))
    throw new UsageError(
      `--from ${quote(from)} and the package ${quote(directory)} contain one another; keep releases outside packages`,
    );
}

/** A release as one cluster includes it. */
export interface ReleaseForCluster {
  /** The package's subject with the filter of the release. */
  readonly subject: UpdatedPackage;
  /** The capabilities that an upgrade to the release enables, without those of the package. */
  readonly capabilities: ImplicitCapabilities;
}

/**
 * Determines what a cluster includes of a release: with the release's version, and with the capabilities that an upgrade to it
 * enables. The gates of the package are those of another release.
 */
export function releaseFor(subject: UpdatedPackage, release: Release): ReleaseForCluster {
  const filter = filterFor(subject.release, release);
  const capabilities = enabledBy(subject.items, release, subject.release, filter);
  return { subject: { ...subject, release: withCapabilities(filter, capabilities.enabled) }, capabilities };
}

/**
 * The requests of a release that count for a package.
 *
 * @param subject with the filter of the release.
 * @throws FindingsError if there are none.
 */
export function newRequests(subject: UpdatedPackage, { items, named }: Release): Counted {
  const now = countedOf(subject, items.filter(isOfReleaseOnly));
  if (now.requests.size > 0) return now;
  const { title } = subject.cloud;
  const message = `${named} has no request that counts for this cluster on ${title}, with its feature set, gates, capabilities and profile. The package is unchanged.`;
  throw new FindingsError([
    finding("error", "no-request-for-package", message, { resource: subject.identity.resource }),
  ]);
}

// A dump of a cluster beside the requests says what the cluster's current release enables.
function isOfReleaseOnly(item: Item): boolean {
  return !isFeatureGate(item) || isReleaseFeatureGate(item);
}

/** A file of the release that a package gets. */
export interface TargetFile {
  /** The path in the release. */
  readonly from: string;
  readonly text: string;
}

/**
 * The files of the release that a package gets, unchanged, by their paths in the package: those with requests that count for
 * it, and those with requests that it has already, although they do not count. The names are those of the release, without
 * the directories that all counted files are in, such as `aws/`.
 *
 * @param former the requests of the release that the package has.
 */
export function targetFiles(
  { items, texts }: Release,
  { requests }: Counted,
  providerKind: string,
  former: readonly Item[],
): ReadonlyMap<string, TargetFile> {
  const counted = [...requests.values()].map(({ resource }) => resource.path ?? "");
  const base = commonDirectory(counted);
  const isOwn = (item: Item) => isRequestFor(item, providerKind);
  const present = new Set(former.filter(isOwn).map(nameOf));
  const uncounted = items.filter((item) => isOwn(item) && present.has(nameOf(item))).map(({ path = "" }) => path);
  const paths = new Set([...counted, ...uncounted.filter((path) => base === "" || path.startsWith(`${base}/`))]);
  return new Map(
    [...paths].sort(compareText).map((from) => {
      const own = items.filter(({ path }) => path === from);
      const content = withoutGates(Buffer.from(texts.get(from) ?? "", "utf8"), own) ?? new Uint8Array();
      const text = Buffer.from(content).toString("utf8");
      return [`${requestsDirectory}/${posix.relative(base, from)}`, { from, text }];
    }),
  );
}

function commonDirectory(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const isCommon = (depth: number) => others.every((steps) => steps[depth] === first[depth]);
  const end = first.findIndex((_, depth) => !isCommon(depth));
  return first.slice(0, end < 0 ? first.length : end).join("/");
}

/** The requests of a package, by who owns them. */
export interface OwnedRequests {
  /** Of the release that the package has: an update replaces or removes them. */
  readonly former: readonly Item[];
  /** Of the release before, which the package keeps during an upgrade. */
  readonly annotated: readonly Item[];
  /** Of OLM operators and users: an update never touches them. */
  readonly others: readonly Item[];
}

/**
 * Divides the requests of a package. A request in `credentials-requests/` belongs to a release if it names cluster profiles,
 * as every manifest of a release does, or if the new release has a request of that name or for that Secret. One that belongs
 * to an OLM operator does not.
 *
 * @param release the requests of the new release.
 */
export function ownedRequests(items: readonly Item[], release: readonly Resource[]): OwnedRequests {
  const names = new Set(release.map(nameOf));
  const keys = new Set(release.map((item) => secretKeyOf(item.value())));
  const subscriptions = subscriptionsOf(items);
  const found = { former: [] as Item[], annotated: [] as Item[], others: [] as Item[] };
  for (const item of items.filter(isCredentialsRequest)) {
    const value = item.value();
    const secretKey = secretKeyOf(value);
    const isOperators = () =>
      ownerOf({ resource: item, value, secretKey, copies: [] }, subscriptions).kind === "operator";
    const isReleases = () =>
      isOfRelease(item.annotations) || names.has(nameOf(item)) || (secretKey !== undefined && keys.has(secretKey));
    if (isOfPreviousRelease(item)) found.annotated.push(item);
    else if (item.path?.startsWith(`${requestsDirectory}/`) === true && isReleases() && !isOperators())
      found.former.push(item);
    else found.others.push(item);
  }
  return found;
}

/** The namespace and the name of an object as one text. */
export function nameOf({ namespace, name }: Resource): string {
  return `${namespace}/${name}`;
}

/**
 * The requests of the release in the package that count for it. An interrupted run may have left the old file beside the new one of
 * another name. Then the old one decides.
 */
export function oldRequests(
  subject: UpdatedPackage,
  former: readonly Item[],
  targets: ReadonlyMap<string, TargetFile>,
): Counted {
  const isNew = ({ path = "", source }: Item) => targets.get(path)?.text === source.text;
  const isOwn = (item: Item) => isRequestFor(item, subject.cloud.providerKind);
  const left = former.filter((item) => !isNew(item));
  const keys = new Set(left.filter(isOwn).map((item) => secretKeyOf(item.value())));
  const unchanged = former.filter((item) => isNew(item) && !keys.has(secretKeyOf(item.value())));
  return countedOf(subject, [...left, ...unchanged, ...subject.items.filter(isFeatureGate)]);
}

/** Errors about requests for the same Secret that the update would neither replace nor merge. */
export function elsewhere({ others }: OwnedRequests, { requests }: Counted): Finding[] {
  return others.flatMap((resource) => {
    const value = resource.value();
    const request = requests.get(secretKeyOf(value) ?? "");
    if (request === undefined || providerSpecOf(value)?.["kind"] !== providerSpecOf(request.value)?.["kind"]) return [];
    const message = `names the same Secret as the release's ${describe(refOf(request.resource))}, but is not a request of a release in "${requestsDirectory}/". If it is the previous release's request, move its file there. If it belongs to an OLM operator, give it its own Secret.`;
    return [finding("error", "request-elsewhere", message, { resource })];
  });
}
