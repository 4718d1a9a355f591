import { join } from "node:path";
import { type Finding, findingsOf } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { conflictIn, decodeUtf8, lineAt, quote } from "../../core/text.ts";
import { ambiguousFields, isList } from "../../krm/ambiguous-item.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { namesWhatIsRead } from "../../krm/resource-list.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { misplacedRequests } from "../../requests/misplaced.ts";
import { ambiguityIn } from "../../yaml/ambiguous.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import {
  describeProblem,
  documents,
  elements,
  isMapping,
  isProblem,
  isSequence,
  pairOf,
  parseSource,
  type Source,
  type SyntaxProblem,
  startOf,
} from "../../yaml/source.ts";
import { UsageError } from "../terminal/errors.ts";
import { appliedDirectory, fileFinding, isApplied, isEssential } from "./paths.ts";
import { readArgument, readBytes } from "./read-bytes.ts";

/** A file of a package that holds Kubernetes objects. */
export interface PackageFile {
  /** Relative to the package, with slashes. */
  readonly path: string;
  readonly source: Source;
  readonly items: readonly Item[];
}

/** Whether one of the objects in a text has a property, or may have it because it cannot be read. */
export function holdsItem(text: string, is: (item: Item) => boolean): boolean {
  const source = parseDocuments(text);
  if (isProblem(source)) return true;
  return documents(source).some((node) => source.unread.has(node) || is(readItem(source, node)));
}

/**
 * Parses a file of a package; a finding if it cannot be read. Other parsers accept some text that is not valid YAML, for example a
 * closing bracket in the column of its key. If such a file or document names nothing that a function reads or owns, it does not
 * concern this project, and the finding is a warning.
 *
 * @param path relative to the package, with slashes
 */
export function parseFile(directory: string, path: string): Source | Finding {
  const text = decodeUtf8(readBytes(join(directory, path)));
  if (text === undefined) return fileFinding("error", "file-unreadable", path, "is not UTF-8.");
  const conflict = conflictIn(text, isOurs(text));
  if (conflict !== undefined)
    return notRead(path, text, `contains a merge conflict, line ${conflict.line}.`, cureOf(path, conflict, text));
  const source = parseOnce(text);
  const ambiguity = isProblem(source) && !isApplied(path) ? undefined : ambiguityIn(text);
  if (ambiguity !== undefined)
    return fileFinding("error", "text-ambiguous", path, `can be read in two ways: ${describeProblem(ambiguity)}.`);
  return isProblem(source) ? unreadFinding(path, source, text, "") : source;
}

// In a generated object or a ClusterIdentity, a conflict in a text, such as a policy, would be applied as it is.
function isOurs(text: string): boolean {
  return text.includes(generatedBy) || text.includes("ClusterIdentity");
}

/** The requests that were read last, by text: the packages of a fleet contain the same requests of a release. */
const requests = new Map<string, ReturnType<typeof parseDocuments>>();

const maxRequests = 1000;

const maxRequestLength = 1 << 16;

function parseOnce(text: string): ReturnType<typeof parseDocuments> {
  const before = requests.get(text);
  if (before !== undefined) return before;
  const source = parseDocuments(text);
  if (text.length > maxRequestLength || !text.includes("kind: CredentialsRequest")) return source;
  if (requests.size >= maxRequests) requests.clear();
  requests.set(text, source);
  return source;
}

/** The findings about documents of a file that cannot be read. */
export function unreadDocuments(path: string, { unread, starts, stop, text }: Source): Finding[] {
  return [...unread].map(([node, problem]) =>
    unreadFinding(path, problem, text.slice(starts[node], stop[node]), "contains a document that "),
  );
}

function unreadFinding(path: string, problem: SyntaxProblem, text: string, what: string): Finding {
  const { reason, line } = problem;
  return notRead(path, text, `${what}is not YAML: ${describeProblem({ reason, line })}.`, cureOf(path, problem, text));
}

function notRead(path: string, text: string, why: string, cure: string): Finding {
  if (!isEssential(path) && !namesWhatIsRead(text)) {
    const message = `${why} It is skipped, because it contains nothing that a function reads. ${cure}.`;
    return fileFinding("warning", "file-skipped", path, message);
  }
  const message = `${why} ${cure}.`;
  return fileFinding("error", "file-unreadable", path, message);
}

// A file that a render writes needs no care: the render replaces either side with what is right.
function cureOf(path: string, { cure }: SyntaxProblem, text: string): string {
  if (cure === undefined)
    return isApplied(path)
      ? `Tools apply every file in "${appliedDirectory}", so fix it, or move it out of that directory`
      : "Fix it, or add the file to .krmignore";
  if (conflictIn(text, true) === undefined || !text.includes(generatedBy)) return cure;
  return "A render generates the file, so keep either side: delete the other one and the lines that begin with <<<<<<<, |||||||, =======, and >>>>>>>, and render again";
}

/** The Kubernetes objects of a file; any other content is a finding. */
export function readItems(path: string, source: Source, findings: Finding[]): Item[] {
  if (documents(source).length === 0)
    findings.push(
      fileFinding("warning", "file-empty", path, "contains no objects; restore its content, or delete the file."),
    );
  return [...documents(source).entries()].flatMap(([index, node]) => {
    if (source.unread.has(node)) return [];
    const item = readItem(source, node, { path, index });
    const misplaced = item.name === "" && item.kind !== "" ? misplacedIn(item) : [];
    const isObject = isMapping(source, node) && item.apiVersion !== "" && item.kind !== "" && item.name !== "";
    findings.push(...misplaced, ...ambiguousFields(item));
    if (isObject && !isList(item)) return [item];
    if (misplaced.length === 0) findings.push(...notAnObject(item));
    return [];
  });
}

function notAnObject(item: Item): Finding[] {
  const { path = "", kind } = item;
  if (isList(item)) return [skipped(item, "a list", "write its objects as separate documents")];
  const what = "something that is not a Kubernetes object with apiVersion, kind and metadata.name";
  if (isApplied(path))
    return [skipped(item, what, `tools apply every file in "${appliedDirectory}", so move it out of that directory`)];
  if (isBundleMetadata(path, item) || kind === "Kustomization" || kind === "Component") return [];
  const cure =
    "it is skipped here, but kpt refuses a package that contains it. Add the file to .krmignore, or move it out of the package";
  return [skipped(item, what, cure)];
}

function skipped({ source, node, path = "" }: Item, what: string, cure: string): Finding {
  const line = lineAt(source.text, startOf(source, node));
  const message = `contains ${what} (line ${line}); ${cure}.`;
  return fileFinding(isApplied(path) ? "error" : "warning", "file-skipped", path, message);
}

/** The findings about requests in an object that is not read, or that its value cannot be built. */
export function misplacedIn(item: Item): Finding[] {
  return findingsOf(() => misplacedRequests(item));
}

// The Operator Lifecycle Manager reads these files of a bundle; they are not Kubernetes objects.
function isBundleMetadata(path: string, { kind }: Item): boolean {
  return kind === "" && /(?:^|\/)metadata\/(?:annotations|dependencies|properties)\.yaml$/.test(path);
}

/**
 * The objects of one YAML stream that is not part of a package.
 *
 * @param place `file` if the objects are in a file of that name, so that findings name the file.
 */
export function objectsOf(name: string, bytes: Uint8Array, place: "file" | "stream" = "stream"): PackageFile {
  const source = sourceOf(quote(name), bytes);
  const items: Item[] = documents(source)
    .flatMap((node) => elementsOf(source, node))
    .map((node, index) => readItem(source, node, place === "file" ? { path: name, index } : undefined));
  return { path: name, source, items };
}

/** The objects of a document: the items of a list, which `oc get -o yaml` prints, or the document itself. */
export function elementsOf(source: Source, node: number): readonly number[] {
  const list = readItem(source, node).kind.endsWith("List") ? pairOf(source, node, "items")?.value : undefined;
  return isSequence(source, list) ? elements(source, list) : [node];
}

/** Parses a YAML stream; errors call it `name`. */
export function sourceOf(name: string, bytes: Uint8Array, parse = parseSource): Source {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new UsageError(`${name} is not UTF-8`);
  const source = parse(text);
  if (!isProblem(source)) return source;
  throw new UsageError(`${name} is not YAML: ${describeProblem(source)}`);
}

/** The bytes of a file named on the command line; errors call it `name`. */
export function bytesOf(name: string, path: string): Uint8Array {
  try {
    return readArgument(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`${name} cannot be read (${error.code ?? "error"})`);
  }
}
