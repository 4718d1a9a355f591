import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { fieldPath } from "../../core/validation.ts";
import * as KIND from "../../yaml/kind.ts";
import {
  documents,
  elements,
  isAlias,
  isMapping,
  isProblem,
  isScalar,
  isSequence,
  kindOf,
  pairsOf,
  parseSource,
  type Source,
  scalarText,
} from "../../yaml/source.ts";
import { construct } from "../../yaml/values.ts";
import { isSame } from "../package/edit-object.ts";
import { beginsWithPlaceholder } from "../package/placeholders.ts";

/** The field whose entries are merged: see {@link mergedAcceptances}. */
export const acceptPath: readonly string[] = ["spec", "accept"];

/** Whether a path is that of `spec.accept`. */
export function isAccept(path: readonly string[]): boolean {
  return path.length === acceptPath.length && acceptPath.every((key, index) => key === path[index]);
}

/**
 * The entries of `spec.accept` after others were added to it. An entry is known by its rule and object: a given one takes the
 * place of one with the same rule and object, and the others stay.
 *
 * @param before the entries of the package; anything but a list has none.
 * @param keeps an entry of the package wins over a given one.
 */
export function mergedAcceptances(
  before: Value | undefined,
  given: readonly Value[],
  keeps: boolean,
): readonly Value[] {
  const merged: Value[] = Array.isArray(before) ? [...before] : [];
  for (const entry of given) {
    const at = merged.findIndex((one) => keyOf(one) !== undefined && keyOf(one) === keyOf(entry));
    if (at === -1) merged.push(entry);
    else if (!keeps) merged[at] = entry;
  }
  return merged;
}

function keyOf(entry: Value): string | undefined {
  if (!isMap(entry)) return undefined;
  const { rule, object } = entry;
  return typeof rule === "string" && typeof object === "string" ? `${rule} ${object}` : undefined;
}

/**
 * The entries without those for rules that only other clouds have.
 *
 * @param platform the cloud of the package.
 */
export function entriesFor(platform: string | undefined, entries: readonly Value[]): readonly Value[] {
  const own = new Set(rulesFor(...inspectors.filter(({ name }) => name === platform)).map(({ code }): string => code));
  const all = new Set(rulesFor(...inspectors).map(({ code }): string => code));
  return entries.filter((entry) => {
    const rule = isMap(entry) ? entry["rule"] : undefined;
    return typeof rule !== "string" || own.has(rule) || !all.has(rule);
  });
}

/** A field with the value that it gets, unless the value reads as another type than the field has. */
export interface GivenValue {
  readonly path: readonly string[];
  /**
   * The value.
   * @param asText the fields, as findings name them, whose value is the written text: `012345678901` of an account ID
   */
  readonly value: (asText: ReadonlySet<string>) => Value;
  /** The fields whose text reads as something other than a string: a number, true or false. */
  readonly typed: readonly string[];
}

/** A given value, or the problem with it: the end of a sentence that begins with the field. */
export type ValueReading = GivenValue | { readonly problem: string };

/**
 * Reads a value from the command line: a list, a mapping or a string in quotes as YAML in one line, which includes JSON;
 * otherwise a scalar as YAML would read it, or the text itself. A text that begins with a placeholder is text.
 */
export function givenValue(path: readonly string[], text: string): ValueReading {
  if (/^\s*[[{"']/.test(text) && !beginsWithPlaceholder.test(text)) {
    const source = parseSource(text);
    if (isProblem(source)) return { problem: `has a value that is not YAML: ${source.reason}` };
    const [node, ...more] = documents(source);
    if (node === undefined || more.length > 0) return { problem: "has a value that is not one YAML value" };
    return valueAtNode(path, source, node);
  }
  // Only these characters can be part of a number or of a word such as "true".
  const source = /^[-+.~\w]*$/.test(text) ? parseSource(text) : undefined;
  if (source === undefined || isProblem(source)) return plainText(path, text);
  const [node] = documents(source);
  if (node === undefined && text !== "" && !isNull(text)) return plainText(path, text);
  if (node === undefined) return { problem: nullProblem };
  return isScalar(source, node) ? valueAtNode(path, source, node) : plainText(path, text);
}

const nullProblem =
  "has no value; to remove the field, use --unset, and to set an empty string, write '\"\"'; write a placeholder in quotes";

function isNull(text: string): boolean {
  return /^(?:~|null|Null|NULL)$/.test(text);
}

function plainText(path: readonly string[], text: string): GivenValue {
  return { path, value: () => text, typed: [] };
}

/** Reads a value that is written in YAML, at a node of its text. */
export function valueAtNode(path: readonly string[], source: Source, node: number): ValueReading {
  const last = source.next[node] as number;
  for (let at = node; at < last; at++) {
    if (isAlias(source, at) || source.properties.has(at))
      return { problem: "has an anchor, an alias or a tag in its value; write the value out" };
  }
  const built = construct(source, node);
  if ("reason" in built) return { problem: `has a value that cannot be read: ${built.reason}` };
  if (holdsNull(built.value)) return { problem: nullProblem };
  const typed: string[] = [];
  const value = (asText: ReadonlySet<string>) => read(source, node, path, asText);
  collectTyped(source, node, path, typed);
  // A merge would have another value.
  if (!isSame(value(new Set()), built.value)) return { problem: "has a merge in its value; write the value out" };
  return { path, value, typed };
}

function holdsNull(value: Value): boolean {
  if (typeof value !== "object") return false;
  return value === null || Object.values(value).some(holdsNull);
}

function read(source: Source, node: number, path: readonly string[], asText: ReadonlySet<string>): Value {
  if (isMapping(source, node)) {
    return Object.fromEntries(
      pairsOf(source, node).map(({ key, value }) => {
        const name = scalarText(source, key) ?? "";
        return [name, read(source, value, [...path, name], asText)];
      }),
    );
  }
  if (isSequence(source, node))
    return elements(source, node).map((one, index) => read(source, one, [...path, String(index)], asText));
  if (asText.has(fieldPath(path))) return scalarText(source, node) as string;
  const built = construct(source, node);
  return "value" in built ? built.value : null;
}

function collectTyped(source: Source, node: number, path: readonly string[], typed: string[]): void {
  if (isMapping(source, node))
    for (const { name = "", value } of pairsOf(source, node)) collectTyped(source, value, [...path, name], typed);
  else if (isSequence(source, node))
    for (const [index, one] of elements(source, node).entries())
      collectTyped(source, one, [...path, String(index)], typed);
  else if (kindOf(source, node) === KIND.plain && typeof read(source, node, path, new Set()) !== "string")
    typed.push(fieldPath(path));
}
