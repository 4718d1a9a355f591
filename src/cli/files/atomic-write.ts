import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";

/**
 * Writes a new file, and fails if the path exists.
 *
 * @param how `exact` sets exactly the given permissions; otherwise the umask of the process applies. `sync` waits until
 *   the file is on disk.
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
 * Flushes a directory to disk, because a new file name survives a crash only if its directory was flushed. Some systems
 * cannot flush a directory, and do not need it.
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
