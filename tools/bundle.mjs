import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

/** @satisfies {import("esbuild").BuildOptions} */
const common = /** @type {const} */ ({
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  // Text with one byte per character is read in half the time.
  charset: "ascii",
});

// Modules that a run may not need, in addition to the program of each command: see isDoor.
const commands = "src/cli/main.ts";
const doors = [
  commands,
  "src/cli/explain/write-page.ts",
  "src/yaml/js-yaml.ts",
  "src/clouds/aws/identities/merge.ts",
  "src/clouds/aws/import/read-live.ts",
  "src/clouds/aws/rendered/derived-files.ts",
  "src/clouds/azure/identities/merge.ts",
  "src/clouds/azure/import/read-live.ts",
  "src/clouds/azure/permissions/known-roles.ts",
  "src/clouds/azure/rendered/derived-files.ts",
  "src/clouds/azure/renderer.ts",
  "src/clouds/azure/template/template.ts",
  "src/clouds/gcp/identities/merge.ts",
  "src/clouds/gcp/import/read-live.ts",
  "src/clouds/gcp/permissions/predefined-roles.ts",
  "src/clouds/gcp/rendered/derived-files.ts",
  "src/clouds/gcp/renderer.ts",
  "functions/diff-permissions/function.ts",
  "functions/validate-credentials/function.ts",
];

/**
 * Whether a module is a door: its functions load it, with its imports, when they are called. It exports only functions.
 *
 * @param {string} path relative to the repository
 * @param {string} importer the path of a module that imports it, relative to the repository
 */
function isDoor(path, importer) {
  if (doors.includes(path)) return true;
  const ofCommand = dirname(importer) === "src/cli" && /^src\/cli\/(?!files\/|terminal\/)[^/]+\//.test(path);
  return ofCommand && exportedFunctions(path) !== undefined;
}

/** @param {string} path @returns {string[] | undefined} undefined if the module exports anything else */
function exportedFunctions(path) {
  const text = readFileSync(join(root, path), "utf8");
  if (/^export (?!(?:async )?function |type |interface )/m.test(text)) return undefined;
  return Array.from(text.matchAll(/^export (?:async )?function (\w+)/gm), ([, name]) => /** @type {string} */ (name));
}

/** @returns {import("esbuild").Plugin} */
function loadedWhenCalled() {
  const relative = (/** @type {string} */ path) => path.slice(root.length);
  return {
    name: "loaded when called",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/, namespace: "file" }, ({ path, resolveDir, importer, kind }) => {
        const file = join(resolveDir, path);
        if (kind !== "import-statement" || !isDoor(relative(file), relative(importer))) return undefined;
        return { path: file, namespace: "door" };
      });
      onLoad({ filter: /./, namespace: "door" }, ({ path }) => {
        const names = exportedFunctions(relative(path)) ?? [];
        // esbuild splits at import(). The parts of the program load each other synchronously: see partsOf.
        const lines = names.map((name) => `export const ${name} = (...args) => import("${path}").${name}(...args);`);
        return { contents: lines.join("\n"), resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * @typedef {object} Part A part of the program. It is loaded as a whole.
 * @property {string} name
 * @property {Map<string, string>} chunks the text of each chunk, an ES module
 */

/**
 * Splits the program into parts: what every run needs, what every command needs, and for the rest a chunk for each set of
 * doors that lead to it. Each module is in exactly one part.
 *
 * @param {string} entry relative to the repository
 * @returns {Promise<{ first: string, parts: Part[] }>} the parts, and the chunk that starts the program, in the first part
 */
async function partsOf(entry) {
  const { outputFiles, metafile } = await build({
    ...common,
    bundle: true,
    // commander imports child_process for subcommands that are programs. ccf has none, and the import loads streams and sockets.
    alias: { "node:child_process": "node:path" },
    entryPoints: [join(root, entry)],
    format: "esm",
    splitting: true,
    write: false,
    metafile: true,
    outdir: join(root, "dist"),
    absWorkingDir: root,
    chunkNames: "[name]-[hash]",
    plugins: [loadedWhenCalled()],
  });
  const { outputs } = metafile;
  const entries = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, path]));
  /** @type {Map<string, Part>} */
  const parts = new Map();
  /** @type {Map<string, Part>} by the path of a chunk */
  const partOf = new Map();
  const place = (/** @type {string} */ path, /** @type {string} */ name) => {
    const part = parts.get(name) ?? { name, chunks: new Map() };
    parts.set(name, part);
    partOf.set(path, part);
  };
  const placeAll = (/** @type {string | undefined} */ path, /** @type {string} */ name) => {
    if (path === undefined || partOf.has(path)) return;
    place(path, name);
    for (const one of outputs[path]?.imports ?? []) {
      if (one.kind === "import-statement" && !one.external) placeAll(one.path, name);
    }
  };
  placeAll(entries.get(entry), "main");
  placeAll(entries.get(commands), "commands");
  for (const path of Object.keys(outputs)) if (!partOf.has(path)) place(path, basename(path, ".js"));
  for (const { path, text } of outputFiles) {
    partOf
      .get(path.slice(root.length))
      ?.chunks.set(basename(path), text.replaceAll(/\bimport\(("\.\/[^"]+")\)/g, "require($1)"));
  }
  return { first: basename(/** @type {string} */ (entries.get(entry))), parts: [...parts.values()] };
}

/**
 * Combines the chunks of a part into one CommonJS module, which exports each chunk by name. Inside the module, chunks call
 * each other directly.
 *
 * @param {Part} part @returns {Promise<string>} a function expression in parentheses: V8 compiles it eagerly
 */
async function expressionOf({ chunks }) {
  // The first chunk runs the program, so all other chunks must be loaded before it.
  const names = [...chunks.keys()].reverse();
  /** @type {import("esbuild").Plugin} */
  const plugin = {
    name: "chunks",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path }) =>
        chunks.has(path.slice(2)) ? { path: path.slice(2), namespace: "chunk" } : { path, external: true },
      );
      onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => ({ contents: chunks.get(path) ?? "" }));
    },
  };
  const contents = names.map((name) => `export * as ${JSON.stringify(name)} from "./${name}";`).join("\n");
  const stdin = { contents, resolveDir: root };
  const { outputFiles } = await build({
    ...common,
    stdin,
    bundle: true,
    format: "cjs",
    write: false,
    plugins: [plugin],
  });
  return `(function(require,module){${outputFiles.map(({ text }) => text).join("")}})`;
}

/**
 * The code that loads parts. It gets built-in modules in a way that works in CommonJS and in ES modules: for a file without
 * an extension, the nearest package.json decides which of the two it is, and users can copy this file anywhere.
 *
 * @param {{ first: string, parts: Part[] }} program
 * @param {string} getPart the source of a function that returns a part by its name
 */
function loaderOf({ first, parts }, getPart) {
  const places = Object.fromEntries(
    parts.flatMap((part) => [...part.chunks.keys()].map((chunk) => [chunk, part.name])),
  );
  return `const places = ${JSON.stringify(places)};
const getPart = ${getPart};
const modules = {};
function load(name) {
  if (!name.startsWith("./")) return process.getBuiltinModule(name);
  const chunk = name.slice(2);
  const part = places[chunk];
  if (modules[part] === undefined) {
    modules[part] = { exports: {} };
    getPart(part)(load, modules[part]);
  }
  return modules[part].exports[chunk];
}
load("./${first}");
`;
}

/**
 * The program as one file that needs only Node.js 20 or newer. Parts that a run may not need are strings in it: at the start,
 * V8 scans every function of a program, but no strings.
 *
 * @param {string} entry relative to the repository
 */
export async function oneFile(entry) {
  const program = await partsOf(entry);
  const [main, ...rest] = await Promise.all(program.parts.map(async (part) => [part.name, await expressionOf(part)]));
  // Each string is in its own function, so that V8 reads it again only if the part is needed.
  const texts = rest.map(([name, text]) => `${JSON.stringify(name)}: () => ${JSON.stringify(text)}`);
  return `const main = ${main?.[1]};
const texts = {${texts.join(",\n")}};
${loaderOf(
  program,
  `(part) => {
  if (part === "main") return main;
  const { Script } = process.getBuiltinModule("node:vm");
  return new Script(texts[part](), { filename: part + " of ccf" }).runInThisContext();
}`,
)}`;
}

/**
 * The name of a V8 code cache. V8 checks only its own version: it accepts the cache of another build of Node.js and crashes.
 * So the name identifies the build by version, platform, and size. The program contains the source of this function.
 *
 * @param {string} filename
 * @param {NodeJS.Process} process
 * @param {typeof import("node:fs").statSync} statSync
 */
export function cacheFile(filename, { version, platform, arch, execPath }, statSync) {
  return `${filename}.${version}-${platform}-${arch}-${statSync(execPath).size}.cache`;
}

/**
 * The program as files in one directory: a file that starts it, and a file for each part. A part is loaded with its code
 * cache, if that exists (see write-cache.mjs).
 *
 * @param {string} entry relative to the repository
 * @param {string} starter the name of the first file
 * @returns {Promise<Map<string, string>>} the content of the files, by name
 */
export async function files(entry, starter) {
  const program = await partsOf(entry);
  const getPart = `(part) => {
  const { readFileSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");
  const { Script } = process.getBuiltinModule("node:vm");
  const filename = realpathSync(process.argv[1]).slice(0, -${starter.length}) + part + ".js";
  let cachedData;
  try {
    cachedData = readFileSync((${cacheFile})(filename, process, statSync));
  } catch {}
  // The text is ASCII. Latin-1 needs no decoding.
  return new Script(readFileSync(filename, "latin1"), { filename, cachedData }).runInThisContext();
}`;
  const texts = program.parts.map(async (part) => /** @type {const} */ ([`${part.name}.js`, await expressionOf(part)]));
  return new Map([[starter, loaderOf(program, getPart)], ...(await Promise.all(texts))]);
}
