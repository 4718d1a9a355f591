import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";

/**
 * Writes a new file. What is there already is never written to.
 *
 * @param how `exact` sets the permissions as they are given; without it, the process's mask takes some away. Without
 *   `sync`, the file is not waited for until it is on the disk.
 */
export function writeAtomically(
  path: string,
  text: string,
  mode: number,
  how: { exact?: boolean; sync?: boolean } = {},
): void {
  const { exact = false, sync = true } = how;
  const descriptor = openSync(path, "wx", mode);
  try {
    if (exact) fchmodSync(descriptor, mode);
    const bytes = Buffer.from(text, "utf8");
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    if (sync) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Has the names in a directory on the disk: a new name is there only when its directory is. Some systems cannot do that
 * for a directory, and do not need it.
 */
export function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EINVAL" && code !== "ENOENT") throw error;
  }
}
