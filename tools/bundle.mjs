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
};

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
    banner: { js: `${firstLine}var require = process.getBuiltinModule;` },
    ...form,
  });
}

/**
 * Puts the commands into a bundle as a text, which is compiled when somebody types one. V8 looks through every function
 * of a program when the program starts, and through no text: so a function's start costs the same, however many commands
 * there are. What both of them use stands in the file twice.
 *
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function commandsAsText() {
  const contents = 'export { main } from "./cli/main.ts";';
  const resolveDir = new URL("src", root).pathname;
  const { outputFiles } = await build({ ...common, stdin: { contents, resolveDir }, write: false });
  const text = `(function (require, module) {${outputFiles.map((file) => file.text).join("")}})`;
  return {
    name: "commands as text",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/cli\/main\.ts$/ }, () => ({ path: "commands", namespace: "text" }));
      onLoad({ filter: /./, namespace: "text" }, () => ({ contents: compiledWhenCalled(text) }));
    },
  };
}

/** @param {string} text of a function that fills a CommonJS module with `main` */
function compiledWhenCalled(text) {
  return `export function main(...args) {
    const { Script } = process.getBuiltinModule("node:vm");
    const module = {};
    new Script(${JSON.stringify(text)}, { filename: "commands of ccf" }).runInThisContext()(process.getBuiltinModule, module);
    return module.exports.main(...args);
  }`;
}
