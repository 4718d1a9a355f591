import type { V1ConfigMap } from "@kubernetes/client-node";
import { jsonFile } from "./json.ts";
import type { GeneratedObject, ResourceRef, Value, ValueMap } from "./resource.ts";

/** Keeps an object out of the cluster: kustomize drops it from its output, kpt from `live apply`. */
export const localConfig = { "config.kubernetes.io/local-config": "true" } as const;

/** Files that are no Kubernetes objects, by name: their texts. */
export type Files = Readonly<Record<string, string>>;

/** Values as JSON files that a person can read, by name. */
export function jsonFiles(values: Readonly<Record<string, Value>>): Files {
  const files: Record<string, string> = {};
  for (const name of Object.keys(values)) files[name] = jsonFile(values[name] as Value);
  return files;
}

/** A ConfigMap that carries files through tools that know nothing but Kubernetes objects: one key a file. */
export function carrier(path: string, name: string, files: Files, origin?: ResourceRef): GeneratedObject {
  const data: Record<string, string> = {};
  for (const file of Object.keys(files).sort()) data[file] = files[file] as string;
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, annotations: localConfig },
    data,
  } satisfies V1ConfigMap & ValueMap;
  return origin === undefined ? { path, object } : { path, object, origin };
}
