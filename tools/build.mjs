// Bundles everything into one file that needs nothing beside it but Node: dist/ccf.
import { chmod, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const outfile = new URL("dist/ccf", root).pathname;
await mkdir(new URL("dist/", root), { recursive: true });
await build({
  entryPoints: [new URL("src/main.ts", root).pathname],
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
  banner: { js: "#!/usr/bin/env node\nvar require = process.getBuiltinModule;" },
});
await chmod(outfile, 0o755);
