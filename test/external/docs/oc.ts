import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporary } from "../../helpers/temporary.ts";

/**
 * A stand-in for `oc` that supports the commands of the pages only. `create token` prints a token of the cluster that the pages
 * describe, signed with the key pair in `../cluster-keys` that the page creates. `get` requires kubectl.
 *
 * @param issuer of the cluster's tokens.
 * @returns the directory of the program.
 */
export function standInForOc(issuer = "https://demo-oidc.s3.us-east-2.amazonaws.com"): string {
  const directory = temporary();
  const program = fileURLToPath(new URL("oc.mjs", import.meta.url));
  writeFileSync(join(directory, "oc"), `#!/bin/sh\nISSUER=${issuer} exec node '${program}' "$@"\n`, { mode: 0o755 });
  return directory;
}
