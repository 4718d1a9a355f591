// Makes the program, one file: dist/ccf.
import { chmod } from "node:fs/promises";
import { bundle, rarelyNeededAsText } from "./bundle.mjs";

const outfile = new URL("../dist/ccf", import.meta.url).pathname;
await bundle("src/main.ts", outfile, { plugins: [await rarelyNeededAsText()] }, "#!/usr/bin/env node\n");
await chmod(outfile, 0o755);
