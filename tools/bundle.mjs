import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The module with all code that reaches a network, and the one that takes its place in a program for functions. */
const [online, offline] = ["src/cli/online.ts", "src/cli/offline.ts"];

/**
 * The client library of Google imports a CommonJS module with `import()`, for proxies. In a part of its own, such a module would have
 * only a default export.
 *
 * @type {import("esbuild").Plugin}
 */
const namedExports = {
  name: "named-exports",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^https-proxy-agent$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path, namespace: "named-exports", pluginData: resolveDir } : undefined,
    );
    onLoad({ filter: /./, namespace: "named-exports" }, ({ path, pluginData }) => ({
      contents: `export { HttpsProxyAgent } from "${path}";`,
      resolveDir: pluginData,
    }));
  },
};

/** @type {import("esbuild").Plugin} */
const withoutNetwork = {
  name: "without-network",
  setup({ onResolve }) {
    onResolve({ filter: /\/online\.ts$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path) === join(root, online) ? { path: join(root, offline) } : undefined,
    );
  },
};

/** Starts the program, as a CommonJS module or an ES module: the nearest package.json decides which of the two this file is. */
const start = `#!/usr/bin/env node
// The program is in the directory "parts" next to this file.
if (process.getBuiltinModule === undefined) stop("ccf requires Node.js 20.16 or newer; this is " + process.version);
else import("./parts/main.mjs").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  stop(error.message.split("\\n", 1)[0] + '. Install the file "ccf" and the directory "parts" together');
});

function stop(message) {
  process.stderr.write("error: " + message + ".\\n");
  process.exit(1);
}
`;

/**
 * Writes the program: the file `ccf`, which starts it, and the directory `parts` with ES modules. A file of its own contains what only
 * some runs need, which the sources load with `import()`.
 *
 * @param {string} directory
 * @param {{ isOffline?: boolean }} [options] `isOffline` replaces all code that reaches a network
 */
export async function writeProgram(directory, { isOffline = false } = {}) {
  const { outputFiles, metafile } = await build({
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    bundle: true,
    format: "esm",
    splitting: true,
    // The paths in the metafile are relative to it.
    absWorkingDir: root,
    entryPoints: [join(root, "src/main.ts")],
    plugins: [namedExports, ...(isOffline ? [withoutNetwork] : [])],
    write: false,
    metafile: true,
    outdir: join(directory, "parts"),
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
  });
  const found = isOffline ? networkIn(metafile, Object.keys(metafile.outputs)) : unwantedParts(metafile);
  if (found.length > 0)
    throw new Error(
      `${isOffline ? "The program for functions" : "Functions and `ccf render`"} would load ${found.join(", ")}.`,
    );
  // Parts of an earlier build have other names.
  await rm(join(directory, "parts"), { recursive: true, force: true });
  await mkdir(join(directory, "parts"), { recursive: true });
  for (const { path, text } of outputFiles) await writeFile(path, withRequire(text));
  await writeFile(join(directory, "ccf"), start, { mode: 0o755 });
}

/**
 * CommonJS packages load modules of Node.js with `require`, which ES modules lack. esbuild asks for it in one place.
 *
 * @param {string} text of a part
 */
function withRequire(text) {
  if (!text.includes("typeof require")) return text;
  return `import{createRequire}from"node:module";const require=createRequire(import.meta.url);${text}`;
}

/** The sources that functions and `ccf render` start. What they import with `import()` is loaded by other runs. */
const started = [
  "src/main.ts",
  "src/start.ts",
  "src/cli/terminal/version.ts",
  "src/cli/main.ts",
  "src/cli/render/render.ts",
];

/**
 * The parts that functions and `ccf render` load.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile
 */
function startedParts({ outputs }) {
  const starts = started.map((source) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source));
  if (starts.includes(undefined)) throw new Error(`not every one of ${started.join(", ")} starts a part`);
  const loaded = new Set(/** @type {string[]} */ (starts));
  // A set also visits what is added to it meanwhile.
  for (const path of loaded)
    for (const { path: other, kind } of outputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && outputs[other] !== undefined) loaded.add(other);
  return [...loaded];
}

/**
 * What the parts of the program that functions and `ccf render` load must not contain: code that reaches a network; and the rules,
 * because most packages need none and they would be half of the code.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile of the program
 * @returns {string[]} the names of the packages, modules, and directories
 */
export function unwantedParts(metafile) {
  const loaded = startedParts(metafile);
  const rules = inputsOf(metafile, loaded).some((path) => path.startsWith("src/rules/"));
  return [...networkIn(metafile, loaded), ...(rules ? ["src/rules"] : [])];
}

/**
 * What reaches a network in some parts of the program: packages and directories of the sources, and modules of Node.js.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile
 * @param {readonly string[]} parts
 */
function networkIn(metafile, parts) {
  const code =
    /node_modules\/((?:@azure|@aws-sdk|@smithy)\/[^/]+|google-auth-library|gaxios|agent-base|modern-tar)\/|^(src\/(?:network|release-image))\/(?!findings\.ts$)/;
  const modules = /^(?:node:)?(?:http2?|https|net|tls|dns|dgram)(?:\/|$)/;
  const found = [
    ...inputsOf(metafile, parts).flatMap((path) => code.exec(path)?.slice(1).find(Boolean) ?? []),
    ...parts.flatMap(
      (part) => metafile.outputs[part]?.imports.map(({ path }) => path).filter((path) => modules.test(path)) ?? [],
    ),
  ];
  return [...new Set(found)].sort();
}

/** @param {Pick<import("esbuild").Metafile, "outputs">} metafile @param {readonly string[]} parts @returns {string[]} paths */
function inputsOf({ outputs }, parts) {
  return parts.flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
}
