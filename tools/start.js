// Starts the program, and loads its parts from the files in the directory "parts" next to this file. `tools/bundle.mjs` inserts
// the identity of the build. The code works as a CommonJS module and as an ES module: for a file without an extension, the nearest
// package.json decides which of the two it is, and users can copy the program anywhere.
if (process.getBuiltinModule === undefined) fail(`ccf requires Node.js 20.16 or newer; this is ${process.version}`);
const { readFileSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");
const directory = realpathSync(process.argv[1] ?? "").replace(/[^\\/]*$/, "parts/");
/** @type {Record<string, (require: typeof load, module: { exports: any }) => void>} the parts of the files that were read */
const parts = {};
/** @type {Record<string, { exports: any }>} */
const modules = {};
let hasCache = true;

/** @param {string} name of a built-in module, or a part: "./file.js", or "./file.js#part" if the file has several */
function load(name) {
  if (!name.startsWith("./")) return process.getBuiltinModule(name);
  if (modules[name] === undefined) {
    if (parts[name] === undefined) Object.assign(parts, read(directory + name.slice(2).replace(/#.*/, "")));
    modules[name] = { exports: {} };
    /** @type {(typeof parts)[string]} */ (parts[name])(load, modules[name]);
  }
  return modules[name].exports;
}

/** @param {string} filename */
function read(filename) {
  let text = "";
  try {
    // The text is ASCII. Latin-1 needs no decoding.
    text = readFileSync(filename, "latin1");
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    fail(`cannot read ${JSON.stringify(filename)}, a part of ccf: ${code}`);
  }
  // At the end, so that a part of a file is noticed too.
  if (!text.endsWith("/*BUILD*/"))
    fail(`${JSON.stringify(filename)} is incomplete, or belongs to another build of ccf`);
  let cachedData;
  try {
    if (hasCache) cachedData = readFileSync(cacheFile(filename));
  } catch {
    // Only images have a code cache. If the first file has none, the others are not asked.
    hasCache = Object.keys(modules).length > 0;
  }
  return new Script(text, { filename, cachedData }).runInThisContext();
}

/**
 * The name of a file's V8 code cache. V8 checks only its own version: it accepts the cache of another build of Node.js and
 * crashes. So the name identifies the build by version, platform, and size.
 *
 * @param {string} filename
 */
function cacheFile(filename) {
  const { version, platform, arch, execPath } = process;
  return `${filename}.${version}-${platform}-${arch}-${statSync(execPath).size}.cache`;
}

/** @param {string} message @returns {never} */
function fail(message) {
  const page =
    "https://github.com/cloud-credential-functions/cloud-credential-functions/blob/main/docs/guides/install.md";
  process.stderr.write(`error: ${message}\nInstall the file "ccf" and the directory "parts" together: ${page}\n`);
  process.exit(1);
}

load("./function.js#main.js");
