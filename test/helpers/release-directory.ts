import { posix } from "node:path";
import { indexFile, sourceFile } from "../../src/cli/release/release-directory.ts";
import { digestOf } from "../../src/core/hash.ts";

/** Files, with those that make each directory with an index one that `ccf extract-release` wrote. */
export function completed(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const done: Record<string, string> = { ...files };
  for (const path of Object.keys(files).filter((one) => posix.basename(one) === indexFile)) {
    const directory = posix.dirname(path);
    const own = Object.entries(done).filter(([one]) => posix.dirname(one) === directory);
    const digests = Object.fromEntries(own.map(([one, text]) => [posix.basename(one), digestOf(text)]));
    done[posix.join(directory, sourceFile)] ??= JSON.stringify({ files: digests });
  }
  return done;
}
