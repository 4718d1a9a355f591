// Builds the content of the npm package: the program, and the licenses of the bundled packages. npm runs this script when it
// packs, and when it installs from Git. With --global, --omit=dev, or NODE_ENV=production, some versions of npm do not install
// the packages that the build needs. Then this script builds a copy of the repository with its own packages, because npm is
// changing the node_modules of the original.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

// The inner npm inherits the settings of the outer npm through the environment. These options override them.
const asInProject = ["--global=false", "--location=project", "--include=dev", "--include=optional", "--dry-run=false"];
const root = fileURLToPath(new URL("../", import.meta.url));
const { name, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isInstalled = Object.keys(devDependencies).every((name) => existsSync(join(root, "node_modules", name)));
const linked = linkByNpm();
if (linked !== undefined) putDirectoryInPlaceOf(linked);
else if (isInstalled) build(root);
else buildInCopy();

/**
 * "npm install --global" from Git starts an inner npm in a temporary clone. Before npm 11, the inner npm inherits "--global":
 * it installs nothing in the clone, and creates a link to the clone in the place of the package. The outer npm would then
 * unpack the package into the clone, and delete it with the clone. The package is built later, when npm packs it.
 *
 * @returns {string | undefined} the link, if the script runs in such an npm
 */
function linkByNpm() {
  const { _PACOTE_NO_PREPARE_: isInner, npm_config_global_prefix: prefix } = process.env;
  if (isInner === undefined || prefix === undefined) return undefined;
  const link = join(prefix, process.platform === "win32" ? "" : "lib", "node_modules", name);
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && realpathSync(link) === realpathSync(root) ? link : undefined;
}

/** @param {string} link */
function putDirectoryInPlaceOf(link) {
  unlinkSync(link);
  mkdirSync(link);
}

/** @param {string} directory */
function build(directory) {
  for (const script of [["build.mjs"], ["licenses.mjs", "dist/licenses", "--bundled"]]) {
    const [file = "", ...args] = script;
    run(process.execPath, [join(directory, "tools", file), ...args], directory);
  }
}

function buildInCopy() {
  const copy = mkdtempSync(join(tmpdir(), "ccf-build-"));
  const left = ["node_modules", ".git", "dist"].map((name) => join(root, name));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(path) });
    npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...asInProject], copy);
    build(copy);
    cpSync(join(copy, "dist"), join(root, "dist"), { recursive: true });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** @param {string[]} args @param {string} directory */
function npm(args, directory) {
  // Yarn and pnpm also set this variable.
  const running = process.env["npm_execpath"] ?? "";
  if (basename(running) === "npm-cli.js") run(process.execPath, [running, ...args], directory);
  else run("npm", args, directory);
}

/** @param {string} program @param {readonly string[]} args @param {string} cwd */
function run(program, args, cwd) {
  // Standard output belongs to npm: "npm pack" prints the file name there, and pre-commit reads it.
  execFileSync(program, args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: program === "npm" && process.platform === "win32",
  });
}
