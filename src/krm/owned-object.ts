import { textOfFile } from "../core/generated-object.ts";
import {
  type BundledFile,
  type Files,
  type GeneratedObject,
  generatedBy,
  localConfig,
  type ValueMap,
} from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { indexAnnotations, pathAnnotations } from "./item.ts";

/** A generated object and its owner, as they are written. */
export interface OwnedObject extends GeneratedObject {
  /** The value of the annotation `fn.cloudcredential.dev/generated-by`. */
  readonly owner: string;
}

/**
 * Where an object is written. In a list, it has the path annotations of older and newer tools. In its file, it needs
 * none.
 */
export type Destination = "list" | "file";

/** The complete value of an owned object, with its annotations and the files of its bundle. */
export function ownedValue(object: OwnedObject, destination: Destination): ValueMap {
  const { apiVersion, kind, metadata, ...rest } = object.object;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: annotationsOf(object, destination) },
    ...rest,
    ...(object.files === undefined ? {} : { data: textsOf(object.files) }),
  };
}

const [internalPath, path] = pathAnnotations;
const [internalIndex, index] = indexAnnotations;

// Sorted by name.
function annotationsOf(object: OwnedObject, destination: Destination): Record<string, string> {
  // A bundle ConfigMap must not reach the cluster.
  const local = object.files === undefined ? {} : { [localConfig]: "true" };
  const made =
    destination === "file"
      ? { ...local, [generatedBy]: object.owner }
      : {
          [index]: "0",
          ...local,
          [path]: object.path,
          [generatedBy]: object.owner,
          [internalIndex]: "0",
          [internalPath]: object.path,
        };
  if (object.annotations === undefined) return made;
  return Object.fromEntries(Object.entries({ ...object.annotations, ...made }).sort(([a], [b]) => compareText(a, b)));
}

function textsOf(files: Files): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(files).sort()) texts[name] = textOfFile(files[name] as BundledFile);
  return texts;
}
