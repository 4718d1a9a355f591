import { cloudOf } from "../../clouds/index.ts";
import { renderedBefore } from "../../clouds/rendered-before.ts";
import { removalOf } from "../../core/allowances.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { describe, refOf } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, secretKeyOf } from "../../requests/credentials-request.ts";
import { isOfRelease, minorOf, type ReleaseFilter } from "../../requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../../requests/select.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { undecidedFinding } from "../../requests/undecided.ts";
import { parseDocuments, removeDocuments } from "../../yaml/documents.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { documents, isEmpty, isProblem } from "../../yaml/source.ts";
import { fileFinding } from "../files/paths.ts";
import { type PackageFile, readItems } from "../files/read-objects.ts";
import { requestsDirectory } from "../files/request-files.ts";
import type { FileChange, WriteStep } from "../files/write-files.ts";
import { editObject } from "../package/edit-object.ts";
import type { Package } from "../package/package-files.ts";
import { capabilitiesFindings } from "../release/capabilities.ts";
import { filesAbout, isAboutRelease, refuseTakenNames } from "../release/release-directory.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";
import { isKeptRequest, isSameRequest, type KeptRequest, keptRequests, markEdits } from "./kept-requests.ts";
import {
  type Counted,
  countedOf,
  elsewhere,
  nameOf,
  newRequests,
  type OwnedRequests,
  oldRequests,
  ownedRequests,
  type Release,
  releaseFor,
  subjectOf,
  type TargetFile,
  targetFiles,
  type UpdatedPackage,
} from "./release.ts";

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
  /** Those of which it is unknown whether the release has their requests, because that depends on feature gates. */
  readonly unknown: readonly Affected[];
  /** The capabilities that the upgrade enables and that the ClusterIdentity now lists, sorted. */
  readonly capabilities: readonly string[];
  /** `spec.release.version` before and after, if it changes. */
  readonly version: readonly [before: string | undefined, after: string] | undefined;
  /** `spec.release.version`, if the release does not say its own: it may be that of the release before. */
  readonly versionLeft: string | undefined;
  /** Warnings about what could not be decided. */
  readonly findings: readonly Finding[];
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

// The directories of removed files below the directory of requests, the innermost first.
function directoriesOf(changes: readonly FileChange[]): readonly string[] {
  const found = new Set<string>();
  for (const { path, after } of changes) {
    if (after !== undefined) continue;
    const steps = path.split("/").slice(0, -1);
    for (let depth = steps.length; depth > 1; depth--) found.add(steps.slice(0, depth).join("/"));
  }
  return [...found].sort((a, b) => b.split("/").length - a.split("/").length || compareText(a, b));
}

/** The directory for requests of the previous release whose file names the new release uses. */
const previousDirectory = `${requestsDirectory}/previous-release`;

/**
 * Plans the update of a package to a release: afterwards its requests ask for what the release in the package and the new
 * release ask for. Reads and writes nothing.
 *
 * @throws FindingsError if the package must stay as it is.
 */
export function planUpdate(pkg: Package, release: Release): UpdatePlan {
  const subject = subjectOf(pkg);
  const { identity, cloud, items } = subject;
  const { subject: next, capabilities } = releaseFor(subject, release);
  const now = newRequests(next, release);
  const owned = ownedRequests(items, release.items.filter(isCredentialsRequest));
  throwErrors(elsewhere(owned, now));
  const files = targetFiles(release, now, cloud.providerKind, owned.former);
  refuseTakenNames(release.named, files.keys());
  const about = [...filesAbout(release.items, next.release, release)];
  const targets = new Map([...files, ...about.map(([path, text]) => [path, { from: path, text }] as const)]);
  const old = oldRequests(subject, owned.former, targets);
  const kept = keptRequests(subject, old, now, owned.annotated);
  const takenNames = new Set(namesIn(release, targets));
  const config = configured(subject, next.release, release.version);
  const steps = stepsFor(subject, owned, targets, kept, takenNames, config);
  refuseUnusable(next, steps);
  return {
    identity: identity.name,
    platform: cloud.name,
    steps,
    removals: [],
    ...affected(old, now, kept, owned),
    capabilities: capabilities.enabled,
    version: versionChange(subject, release.version),
    versionLeft: release.version === undefined ? identity.release.version : undefined,
    findings: [
      ...now.undecided.map((one) => undecidedFinding(one, now.release)),
      ...capabilitiesFindings(release, identity.release, capabilities.unknown, identity.resource),
    ],
  };
}

function versionChange({ identity }: UpdatedPackage, version: string | undefined): UpdatePlan["version"] {
  const before = identity.release.version;
  return version === undefined || before === minorOf(version) ? undefined : [before, minorOf(version)];
}

/** The ClusterIdentity with the version of the release, and with the capabilities that the upgrade enables. */
function configured(
  { identity: { resource, release } }: UpdatedPackage,
  { capabilities = [] }: ReleaseFilter,
  version: string | undefined,
): FileChange[] {
  const item = resource as Item;
  const edits = [
    ...(version === undefined ? [] : [{ path: ["spec", "release", "version"], value: minorOf(version) }]),
    ...(release.capabilities === undefined || release.capabilities.length === capabilities.length
      ? []
      : [{ path: ["spec", "release", "capabilities"], value: capabilities }]),
  ];
  const { path = "", source } = item;
  const after = editObject(item, edits).source.text;
  return after === source.text ? [] : [{ path, before: source.text, after }];
}

function namesIn({ items }: Release, targets: ReadonlyMap<string, TargetFile>): string[] {
  const paths = new Set([...targets.values()].map(({ from }) => from));
  return items.filter((item) => isCredentialsRequest(item) && paths.has(item.path ?? "")).map(nameOf);
}

function stepsFor(
  { pkg, items: all }: UpdatedPackage,
  { former, annotated }: OwnedRequests,
  targets: ReadonlyMap<string, TargetFile>,
  kept: readonly KeptRequest[],
  takenNames: ReadonlySet<string>,
  config: readonly FileChange[],
): WriteStep[] {
  const [marked, written, removed] = [[] as FileChange[], [...config], [] as FileChange[]];
  const releases = new Set([...former, ...all.filter(isAboutRelease)]);
  const isKeptAlready = ({ request: { value } }: KeptRequest) =>
    annotated.some((item) => isKeptRequest(item.value(), value));
  const staying = new Set(
    kept.filter((one) => !isKeptAlready(one)).map(({ request: { resource } }) => resource as Item),
  );
  const edits = (items: readonly Item[]) => items.flatMap((item) => markEdits(item, takenNames.has(nameOf(item))));
  const paths = new Set(pkg.files.map(({ path }) => path));
  const findings: Finding[] = [];
  for (const file of pkg.files) {
    const { path, source } = file;
    const target = targets.get(path);
    const ours = file.items.filter((item) => releases.has(item));
    const stays = ours.filter((item) => staying.has(item));
    if (target?.text === source.text) continue;
    if (target !== undefined) {
      findings.push(...alsoContains(file, target, releases));
      written.push({ path, before: source.text, after: target.text });
      if (stays.length > 0) marked.push(copyOf(file, stays, edits(stays), paths));
    } else if (ours.length > 0) {
      const gone = new Set(ours.filter((item) => !staying.has(item)).map(({ node }) => node));
      const after = without(file, gone, edits(stays));
      (gone.size === 0 ? marked : removed).push({ path, before: source.text, after });
    }
  }
  const twice = config.find((one) =>
    [...marked, ...removed, ...written].some((other) => other !== one && other.path === one.path),
  );
  if (twice !== undefined) findings.push(configShared(twice.path));
  throwErrors(findings);
  for (const [path, { text }] of targets) if (!paths.has(path)) written.push({ path, before: undefined, after: text });
  const emptied = directoriesOf(removed);
  return [{ changes: marked }, { changes: sorted(written) }, { changes: removed, emptied }].filter(
    ({ changes }) => changes.length > 0,
  );
}

function configShared(path: string): Finding {
  const message = "contains the ClusterIdentity beside requests of the release. Move it to another file.";
  return fileFinding("error", "request-file-shared", path, message);
}

function sorted(changes: readonly FileChange[]): FileChange[] {
  return [...changes].sort((a, b) => compareText(a.path, b.path));
}

// The text of a file without some of its documents; undefined if none remains.
function without({ source }: PackageFile, gone: ReadonlySet<number>, edits: ReturnType<typeof markEdits>) {
  const removals = gone.size === 0 ? [] : removeDocuments(source, gone);
  return removals === undefined ? undefined : applyEdits(source.text, [...edits, ...removals]);
}

/** The requests of a file that stay, in a file of their own, because the release has a file of the same name. */
function copyOf(
  file: PackageFile,
  stays: readonly Item[],
  edits: ReturnType<typeof markEdits>,
  taken: Set<string>,
): FileChange {
  const staying = new Set(stays.map(({ node }) => node));
  const gone = documents(file.source).filter((node) => !staying.has(node));
  const [base = "", extension = ""] = splitName(file.path.slice(requestsDirectory.length + 1));
  let path = `${previousDirectory}/${base}${extension}`;
  for (let count = 2; taken.has(path); count++) path = `${previousDirectory}/${base}-${count}${extension}`;
  taken.add(path);
  return { path, before: undefined, after: without(file, new Set(gone), edits) };
}

function splitName(path: string): string[] {
  return /^(.*)(\.[^./]+)$/s.exec(path)?.slice(1) ?? [path, ""];
}

// Requests of users, and objects that no release has, would be lost with the file. Other manifests of a payload file come again.
function alsoContains({ path, source, items }: PackageFile, target: TargetFile, former: ReadonlySet<Item>): Finding[] {
  const known = new Map(items.map((item) => [item.node, item]));
  const again = new Set(itemsOf(path, target.text).map((item) => describe(refOf(item))));
  const isReleases = (item: Item) =>
    former.has(item) ||
    (!isCredentialsRequest(item) && (isOfRelease(item.annotations) || again.has(describe(refOf(item)))));
  const lost = documents(source).flatMap((node) => {
    const item = known.get(node);
    if (item === undefined) return isEmpty(source, node) ? [] : ["something that is not a Kubernetes object"];
    return isReleases(item) ? [] : [describe(refOf(item))];
  });
  if (lost.length === 0) return [];
  const message = `has the name of a file of the release, ${quoteWhole(target.from)}, but also contains ${lost[0]}, which belongs to no release. Move that to another file.`;
  return [fileFinding("error", "request-file-shared", path, message)];
}

function itemsOf(path: string, text: string): Item[] {
  const source = parseDocuments(text);
  return isProblem(source) ? [] : readItems(path, source, []);
}

// A last look at the whole: what would be written must be what a render accepts.
function refuseUnusable({ items, release, cloud, merging }: UpdatedPackage, steps: readonly WriteStep[]): void {
  const changes = changesOf({ steps });
  const changed = new Set(changes.map(({ path }) => path));
  const after = changes.flatMap(({ path, after }) => (after === undefined ? [] : itemsOf(path, after)));
  const all = [...items.filter(({ path = "" }) => !changed.has(path)), ...after];
  throwErrors(selectRequests(all, release, cloud.providerKind, { merging }).findings);
}

function affected(
  old: Counted,
  now: Counted,
  kept: readonly KeptRequest[],
  { annotated }: OwnedRequests,
): Pick<UpdatePlan, "new" | "changed" | "kept" | "gone" | "unknown"> {
  const before = new Map(annotated.map((item) => [secretKeyOf(item.value()) ?? "", earlier] as const));
  const staying = new Map([...before, ...kept.map(({ key, why }) => [key, why] as const)]);
  const isChanged = ([key, { value }]: readonly [string, SelectedRequest]) => {
    const request = old.requests.get(key);
    return request !== undefined && !isSameRequest(request.value, value);
  };
  const unknown = new Map(
    now.undecided.flatMap(({ secretKey, gates }) =>
      secretKey === undefined
        ? []
        : [[secretKey, `depends on the feature ${gates.length === 1 ? "gate" : "gates"} ${gates.join(", ")}`]],
    ),
  );
  const isNew = (key: string) => !old.requests.has(key) && !before.has(key) && !unknown.has(key);
  return {
    new: keysOf([...now.requests.keys()].filter(isNew)),
    unknown: keysOf([...unknown.keys()]).map(({ key }) => ({ key, why: unknown.get(key) ?? "" })),
    changed: keysOf([...now.requests].filter(isChanged).map(([key]) => key)),
    kept: keysOf([...staying.keys()]).map(({ key }) => ({ key, why: staying.get(key) ?? "" })),
    gone: keysOf([...old.requests.keys()].filter((key) => !now.requests.has(key))),
  };
}

const earlier = "the package keeps it already";

function keysOf(keys: readonly string[]): Affected[] {
  return [...keys].sort(compareText).map((key) => ({ key }));
}

/**
 * Plans the end of an upgrade: removes the requests of the previous release from a package. Reads and writes nothing.
 *
 * @param release the release that the package must already have; undefined if that is not checked.
 * @throws FindingsError if it has another.
 */
export function planFinal(pkg: Package, release: Release | undefined): UpdatePlan {
  const subject = subjectOf(pkg);
  if (release !== undefined) requireRelease(subject, release);
  const isGone = (item: UpdatedPackage["items"][number]) => isCredentialsRequest(item) && isOfPreviousRelease(item);
  const changes = pkg.files.flatMap(({ path, source, items }): FileChange[] => {
    const gone = new Set(items.filter(isGone).map(({ node }) => node));
    if (gone.size === 0) return [];
    const edits = removeDocuments(source, gone);
    return [{ path, before: source.text, after: edits === undefined ? undefined : applyEdits(source.text, edits) }];
  });
  const keys = (some: typeof subject.items) => new Set(some.map((item) => secretKeyOf(item.value()) ?? ""));
  const left = keys(subject.items.filter((item) => isCredentialsRequest(item) && !isGone(item)));
  const removed = [...keys(subject.items.filter(isGone))].sort(compareText).map((key) => ({ key }));
  const emptied = directoriesOf(changes);
  const gone = removed.filter(({ key }) => !left.has(key));
  return {
    identity: subject.identity.name,
    platform: subject.cloud.name,
    steps: changes.length === 0 ? [] : [{ changes, emptied }],
    new: [],
    changed: removed.filter(({ key }) => left.has(key)),
    kept: [],
    gone,
    ...{ unknown: [], capabilities: [], version: undefined, versionLeft: undefined, findings: [] },
    removals: removalsOf(subject, gone),
  };
}

// A request that was not rendered, or that an override skips, takes nothing away.
function removalsOf({ identity, items }: UpdatedPackage, gone: readonly Affected[]): string[] {
  const { renderer } = cloudOf(identity);
  const rendered = renderedBefore(items, undefined, identity, undefined, renderer);
  return gone.flatMap(({ key }) =>
    rendered.has(key) && identity.overrides[key]?.skip !== true ? [removalOf(key)] : [],
  );
}

/** How many Secrets a message names. */
const maxNamed = 5;

function requireRelease(subject: UpdatedPackage, release: Release): void {
  const { subject: next } = releaseFor(subject, release);
  const now = newRequests(next, release);
  const has = countedOf(
    subject,
    subject.items.filter((item) => !isOfPreviousRelease(item)),
  );
  const missing = [...now.requests].filter(([key, { value }]) => {
    const request = has.requests.get(key);
    return request === undefined || !isSameRequest(request.value, value);
  });
  if (missing.length === 0) return;
  const names = listed(missing.map(([key]) => quoteWhole(key)).sort(compareText), maxNamed);
  const message = `the requests in "${requestsDirectory}/" are not those of ${release.named} (${names}), so its upgrade is not finished. Run the command without "--final" first, render, apply and upgrade; or name the release that the cluster runs.`;
  throw new FindingsError([finding("error", "update-missing", message, { resource: subject.identity.resource })]);
}
