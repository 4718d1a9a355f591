import { type Finding, finding } from "../core/finding.ts";
import { generatedBy, groupOf } from "../core/resource.ts";
import { lineAt, quote } from "../core/text.ts";
import { follow } from "../yaml/build.ts";
import {
  directivesOf,
  eachPair,
  elements,
  isAlias,
  isMapping,
  isSequence,
  pairsOf,
  type Source,
  scalarText,
  startOf,
} from "../yaml/source.ts";
import { eachField, type Item, isMerge, readItem } from "./item.ts";

/*
 * Objects that some readers of YAML take for others. A tool that applies such an object may create another one than a function
 * compared.
 */

/** The finding about the first field that readers of YAML understand differently; none for most objects. */
export function ambiguousFields(item: Item): Finding[] {
  const problem = headProblem(item, item.node, "") ?? lateMerge(item);
  if (problem === undefined) return [];
  const { at, what, cure } = problem;
  const line = item.path === undefined ? "" : `, line ${lineAt(item.source.text, startOf(item.source, at))}`;
  const message = `${what}${line}, so a tool that applies it may see another object. ${cure}.`;
  return [finding("error", "text-ambiguous", message, { resource: item })];
}

interface Problem {
  readonly at: number;
  readonly what: string;
  readonly cure: string;
}

/** The fields that say what an object is, by their parent. */
const heads: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["", new Set(["apiVersion", "kind", "metadata"])],
  ["metadata", new Set(["name", "namespace", "annotations"])],
]);

function headProblem(item: Item, node: number, parent: string): Problem | undefined {
  const { source } = item;
  const mapping = follow(source, node);
  if (!isMapping(source, mapping)) return undefined;
  const seen = new Set<string>();
  let found: Problem | undefined;
  eachPair(source, mapping, (key, value) => {
    if (found !== undefined) return;
    const name = scalarText(source, key);
    if (hasTag(item, key) || isAlias(source, key)) {
      found = { at: key, what: "has a key with a tag, or an alias in place of a key", cure: "Write the key as text" };
      return;
    }
    if (name === undefined) return;
    const field = parent === "" ? name : `${parent}.${name}`;
    if (seen.has(name)) {
      found = { at: key, what: `has the key ${quote(field)} twice`, cure: "Remove one" };
      return;
    }
    seen.add(name);
    if (heads.get(parent)?.has(name) !== true) return;
    found = hasTag(item, follow(source, value))
      ? { at: key, what: `has a tag on ${quote(field)}`, cure: "Write the value without a tag" }
      : headProblem(item, value, field);
  });
  return found;
}

// The standard tags of a text and of a mapping change nothing.
function hasTag({ source }: Item, node: number): boolean {
  const { tagStart, tagEnd } = source.properties.get(node) ?? { tagStart: -1, tagEnd: -1 };
  if (tagStart < 0) return false;
  const tag = source.text.slice(tagStart, tagEnd);
  const [, handle = "", suffix = ""] = /^(!(?:[0-9A-Za-z-]*!)?)([^<].*)$/s.exec(tag) ?? [];
  const directive = directivesOf(source, node).find((one) => one.kind === "tag" && one.handle === handle);
  const prefix = directive?.kind === "tag" ? directive.prefix : handle === "!!" ? standard : handle;
  return !harmless.has(handle === "" ? tag.slice(2, -1) : prefix + suffix);
}

const standard = "tag:yaml.org,2002:";
const harmless: ReadonlySet<string> = new Set([`${standard}str`, `${standard}map`]);

// In go-yaml, a merge overrides the keys before it; in others, a key overrides a merge wherever it is.
function lateMerge({ source, node }: Item): Problem | undefined {
  if (!source.merges) return undefined;
  for (let row = node; row < (source.next[node] as number); row++) {
    if (!isMapping(source, row)) continue;
    const before = new Set<string | undefined>();
    let late: number | undefined;
    eachPair(source, row, (key, value) => {
      if (isMerge(source, key) && overrides(source, value, before)) late ??= key;
      before.add(scalarText(source, key));
    });
    if (late !== undefined)
      return {
        at: late,
        what: "merges another mapping (<<) after a key that both have",
        cure: "Move the merge to the start of its mapping, or write the values out",
      };
  }
  return undefined;
}

// A mapping that merges others in turn may have any key.
function overrides(source: Source, merged: number, before: ReadonlySet<string | undefined>): boolean {
  if (before.size === 0) return false;
  const at = follow(source, merged);
  const mappings = isSequence(source, at) ? elements(source, at).map((one) => follow(source, one)) : [at];
  return mappings
    .flatMap((one) => (isMapping(source, one) ? pairsOf(source, one) : []))
    .some(({ key, name }) => isMerge(source, key) || before.has(name));
}

/** The findings about objects of a ResourceList that tools take for others, or in place of which tools apply the objects in them. */
export function ambiguousItems(items: readonly Item[]): Finding[] {
  return items.flatMap((item) => {
    const { source } = item;
    const written = source.properties.size > 0 || source.merges ? ambiguousFields(item) : [];
    return isList(item) && listItems(item).some(isOurs) ? [...written, unreadList(item)] : written;
  });
}

function unreadList(list: Item): Finding {
  const message =
    "is a list of objects that functions generate, and is not read. Write its objects as separate documents.";
  return finding("error", "item-skipped", message, { resource: list });
}

const ownKinds: ReadonlySet<string> = new Set([
  "/Secret",
  "config.openshift.io/Authentication",
  "cloudcredential.openshift.io/CredentialsRequest",
  "fn.cloudcredential.dev/ClusterIdentity",
]);

/** Whether an object has a kind that functions read or generate for a cluster, or was generated. */
export function isOurs({ apiVersion, kind, annotations }: Item): boolean {
  return annotations.has(generatedBy) || ownKinds.has(`${groupOf(apiVersion)}/${kind}`);
}

/**
 * Whether a tool that applies an object applies the objects in its `items` instead. kubectl and Argo CD do so whatever the kind.
 */
export function isList(item: Item): boolean {
  return itemsOf(item) !== undefined;
}

/** The objects of a list. In a list of one kind, such as a SecretList, they take the kind from the list. */
export function listItems(list: Item): Item[] {
  const { source, kind } = list;
  const items = itemsOf(list);
  if (!isSequence(source, items)) return [];
  return elements(source, items)
    .map((element) => readItem(source, follow(source, element)))
    .map((item) => ({
      ...item,
      apiVersion: item.apiVersion === "" ? list.apiVersion : item.apiVersion,
      kind: item.kind === "" ? kind.replace(/List$/, "") : item.kind,
    }));
}

function itemsOf({ source, node }: Item): number | undefined {
  let items: number | undefined;
  eachField(source, node, (key, value) => {
    if (key === "items") items = follow(source, value);
  });
  return items;
}
