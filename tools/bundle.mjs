import { join, relative } from "node:path";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);

/** @type {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  legalComments: "none",
  // A text of one byte a character is read in half the time.
  charset: "ascii",
  // commander asks for it at its start, for programs that are commands; none is here, and it loads streams and sockets.
  alias: { "node:child_process": "node:path" },
};

/** With which a program asks for built-in modules where nothing else gives it a way to: see {@link bundle}. */
export const builtIn = "var require = process.getBuiltinModule;";

/**
 * Bundles a file and what it imports into one that needs nothing beside it but Node, 20 or newer.
 *
 * @param {string} entry relative to the repository
 * @param {string} outfile
 * @param {import("esbuild").BuildOptions} [form]
 * @param {string} [firstLine]
 */
export async function bundle(entry, outfile, form = {}, firstLine = "") {
  await build({
    ...common,
    entryPoints: [new URL(entry, root).pathname],
    outfile,
    // Node takes a file without extension for a CommonJS or an ES module by the package.json that is nearest to it, and
    // nobody knows where this one is copied to: built-in modules are asked for in a way that both have.
    banner: { js: `${firstLine}${builtIn}` },
    ...form,
  });
}

// What a generator rarely needs: the commands, and js-yaml. Each stands behind one function.
const rarelyNeeded = [
  { file: "./cli/main.ts", name: "main" },
  { file: "./yaml/js-yaml.ts", name: "jsYaml" },
];

/**
 * Puts what is rarely needed into a bundle as texts, each of which is compiled when somebody asks for it. V8 looks through
 * every function of a program when the program starts, and through no text: so a function's start costs the same, however
 * many commands there are. What a text shares with the rest stands in the file twice.
 *
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function rarelyNeededAsText() {
  /** @type {Map<string, string>} */
  const modules = new Map();
  for (const { file, name } of rarelyNeeded) modules.set(file, await compiledWhenCalled(file, name));
  return instead("rarely needed as text", modules);
}

/**
 * Lets a bundle evaluate what is rarely needed when somebody asks for it.
 *
 * @returns {import("esbuild").Plugin}
 */
export function rarelyNeededLater() {
  const called = (/** @type {{ file: string, name: string }} */ { file, name }) =>
    `export function ${name}(...args) { return require("${file}").${name}(...args); }`;
  return instead("rarely needed later", new Map(rarelyNeeded.map((one) => [one.file, called(one)])));
}

/**
 * @param {string} name
 * @param {ReadonlyMap<string, string>} modules what stands for which file; what stands there may ask for the file itself
 * @returns {import("esbuild").Plugin}
 */
function instead(name, modules) {
  const resolveDir = new URL("src", root).pathname;
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.ts$/, namespace: "file" }, (asked) => {
        const file = `./${relative(resolveDir, join(asked.resolveDir, asked.path))}`;
        return modules.has(file) ? { path: file, namespace: "instead" } : undefined;
      });
      onLoad({ filter: /./, namespace: "instead" }, ({ path }) => ({ contents: modules.get(path) ?? "", resolveDir }));
    },
  };
}

/**
 * A module that exports one function, which compiles the module that it stands for.
 *
 * @param {string} file relative to src
 * @param {string} name of the function
 */
async function compiledWhenCalled(file, name) {
  const contents = `export { ${name} } from "${file}";`;
  const resolveDir = new URL("src", root).pathname;
  const { outputFiles } = await build({ ...common, stdin: { contents, resolveDir }, write: false });
  const text = `(function (require, module) {${outputFiles.map((one) => one.text).join("")}})`;
  return `let loaded;
  export function ${name}(...args) {
    if (loaded === undefined) {
      const { Script } = process.getBuiltinModule("node:vm");
      const module = {};
      new Script(${JSON.stringify(text)}, { filename: ${JSON.stringify(`${file.slice(2)} of ccf`)} }).runInThisContext()(process.getBuiltinModule, module);
      loaded = module.exports;
    }
    return loaded.${name}(...args);
  }`;
}
