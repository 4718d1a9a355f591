import { type Finding, finding } from "../core/finding.ts";
import { endOfLine, startOfLine } from "../core/text.ts";
import { holdsShared, isShared } from "../yaml/build.ts";
import {
  documents,
  elements,
  isBlock,
  isEmpty,
  isMapping,
  isProblem,
  isSequence,
  type Pair,
  pairsOf,
  parseAround,
  parseSource,
  type Source,
  type SyntaxProblem,
  startOf,
  type Unit,
} from "../yaml/source.ts";
import { ambiguousItems } from "./ambiguous-item.ts";
import { type Item, isMerge, readItem } from "./item.ts";

/** A ResourceList as it was read: its text, its items, its configuration. */
export interface ResourceList {
  readonly source: Source;
  readonly root: number;
  readonly items: readonly Item[];
  readonly functionConfig: Item | undefined;
  /** Warnings about items that cannot be read and are passed through, and errors about those that tools read differently. */
  readonly findings: readonly Finding[];
}

export const listVersion = "config.kubernetes.io/v1";
const knownVersions = new Set([listVersion, "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"]);

/** Why a text is not a ResourceList, in one sentence. */
export interface NotAList {
  readonly reason: string;
}

/**
 * Reads a ResourceList, YAML or JSON, of the KRM Functions Specification of kustomize: v1, or the older v1beta1 and
 * v1alpha1.
 */
export function readResourceList(text: string): ResourceList | NotAList {
  if (text.trim() === "") return { reason: "standard input is empty, but must be a ResourceList" };
  const source = parseList(text);
  const problem = isProblem(source) ? source : unreadProblem(source);
  if (isProblem(source) || problem !== undefined) {
    const { reason, line, cure } = problem as SyntaxProblem;
    const what = cure === undefined ? "" : `. ${cure}`;
    return { reason: `standard input is not YAML: ${reason}${inLine(line)}${what}` };
  }
  const [root, ...more] = documents(source);
  if (!isMapping(source, root)) return { reason: "standard input is not a ResourceList" };
  if (more.length > 0) return { reason: "standard input has more than one document, but must be one ResourceList" };
  const head = readItem(source, root);
  if (head.kind !== "ResourceList" || !knownVersions.has(head.apiVersion)) {
    return { reason: `standard input is not a ResourceList of ${listVersion}` };
  }
  const pairs = pairsOf(source, root);
  const wrong = shapeProblem(source, root, pairs);
  if (wrong !== undefined) return { reason: `the ResourceList on standard input ${wrong}` };
  const items = pairs.find((pair) => pair.name === "items")?.value;
  const config = pairs.find((pair) => pair.name === "functionConfig")?.value;
  const nodes = isSequence(source, items) ? elements(source, items) : [];
  const read = nodes.map((node) => readItem(source, node));
  return {
    source,
    root,
    items: read,
    functionConfig: config === undefined || isEmpty(source, config) ? undefined : readItem(source, config),
    findings: [...unreadItems(source, nodes), ...ambiguousItems(read)],
  };
}

// An unreadable item that a function needs is an error: its content is unknown.
function unreadProblem({ unread, starts, stop, text }: Source): SyntaxProblem | undefined {
  for (const [node, problem] of unread) if (namesWhatIsRead(text.slice(starts[node], stop[node]))) return problem;
  return undefined;
}

function unreadItems({ unread }: Source, nodes: readonly number[]): Finding[] {
  if (unread.size === 0) return [];
  const places = new Map(nodes.map((node, index) => [node, index]));
  return [...unread].map(([node, { reason, line }]) => {
    const message = `items[${places.get(node)}] of standard input cannot be read: ${reason}${inLine(line)}. It contains nothing that a function reads, and is passed through unchanged.`;
    return finding("warning", "item-skipped", message);
  });
}

function inLine(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}

// The fields that are written again, so their text must not have anchors that other places need.
const replaced = new Set(["apiVersion", "items", "results"]);

// The supported forms of a list: simple keys, each on its own line or all in brackets.
function shapeProblem(source: Source, root: number, pairs: readonly Pair[]): string | undefined {
  for (const { name, key, value } of pairs) {
    if (isMerge(source, key)) return "merges another mapping into itself (<<)";
    if (name === undefined || pairs.some((other) => other.key < key && other.name === name)) {
      return "has a duplicate key, or a key that is not a string";
    }
    if (isBlock(source, root) && !startsItsLine(source, key)) return "has a key that does not start its line";
    const wrong = replaced.has(name) ? replacedProblem(source, name, value) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function startsItsLine(source: Source, key: number): boolean {
  const start = startOf(source, key);
  return /^\ufeff?[ ]*$/.test(source.text.slice(startOfLine(source.text, start), start));
}

function replacedProblem(source: Source, name: string, value: number): string | undefined {
  // Items are only added and removed whole. Whether an item may be removed is checked when it is.
  const isRepeated = name === "items" ? isShared(source, value) : holdsShared(source, value);
  if (isRepeated) return `has an anchor on "${name}" that aliases refer to`;
  if (name !== "items" || isEmpty(source, value)) return undefined;
  if (!isSequence(source, value)) return 'must have a list in "items"';
  return elements(source, value).some((node) => isEmpty(source, node)) ? 'has an empty entry in "items"' : undefined;
}

/**
 * Parses a list of resources. If the parser rejects an item, only that item is unread, provided that the list is
 * written as by kpt and kustomize: in block style, with the dashes of all items in one column.
 */
function parseList(text: string): Source | SyntaxProblem {
  const source = parseSource(text);
  return isProblem(source) ? (parseAround(text, unitsOf(text), isWhole) ?? source) : source;
}

const maxBrackets = 50;
const farIn = " ".repeat(200);

/**
 * Whether the only problem with an item is closing brackets that are not indented enough, so that it parses with more
 * indentation. With any other problem, the next dash may be inside a quoted text, so the end of the item is uncertain.
 */
function isWhole(item: string): boolean {
  let indented = item;
  for (let count = 0; count < maxBrackets; count++) {
    const problem = parseSource(indented);
    if (!isProblem(problem)) return true;
    const at = startOfLineNumber(indented, problem.line ?? 1);
    if (!/^[ \t]*[\]}]/.test(indented.slice(at, at + farIn.length))) return false;
    indented = indented.slice(0, at) + farIn + indented.slice(at);
  }
  return false;
}

function startOfLineNumber(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) at = endOfLine(text, at) + 1;
  return at;
}

const itemsKey = /^items:[ \t]*(?:#.*)?(?:\r\n?|\n)/m;
const otherKey = /^["']?[A-Za-z]+["']?:(?:[ \t\r\n]|$)/;

function unitsOf(text: string): Unit[] {
  const key = itemsKey.exec(text);
  const first = key === null ? undefined : firstDash(text, key.index + key[0].length);
  if (first === undefined) return [];
  const { column } = first;
  const dash = new RegExp(`^ {${column}}-(?:[ \\t]+|[\\r\\n])`);
  const units: Unit[] = [];
  let open: { start: number; value: number } | undefined;
  const end = (stop: number) => {
    if (open !== undefined) units.push({ ...open, stop });
    open = undefined;
  };
  for (let at = first.start; at < text.length; ) {
    const next = Math.min(endOfLine(text, at) + 1, text.length);
    const line = text.slice(at, next);
    const mark = dash.exec(line);
    if (mark !== null) {
      end(at);
      open = { start: at, value: at + mark[0].length };
    } else if (otherKey.test(line)) {
      end(at);
      return units;
    }
    at = next;
  }
  end(text.length);
  return units;
}

function firstDash(text: string, from: number): { start: number; column: number } | undefined {
  for (let at = from; at < text.length; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, endOfLine(text, at) + 1);
    const dash = /^( *)-[ \t\r\n]/.exec(line);
    if (dash !== null) return { start: at, column: (dash[1] as string).length };
    if (!/^[ \t]*(?:#|$)/.test(line.trimEnd())) return undefined;
  }
  return undefined;
}

const names =
  /CredentialsRequest|ClusterIdentity|Authentication|Infrastructure|FeatureGate|Kptfile|fn\.cloudcredential\.dev|operators\.coreos\.com|PUBLIC KEY/;

const escaped = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(?:\r\n?|\n)[ \t]*)/g;

/**
 * Whether a text that cannot be parsed mentions anything that a function reads, owns, or is configured by, including in
 * quoted text with escapes. Any other text can be passed through unread.
 */
export function namesWhatIsRead(text: string): boolean {
  return names.test(text) || names.test(text.replace(escaped, decoded));
}

function decoded(_all: string, ...codes: (string | undefined)[]): string {
  const code = Number.parseInt(codes[0] ?? codes[1] ?? codes[2] ?? "", 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
