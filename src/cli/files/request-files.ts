import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { FindingError, finding } from "../../core/finding.ts";
import { listed } from "../../core/listed.ts";
import { compareText, holdsPrivateKey, quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { namesWhatIsRead } from "../../krm/names-what-is-read.ts";
import { isCredentialsRequest, providerSpecOf } from "../../requests/credentials-request.ts";
import { decodeUtf8 } from "../../yaml/decode.ts";
import { parseDocuments } from "../../yaml/parse-documents.ts";
import { documents, isProblem, type Source, type SyntaxProblem } from "../../yaml/source.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { isInside } from "./is-inside.ts";
import { nearestDirectory } from "./nearest-directory.ts";
import { readBytes } from "./read-bytes.ts";
import { statOf } from "./stat-of.ts";

/** The directory of a package that holds the release's requests. */
const requestsDirectory = "credentials-requests";

/** A cloud that requests are for. */
export interface RequestedCloud {
  readonly title: string;
  readonly providerKind: string;
}

/** What a directory with requests holds. */
export interface Requests {
  /** The files as they are, by the path that they will have in a package. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly items: readonly Item[];
  /** How many of the items are CredentialsRequests for the cloud. */
  readonly count: number;
}

/**
 * Reads a directory with requests. Symbolic links to files are followed: what is in them is copied.
 *
 * @param target the directory of the package; it need not exist.
 * @param cloud the one that requests must be for, one of them at least.
 * @throws UsageError where a package of it could not be rendered, or would hold less than is there.
 */
export function readRequests(from: string, target: string, cloud: RequestedCloud): Requests {
  const named = `--credentials-requests ${quote(from)}`;
  if (statOf(from)?.isDirectory() !== true) throw new UsageError(`${named} is not a directory`);
  const root = realpathSync(from);
  if (isInside(root, nearestDirectory(resolve(target)).real)) {
    throw new UsageError("the package would be inside the directory with the requests");
  }
  const { bytes, problems } = readYamlFiles(root);
  refusePrivateKeys(bytes);
  if (bytes.size === 0 && problems.length === 0) throw new UsageError(`${named} holds no YAML file`);
  const items: Item[] = [];
  for (const [path, content] of bytes) {
    const read = itemsOf(path, content);
    if (typeof read === "string") problems.push(`${quote(path)} ${read}`);
    else items.push(...read);
  }
  if (problems.length > 0) {
    throw new UsageError(
      `${named} holds files that cannot be taken: ${listed(problems, maxNamed)}; correct them, or remove them`,
    );
  }
  const files = new Map([...bytes].map(([path, content]) => [`${requestsDirectory}/${path}`, content]));
  return { files, items, count: countFor(named, items, cloud) };
}

const maxNamed = 8;

interface YamlFiles {
  /** By path, relative to the directory. */
  readonly bytes: Map<string, Uint8Array>;
  /** What cannot be read, and why. */
  readonly problems: string[];
}

function readYamlFiles(root: string): YamlFiles {
  const bytes = new Map<string, Uint8Array>();
  const problems: string[] = [];
  const visit = (below: string): void => {
    const entries = readdirSync(join(root, below), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const path = posix.join(below, entry.name);
      const way = wayOf(root, path, entry);
      if (way === "into") orProblem(path, problems, () => visit(path));
      else if (way === "read") orProblem(path, problems, () => bytes.set(path, readBytes(join(root, path))));
      else if (way !== "past") problems.push(`${quote(path)} ${way}`);
    }
  };
  orProblem(".", problems, () => visit(""));
  return { bytes, problems };
}

/** What to do about an entry of a directory with requests, or why it cannot be taken. */
function wayOf(root: string, path: string, entry: Dirent): string {
  if (entry.isDirectory()) return "into";
  if (entry.isSymbolicLink()) return wayOfLink(root, path);
  if (!isYaml(path)) return "past";
  return entry.isFile() ? "read" : "is not a regular file";
}

// What is inside is read where it is. A directory outside could be anything, the whole file system too.
function wayOfLink(root: string, path: string): string {
  const found = statOf(join(root, path));
  if (found === undefined) return isYaml(path) ? "is a symbolic link that leads to nothing" : "past";
  const real = realpathSync(join(root, path));
  const isWithin = isInside(root, real);
  if (found.isDirectory()) {
    return isWithin ? "past" : "is a symbolic link to a directory outside, which is not followed";
  }
  if (!isYaml(path) || (isWithin && isYaml(real))) return "past";
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
    const message = `${quote(`${requestsDirectory}/${path}`)} holds a private key, and was not copied. Remove it, treat it as known to others, and make a new one.`;
    throw new FindingsError([finding("error", "private-key", message)]);
  }
}

/**
 * The objects of a file, or why a render would stop on it or have nothing of it. What a render passes over, because it is no
 * YAML and names nothing that a function reads, is passed over here.
 */
function itemsOf(path: string, bytes: Uint8Array): Item[] | string {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "is not UTF-8";
  if (text.trim() === "") return "is empty";
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

function whyUnread({ reason, line }: SyntaxProblem): string {
  return `is not YAML (${reason}${line === undefined ? "" : `, line ${line}`})`;
}

function countFor(named: string, items: readonly Item[], { title, providerKind }: RequestedCloud): number {
  const requests = items.filter(isCredentialsRequest);
  if (requests.length === 0) {
    const list = items.find(({ kind }) => kind.endsWith("List"));
    const hint = list === undefined ? "" : `; ${quote(list.path)} holds a list, so write its objects as documents`;
    throw new UsageError(`${named} holds no CredentialsRequest${hint}`);
  }
  const count = requests.filter((request) => isFor(request, providerKind)).length;
  if (count === 0) throw new UsageError(`${named} holds CredentialsRequests, but none for ${title}`);
  return count;
}

// A value that cannot be built is for the render to refuse: it says where in the object it is.
function isFor(request: Item, providerKind: string): boolean {
  try {
    return providerSpecOf(request.value())?.["kind"] === providerKind;
  } catch (error) {
    if (error instanceof FindingError) return false;
    throw error;
  }
}
