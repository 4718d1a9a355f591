import { textOfFile } from "../core/carrier.ts";
import { indentedJson } from "../core/json.ts";
import {
  type CarriedFile,
  type Files,
  type GeneratedObject,
  generatedBy,
  type Value,
  type ValueMap,
} from "../core/resource.ts";
import { emitPair, emitText, inlineString } from "./emit.ts";
import { indexAnnotations, pathAnnotations } from "./item.ts";

/** A generated object and who made it: both are written. */
export interface OwnedObject extends GeneratedObject {
  /** The value of the annotation `fn.cloudcredential.dev/generated-by`. */
  readonly owner: string;
}

/**
 * Where an object is written: in a list, annotations of both generations of tools say which file it goes to; in that
 * file it needs none.
 */
export type Place = "list" | "file";

/** The whole value of an owned object as it is written: its annotations, sorted, and the files that it carries. */
export function ownedValue(one: OwnedObject, place: Place): GeneratedObject["object"] {
  const { object, files } = one;
  const annotations: Record<string, Value> = {};
  for (const key of annotationKeys(one, place)) annotations[key] = annotationOf(one, key);
  return {
    ...object,
    metadata: { ...object.metadata, annotations },
    ...(files === undefined ? {} : { data: textsOf(files) }),
  };
}

/** The same as block YAML: see {@link emitYaml}. */
export function emitOwned(one: OwnedObject, place: Place, indent = 0): string {
  const { object, files } = one;
  const pad = " ".repeat(indent);
  const lines: string[] = [];
  for (const key of Object.keys(object)) {
    const before = lines.length === 0 ? "" : pad;
    if (key === "metadata") metadataLines(one, place, before, pad, lines);
    else emitPair(key, object[key] as Value, before, pad, lines);
  }
  if (files !== undefined) fileLines(files, pad, lines);
  return lines.join("");
}

function metadataLines(one: OwnedObject, place: Place, lead: string, pad: string, lines: string[]): void {
  const { metadata } = one.object;
  const inner = `${pad}  `;
  lines.push(lead, "metadata:\n");
  for (const key of Object.keys(metadata)) {
    if (key !== "annotations") emitPair(key, metadata[key] as Value, inner, inner, lines);
  }
  lines.push(annotationLines(one, place, inner));
}

// Thousands of objects have the same annotations but for the path: the text around that is made once for all of them.
const around = new WeakMap<ValueMap, Map<string, readonly string[]>>();
const noAnnotations: ValueMap = {};

function annotationLines(one: OwnedObject, place: Place, pad: string): string {
  const own = (one.object.metadata["annotations"] as ValueMap | undefined) ?? noAnnotations;
  const known = around.get(own) ?? new Map<string, readonly string[]>();
  around.set(own, known);
  const key = `${place} ${pad.length} ${one.owner}`;
  let texts = known.get(key);
  if (texts === undefined) {
    texts = textsAroundPath(one, place, pad);
    known.set(key, texts);
  }
  return texts.length === 1 ? (texts[0] as string) : texts.join(inlineString(one.path));
}

function textsAroundPath(one: OwnedObject, place: Place, pad: string): readonly string[] {
  const inner = `${pad}  `;
  const texts = [`${pad}annotations:\n`];
  const add = (text: string) => {
    texts[texts.length - 1] += text;
  };
  for (const key of annotationKeys(one, place)) {
    add(`${inner}${inlineString(key)}: `);
    if (pathKeys.has(key)) texts.push("");
    else add(emitText(annotationOf(one, key) as string, `${inner}  `));
    add("\n");
  }
  return texts;
}

const pathKeys: ReadonlySet<string> = new Set(pathAnnotations);
const indexKeys: ReadonlySet<string> = new Set(indexAnnotations);
const ours = { list: [generatedBy, ...pathAnnotations, ...indexAnnotations], file: [generatedBy] } as const;

function annotationKeys({ object }: OwnedObject, place: Place): string[] {
  return [...new Set([...Object.keys(object.metadata["annotations"] ?? noAnnotations), ...ours[place]])].sort();
}

function annotationOf({ object, owner, path }: OwnedObject, key: string): Value {
  if (key === generatedBy) return owner;
  if (pathKeys.has(key)) return path;
  return indexKeys.has(key) ? "0" : ((object.metadata["annotations"] as ValueMap)[key] as Value);
}

function textsOf(files: Files): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(files).sort()) texts[name] = textOfFile(files[name] as CarriedFile);
  return texts;
}

function fileLines(files: Files, pad: string, lines: string[]): void {
  const names = Object.keys(files).sort();
  lines.push(pad, names.length === 0 ? "data: {}\n" : "data:\n");
  for (const name of names) {
    lines.push(pad, "  ", inlineString(name), ": ", fileText(files[name] as CarriedFile, pad.length + 4), "\n");
  }
}

function fileText(file: CarriedFile, indent: number): string {
  const lines = typeof file === "string" || indent % 2 !== 0 ? undefined : indentedJson(file.json, indent / 2);
  return lines === undefined ? emitText(textOfFile(file), " ".repeat(indent)) : `|\n${lines}`;
}
