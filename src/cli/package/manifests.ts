import { groupOf, localConfig } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import { isPatch } from "../../workloads/delivery.ts";
import { documentParts, documentText, parseDocuments } from "../../yaml/documents.ts";
import { isEmpty, isProblem, type Source } from "../../yaml/source.ts";
import type { FileChange } from "../files/write-files.ts";
import type { Package } from "./package-files.ts";

/**
 * The objects of a rendered package as a YAML stream, sorted by path, each with its text from the file.
 *
 * @param isWanted selects the objects; by default those for the cluster, which excludes local-config objects,
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

/** The text of an object as a document of a stream. */
export function manifestOf({ source, node }: Item): string {
  const part = documentParts(source).find((documentPart) => documentPart.node === node);
  if (part === undefined) throw new Error("an object in a list is not a document");
  return documentText(source, part);
}

function sourceOf(path: string, text: string): Source {
  const source = parseDocuments(text);
  if (isProblem(source)) throw new Error(`a function generated a file that cannot be read: ${path}`);
  return source;
}

/**
 * Whether an object is for the cluster: not a local-config object, a CredentialsRequest or the configuration of a tool.
 * A FeatureGate manifest of a release is excluded, because it would change the cluster's feature set permanently. So is a patch of
 * a ServiceAccount, which a kustomization applies to the ServiceAccount of its owner.
 */
export function isForCluster(item: Item): boolean {
  const { apiVersion, kind, name, annotations } = item;
  if (apiVersion === "" || kind === "" || name === "" || isReleaseFeatureGate(item) || isPatch(item)) return false;
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
