import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

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

/**
 * Writes the program: the file `ccf`, which starts it, and the directory `parts`. Its first part is the code that each run
 * needs. An `import()` in the sources loads another part, with what only some runs need. esbuild determines the parts.
 *
 * Parts are classic scripts: Node.js starts them faster than ES modules, and images and executables can contain a V8 code cache
 * for each.
 *
 * @param {string} directory
 * @param {string} interpreter the first line of `ccf`
 * @param {string} clients where the parts with client libraries of clouds are written, if they are separate
 */
export async function writeProgram(directory, interpreter = "#!/usr/bin/env node", clients = directory) {
  const { outputFiles, metafile } = await build({
    ...common,
    bundle: true,
    // The paths in the metafile are relative to it.
    absWorkingDir: root,
    entryPoints: [join(root, "src/main.ts")],
    plugins: [namedExports],
    // esbuild splits only ES modules.
    format: "esm",
    splitting: true,
    write: false,
    metafile: true,
    outdir: directory,
    chunkNames: "[name]-[hash]",
    // A part is a script and has no URL. Only what starts a browser to log in, which nothing here does, asks for it.
    define: { "import.meta.url": '"file:///ccf"' },
  });
  const found = clientLibraries(metafile);
  if (found.length > 0) throw new Error(`Functions and "ccf render" would load ${found.join(", ")}.`);
  const parts = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const options = /** @type {const} */ ({ ...common, format: "cjs", supported: { "dynamic-import": false } });
      return { name: basename(path), code: asciiOnly((await transform(text, options)).code) };
    }),
  );
  const hash = createHash("sha256");
  for (const { name, code } of parts) hash.update(`${name}\n${code}`);
  const mark = `/*${hash.digest("hex").slice(0, 16)}*/`;
  const start = await readFile(join(root, "tools/start.js"), "utf8");
  // Parts of an earlier build have other names.
  for (const each of [directory, clients]) await rm(join(each, "parts"), { recursive: true, force: true });
  for (const each of [directory, clients]) await mkdir(join(each, "parts"), { recursive: true });
  const withClients = new Set(
    Object.entries(metafile.outputs).flatMap(([path, { inputs }]) =>
      librariesIn(inputs).length > 0 ? [basename(path)] : [],
    ),
  );
  for (const { name, code } of parts)
    await writeFile(join(withClients.has(name) ? clients : directory, "parts", name), `${code}${mark}`);
  const text = `${interpreter}\n${start.replace("/*BUILD*/", mark)}`;
  await writeFile(join(directory, "ccf"), text, { mode: 0o755 });
}

/**
 * esbuild escapes no text in a tagged template, because the tag could read how it is written. No tag of this program does.
 *
 * @param {string} code
 */
function asciiOnly(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The sources that functions and `ccf render` start. What they import with `import()` is loaded by other runs. */
const offline = ["src/main.ts", "src/start.ts", "src/cli/main.ts", "src/cli/render/render.ts"];

/**
 * The client libraries of clouds in the parts of the program that functions and `ccf render` load: none, because they work
 * without a network and without credentials.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile of the program
 * @returns {string[]} the names of the packages
 */
export function clientLibraries({ outputs }) {
  const starts = offline.map((source) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source));
  if (starts.includes(undefined)) throw new Error(`not every one of ${offline.join(", ")} starts a part`);
  const loaded = new Set(/** @type {string[]} */ (starts));
  // A set also visits what is added to it meanwhile.
  for (const path of loaded)
    for (const { path: other, kind } of outputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && outputs[other] !== undefined) loaded.add(other);
  return [...new Set([...loaded].flatMap((path) => librariesIn(outputs[path]?.inputs ?? {})))].sort();
}

/** @param {object} inputs by path @returns {string[]} the client libraries among them */
function librariesIn(inputs) {
  const library = /node_modules\/((?:@azure|@aws-sdk|@smithy)\/[^/]+|google-auth-library|gaxios|agent-base)\//;
  return Object.keys(inputs).flatMap((path) => library.exec(path)?.[1] ?? []);
}
