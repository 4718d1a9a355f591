import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { quote } from "../core/text.ts";
import { decodeUtf8 } from "../krm/decode.ts";
import { type Item, readItem } from "../krm/item.ts";
import {
  documents,
  elements,
  isMapping,
  isProblem,
  isSequence,
  pairOf,
  parseSource,
  type Source,
} from "../krm/source.ts";
import { readInput } from "../krm/stdio.ts";
import { UsageError } from "./errors.ts";

/**
 * The objects of a cluster, as `oc get -o yaml` or `-o json` printed them: a list, or a stream of objects or lists.
 * @param path of a file, or `-` for standard input.
 */
export function readLive(path: string): Item[] {
  const source = parse("--live", path, path === "-" ? readInput() : read("--live", path));
  const items = documents(source).flatMap((node) => {
    const list = readItem(source, node).kind.endsWith("List") ? pairOf(source, node, "items")?.value : undefined;
    const nodes = isSequence(source, list) ? elements(source, list) : [node];
    return nodes.map((one) => readItem(source, one));
  });
  const objects = items.filter(({ kind, name }) => kind !== "" && name !== "");
  if (objects.length === 0)
    throw new UsageError(`--live ${quote(path)} holds no objects; it must be what "oc get ... -o yaml" printed`);
  return objects;
}

/** An install-config, as if it were an object of the kind that its documentation calls it by. */
export function readInstallConfig(path: string): Item {
  const source = parse("--install-config", path, read("--install-config", path));
  const [node, ...more] = documents(source);
  if (!isMapping(source, node) || more.length > 0)
    throw new UsageError(`--install-config ${quote(path)} must hold one mapping, as install-config.yaml does`);
  const shown = relative("", path).split(sep).join("/");
  return { ...readItem(source, node, { path: shown, index: 0 }), apiVersion: "v1", kind: "InstallConfig" };
}

function read(flag: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${flag} ${quote(path)} cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
  }
}

function parse(flag: string, path: string, bytes: Uint8Array): Source {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new UsageError(`${flag} ${quote(path)} is not UTF-8`);
  const source = parseSource(text);
  if (!isProblem(source)) return source;
  const line = source.line === undefined ? "" : `, line ${source.line}`;
  throw new UsageError(`${flag} ${quote(path)} is not YAML: ${source.reason}${line}`);
}
