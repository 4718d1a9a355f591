import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Puts mawk as `awk` into a directory, if this machine has it. The scripts start awk more often than anything else, and mawk
 * starts in half the time of others. What depends on the awk is tested in shells.test.ts of each cloud and in
 * json-awk.test.ts, and with the awk of this machine in test/external/scripts.
 */
export function quickAwk(directory: string): void {
  const mawk = spawnSync("sh", ["-c", "command -v mawk"], { encoding: "utf8" }).stdout.trim();
  if (mawk !== "") symlinkSync(mawk, join(directory, "awk"));
}
