// Makes the program in the form that starts fastest, for where the Node it runs on is known, such as an image: the
// program's text, the code that this Node's V8 made of it, and a starter that hands V8 both.
//
//   npm run build:cached                  # into dist/cached
//   npm run build:cached -- /some/where '#!/usr/local/bin/node'
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listOf } from "../bench-input.mjs";
import { bundle, rarelyNeededLater } from "../bundle.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = resolve(process.argv[2] ?? join(root, "dist/cached"));
const program = join(directory, "ccf");
const firstLine = process.argv[3] ?? "#!/usr/bin/env node";
await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
await bundle("src/main.ts", `${program}.js`, { format: "iife", plugins: [rarelyNeededLater()] });
await bundle("tools/cached/starter.mjs", program, { minify: false }, `${firstLine}\n`);
await chmod(program, 0o755);

const key = await readFile(join(root, "testdata/sample-cluster/serviceaccount-signer.public"), "utf8");
const writer = join(root, "tools/cached/write-cache.mjs");
const input = listOf(10, 1, key);
const { status, stderr } = spawnSync(process.execPath, [writer, program], { input, encoding: "utf8" });
if (status !== 0) throw new Error(stderr);
