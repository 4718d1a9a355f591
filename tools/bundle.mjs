import { build } from "esbuild";

const root = new URL("../", import.meta.url);

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
    entryPoints: [new URL(entry, root).pathname],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    // Node takes a file without extension for a CommonJS or an ES module by the package.json that is nearest to it, and
    // nobody knows where this one is copied to: built-in modules are asked for in a way that both have.
    banner: { js: `${firstLine}var require = process.getBuiltinModule;` },
    ...form,
  });
}
