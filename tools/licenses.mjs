// Collects the licenses of an executable: those of this project, of the bundled packages, and of Bun. With --bundled, only
// those of the bundled packages: the npm package contains the license of this project anyway, and does not contain Bun.
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
  // Only what asks for its own place needs ES modules.
  logOverride: { "empty-import-meta": "silent" },
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
  copyOfBun(join(root, "licenses/bun"));
}

/** @param {string} from */
function copyOfBun(from) {
  const { bun, libraries } = JSON.parse(readFileSync(join(from, "libraries.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(root, "tools/bun.json"), "utf8"));
  if (bun !== version) throw new Error(`licenses/bun is of Bun ${bun}, and Bun is ${version}`);
  const licensed = namesIn(readFileSync(join(from, "NOTICES.txt"), "utf8"));
  for (const { name } of libraries)
    if (!licensed.has(name)) throw new Error(`licenses/bun/NOTICES.txt has no license of ${name}`);
  mkdirSync(join(directory, "bun"), { recursive: true });
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(directory, "bun", file));
}

/**
 * The libraries that have a text: their names are between a double line and a single one.
 *
 * @param {string} notices
 */
function namesIn(notices) {
  const sections = notices.matchAll(/^={80}\n((?:\S+\n)+)-{80}\n\n(?=\S| +\S)/gm);
  return new Set([...sections].flatMap(([, names = ""]) => names.trim().split("\n")));
}

/** @param {string} name @param {string} from */
function copyInto(name, from) {
  const entries = readdirSync(from, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const all = entries.map(({ name }) => name);
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
