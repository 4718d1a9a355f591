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
 * Writes the program: the file `ccf`, which starts it, and the directory `parts`. Its first part is the code that each run
 * needs. An `import()` in the sources loads another part, with what only some runs need. esbuild determines the parts.
 *
 * Parts are classic scripts: Node.js starts them faster than ES modules, and images and executables can contain a V8 code cache
 * for each.
 *
 * @param {string} directory
 * @param {string} interpreter the first line of `ccf`
 */
export async function writeProgram(directory, interpreter = "#!/usr/bin/env node") {
  const { outputFiles } = await build({
    ...common,
    bundle: true,
    entryPoints: [join(root, "src/main.ts")],
    // esbuild splits only ES modules.
    format: "esm",
    splitting: true,
    write: false,
    outdir: directory,
    chunkNames: "[name]-[hash]",
  });
  const parts = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const options = /** @type {const} */ ({ ...common, format: "cjs", supported: { "dynamic-import": false } });
      return { name: basename(path), code: (await transform(text, options)).code };
    }),
  );
  const hash = createHash("sha256");
  for (const { name, code } of parts) hash.update(`${name}\n${code}`);
  const mark = `/*${hash.digest("hex").slice(0, 16)}*/`;
  const start = await readFile(join(root, "tools/start.js"), "utf8");
  // Parts of an earlier build have other names.
  await rm(join(directory, "parts"), { recursive: true, force: true });
  await mkdir(join(directory, "parts"), { recursive: true });
  for (const { name, code } of parts) await writeFile(join(directory, "parts", name), `${code}${mark}`);
  const text = `${interpreter}\n${start.replace("/*BUILD*/", mark)}`;
  await writeFile(join(directory, "ccf"), text, { mode: 0o755 });
}
