import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../../core/text.ts";
import { collected, sizeText } from "../blob.ts";
import { tarEntries } from "../layers/tar.ts";
import { imageError } from "../problem.ts";
import { maxManifest } from "../source.ts";

/** The files of an image on disk: in a tar archive, or in a directory. */
export interface FileEntries {
  /** The parts of a file; undefined if it does not exist. */
  open(name: string): Promise<AsyncGenerator<Uint8Array, void> | undefined>;
}

/** A file that is an image: a tar archive, or the directory of an OCI layout. @throws FindingError "release-file-invalid" */
export function openEntries(path: string): FileEntries {
  try {
    return statSync(path).isDirectory() ? inDirectory(path) : inArchive(path);
  } catch (error) {
    throw notRead(path, error);
  }
}

/** A small file; undefined if it does not exist. @throws FindingError "release-file-invalid" if it is longer than a manifest. */
export async function smallFile(path: string, entries: FileEntries, name: string): Promise<Uint8Array | undefined> {
  const parts = await entries.open(name);
  if (parts === undefined) return undefined;
  return collected(parts, maxManifest, () =>
    invalid(path, `${quote(name)} in it is longer than ${sizeText(maxManifest)}`),
  );
}

/** The error of a file that is not an image. @param problem the end of a sentence. */
export function invalid(path: string, problem: string) {
  return imageError(
    "release-file-invalid",
    `${quote(path)} is not a release image that can be read: ${problem}. Create it with skopeo copy docker://IMAGE oci-archive:FILE.`,
  );
}

function inDirectory(path: string): FileEntries {
  return {
    async open(name) {
      const file = join(path, name);
      const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
      return isFile ? partsOf(path, file) : undefined;
    },
  };
}

// The library has no random access, so an archive is read from its beginning for each file. What is not wanted is skipped.
function inArchive(path: string): FileEntries {
  return {
    async open(name) {
      const damaged = (problem: string) =>
        invalid(path, `it is not a valid tar archive (${problem}). If it is compressed, decompress it first`);
      const entries = tarEntries(partsOf(path, path), damaged);
      for (;;) {
        const { done, value } = await entries.next();
        if (done) return undefined;
        if (value.type !== "file" || value.name.replace(/^\.\//, "") !== name) continue;
        return (async function* () {
          try {
            yield* value.parts();
          } finally {
            await entries.return();
          }
        })();
      }
    },
  };
}

async function* partsOf(path: string, file: string): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const part of createReadStream(file)) yield part as Uint8Array;
  } catch (error) {
    throw notRead(path, error);
  }
}

/** The error of a file that the system does not let read. Any other error is a mistake of this program. */
function notRead(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  return imageError("release-file-invalid", `${quote(path)} cannot be read: ${code}. Name a file that exists.`);
}
