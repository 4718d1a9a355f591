// Builds the program as one file: dist/ccf.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { oneFile } from "./bundle.mjs";

const outfile = new URL("../dist/ccf", import.meta.url);
await mkdir(new URL(".", outfile), { recursive: true });
await writeFile(outfile, `#!/usr/bin/env node\n${await oneFile("src/main.ts")}`);
await chmod(outfile, 0o755);
