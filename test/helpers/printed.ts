import type * as Fs from "node:fs";

/** What this process would have printed, while a command runs in it; and what the file system answers meanwhile. */
export const printed = {
  isOn: false,
  stdout: "",
  stderr: "",
  /** Called before a file is opened or a directory listed: it may throw. */
  before: (_path: string): void => undefined,
};

/** `node:fs` with the two streams kept in {@link printed}: for `vi.mock("node:fs", ...)`. */
export function fsWithStreams(fs: typeof Fs): typeof Fs {
  const writeSync = (descriptor: number, bytes: Uint8Array, offset = 0): number => {
    if (!printed.isOn || descriptor > 2) return fs.writeSync(descriptor, bytes, offset);
    printed[descriptor === 1 ? "stdout" : "stderr"] += Buffer.from(bytes.subarray(offset)).toString("utf8");
    return bytes.byteLength - offset;
  };
  const openSync: typeof Fs.openSync = (path, ...rest) => {
    if (printed.isOn) printed.before(String(path));
    return fs.openSync(path, ...rest);
  };
  const readdirSync = ((path: string, ...rest: []) => {
    if (printed.isOn) printed.before(path);
    return fs.readdirSync(path, ...rest);
  }) as unknown as typeof Fs.readdirSync;
  return { ...fs, writeSync: writeSync as typeof Fs.writeSync, openSync, readdirSync };
}
