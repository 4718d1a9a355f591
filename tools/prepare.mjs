// Builds what the npm package holds: the program, and the licenses of what is bundled into it. npm runs this when it
// packs, and when it installs from Git. Not every npm installs the build's packages first: with --global, --omit=dev or
// NODE_ENV=production they are missing. Then a copy of the repository is built with packages of its own, because npm is
// at work on the node_modules here.
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

// What the npm that runs this was told for its own installation reaches an inner one by the environment.
const asInProject = ["--global=false", "--location=project", "--include=dev", "--include=optional", "--dry-run=false"];
const root = fileURLToPath(new URL("../", import.meta.url));
const { name, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isInstalled = Object.keys(devDependencies).every((name) => existsSync(join(root, "node_modules", name)));
const linked = linkByNpm();
if (linked !== undefined) putDirectoryInPlaceOf(linked);
else if (isInstalled) build(root);
else buildInCopy();

/**
 * "npm install --global" from Git prepares a temporary clone by an npm of its own, which until npm 11 takes over
 * "--global": it installs nothing in the clone, but links the clone to where the package is about to be unpacked. The
 * package would be unpacked into the clone, and deleted with it. The package is built after that, when it is packed.
 *
 * @returns {string | undefined} the link, where this is such an npm
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
  // Yarn and pnpm name themselves here, too.
  const running = process.env["npm_execpath"] ?? "";
  if (basename(running) === "npm-cli.js") run(process.execPath, [running, ...args], directory);
  else run("npm", args, directory);
}

/** @param {string} program @param {readonly string[]} args @param {string} cwd */
function run(program, args, cwd) {
  // Standard output is npm's: "npm pack" prints the name of the file there, and pre-commit reads it.
  execFileSync(program, args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: program === "npm" && process.platform === "win32",
  });
}
