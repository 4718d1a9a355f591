import type { V1ConfigMap } from "@kubernetes/client-node";
import { jsonFile } from "./json.ts";
import type { BundledFile, Files, GeneratedObject, ResourceRef, Value, ValueMap } from "./resource.ts";

/**
 * A bundle ConfigMap: it carries files through tools that process only Kubernetes objects. Each file is a key of
 * `data`, sorted by name.
 */
export function bundle(path: string, name: string, files: Files, origin?: ResourceRef): GeneratedObject {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
  } satisfies V1ConfigMap & ValueMap;
  return origin === undefined ? { path, object, files } : { path, object, files, origin };
}

/** Values as readable JSON files: see {@link jsonFile}. */
export function jsonFiles(values: Readonly<Record<string, Value>>): Files {
  const files: Record<string, BundledFile> = {};
  for (const name of Object.keys(values)) files[name] = { json: values[name] as Value };
  return files;
}

/** The text of a bundled file. */
export function textOfFile(file: BundledFile): string {
  return typeof file === "string" ? file : jsonFile(file.json);
}

/** A form of object that a function may emit. The function never removes an object that matches none of its forms. */
export interface OutputForm {
  readonly apiVersion: string;
  readonly kind: string;
  /** Matches the whole path, relative to the package. */
  readonly path: RegExp;
  /** Whether it is a patch: it has the name of an object that others write. */
  readonly isPatch?: true;
}

/** Matches exactly one path. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.")}$`);
}
