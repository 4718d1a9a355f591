// Builds the two base images of the Dockerfile from the local machine, if no registry can be reached: ccf-base/build with
// Node.js, npm, and a shell, and ccf-base/run with the libraries that an executable of Bun needs and a few users.
//
//   node tools/base-images.mjs
//   buildah bud --build-arg BUILD_IMAGE=localhost/ccf-base/build --build-arg RUN_IMAGE=localhost/ccf-base/run .
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { bunOf, here } from "./bun.mjs";

const users = `root:x:0:0:root:/root:/sbin/nologin
argocd:x:999:999:argocd:/home/argocd:/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin
`;
const groups = "root:x:0:\nargocd:x:999:\nnogroup:x:65534:\n";

const missing = ["buildah", "ldd", "npm", "which"].filter((program) => spawnSync(program, ["--version"]).error);
if (missing.length > 0) {
  process.stderr.write(
    `error: cannot start ${missing.join(", ")}. Install what is missing, or build the images where a registry can be reached.\n`,
  );
  process.exit(1);
}

const stage = mkdtempSync(join(tmpdir(), "ccf-base-"));
try {
  const run = join(stage, "run");
  for (const directory of ["etc", "tmp", "usr/local/bin"]) mkdirSync(join(run, directory), { recursive: true });
  writeFileSync(join(run, "etc/passwd"), users);
  writeFileSync(join(run, "etc/group"), groups);
  await image("ccf-base/run", run, [], async () => {
    for (const library of librariesOf(await bunOf(here))) put(run, library, library);
  });

  const build = join(stage, "build");
  cpSync(run, build, { recursive: true });
  put(build, process.execPath, "/usr/local/bin/node");
  for (const library of librariesOf(process.execPath)) put(build, library, library);
  for (const [program, place] of [
    ["sh", "/bin/sh"],
    ["env", "/usr/bin/env"],
  ]) {
    const found = execFileSync("which", [String(program)], { encoding: "utf8" }).trim();
    put(build, found, String(place));
    for (const library of librariesOf(found)) put(build, library, library);
  }
  const npm = dirname(dirname(realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())));
  cpSync(npm, join(build, "usr/local/lib/node_modules/npm"), { recursive: true });
  writeFileSync(
    join(build, "usr/local/bin/npm"),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  );
  const settings = [];
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  settings.push("--env", `NPM_CONFIG_REGISTRY=${registry}`);
  const authorities = [process.env["NODE_EXTRA_CA_CERTS"], ofNpm("cafile")].find((file) => file && existsSync(file));
  if (authorities !== undefined) {
    put(build, authorities, "/etc/ssl/authorities.pem");
    settings.push("--env", "NODE_EXTRA_CA_CERTS=/etc/ssl/authorities.pem");
  }
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) if (existsSync(file)) put(build, file, file);
  await image("ccf-base/build", build, settings);
} catch (error) {
  // The program has printed why it failed.
  if (!(error instanceof Error && "status" in error)) throw error;
  process.stderr.write(`error: ${error.message.split("\n", 1)[0]}\n`);
  process.exitCode = 1;
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** @param {string} key */
function ofNpm(key) {
  const value = execFileSync("npm", ["config", "get", key], { encoding: "utf8" }).trim();
  return value === "null" || value === "undefined" || value === "" ? undefined : value;
}

/** @param {string} program */
function librariesOf(program) {
  const lines = execFileSync("ldd", [program], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

/** @param {string} root @param {string} from @param {string} place */
function put(root, from, place) {
  const to = join(root, place);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(realpathSync(from), to);
}

/**
 * @param {string} name @param {string} directory @param {readonly string[]} settings
 * @param {() => Promise<void>} [fill] adds to the directory, when it is known that an image can be made
 */
async function image(name, directory, settings, fill) {
  const container = execFileSync("buildah", ["from", "scratch"], { encoding: "utf8" }).trim();
  try {
    await fill?.();
    execFileSync("buildah", ["copy", "--quiet", container, directory, "/"], { stdio: ["ignore", "ignore", "inherit"] });
    execFileSync("buildah", ["config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin", ...settings, container]);
    execFileSync("buildah", ["commit", "--quiet", container, name], { stdio: ["ignore", "ignore", "inherit"] });
  } finally {
    execFileSync("buildah", ["rm", container], { stdio: "ignore" });
  }
  console.log(`localhost/${name} (${basename(process.execPath)} ${process.version})`);
}
