import { type Finding, finding } from "../core/finding.ts";
import { textOfFile } from "../core/generated-object.ts";
import { canonicalJson } from "../core/json.ts";
import { type GeneratedObject, isMap, objectKey, type Resource, type Value, valueAt } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { ClusterPackage } from "./cluster-package.ts";

/*
 * What stays as it was rendered while it is unknown whether its request is included. It must be what the request asks for: a render
 * that keeps an edited policy would let it through.
 */

/**
 * Errors about objects that stay and are not what their request would generate.
 *
 * @param preserved the objects.
 * @param completesRequests as in a scope.
 */
export function heldFindings(
  pkg: ClusterPackage,
  preserved: readonly Resource[],
  completesRequests: boolean,
): Finding[] {
  const cluster = pkg.cluster.value;
  if (preserved.length === 0 || cluster === undefined) return [];
  const expected = new Set<string>();
  // Two requests for one Secret exclude each other, and the object is of one of them.
  for (const request of heldRequests(pkg)) {
    const scope = { selected: [request], held: new Set<string>(), isOwn: () => true, completesRequests };
    for (const { bundle, secret, operator } of cluster.identities(scope).made)
      for (const made of [bundle, secret(), completesRequests ? operator().secret() : undefined])
        if (made !== undefined) expected.add(formOf(made));
  }
  return preserved.filter((item) => !expected.has(formOfItem(item))).map(differs);
}

function heldRequests({ held, selection }: ClusterPackage): SelectedRequest[] {
  return selection.undecided
    .filter(({ secretKey = "" }) => held.has(secretKey))
    .map(({ resource, secretKey }) => ({ resource, value: resource.value(), secretKey, copies: [] }));
}

function differs(resource: Resource): Finding {
  const message =
    "stays as it is, because it is unknown whether the release has its request, but it is not what the request asks for now: it was edited, or its request or the configuration changed. Settle the feature gate that the warning about the request names. Or undo the change.";
  return finding("error", "held-object-differs", message, { resource });
}

function formOf({ object, files }: GeneratedObject): string {
  const { apiVersion, kind, metadata } = object;
  const key = objectKey({ apiVersion, kind, namespace: metadata.namespace ?? "", name: metadata.name });
  const content =
    files === undefined
      ? Object.fromEntries(secretTexts(object as unknown as Value))
      : Object.fromEntries(Object.entries(files).map(([name, file]) => [name, textOfFile(file)]));
  return `${key} ${canonicalJson(content)}`;
}

function formOfItem(item: Resource): string {
  const value = item.value();
  const data = valueAt(value, ["data"]);
  const content = item.kind === "Secret" ? Object.fromEntries(secretTexts(value)) : isMap(data) ? data : {};
  return `${objectKey(item)} ${canonicalJson(content)}`;
}
