import { type Finding, finding } from "../core/finding.ts";
import { holdsShared, isShared } from "../yaml/anchors.ts";
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
  type Source,
  type SyntaxProblem,
  startOf,
  startOfLine,
} from "../yaml/source.ts";
import { type Item, isMerge, readItem } from "./item.ts";
import { namesWhatIsRead } from "./names-what-is-read.ts";
import { parseList } from "./parse-list.ts";

/** A ResourceList as it came: its text, its items, its configuration. */
export interface ResourceList {
  readonly source: Source;
  readonly root: number;
  readonly items: readonly Item[];
  readonly functionConfig: Item | undefined;
  /** Says which items cannot be read, and pass through. */
  readonly findings: readonly Finding[];
}

export const listVersion = "config.kubernetes.io/v1";
const knownVersions = new Set([listVersion, "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"]);

/** Why a text is no list, in one sentence. */
export interface NoList {
  readonly reason: string;
}

/**
 * Reads a ResourceList, YAML or JSON, as the KRM Functions Specification of kustomize describes it: v1, and the older
 * v1beta1 and v1alpha1.
 */
export function readResourceList(text: string): ResourceList | NoList {
  if (text.trim() === "") return { reason: "standard input is empty; a function reads a ResourceList there" };
  const source = parseList(text);
  const problem = isProblem(source) ? source : unreadProblem(source);
  if (isProblem(source) || problem !== undefined) {
    const { reason, line } = problem as SyntaxProblem;
    return { reason: `standard input is not YAML: ${reason}${inLine(line)}` };
  }
  const [root, ...more] = documents(source);
  if (!isMapping(source, root)) return { reason: "standard input is not a ResourceList" };
  if (more.length > 0) return { reason: "standard input has several documents; a function reads one ResourceList" };
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
  return {
    source,
    root,
    items: nodes.map((node) => readItem(source, node)),
    functionConfig: config === undefined || isEmpty(source, config) ? undefined : readItem(source, config),
    findings: unreadItems(source, nodes),
  };
}

// What a function reads must be read: nobody could say what it asks for.
function unreadProblem({ unread, starts, stop, text }: Source): SyntaxProblem | undefined {
  for (const [node, problem] of unread) if (namesWhatIsRead(text.slice(starts[node], stop[node]))) return problem;
  return undefined;
}

function unreadItems({ unread }: Source, nodes: readonly number[]): Finding[] {
  if (unread.size === 0) return [];
  const places = new Map(nodes.map((node, index) => [node, index]));
  return [...unread].map(([node, { reason, line }]) => {
    const message = `items[${places.get(node)}] of standard input cannot be read: ${reason}${inLine(line)}. It holds nothing that a function reads, and is passed through as it is.`;
    return finding("warning", "item-skipped", message);
  });
}

function inLine(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}

// What is written anew, so that nothing else may hang on its text.
const replaced = new Set(["apiVersion", "items", "results"]);

// The forms that a list is written in: keys as plain as they come, each on its own line or all in brackets.
function shapeProblem(source: Source, root: number, pairs: readonly Pair[]): string | undefined {
  for (const { name, key, value } of pairs) {
    if (isMerge(source, key)) return "merges another mapping into itself (<<)";
    if (name === undefined || pairs.some((other) => other.key < key && other.name === name)) {
      return "has a key twice, or one that is no string";
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
  // Items go and come as wholes; whether one of them may go is asked when it does.
  const isRepeated = name === "items" ? isShared(source, value) : holdsShared(source, value);
  if (isRepeated) return `has an anchor on "${name}" that other places repeat`;
  if (name !== "items" || isEmpty(source, value)) return undefined;
  if (!isSequence(source, value)) return 'must have a list in "items"';
  return elements(source, value).some((node) => isEmpty(source, node)) ? 'has an empty entry in "items"' : undefined;
}
