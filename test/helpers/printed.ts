import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What this process would have printed, while a command runs in it; and what the file system answers meanwhile. */
export const printed = {
  isOn: false,
  stdout: "",
  stderr: "",
  /** Called before a file is opened or removed, or a directory listed: it may throw. */
  before: (_path: string): void => undefined,
};

// The functions of `node:fs` themselves, for files of tests that share what they import cannot mock a module.
const { writeSync, openSync, readdirSync, unlinkSync } = fs;

fs.writeSync = ((descriptor: number, bytes: Uint8Array, ...rest: [offset?: number]): number => {
  if (!printed.isOn || descriptor > 2) return writeSync(descriptor, bytes, ...rest);
  const [offset = 0] = rest;
  printed[descriptor === 1 ? "stdout" : "stderr"] += Buffer.from(bytes.subarray(offset)).toString("utf8");
  return bytes.byteLength - offset;
}) as typeof fs.writeSync;
fs.openSync = (path, ...rest) => {
  if (printed.isOn) printed.before(String(path));
  return openSync(path, ...rest);
};
fs.unlinkSync = (path) => {
  if (printed.isOn) printed.before(String(path));
  unlinkSync(path);
};
fs.readdirSync = ((path: string, ...rest: []) => {
  if (printed.isOn) printed.before(path);
  return readdirSync(path, ...rest);
}) as unknown as typeof fs.readdirSync;
syncBuiltinESMExports();
