import type { V1ConfigMap } from "@kubernetes/client-node";
import { prettyJson } from "./json.ts";
import type { GeneratedObject, ResourceRef, Value, ValueMap } from "./resource.ts";
import { compareText } from "./text.ts";

/** Keeps an object out of the cluster: kustomize drops it from its output, kpt from `live apply`. */
export const localConfig = { "config.kubernetes.io/local-config": "true" } as const;

/**
 * Files that are no Kubernetes objects, by name: a value becomes a JSON file that a person can read.
 */
export type Files = Readonly<Record<string, Value>>;

/** A ConfigMap that carries files through tools that know nothing but Kubernetes objects: one key a file. */
export function carrier(path: string, name: string, files: Files, origin?: ResourceRef): GeneratedObject {
  const data: Record<string, string> = Object.fromEntries(
    Object.entries(files)
      .sort(([a], [b]) => compareText(a, b))
      .map(([file, value]) => [file, `${prettyJson(value)}\n`]),
  );
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, annotations: localConfig },
    data,
  } satisfies V1ConfigMap & ValueMap;
  return {
    path,
    object,
    ...(origin === undefined ? {} : { origin }),
  };
}
