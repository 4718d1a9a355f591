import { groupOf, localConfig } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { lineAfter } from "../krm/edit.ts";
import { type Item, readItem } from "../krm/item.ts";
import { documents, isProblem, parseSource, type Source, startOf, startOfLine } from "../krm/source.ts";
import { isReleaseFeatureGate } from "../requests/feature-gates.ts";
import type { FileChange } from "./file-change.ts";
import type { Package } from "./package-files.ts";

/**
 * The objects of a rendered package as a YAML stream, in the order of paths, each with the text that it has in its file.
 *
 * @param isWanted which objects: by default what goes to the cluster, everything but local-config objects,
 *   CredentialsRequests and the configuration of tools.
 */
export function manifestStream(
  pkg: Pick<Package, "files">,
  changes: readonly FileChange[],
  isWanted: (item: Item) => boolean = goesToCluster,
): string {
  const texts = new Map(pkg.files.map((file) => [file.path, file.source.text]));
  for (const { path, after } of changes) {
    if (after === undefined) texts.delete(path);
    else texts.set(path, after);
  }
  const parts: string[] = [];
  for (const [path, text] of [...texts].sort(([a], [b]) => compareText(a, b))) {
    const source = parseSource(text);
    if (isProblem(source)) continue;
    for (const [index, node] of documents(source).entries()) {
      const item = readItem(source, node, { path, index });
      if (isWanted(item)) parts.push(documentText(source, node));
    }
  }
  return parts.map((part) => `---\n${part}`).join("");
}

/**
 * Says whether an object is one that the cluster gets: not for tools alone, no request, no configuration of tools. A
 * release's FeatureGate manifest is none: applied, it would change the cluster's feature set for good.
 */
export function goesToCluster(item: Item): boolean {
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

// Comments before the object belong to it; a directive or a document marker does not.
function documentText(source: Source, node: number): string {
  const start = startOfLine(source.text, startOf(source, node));
  const text = source.text.slice(start, lineAfter(source, node)).replace(/^\ufeff/, "");
  return text.endsWith("\n") ? text : `${text}\n`;
}
