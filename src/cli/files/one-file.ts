import { quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { decodeUtf8 } from "../../yaml/decode.ts";
import { documents, elements, isProblem, isSequence, pairOf, parseSource, type Source } from "../../yaml/source.ts";
import { UsageError } from "../terminal/errors.ts";
import type { PackageFile } from "./package-files.ts";
import { readBytes } from "./read-bytes.ts";

/**
 * The objects of one YAML stream that is no part of a package.
 *
 * @param place whether the objects stand in a file of that name, which findings about them say then.
 */
export function objectsOf(name: string, bytes: Uint8Array, place: "file" | "stream" = "stream"): PackageFile {
  const source = sourceOf(quote(name), bytes);
  const items: Item[] = documents(source)
    .flatMap((node) => elementsOf(source, node))
    .map((node, index) => readItem(source, node, place === "file" ? { path: name, index } : undefined));
  return { path: name, source, items };
}

/** The objects of a document: those of a list, as `oc get -o yaml` prints several, or the one that it is. */
export function elementsOf(source: Source, node: number): readonly number[] {
  const list = readItem(source, node).kind.endsWith("List") ? pairOf(source, node, "items")?.value : undefined;
  return isSequence(source, list) ? elements(source, list) : [node];
}

/** The text of a YAML stream; `name` is what an error calls it. */
export function sourceOf(name: string, bytes: Uint8Array, parse = parseSource): Source {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new UsageError(`${name} is not UTF-8`);
  const source = parse(text);
  if (!isProblem(source)) return source;
  const line = source.line === undefined ? "" : `, line ${source.line}`;
  throw new UsageError(`${name} is not YAML: ${source.reason}${line}`);
}

/** The bytes of a file that the command line names; `name` is what an error calls it. */
export function bytesOf(name: string, path: string): Uint8Array {
  try {
    return readBytes(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`${name} cannot be read (${error.code ?? "error"})`);
  }
}
