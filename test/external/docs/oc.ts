import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporary } from "../../helpers/temporary.ts";

/**
 * A stand-in for `oc` that supports `create token` only. It prints a token of the cluster that the pages describe, signed with
 * the key pair in `../cluster-keys` that the page creates.
 *
 * @returns the directory of the program.
 */
export function standInForOc(): string {
  const directory = temporary();
  const program = fileURLToPath(new URL("oc.mjs", import.meta.url));
  writeFileSync(join(directory, "oc"), `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  return directory;
}
