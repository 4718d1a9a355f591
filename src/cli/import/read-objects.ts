import { isMap, type Value, valueAt } from "../../core/resource.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { parseDocuments } from "../../yaml/parse-documents.ts";
import {
  describeProblem,
  documents,
  eachPair,
  elements,
  isMapping,
  isProblem,
  isSequence,
  type Source,
  scalarText,
} from "../../yaml/source.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { inputProblem } from "../files/input-file.ts";
import { statOf } from "../files/paths.ts";
import { readBytes, readStandardInput } from "../files/read-bytes.ts";

/**
 * The objects of a file named on the command line: documents, lists of objects, or both, in YAML or JSON.
 *
 * @param path of a file of at most 48 MiB, or `-` for standard input.
 * @throws FindingsError `input-file-invalid`
 */
export function readObjects(flag: string, path: string): Item[] {
  const text = decodeUtf8(path === "-" ? readStandardInput() : bytesOf(flag, path));
  if (text === undefined) throw inputProblem(flag, path, "is not UTF-8");
  return objectsIn(flag, path, text);
}

/** The same for a text that was read from a file. */
export function objectsIn(flag: string, path: string, text: string): Item[] {
  const source = parseDocuments(text);
  const [problem] = isProblem(source) ? [source] : source.unread.values();
  if (problem !== undefined) throw inputProblem(flag, path, `is not YAML: ${describeProblem(problem)}`);
  const nodes = documents(source as Source).flatMap((node) => objectNodes(source as Source, node));
  return nodes.map((node, index) => readItem(source as Source, node, { path, index }));
}

function bytesOf(flag: string, path: string): Uint8Array {
  const found = statOf(path);
  if (found === undefined) throw inputProblem(flag, path, "does not exist");
  if (found.isDirectory()) throw inputProblem(flag, path, "is a directory");
  try {
    return readBytes(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw inputProblem(flag, path, "cannot be read");
  }
}

// A list can be in a list: "oc get" prints one for each kind, and a user may put several together.
function objectNodes(source: Source, node: number): number[] {
  if (!isMapping(source, node)) return [];
  let items: number | undefined;
  let isList = false;
  eachPair(source, node, (key, value) => {
    const name = scalarText(source, key);
    if (name === "items" && isSequence(source, value)) items = value;
    if (name === "kind") isList = scalarText(source, value)?.endsWith("List") === true;
  });
  if (!isList || items === undefined) return [node];
  return elements(source, items).flatMap((one) => objectNodes(source, one));
}

/** The texts of a mapping at a path, by key. */
export function textsAt(value: Value, path: readonly string[]): ReadonlyMap<string, string> {
  const map = valueAt(value, path);
  const entries = Object.entries(isMap(map) ? map : {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
