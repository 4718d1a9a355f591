import type { Value } from "../../core/resource.ts";
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
import { isSameValue } from "../package/edit-object.ts";
import { beginsWithPlaceholder } from "../package/placeholders.ts";
import type { GivenValue } from "../package/plan-set.ts";

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
  if (!isSameValue(value(new Set()), built.value)) return { problem: "has a merge in its value; write the value out" };
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
