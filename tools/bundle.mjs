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
 * needs. An `import()` in the sources loads another part, with what only some runs need. esbuild determines the parts. Parts
 * that run together are in one file, because each file costs time at the start.
 *
 * Parts are classic scripts: Node.js starts them faster than ES modules, and images and executables can contain a V8 code cache
 * for each file.
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
  const found = unwantedParts(metafile);
  if (found.length > 0) throw new Error(`Functions and "ccf render" would load ${found.join(", ")}.`);
  const files = filesOf(metafile);
  const nameOf = (/** @type {string} */ part) => (files.has(part) ? `./${files.get(part)}#${part}` : `./${part}`);
  const parts = new Set(outputFiles.map(({ path }) => basename(path)));
  /** @type {Map<string, string[]>} the functions of the parts, by file */
  const functions = new Map();
  for (const { path, text } of outputFiles) {
    const options = /** @type {const} */ ({ ...common, format: "cjs", supported: { "dynamic-import": false } });
    const code = asciiOnly((await transform(text, options)).code).replace(
      /(?<=\brequire\(")\.\/([^"]+)(?="\))/g,
      (required, part) => (parts.has(part) ? nameOf(part) : required),
    );
    const part = basename(path);
    const file = files.get(part) ?? part;
    // V8 compiles a function in parentheses at once, not when it is called.
    const fn = `"${nameOf(part)}":(function(require,module){${code}})`;
    functions.set(file, [...(functions.get(file) ?? []), fn]);
  }
  const texts = [...functions].map(([file, parts]) => ({ file, text: `({${parts.join(",")}})` }));
  const hash = createHash("sha256");
  for (const { file, text } of texts) hash.update(`${file}\n${text}`);
  const mark = `/*${hash.digest("hex").slice(0, 16)}*/`;
  // Parts of an earlier build have other names.
  for (const each of [directory, clients]) await rm(join(each, "parts"), { recursive: true, force: true });
  for (const each of [directory, clients]) await mkdir(join(each, "parts"), { recursive: true });
  const withClients = new Set(
    Object.entries(metafile.outputs).flatMap(([path, { inputs }]) =>
      librariesIn(Object.keys(inputs)).length > 0 ? [basename(path)] : [],
    ),
  );
  for (const { file, text } of texts)
    await writeFile(join(withClients.has(file) ? clients : directory, "parts", file), `${text}${mark}`);
  const start = await readFile(join(root, "tools/start.js"), "utf8");
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

/** The files that contain several parts, with the sources that load these parts. A part is in the first file that needs it. */
const shared = [
  { file: "function.js", sources: ["src/main.ts", "src/start.ts", "src/cli/terminal/version.ts"] },
  { file: "command.js", sources: ["src/cli/main.ts"] },
  { file: "render.js", sources: ["src/cli/render/render.ts"] },
];

/** The sources that functions and `ccf render` start. What they import with `import()` is loaded by other runs. */
const offline = shared.flatMap(({ sources }) => sources);

/**
 * The file of each part that is in a file with others.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile of the program
 * @returns {Map<string, string>} by the names of the parts
 */
function filesOf(metafile) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const { file, sources } of shared)
    for (const path of loadedBy(metafile, sources)) if (!files.has(basename(path))) files.set(basename(path), file);
  return files;
}

/**
 * The parts that some sources load, without those that they load with `import()`.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile
 * @param {readonly string[]} sources
 */
function loadedBy({ outputs }, sources) {
  const starts = sources.map((source) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source));
  if (starts.includes(undefined)) throw new Error(`not every one of ${sources.join(", ")} starts a part`);
  const loaded = new Set(/** @type {string[]} */ (starts));
  // A set also visits what is added to it meanwhile.
  for (const path of loaded)
    for (const { path: other, kind } of outputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && outputs[other] !== undefined) loaded.add(other);
  return loaded;
}

/**
 * What the parts of the program that functions and `ccf render` load must not contain: the client libraries of clouds and the code
 * that reads release images, because they work without a network and without credentials; and the rules, because most packages need none and they would be half of the
 * code.
 *
 * @param {Pick<import("esbuild").Metafile, "outputs">} metafile of the program
 * @returns {string[]} the names of the packages, and the directories
 */
export function unwantedParts(metafile) {
  const loaded = [...loadedBy(metafile, offline)].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  return [
    ...new Set([
      ...librariesIn(loaded),
      ...loaded.flatMap((path) => /^src\/(?:rules|release-image)(?=\/)/.exec(path)?.[0] ?? []),
    ]),
  ].sort();
}

/** @param {readonly string[]} paths of sources @returns {string[]} the client libraries among them */
function librariesIn(paths) {
  const library =
    /node_modules\/((?:@azure|@aws-sdk|@smithy)\/[^/]+|google-auth-library|gaxios|agent-base|modern-tar)\//;
  return paths.flatMap((path) => library.exec(path)?.[1] ?? []);
}
