import { quote } from "../core/text.ts";
import { decodeUtf8 } from "../krm/decode.ts";
import { type Item, readItem } from "../krm/item.ts";
import { documents, isProblem, parseSource } from "../krm/source.ts";
import { UsageError } from "./errors.ts";
import type { PackageFile } from "./package-files.ts";

/**
 * The objects of one YAML stream that is no part of a package.
 *
 * @param place whether the objects stand in a file of that name, which findings about them say then.
 */
export function objectsOf(name: string, bytes: Uint8Array, place: "file" | "stream" = "stream"): PackageFile {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new UsageError(`${quote(name)} is not UTF-8`);
  const source = parseSource(text);
  if (isProblem(source)) throw new UsageError(`${quote(name)} is not YAML: ${source.reason}`);
  const items: Item[] = documents(source).map((node, index) =>
    readItem(source, node, place === "file" ? { path: name, index } : undefined),
  );
  return { path: name, source, items };
}
