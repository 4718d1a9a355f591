import {
  CORE_SCHEMA,
  constructFromEvents,
  defineScalarTag,
  EVENT_ID as EVENT,
  type Event,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
} from "js-yaml";
import { isMap, type Value } from "../core/resource.ts";
import { aliasOf, anchorOf, notOrdinary, ordinaryValue } from "./build.ts";
import {
  directivesOf,
  documentOf,
  elements,
  isAlias,
  isSequence,
  type Source,
  type SyntaxProblem,
  syntaxProblem,
} from "./source.ts";

/** Aliases and merges may repeat values. No legitimate object expands into more nodes than this. */
const maxNodes = 200_000;
const maxAliases = 1000;

// Integers beyond 2^53 keep every digit. `<<` merges, as in the YAML readers of Kubernetes.
const schema = CORE_SCHEMA.withTags(
  mergeTag,
  defineScalarTag<number | bigint>(intCoreTag.tagName, {
    implicit: true,
    implicitFirstChars: intCoreTag.implicitFirstChars,
    resolve: (source, isExplicit, tagName) => {
      const value = intCoreTag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED || Number.isSafeInteger(value)) return value;
      return BigInt(source);
    },
    identify: () => false,
  }),
);

/** The value of a node, or why it has none. Resolves aliases to anchors outside the node. */
export function construct(source: Source, node: number): { value: Value } | SyntaxProblem {
  try {
    return { value: ordinaryValue({ source, schema, at: node }) };
  } catch (error) {
    return error === notOrdinary ? constructOther(source, node) : syntaxProblem(error);
  }
}

function constructOther(source: Source, node: number): { value: Value } | SyntaxProblem {
  try {
    const outside = aliasesOutside(source, node);
    const value = outside ? pick(source, node) : constructAlone(source, node);
    return isTooLarge(value) ? { reason: "aliases repeat too many values", line: undefined } : { value };
  } catch (error) {
    return syntaxProblem(error);
  }
}

function constructAlone(source: Source, node: number): Value {
  const events: Event[] = [
    { type: EVENT.DOCUMENT, explicitStart: false, explicitEnd: false, directives: directivesOf(source, node) },
    ...source.events().slice(node, source.next[node]),
    { type: EVENT.POP },
  ];
  return constructFromEvents(events, { source: source.readable, schema, maxAliases })[0] as Value;
}

/** Whether a node contains an alias to an anchor outside the node. */
function aliasesOutside(source: Source, node: number): boolean {
  const inside = new Set<string>();
  for (let index = node; index < (source.next[node] as number); index++) {
    if (isAlias(source, index)) {
      if (!inside.has(aliasOf(source, index))) return true;
      continue;
    }
    const anchor = anchorOf(source, index);
    if (anchor !== undefined) inside.add(anchor);
  }
  return false;
}

// Anchors belong to a document. If one is outside the node, the whole document is built, and the node's value is taken
// from it.
function pick(source: Source, node: number): Value {
  const document = documentOf(source, node);
  let value = documentValue(source, document);
  for (const step of pathTo(source, document + 1, node)) {
    value = (isMap(value) ? value[step] : (value as readonly Value[])[step as number]) as Value;
  }
  return value;
}

// Cached, because many items may need the same document.
const documentValues = new WeakMap<Source, Map<number, Value>>();

function documentValue(source: Source, document: number): Value {
  const built = documentValues.get(source) ?? new Map<number, Value>();
  documentValues.set(source, built);
  const known = built.get(document);
  if (known !== undefined) return known;
  const events = source.events().slice(document, source.next[document]);
  const value = constructFromEvents(events, {
    source: source.readable,
    schema,
    maxAliases,
  })[0] as Value;
  built.set(document, value);
  return value;
}

function pathTo(source: Source, root: number, target: number): (string | number)[] {
  const path: (string | number)[] = [];
  let node = root;
  while (node !== target) {
    const inSequence = isSequence(source, node);
    const children = elements(source, node);
    const at = children.findIndex((child) => target < (source.next[child] as number));
    const child = children[at] as number;
    if (inSequence) path.push(at);
    else path.push(keyBefore(source, children[at - 1] as number));
    node = child;
  }
  return path;
}

function keyBefore(source: Source, key: number): string {
  return String(constructAlone(source, key));
}

function isTooLarge(root: Value): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (value: Value): number => {
    if (typeof value !== "object" || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // A value that contains itself has no size: values that are still being measured are too large.
    sizes.set(value, Number.POSITIVE_INFINITY);
    let size = 1;
    for (const one of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(one);
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root) > maxNodes;
}
