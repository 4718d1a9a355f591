import { type Dirent, realpathSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { type Finding, FindingError, finding, findingsOf } from "../../core/finding.ts";
import type { Value } from "../../core/resource.ts";
import { conflictIn, decodeUtf8, holdsPrivateKey, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { namesWhatIsRead } from "../../krm/resource-list.ts";
import { isCredentialsRequest, providerSpecOf } from "../../requests/credentials-request.ts";
import { isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import { encryptedRequest } from "../../requests/misplaced.ts";
import { parseDocuments, removeDocuments } from "../../yaml/documents.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { describeProblem, documents, isProblem, type Source, type SyntaxProblem } from "../../yaml/source.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { listDirectory } from "./directory.ts";
import { isInside, nearestDirectory, statOf } from "./paths.ts";
import { readBytes } from "./read-bytes.ts";
import { misplacedIn } from "./read-objects.ts";

/** The directory of a package that contains the release's requests. */
export const requestsDirectory = "credentials-requests";

/** The cloud of requests. */
export interface RequestedCloud {
  readonly title: string;
  readonly providerKind: string;
}

/** The contents of a directory of requests. */
export interface Requests {
  /** The unchanged files, by the path that they will have in a package. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly items: readonly Item[];
  /** How many of the items are CredentialsRequests for the cloud. */
  readonly count: number;
  /** How many CredentialsRequests for other clouds are in files that a package does not get. */
  readonly others: number;
  /** All objects of the directory, with those of files that a package does not get. */
  readonly all: readonly Item[];
}

/**
 * Reads a directory of requests. Symbolic links to files are followed, and the contents of their targets are copied. As in
 * `ccf update-requests`, a package does not get a file that contains nothing but requests for other clouds: a release that was
 * extracted without `--cloud` has many of them. Nor does it get FeatureGate manifests as they are.
 *
 * @param target the directory of the package; it need not exist.
 * @param cloud the cloud; at least one request must be for it.
 * @throws UsageError if a package with these files could not be rendered, or would lack some of them.
 */
export function readRequests(from: string, target: string, cloud: RequestedCloud): Requests {
  const named = `--credentials-requests ${quote(from)}`;
  requireDirectoryOf(named, from);
  if (isInside(realpathSync(from), nearestDirectory(resolve(target)).real)) {
    throw new UsageError("the package would be inside the directory of the requests; name another directory");
  }
  return requestsFor(named, readRequestDirectory(named, from), cloud);
}

/**
 * The files of a release that a package for a cloud gets.
 *
 * @param named the option with its value, for messages.
 * @throws UsageError if none of the requests is for the cloud.
 */
export function requestsFor(
  named: string,
  { bytes, items }: ReturnType<typeof objectsIn>,
  cloud: RequestedCloud,
): Requests {
  const count = countFor(named, items, cloud);
  const others = filesForOthers(items, cloud);
  const files = new Map(
    [...bytes].flatMap(([path, content]) => {
      const own = items.filter((item) => item.path === path);
      const kept = others.has(path) ? undefined : withoutGates(content, own);
      return kept === undefined ? [] : [[`${requestsDirectory}/${path}`, kept]];
    }),
  );
  const own = items.filter((item) => !others.has(item.path ?? "") && !isReleaseFeatureGate(item));
  const requestsOf = (some: readonly Item[]) => some.filter(isCredentialsRequest).length;
  return { files, items: own, count, others: requestsOf(items) - requestsOf(own), all: items };
}

/**
 * The content of a file of requests without FeatureGate manifests of a release: a package has them in a file of their own.
 *
 * @param items the objects of the file.
 * @returns undefined if nothing remains.
 */
export function withoutGates(content: Uint8Array, items: readonly Item[]): Uint8Array | undefined {
  const gates = items.filter(isReleaseFeatureGate);
  const [first] = gates;
  if (first === undefined) return content;
  const edits = removeDocuments(first.source, new Set(gates.map(({ node }) => node)));
  return edits === undefined ? undefined : Buffer.from(applyEdits(first.source.text, edits), "utf8");
}

function requireDirectoryOf(named: string, path: string): void {
  if (statOf(path)?.isDirectory() !== true) throw new UsageError(`${named} is not a directory`);
}

/**
 * Reads a directory of requests and those below it. Symbolic links to files are followed.
 *
 * @param named the option with its value, for messages.
 * @returns the files and their objects, with paths relative to the directory.
 * @throws UsageError if a package with these files could not be rendered, or would lack some of them.
 */
export function readRequestDirectory(
  named: string,
  from: string,
): { readonly bytes: ReadonlyMap<string, Uint8Array>; readonly items: readonly Item[] } {
  requireDirectoryOf(named, from);
  return objectsIn(named, readYamlFiles(realpathSync(from)));
}

/**
 * The files of a release that was extracted without a directory, as {@link readRequestDirectory} reads them.
 *
 * @param named the option with its value, for messages.
 */
export function requestFilesIn(named: string, files: ReadonlyMap<string, string>): ReturnType<typeof objectsIn> {
  const texts = [...files]
    .filter(([path]) => isYaml(path))
    .map(([path, text]) => [path, Buffer.from(text, "utf8")] as const);
  return objectsIn(named, { bytes: new Map(texts), problems: [] });
}

function objectsIn(
  named: string,
  { bytes, problems }: YamlFiles,
): { readonly bytes: ReadonlyMap<string, Uint8Array>; readonly items: readonly Item[] } {
  refusePrivateKeys(bytes);
  if (bytes.size === 0 && problems.length === 0) throw new UsageError(`${named} contains no YAML files`);
  const items: Item[] = [];
  for (const [path, content] of bytes) {
    const read = itemsOf(path, content);
    if (typeof read === "string") problems.push(`${quote(path)} ${read}`);
    else items.push(...read);
  }
  if (problems.length > 0) {
    throw new UsageError(
      `${named} contains files that cannot be used: ${listed(problems, maxNamed)}; fix or remove them`,
    );
  }
  const unusable = items.flatMap(unusableRequests);
  if (unusable.length > 0) throw new FindingsError(unusable);
  return { bytes, items };
}

// What a render would report as an error about a request: a package with it could not be rendered.
function unusableRequests(item: Item): Finding[] {
  if (!isCredentialsRequest(item)) return misplacedIn(item).filter(({ severity }) => severity === "error");
  return findingsOf(() => [encryptedRequest(item, item.value()) ?? []].flat());
}

const maxNamed = 8;

interface YamlFiles {
  /** By path, relative to the directory. */
  readonly bytes: Map<string, Uint8Array>;
  /** The files that cannot be read, with the reason. */
  readonly problems: string[];
}

function readYamlFiles(root: string): YamlFiles {
  const bytes = new Map<string, Uint8Array>();
  const problems: string[] = [];
  const visit = (below: string): void => {
    const { entries, unnamed } = listDirectory(join(root, below));
    for (const { name, isDirectory } of unnamed)
      if (isDirectory || isYaml(name)) problems.push(`${quote(posix.join(below, name))} has a name that is not UTF-8`);
    for (const entry of entries) {
      const path = posix.join(below, entry.name);
      const action = actionFor(root, path, entry);
      if (action === "visit") orProblem(path, problems, () => visit(path));
      else if (action === "read") orProblem(path, problems, () => bytes.set(path, readBytes(join(root, path))));
      else if (action !== "skip") problems.push(`${quote(path)} ${action}`);
    }
  };
  orProblem(".", problems, () => visit(""));
  return { bytes, problems };
}

/** What to do with an entry of a directory of requests, or why it cannot be used. */
function actionFor(root: string, path: string, entry: Dirent): string {
  if (entry.isDirectory()) return "visit";
  if (entry.isSymbolicLink()) return actionForLink(root, path);
  if (!isYaml(path)) return "skip";
  return entry.isFile() ? "read" : "is not a regular file";
}

// A link to a target inside the directory is skipped, because the target itself is read. A link to a directory outside
// could lead to the whole file system.
function actionForLink(root: string, path: string): string {
  const found = statOf(join(root, path));
  if (found === undefined) return isYaml(path) ? "is a symbolic link to a path that does not exist" : "skip";
  const real = realpathSync(join(root, path));
  const isWithin = isInside(root, real);
  if (found.isDirectory()) {
    return isWithin ? "skip" : "is a symbolic link to a directory outside, which is not followed";
  }
  if (!isYaml(path) || (isWithin && isYaml(real))) return "skip";
  return found.isFile() ? "read" : "is not a regular file";
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

function orProblem(path: string, problems: string[], read: () => void): void {
  try {
    read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    problems.push(`${quote(path)} cannot be read (${code})`);
  }
}

function refusePrivateKeys(files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    if (!holdsPrivateKey(Buffer.from(bytes).toString("latin1"))) continue;
    const message = `${quote(`${requestsDirectory}/${path}`)} contains a private key and was not copied. Remove the file, treat the key as compromised, and create a new key pair.`;
    throw new FindingsError([finding("error", "private-key", message)]);
  }
}

/**
 * The objects of a file, or why a render would fail on it or read nothing from it. Like a render, skips what is not
 * YAML and names nothing that a function reads.
 */
function itemsOf(path: string, bytes: Uint8Array): Item[] | string {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "is not UTF-8";
  if (text.trim() === "") return "is empty";
  const conflict = namesWhatIsRead(text) ? conflictIn(text) : undefined;
  if (conflict !== undefined) return `contains a merge conflict (line ${conflict.line})`;
  const source = parseDocuments(text);
  if (isProblem(source)) return namesWhatIsRead(text) ? whyUnread(source) : [];
  const broken = unreadOf(source).find(({ part }) => namesWhatIsRead(part));
  if (broken !== undefined) return whyUnread(broken.problem);
  return documents(source).flatMap((node, index) =>
    source.unread.has(node) ? [] : [readItem(source, node, { path, index })],
  );
}

function unreadOf({ unread, starts, stop, text }: Source): { part: string; problem: SyntaxProblem }[] {
  return [...unread].map(([node, problem]) => ({ part: text.slice(starts[node], stop[node]), problem }));
}

function whyUnread(problem: SyntaxProblem): string {
  return `is not YAML (${describeProblem(problem)})`;
}

function countFor(named: string, items: readonly Item[], { title, providerKind }: RequestedCloud): number {
  const requests = items.filter(isCredentialsRequest);
  if (requests.length === 0) {
    const list = items.find(({ kind }) => kind.endsWith("List"));
    const hint =
      list === undefined ? "" : `; ${quote(list.path)} contains a list; write its objects as separate documents`;
    throw new UsageError(`${named} contains no CredentialsRequests${hint}`);
  }
  const count = requests.filter((request) => isFor(request, providerKind)).length;
  if (count === 0) throw new UsageError(`${named} contains CredentialsRequests, but none for ${title}`);
  return count;
}

function isFor(request: Item, providerKind: string): boolean {
  return kindOf(request) === providerKind;
}

// A request of an unknown kind stays, so that a render reports it.
function filesForOthers(items: readonly Item[], { providerKind }: RequestedCloud): ReadonlySet<string> {
  const isOthers = (item: Item) => {
    const kind = isCredentialsRequest(item) ? kindOf(item) : undefined;
    return typeof kind === "string" && kind !== "" && kind !== providerKind;
  };
  const kept = new Set(items.filter((item) => !isOthers(item)).map(({ path = "" }) => path));
  return new Set(items.flatMap(({ path = "" }) => (kept.has(path) ? [] : [path])));
}

// A render reports a value that cannot be built, with its location in the object.
function kindOf(request: Item): Value | undefined {
  try {
    return providerSpecOf(request.value())?.["kind"];
  } catch (error) {
    if (error instanceof FindingError) return undefined;
    throw error;
  }
}
