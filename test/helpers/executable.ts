import { fileURLToPath } from "node:url";
import { here } from "../../tools/bun.mjs";
import { requireFresh } from "./fresh.ts";

/** The executable for this platform, or the one for the images of functions. */
export function builtExecutable(form: "whole" | "offline" = "whole"): string {
  const [directory, flags] = form === "whole" ? [here, ""] : [`${here}-offline`, " -- --offline"];
  const file = fileURLToPath(new URL(`../../dist/standalone/${directory}/ccf`, import.meta.url));
  return requireFresh(file, `npm run build:standalone${flags}`);
}
