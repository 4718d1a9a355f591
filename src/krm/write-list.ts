import { textOfFile } from "../core/generated-object.ts";
import {
  type BundledFile,
  type Files,
  type GeneratedObject,
  generatedBy,
  localConfig,
  type ValueMap,
} from "../core/resource.ts";
import { compareText, startOfLine } from "../core/text.ts";
import { applyEdits, blockAfter, columnOf, type Edit, insertLines, lineAfter, lineBreak } from "../yaml/edit.ts";
import { emitFlow, emitYaml } from "../yaml/emit.ts";
import { skipSpace } from "../yaml/from-events.ts";
import {
  isBlock,
  isBlockScalar,
  isSequence,
  type Pair,
  pairOf,
  pairsOf,
  type Source,
  scalarText,
  startOf,
} from "../yaml/source.ts";
import { type Item, indexAnnotations, pathAnnotations } from "./item.ts";
import { listVersion, type ResourceList } from "./resource-list.ts";

/** A generated object and its owner, as they are written. */
export interface OwnedObject extends GeneratedObject {
  /** The value of the annotation `fn.cloudcredential.dev/generated-by`. */
  readonly owner: string;
}

/**
 * Where an object is written. In a list, it has the path annotations of older and newer tools. In its file, it needs
 * none.
 */
export type Destination = "list" | "file";

/** The complete value of an owned object, with its annotations and the files of its bundle. */
export function ownedValue(object: OwnedObject, destination: Destination): ValueMap {
  const { apiVersion, kind, metadata, ...rest } = object.object;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: annotationsOf(object, destination) },
    ...rest,
    ...(object.files === undefined ? {} : { data: textsOf(object.files) }),
  };
}

const [internalPath, path] = pathAnnotations;
const [internalIndex, index] = indexAnnotations;

// Sorted by name.
function annotationsOf(object: OwnedObject, destination: Destination): Record<string, string> {
  // A bundle ConfigMap must not reach the cluster.
  const local = object.files === undefined ? {} : { [localConfig]: "true" };
  const made =
    destination === "file"
      ? { ...local, [generatedBy]: object.owner }
      : {
          [index]: "0",
          ...local,
          [path]: object.path,
          [generatedBy]: object.owner,
          [internalIndex]: "0",
          [internalPath]: object.path,
        };
  if (object.annotations === undefined) return made;
  return Object.fromEntries(Object.entries({ ...object.annotations, ...made }).sort(([a], [b]) => compareText(a, b)));
}

function textsOf(files: Files): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(files).sort()) texts[name] = textOfFile(files[name] as BundledFile);
  return texts;
}

/** The changes to a list. Everything else is written unchanged. */
export interface ListChange {
  readonly removed: readonly Item[];
  readonly edits: readonly Edit[];
  readonly added: readonly OwnedObject[];
  readonly results: readonly ValueMap[];
}

/** A list with its changes, as a ResourceList of config.kubernetes.io/v1, in the style of the original. */
export function writeResourceList(list: ResourceList, change: ListChange): string {
  const { source } = list;
  const edits = [...change.edits, ...versionEdit(list)];
  const items = itemsOf(list);
  if (items === undefined) {
    const values = change.added.map((object) => ownedValue(object, "list"));
    edits.push(...replacePair(list, "items", values, true));
  } else if (isBlock(source, items.value)) edits.push(...blockItems(list, items, change));
  else edits.push(...flowItems(list, items.value, change));
  edits.push(...replacePair(list, "results", change.results));
  return applyEdits(source.text, edits);
}

const dash = "- ";

/** The pair `items` of a list, if the list has any items. */
function itemsOf({ source, root, items }: ResourceList): Pair | undefined {
  const pair = pairOf(source, root, "items");
  return isSequence(source, pair?.value) && items.length > 0 ? pair : undefined;
}

function versionEdit({ source, root }: ResourceList): Edit[] {
  const { value } = pairOf(source, root, "apiVersion") as Pair;
  if (scalarText(source, value) === listVersion) return [];
  const text = isBlock(source, root) ? listVersion : JSON.stringify(listVersion);
  const stop = source.stop[value] as number;
  return [
    { start: startOf(source, value), stop, text: isBlockScalar(source, value) ? text + lineBreak(source) : text },
  ];
}

function blockItems({ source, items }: ResourceList, { key, value: sequence }: Pair, change: ListChange): Edit[] {
  const removed = new Set(change.removed.map((item) => item.node));
  const edits: Edit[] = [];
  const first = collectionStart(source, sequence);
  const column = columnOf(source, first);
  const after = (node: number) => blockAfter(source, lineAfter(source, node), column);
  for (const [index, { node }] of items.entries()) {
    if (!removed.has(node)) continue;
    // Only white space, comments and a dash are between two items.
    const before = items[index - 1];
    const start = skipSpace(source.text, before === undefined ? first : (source.stop[before.node] as number));
    edits.push({ start: startOfLine(source.text, start), stop: after(node), text: "" });
  }
  if (change.added.length > 0) {
    const last = items.findLast((item) => !removed.has(item.node));
    const insertAt = last === undefined ? startOfLine(source.text, first) : after(last.node);
    const pad = " ".repeat(column);
    edits.push(insertLines(source, insertAt, ""));
    for (const object of change.added) {
      const lines = emitYaml(ownedValue(object, "list"), column + dash.length);
      edits.push({ start: insertAt, stop: insertAt, text: pad + dash + lines });
    }
  } else if (removed.size === items.length) {
    const at = Math.max(source.text.indexOf(":", source.stop[key]) + 1, propertiesEnd(source, sequence));
    edits.push({ start: at, stop: at, text: " []" });
  }
  return edits;
}

function collectionStart(source: Source, node: number): number {
  return source.starts[node] as number;
}

function propertiesEnd(source: Source, node: number): number {
  const { anchorEnd, tagEnd } = source.properties.get(node) ?? { anchorEnd: -1, tagEnd: -1 };
  return Math.max(anchorEnd, tagEnd);
}

// In a list in brackets, the text between kept items stays. An item is removed with the comma after it or, if no kept
// item follows, with the comma before it.
function flowItems({ source, items }: ResourceList, sequence: number, change: ListChange): Edit[] {
  const removed = new Set(change.removed.map((item) => item.node));
  const texts = change.added.map((object) => emitFlow(ownedValue(object, "list")));
  const last = items.findLastIndex((item) => !removed.has(item.node));
  if (last < 0) {
    const inside = { start: collectionStart(source, sequence) + 1, stop: (source.stop[sequence] as number) - 1 };
    return [{ ...inside, text: texts.join(",") }];
  }
  const edits: Edit[] = [];
  for (let index = 0; index < last; index++) {
    const { node } = items[index] as Item;
    const following = (items[index + 1] as Item).node;
    if (removed.has(node)) edits.push({ start: startOf(source, node), stop: startOf(source, following), text: "" });
  }
  const start = source.stop[(items[last] as Item).node] as number;
  const stop = source.stop[(items.at(-1) as Item).node] as number;
  edits.push({ start, stop, text: texts.map((text) => `,${text}`).join("") });
  return edits;
}

/** Sets a key of the root to a list: replaces the pair, adds it at the end, or removes it if the list is empty. */
function replacePair({ source, root }: ResourceList, key: string, list: readonly ValueMap[], keep = false): Edit[] {
  const old = pairOf(source, root, key);
  const gone = list.length === 0 && !keep;
  if (old === undefined && gone) return [];
  if (isBlock(source, root)) return blockPair(source, root, old, gone ? "" : emitYaml({ [key]: list }));
  return [
    old !== undefined && gone ? flowRemoval(source, root, old) : flowPair(source, root, old, key, emitFlow(list)),
  ];
}

function blockPair(source: Source, root: number, old: Pair | undefined, lines: string): Edit[] {
  const column = columnOf(source, collectionStart(source, root));
  const text = column === 0 ? lines : lines.replace(/^(?=.)/gm, " ".repeat(column));
  if (old === undefined) return [insertLines(source, blockAfter(source, lineAfter(source, root), column), text)];
  const stop = blockAfter(source, lineAfter(source, old.value), column);
  return [{ start: startOfLine(source.text, startOf(source, old.key)), stop, text }];
}

// A pair is removed with the comma before it, the first pair with the comma after it.
function flowRemoval(source: Source, root: number, old: Pair): Edit {
  const pairs = pairsOf(source, root);
  const index = pairs.findIndex((pair) => pair.key === old.key);
  const before = pairs[index - 1];
  if (before !== undefined) {
    return { start: source.stop[before.value] as number, stop: source.stop[old.value] as number, text: "" };
  }
  // There is always another pair, because a list has a kind and a version.
  return { start: startOf(source, old.key), stop: startOf(source, (pairs[index + 1] as Pair).key), text: "" };
}

function flowPair(source: Source, root: number, old: Pair | undefined, key: string, text: string): Edit {
  if (old === undefined) {
    const at = source.stop[(pairsOf(source, root).at(-1) as Pair).value] as number;
    return { start: at, stop: at, text: `,${JSON.stringify(key)}:${text}` };
  }
  const start = startOf(source, old.value);
  const stop = source.stop[old.value] as number;
  if (start >= 0) return { start, stop, text };
  return { start: stop, stop, text: stop > (source.stop[old.key] as number) ? ` ${text}` : `: ${text}` };
}
