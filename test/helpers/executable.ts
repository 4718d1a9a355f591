import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { here } from "../../tools/bun.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The executable for this platform, or the one for the images of functions.
 *
 * @throws {Error} if it was not built from these sources.
 */
export function builtExecutable(form: "whole" | "offline" = "whole"): string {
  const file = join(root, "dist/standalone", form === "whole" ? here : `${here}-offline`, "ccf");
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const changed = Math.max(...sources.map((name) => statSync(join(root, "src", name)).mtimeMs));
  if (!existsSync(file) || statSync(file).mtimeMs < changed)
    throw new Error(`${file} is missing or old: npm run build:standalone -- ${form === "whole" ? "" : "--offline"}`);
  return file;
}
