// Installs the packages in package-lock.json if they are missing, so that `npm test` and `npm start` work on a new clone.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const marker = "node_modules/.package-lock.json";
const fresh = existsSync(marker) && statSync(marker).mtimeMs >= statSync("package-lock.json").mtimeMs;
if (!fresh) {
  const { status } = spawnSync("npm", ["ci", "--no-fund", "--no-audit"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}
