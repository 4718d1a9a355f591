// Collects the licenses for an image: those of this project, of the bundled packages, and of Node.js. With --bundled, only
// those of the bundled packages: the npm package contains the license of this project anyway, and does not contain Node.js.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const directory = resolve(/** @type {string} */ (process.argv[2]));
const { metafile } = await build({
  entryPoints: [join(root, "src/main.ts")],
  bundle: true,
  platform: "node",
  write: false,
  metafile: true,
});
const inputs = Object.keys(metafile.inputs).map(
  (path) => /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
);
const packages = [...new Set(inputs)].filter((name) => name !== undefined).sort();

for (const name of packages) copyInto(name.replace("/", "-"), join(root, "node_modules", name));
if (!process.argv.includes("--bundled")) {
  copyInto("cloud-credential-functions", root);
  const ofNode = dirname(dirname(process.execPath));
  if (existsSync(join(ofNode, "LICENSE"))) copyInto("node", ofNode);
}

/** @param {string} name @param {string} from */
function copyInto(name, from) {
  const all = readdirSync(from);
  const own = all.filter((file) => /^(?:licen[sc]e|copying|notice)/i.test(file));
  // Some packages have their license in the README.
  const hasLicense = (/** @type {string} */ file) =>
    /^readme/i.test(file) && readFileSync(join(from, file), "utf8").includes("Permission is hereby granted");
  const files = own.length > 0 ? own : all.filter(hasLicense);
  if (files.length === 0) {
    // A package of a family of packages with one license may lack the file that its siblings have.
    const sibling = siblingOf(from);
    if (sibling === undefined) throw new Error(`${name} has no license file`);
    copyInto(name, sibling);
    return;
  }
  mkdirSync(join(directory, name), { recursive: true });
  for (const file of files) copyFileSync(join(from, file), join(directory, name, file));
}

/** A package of the same scope with the same license, and with its text. @param {string} from */
function siblingOf(from) {
  if (!/\/@[^/]+\/[^/]+$/.test(from)) return undefined;
  const licenseOf = (/** @type {string} */ directory) =>
    JSON.parse(readFileSync(join(directory, "package.json"), "utf8")).license;
  const all = readdirSync(dirname(from)).map((one) => join(dirname(from), one));
  return all.find((one) => existsSync(join(one, "LICENSE")) && licenseOf(one) === licenseOf(from));
}
