// Builds the program in the form that starts fastest, for an environment with a known Node.js, such as an image: each file has
// a V8 code cache. V8 would generate the same code again, so a missing cache only costs time. Node's own compile cache
// does not contain functions that V8 compiles when they are called, which are most functions.
//
//   npm run build:image                  # into dist/image
//   npm run build:image -- /some/directory '#!/usr/local/bin/node' /a/directory/for/parts/with/client/libraries
import { spawnSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listOf } from "./bench-input.mjs";
import { writeProgram } from "./bundle.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const directory = resolve(process.argv[2] ?? join(root, "dist/image"));
const program = join(directory, "ccf");
await rm(directory, { recursive: true, force: true });
await writeProgram(directory, process.argv[3], process.argv[4]);

// Each run writes the cache of the files that it is the first to load. Generators run most often, so they run first, and then
// "render".
const sample = join(root, "testdata/sample-cluster");
const keyFile = join(sample, "serviceaccount-signer.public");
const [work, again, out] = [join(directory, "package"), join(directory, "again"), join(directory, "out")];
run([], listOf(10, 1, await readFile(keyFile, "utf8")));
const answers = { platform: "aws", name: "demo", "account-id": "123456789012", region: "us-east-2" };
const requests = join(sample, "credentials-requests");
const flags = Object.entries({ ...answers, "public-key-file": keyFile, "credentials-requests": requests });
const given = flags.flatMap(([name, value]) => [`--${name}`, value]);
start([program, "init", work, ...given]);
run(["render", work]);
run(["init", again, ...given]);
for (const command of ["validate", "explain"]) run([command, work]);
run(["argo-cd-generate"]);
run(["--version"]);
run(["export", work, "--output-dir", out]);
run(["diff-permissions", work, requests]);
for (const made of [work, again, out]) await rm(made, { recursive: true });

/** @param {string[]} args */
function run(args, input = "") {
  start(["--import", new URL("write-cache.mjs", import.meta.url).href, program, ...args], input);
}

/** @param {string[]} args of Node.js */
function start(args, input = "") {
  const cwd = args.at(-1) === "argo-cd-generate" ? work : root;
  const { status, stderr } = spawnSync(process.execPath, args, { input, cwd, encoding: "utf8" });
  if (status !== 0 && status !== 2) throw new Error(`${args.join(" ")}: ${stderr}`);
}
