import { relative, sep } from "node:path";
import { quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { documents, isMapping } from "../../yaml/source.ts";
import { bytesOf, elementsOf, sourceOf } from "../files/one-file.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { UsageError } from "../terminal/errors.ts";

/**
 * The objects of a cluster, from the output of `oc get -o yaml` or `-o json`: a list, or a stream of objects or lists.
 * @param path of a file, or `-` for standard input.
 */
export function readLive(path: string): Item[] {
  const name = `--live ${quote(path)}`;
  const source = sourceOf(name, path === "-" ? readStandardInput() : bytesOf(name, path));
  const items = documents(source)
    .flatMap((node) => elementsOf(source, node))
    .map((node) => readItem(source, node));
  const objects = items.filter(({ kind, name }) => kind !== "" && name !== "");
  if (objects.length === 0)
    throw new UsageError(`${name} contains no objects, but must be the output of "oc get ... -o yaml"`);
  return objects;
}

/** An install-config in the form of an object of the kind InstallConfig. */
export function readInstallConfig(path: string): Item {
  const name = `--install-config ${quote(path)}`;
  const source = sourceOf(name, bytesOf(name, path));
  const [node, ...more] = documents(source);
  if (!isMapping(source, node) || more.length > 0)
    throw new UsageError(`${name} must contain one mapping, as install-config.yaml does`);
  const shown = relative("", path).split(sep).join("/");
  return { ...readItem(source, node, { path: shown, index: 0 }), apiVersion: "v1", kind: "InstallConfig" };
}
