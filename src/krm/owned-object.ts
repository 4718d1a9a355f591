import { textOfFile } from "../core/bundle.ts";
import { indentedJson } from "../core/json.ts";
import {
  type BundledFile,
  type Files,
  type GeneratedObject,
  generatedBy,
  localConfig,
  type ValueMap,
} from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { emitEntries, emitText, inlineString } from "../yaml/emit.ts";
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

/** The whole value of an owned object as it is written: with its annotations, and the files that it carries. */
export function ownedValue(one: OwnedObject, place: Place): ValueMap {
  if (isLaidOut(one)) throw new TypeError("what was laid out has no value");
  const { apiVersion, kind, metadata, ...rest } = one.object;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: annotationsOf(one, place) },
    ...rest,
    ...(one.files === undefined ? {} : { data: textsOf(one.files) }),
  };
}

/**
 * Writes the same as block YAML: see {@link emitYaml}. An object that was laid out stands as far in as that was for.
 *
 * @returns a function for many objects, because the annotations of most have the same text but for the path.
 */
export function ownedEmitter(place: Place, indent = 0): (one: OwnedObject) => string {
  const pad = " ".repeat(indent + 2);
  // By owner, of objects and of those that carry files.
  const plain = new Map<string, readonly string[]>();
  const carrying = new Map<string, readonly string[]>();
  return (one) => {
    const { before, after } = isLaidOut(one) ? one : linesOf(one, indent);
    if (one.annotations !== undefined) {
      return before + textsAroundPath(one, place, pad).join(inlineString(one.path)) + after;
    }
    const known = one.files === undefined ? plain : carrying;
    let texts = known.get(one.owner);
    if (texts === undefined) {
      texts = textsAroundPath(one, place, pad);
      known.set(one.owner, texts);
    }
    return before + texts.join(inlineString(one.path)) + after;
  };
}

/** An object of which what names it is left, and its lines but for its annotations: those say who made it. */
interface LaidOut extends GeneratedObject {
  readonly before: string;
  readonly after: string;
}

function isLaidOut(one: GeneratedObject): one is LaidOut {
  return "after" in one;
}

/** An object as the lines of block YAML that it will be: it can be written so far in, and has no value any more. */
export function layOutAt(one: GeneratedObject, indent: number): GeneratedObject {
  const { apiVersion, kind, metadata } = one.object;
  const object = { apiVersion, kind, metadata };
  const { before, after } = linesOf(one, indent);
  // V8 copies an object in half the time where little comes behind it. That this one carries files is said in its
  // annotations; which ones, in its lines.
  const laidOut: LaidOut =
    one.files === undefined ? { before, after, ...one, object } : { before, after, ...one, object, files: {} };
  return laidOut;
}

function linesOf({ object, files }: GeneratedObject, indent: number): { before: string; after: string } {
  const { apiVersion, kind, metadata, ...rest } = object;
  const pad = " ".repeat(indent);
  const before: string[] = [];
  emitEntries({ apiVersion, kind, metadata }, pad, "", before);
  const after: string[] = [];
  emitEntries(rest, pad, pad, after);
  if (files !== undefined) fileLines(files, pad, after);
  return { before: before.join(""), after: after.join("") };
}

const [internalPath, path] = pathAnnotations;
const [internalIndex, index] = indexAnnotations;

// In the order of their names.
function annotationsOf(one: OwnedObject, place: Place): Record<string, string> {
  // What only carries files stays out of the cluster.
  const local = one.files === undefined ? {} : { [localConfig]: "true" };
  const made =
    place === "file"
      ? { ...local, [generatedBy]: one.owner }
      : {
          [index]: "0",
          ...local,
          [path]: one.path,
          [generatedBy]: one.owner,
          [internalIndex]: "0",
          [internalPath]: one.path,
        };
  if (one.annotations === undefined) return made;
  return Object.fromEntries(Object.entries({ ...one.annotations, ...made }).sort(([a], [b]) => compareText(a, b)));
}

// The annotations' lines: of one in a list, what stands before, between and after its paths.
function textsAroundPath(one: OwnedObject, place: Place, pad: string): readonly string[] {
  const texts: string[] = [];
  let text = `${pad}annotations:\n`;
  for (const [key, value] of Object.entries(annotationsOf(one, place))) {
    text += `${pad}  ${inlineString(key)}: `;
    if (key === path || key === internalPath) {
      texts.push(text);
      text = "";
    } else text += inlineString(value);
    text += "\n";
  }
  return [...texts, text];
}

function textsOf(files: Files): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(files).sort()) texts[name] = textOfFile(files[name] as BundledFile);
  return texts;
}

function fileLines(files: Files, pad: string, lines: string[]): void {
  const names = Object.keys(files).sort();
  lines.push(pad, names.length === 0 ? "data: {}\n" : "data:\n");
  for (const name of names) {
    lines.push(pad, "  ", inlineString(name), ": ", fileText(files[name] as BundledFile, pad.length + 4), "\n");
  }
}

function fileText(file: BundledFile, indent: number): string {
  const lines = typeof file === "string" || indent % 2 !== 0 ? undefined : indentedJson(file.json, indent / 2);
  return lines === undefined ? emitText(textOfFile(file), " ".repeat(indent)) : `|\n${lines}`;
}
