// Makes the program in the form that starts fastest, for where the Node it runs on is known, such as an image: files, each
// with the code that this Node's V8 made of it. That code is a copy of what V8 would make again: where there is none, nothing
// differs but the time. Node's own compile cache keeps no function that V8 compiles when it is called, and most are.
//
//   npm run build:image                  # into dist/image
//   npm run build:image -- /some/where '#!/usr/local/bin/node'
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listOf } from "./bench-input.mjs";
import { files } from "./bundle.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const directory = resolve(process.argv[2] ?? join(root, "dist/image"));
const firstLine = process.argv[3] ?? "#!/usr/bin/env node";
const program = join(directory, "ccf");
await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
for (const [name, text] of await files("src/main.ts", "ccf")) {
  await writeFile(join(directory, name), name === "ccf" ? `${firstLine}\n${text}` : text);
}
await chmod(program, 0o755);

// Each run keeps what V8 made of the files that it is the first to load. Generators run most, so they are the first of all.
const sample = join(root, "testdata/sample-cluster");
const keyFile = join(sample, "serviceaccount-signer.public");
const [work, out] = [join(directory, "package"), join(directory, "out")];
run([], listOf(10, 1, await readFile(keyFile, "utf8")));
const answers = { platform: "aws", name: "demo", "account-id": "123456789012", region: "us-east-2" };
const requests = join(sample, "credentials-requests");
const flags = Object.entries({ ...answers, "public-key-file": keyFile, "credentials-requests": requests });
run(["init", work, ...flags.flatMap(([name, value]) => [`--${name}`, value])]);
for (const command of ["render", "validate", "explain"]) run([command, work]);
run(["argo-cd-generate"]);
run(["export", work, "--output-dir", out]);
run(["diff-permissions", work, requests]);
for (const made of [work, out]) await rm(made, { recursive: true });

/** @param {string[]} args */
function run(args, input = "") {
  const cwd = args.length === 1 ? work : root;
  const node = ["--import", new URL("write-cache.mjs", import.meta.url).href, program];
  const { status, stderr } = spawnSync(process.execPath, [...node, ...args], { input, cwd, encoding: "utf8" });
  if (status !== 0 && status !== 2) throw new Error(`ccf ${args.join(" ")}: ${stderr}`);
}
