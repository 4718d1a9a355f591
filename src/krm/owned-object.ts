import { textOfFile } from "../core/bundle.ts";
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

/** A generated object and who made it: both are written. */
export interface OwnedObject extends GeneratedObject {
  /** The value of the annotation `fn.cloudcredential.dev/generated-by`. */
  readonly owner: string;
}

/**
 * Where an object is written: in a list, annotations of both generations of tools say which file it goes to; in that
 * file it needs none.
 */
export type Place = "list" | "file";

/** The whole value of an owned object as it is written: with its annotations, and the files that it carries. */
export function ownedValue(one: OwnedObject, place: Place): ValueMap {
  const { apiVersion, kind, metadata, ...rest } = one.object;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: annotationsOf(one, place) },
    ...rest,
    ...(one.files === undefined ? {} : { data: textsOf(one.files) }),
  };
}

const [internalPath, path] = pathAnnotations;
const [internalIndex, index] = indexAnnotations;

// In the order of their names.
function annotationsOf(one: OwnedObject, place: Place): Record<string, string> {
  // What only carries files stays out of the cluster.
  const local = one.files === undefined ? {} : { [localConfig]: "true" };
  const made =
    place === "file"
      ? { ...local, [generatedBy]: one.owner }
      : {
          [index]: "0",
          ...local,
          [path]: one.path,
          [generatedBy]: one.owner,
          [internalIndex]: "0",
          [internalPath]: one.path,
        };
  if (one.annotations === undefined) return made;
  return Object.fromEntries(Object.entries({ ...one.annotations, ...made }).sort(([a], [b]) => compareText(a, b)));
}

function textsOf(files: Files): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(files).sort()) texts[name] = textOfFile(files[name] as BundledFile);
  return texts;
}
