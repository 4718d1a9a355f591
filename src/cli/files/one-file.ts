import { decodeUtf8, quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import {
  describeProblem,
  documents,
  elements,
  isProblem,
  isSequence,
  pairOf,
  parseSource,
  type Source,
} from "../../yaml/source.ts";
import { UsageError } from "../terminal/errors.ts";
import type { PackageFile } from "./package-files.ts";
import { readArgument } from "./read-bytes.ts";

/**
 * The objects of one YAML stream that is not part of a package.
 *
 * @param place `file` if the objects are in a file of that name, so that findings name the file.
 */
export function objectsOf(name: string, bytes: Uint8Array, place: "file" | "stream" = "stream"): PackageFile {
  const source = sourceOf(quote(name), bytes);
  const items: Item[] = documents(source)
    .flatMap((node) => elementsOf(source, node))
    .map((node, index) => readItem(source, node, place === "file" ? { path: name, index } : undefined));
  return { path: name, source, items };
}

/** The objects of a document: the items of a list, which `oc get -o yaml` prints, or the document itself. */
export function elementsOf(source: Source, node: number): readonly number[] {
  const list = readItem(source, node).kind.endsWith("List") ? pairOf(source, node, "items")?.value : undefined;
  return isSequence(source, list) ? elements(source, list) : [node];
}

/** Parses a YAML stream; errors call it `name`. */
export function sourceOf(name: string, bytes: Uint8Array, parse = parseSource): Source {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new UsageError(`${name} is not UTF-8`);
  const source = parse(text);
  if (!isProblem(source)) return source;
  throw new UsageError(`${name} is not YAML: ${describeProblem(source)}`);
}

/** The bytes of a file named on the command line; errors call it `name`. */
export function bytesOf(name: string, path: string): Uint8Array {
  try {
    return readArgument(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`${name} cannot be read (${error.code ?? "error"})`);
  }
}
