import { FindingError, finding } from "../core/finding.ts";
import type { Resource, Value } from "../core/resource.ts";
import { holdsPrivateKey, quote } from "../core/text.ts";
import { follow } from "../yaml/build.ts";
import * as KIND from "../yaml/kind.ts";
import { repeatedKey } from "../yaml/repeated-key.ts";
import { documents, eachPair, elements, isMapping, isSequence, type Source, scalarText } from "../yaml/source.ts";
import { construct } from "../yaml/values.ts";

/** A resource of a list, with its source text. */
export interface Item extends Resource {
  readonly source: Source;
  /** The node of the object in its source. */
  readonly node: number;
}

/** Annotations for the path and index of an object, in order of precedence. */
export const pathAnnotations = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"] as const;
export const indexAnnotations = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"] as const;
const packageAnnotation = "internal.config.kubernetes.io/package-path";

/** Merges (`<<`) can be nested. Identifying fields are searched for in at most this many of them. */
const maxMerges = 100;

/** Reads the fields that identify and locate an object from its text, without building its value. */
export function readItem(source: Source, node: number, place?: { path: string; index: number }): Item {
  const head = { apiVersion: "", kind: "", name: "", namespace: "", annotations: new Map<string, string>() };
  eachField(source, node, (key, value) => {
    if (key === "apiVersion") head.apiVersion = textOf(source, value);
    else if (key === "kind") head.kind = textOf(source, value);
    else if (key === "metadata") readMetadata(source, value, head);
  });
  const { apiVersion, kind, name, namespace, annotations } = head;
  return {
    apiVersion,
    kind,
    name,
    namespace,
    annotations,
    source,
    node,
    path: place?.path ?? firstOf(annotations, pathAnnotations),
    index: place?.index ?? (Number.parseInt(firstOf(annotations, indexAnnotations) ?? "0", 10) || 0),
    packagePath: annotations.get(packageAnnotation),
    value: valueOfThis,
  };
}

function firstOf(annotations: ReadonlyMap<string, string>, names: readonly [string, string]): string | undefined {
  return annotations.get(names[0]) ?? annotations.get(names[1]);
}

// Built on each call: a list may contain thousands of objects, and a function needs the value of each only once.
function valueOfThis(this: Item): Value {
  const built = construct(this.source, this.node);
  if ("reason" in built) {
    const { message, field } = unreadable(this, built.reason);
    const location = { resource: this, ...(field === "" ? {} : { field }) };
    throw new FindingError(finding("error", "yaml-value", `cannot be read: ${message}.`, location));
  }
  return built.value;
}

// js-yaml does not say which key is repeated. In a ResourceList, a line would not be that of the object's file.
function unreadable({ source, node }: Item, reason: string): { message: string; field: string } {
  const repeated = reason === "duplicated mapping key" ? repeatedKey(source, node) : undefined;
  if (repeated === undefined || holdsPrivateKey(repeated.name)) return { message: reason, field: "" };
  const { name, path, line } = repeated;
  const where = documents(source).includes(node) ? `, the second time in line ${line}` : "";
  const field = path === "" ? name : `${path}.${name}`;
  return { message: `the key ${quote(field)} appears twice${where}. Merge the two, or remove one`, field };
}

interface Metadata {
  name: string;
  namespace: string;
  annotations: Map<string, string>;
}

function readMetadata(source: Source, node: number, into: Metadata): void {
  eachField(source, node, (key, value) => {
    if (key === "name") into.name = textOf(source, value);
    else if (key === "namespace") into.namespace = textOf(source, value);
    else if (key === "annotations") {
      eachField(source, value, (annotation, text) => into.annotations.set(annotation, textOf(source, text)));
    }
  });
}

/**
 * Calls `visit` for each pair of a mapping with a text as key. Merged pairs (`<<`) come first, because others override
 * them.
 */
export function eachField(
  source: Source,
  node: number,
  visit: (key: string, value: number) => void,
  budget = { merges: maxMerges },
): void {
  const mapping = follow(source, node);
  if (!isMapping(source, mapping) || budget.merges-- < 0) return;
  if (source.merges) {
    eachPair(source, mapping, (key, value) => {
      if (!isMerge(source, key)) return;
      for (const merged of mergedFrom(source, value)) eachField(source, merged, visit, budget);
    });
  }
  eachPair(source, mapping, (key, value) => {
    const name = scalarText(source, key);
    if (name !== undefined && (name !== "<<" || !isMerge(source, key))) visit(name, value);
  });
}

/** Whether a key merges the pairs of another mapping. In quotes, `<<` is an ordinary key. */
export function isMerge({ text, kinds, starts, ends }: Source, key: number): boolean {
  const start = starts[key] as number;
  return kinds[key] === KIND.plain && text.startsWith("<<", start) && ends[key] === start + 2;
}

// One mapping, or a list of them. In a list the first mapping wins, so it is read last.
function mergedFrom(source: Source, node: number): readonly number[] {
  const at = follow(source, node);
  return isSequence(source, at) ? elements(source, at).reverse() : [at];
}

function textOf(source: Source, node: number): string {
  return scalarText(source, follow(source, node)) ?? "";
}
