import { groupOf, localConfig } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import { documentParts } from "../../yaml/document-parts.ts";
import { documentText } from "../../yaml/document-text.ts";
import { parseDocuments } from "../../yaml/parse-documents.ts";
import { isEmpty, isProblem, type Source } from "../../yaml/source.ts";
import type { FileChange } from "../files/file-change.ts";
import type { Package } from "../files/package-files.ts";

/**
 * The objects of a rendered package as a YAML stream, in the order of paths, each with the text that it has in its file.
 *
 * @param isWanted which objects: by default what goes to the cluster, everything but local-config objects,
 *   CredentialsRequests and the configuration of tools.
 */
export function manifestStream(
  pkg: Pick<Package, "files">,
  changes: readonly FileChange[],
  isWanted: (item: Item) => boolean = isForCluster,
): string {
  const sources = new Map<string, Source>(pkg.files.map((file) => [file.path, file.source]));
  for (const { path, after } of changes) {
    if (after === undefined) sources.delete(path);
    else sources.set(path, sourceOf(path, after));
  }
  const parts: string[] = [];
  for (const [path, source] of [...sources].sort(([a], [b]) => compareText(a, b))) {
    const full = documentParts(source).filter(({ node }) => !isEmpty(source, node));
    for (const [index, part] of full.entries()) {
      if (isWanted(readItem(source, part.node, { path, index }))) parts.push(documentText(source, part));
    }
  }
  return parts.join("");
}

/** An object as one of a stream. */
export function manifestOf({ source, node }: Item): string {
  const part = documentParts(source).find((documentPart) => documentPart.node === node);
  if (part === undefined) throw new Error("an object of a list is no document");
  return documentText(source, part);
}

function sourceOf(path: string, text: string): Source {
  const source = parseDocuments(text);
  if (isProblem(source)) throw new Error(`a function made a file that cannot be read: ${path}`);
  return source;
}

/**
 * Says whether an object is one that the cluster gets: not for tools alone, no request, no configuration of tools. A
 * release's FeatureGate manifest is none: applied, it would change the cluster's feature set for good.
 */
export function isForCluster(item: Item): boolean {
  const { apiVersion, kind, name, annotations } = item;
  if (apiVersion === "" || kind === "" || name === "" || isReleaseFeatureGate(item)) return false;
  const local = annotations.get(localConfig);
  if (local !== undefined && local !== "false") return false;
  const group = groupOf(apiVersion);
  return (
    group !== "kpt.dev" &&
    group !== "kustomize.config.k8s.io" &&
    group !== "fn.cloudcredential.dev" &&
    kind !== "CredentialsRequest"
  );
}
