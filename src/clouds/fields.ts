import { type Difference, differing } from "../core/difference.ts";
import { listAt, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { TerraformBody, TerraformValue } from "./terraform.ts";

/*
 * The fields of a kind of resource, as one table over the type of its body. What compares, writes, and maps a body follows
 * from the table, so a field that is missing in it, or misspelt, does not compile.
 */

/** A value that is one field: a text, a number, a list, or a mapping with keys of the user. */
type IsLeaf<T> = T extends string | number | boolean | readonly unknown[]
  ? true
  : string extends keyof T
    ? true
    : false;

/** The paths of the fields of a body, with dots: `oidc.issuerUri`. */
export type PathOf<Body> = {
  [Name in keyof Body & string]-?: true extends IsLeaf<NonNullable<Body[Name]>>
    ? Name
    : `${Name}.${PathOf<NonNullable<Body[Name]>>}`;
}[keyof Body & string];

/** What is special about a field; nothing for a text that the cloud returns as it was sent. */
export interface Field {
  /** Its name in plans. By default, its path. */
  readonly shown?: string;
  /** The value that a body or an answer without the field has. By default, "". */
  readonly absent?: Value;
  /** A form that is equal if the meaning is: a sorted list, for example. @param value `absent` if there is none. */
  readonly view?: (value: Value) => Value;
  /** A short form of a view: a difference that it shows is shown with it. */
  readonly brief?: (view: Value) => Value;
  /** Why the cloud cannot change it, and what to do: the end of a sentence. */
  readonly fixed?: string;
  /** The attribute in Terraform, if it is not the name with underscores; or its value there. */
  readonly terraform?: string | ((value: Value) => TerraformValue);
}

interface Entry extends Field {
  readonly path: readonly string[];
  readonly shown: string;
  readonly absent: Value;
}

/** A table of fields, in its order. */
export interface Fields {
  /** The fields of a body. */
  readonly written: readonly Entry[];
  /** These, and what is compared and never written as a field. */
  readonly compared: readonly Entry[];
}

/**
 * A table of all fields of a body.
 *
 * @param state what decides whether the resource works, and is not a field of the body.
 */
export function fieldsOf<Body>() {
  return (table: Readonly<Record<PathOf<Body>, Field>>, state: Readonly<Record<string, Field>> = {}): Fields => {
    const written = entries(table);
    return { written, compared: [...written, ...entries(state)] };
  };
}

function entries(table: Readonly<Record<string, Field>>): Entry[] {
  return Object.entries(table).map(([name, field]) => ({ shown: name, absent: "", ...field, path: name.split(".") }));
}

/** The view of a list of texts that has no order. */
export function sortedTexts(list: Value): string[] {
  return listAt(list, []).map(String).sort(compareText);
}

/** A body or an answer as it is compared: each field by its name in plans. */
export function viewOf({ compared }: Fields, value: ValueMap): ValueMap {
  return Object.fromEntries(
    compared.map(({ shown, path, absent, view = (one) => one }) => [shown, view(valueAt(value, path) ?? absent)]),
  );
}

/** What differs. @param live undefined if the resource does not exist: then all fields that have a value. */
export function differencesOf(fields: Fields, wanted: ValueMap, live: ValueMap | undefined): Difference[] {
  const { compared } = fields;
  const fixed = Object.fromEntries(
    compared.flatMap(({ shown, fixed }) => (fixed === undefined ? [] : [[shown, fixed]])),
  );
  return differing(viewOf(fields, wanted), live && viewOf(fields, live), fixed).map((one) => {
    const brief = compared.find(({ shown }) => shown === one.field)?.brief;
    if (brief === undefined || one.found === undefined) return one;
    const short = { ...one, found: brief(one.found), wanted: brief(one.wanted ?? "") };
    return String(short.found) === String(short.wanted) ? one : short;
  });
}

/** The update mask of Google's APIs that names every field: what is in it and not in a body is cleared. */
export function maskOf({ written }: Fields): string {
  return written.map(({ path }) => path.join(".")).join(",");
}

/** The attributes of a resource in Terraform, for the fields that a body has. */
export function terraformOf({ written }: Fields, body: ValueMap): TerraformBody {
  const all: Record<string, TerraformValue> = {};
  for (const { path, terraform } of written) {
    const value = valueAt(body, path);
    if (value === undefined) continue;
    const last = typeof terraform === "string" ? terraform : underscored(path.at(-1) ?? "");
    const mapped = typeof terraform === "function" ? terraform(value) : (value as TerraformValue);
    const [block] = path.slice(0, -1).map(underscored);
    if (block === undefined) all[last] = mapped;
    else all[block] = { ...(all[block] as TerraformBody | undefined), [last]: mapped };
  }
  return all;
}

function underscored(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}
