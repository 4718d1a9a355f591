import { FindingError } from "../../core/finding.ts";
import { type Descriptor, sizeText } from "../blob.ts";
import { imageError } from "../problem.ts";
import { LostAnswer } from "../registry/request.ts";
import { type ImageSource, readBlob } from "../source.ts";
import { type LayerContent, maxLayer, readLayer } from "./layer.ts";

/** The files that every release has, and that `oc adm release new` writes together with all others. */
const required = ["release-metadata", "image-references"];

/**
 * The files of `release-manifests/` in an image, by name. Layers are read from the top: a file of a higher layer replaces or hides
 * those of lower ones. After a layer that has the required files, no other is read.
 *
 * @param layers from the lowest to the top.
 * @throws FindingError "release-image-invalid", "release-image-compression", "release-image-digest", and those of the source.
 */
export async function readReleaseManifests(
  source: ImageSource,
  layers: readonly Descriptor[],
  progress: (text: string) => void,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const hidden = new Set<string>();
  for (const [index, layer] of [...layers].reverse().entries()) {
    const { size } = layer;
    if (size !== undefined && size > maxLayer.stored)
      throw invalid(source.name, `a layer is longer than ${sizeText(maxLayer.stored)}`);
    progress(`Reading layer ${index + 1} of ${layers.length}${size === undefined ? "" : ` (${sizeText(size)})`}`);
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    const content = await readChecked(source, layer, { files: files.size, bytes });
    for (const [name, file] of content.files) if (!files.has(name) && !hidden.has(name)) files.set(name, file);
    for (const name of content.hidden) hidden.add(name);
    // A file that lower layers have too stays the one of this layer.
    for (const name of content.files.keys()) hidden.add(name);
    if (content.hidesAll || required.every((name) => content.files.has(name))) break;
  }
  const missing = required.filter((name) => !files.has(name));
  if (missing.length > 0)
    throw invalid(
      source.name,
      `it does not contain ${missing.map((name) => `release-manifests/${name}`).join(" and ")}`,
    );
  return files;
}

/** Reads a layer. If its content cannot be read because it was damaged on the way, the error says that. */
function readChecked(
  source: ImageSource,
  layer: Descriptor,
  kept: { readonly files: number; readonly bytes: number },
): Promise<LayerContent> {
  return readBlob(source, layer, async (parts) => {
    // Readers would end it when they fail.
    const open = { [Symbol.asyncIterator]: () => ({ next: () => parts.next() }) };
    const rest = async () => {
      for await (const _ of open);
    };
    try {
      const content = await readLayer(open, source.name, kept);
      // A compressed text may end before the layer does.
      await rest();
      return content;
    } catch (error) {
      if (error instanceof FindingError) await rest().catch(otherwise(error));
      throw error;
    } finally {
      await parts.return();
    }
  });
}

/** What counts of an error after another one. */
function otherwise(first: FindingError): (later: unknown) => never {
  return (later) => {
    throw later instanceof LostAnswer ? first : later;
  };
}

function invalid(where: string, problem: string) {
  return imageError(
    "release-image-invalid",
    `${where} is not the image of a release: ${problem}. Check the name of the image.`,
  );
}
