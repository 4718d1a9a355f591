import { isMap, type Resource, type Value } from "../../src/core/resource.ts";

/** A resource as a function reads it, made of an object without any text. */
export function resourceOf(object: Value, location: { path?: string; index?: number } = {}): Resource {
  const { apiVersion, kind, metadata } = mapOf(object);
  const { name, namespace, annotations } = mapOf(metadata);
  return {
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
    name: textOf(name),
    namespace: textOf(namespace),
    annotations: new Map(Object.entries(mapOf(annotations)).map(([key, value]) => [key, textOf(value)])),
    path: location.path,
    index: location.index ?? 0,
    packagePath: undefined,
    value: () => object,
  };
}

function mapOf(value: Value | undefined): Readonly<Record<string, Value | undefined>> {
  return isMap(value) ? value : {};
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
