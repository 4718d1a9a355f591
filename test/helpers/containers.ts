import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageTargets } from "../../tools/image-targets.mjs";
import { temporary } from "./temporary.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = join(root, "node_modules/.cache/containers");

/** What it takes to build and run images. */
export const containerTools = ["podman", "buildah"];

/** The name of an image of a release. */
export function imageOf(target: string): string {
  return `ghcr.io/cloud-credential-functions/${target}:v0.1.0`;
}

/**
 * An environment in which `podman`, `buildah` and a `docker` that is podman see the images of this source and no others:
 * they have a store of their own. The images are built when they are first asked for, of bases that
 * tools/base-images.mjs makes of this machine's Node, because a registry may be out of reach.
 */
export function containerEnvironment(): NodeJS.ProcessEnv {
  const env = ownStore();
  const revision = sourceHash();
  const lock = join(directory, "building");
  while (!taken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  try {
    if (imageTargets.some((target) => revisionOf(target, env) !== revision)) build(revision, env);
  } finally {
    rmdirSync(lock);
  }
  return env;
}

/** The same environment, in which every container that a tool starts has a root that it cannot write. */
export function readOnlyEnvironment(): NodeJS.ProcessEnv {
  const env = containerEnvironment();
  const podman = spawnSync("sh", ["-c", "command -v podman"], { env, encoding: "utf8" }).stdout.trim();
  const bin = temporary();
  const script = `#!/bin/sh
if [ "$1" = run ]; then shift; exec '${podman}' run --read-only "$@"; fi
exec '${podman}' "$@"
`;
  for (const name of ["podman", "docker"]) writeFileSync(join(bin, name), script, { mode: 0o755 });
  return { ...env, PATH: `${bin}${delimiter}${env["PATH"]}` };
}

function ownStore(): NodeJS.ProcessEnv {
  const bin = join(directory, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "docker"), '#!/bin/sh\nexec podman "$@"\n', { mode: 0o755 });
  const config = join(directory, "storage.conf");
  const [runroot, graphroot] = [join(directory, "run"), join(directory, "root")];
  writeFileSync(config, `[storage]\ndriver = "vfs"\nrunroot = "${runroot}"\ngraphroot = "${graphroot}"\n`);
  return {
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: process.env["HOME"],
    CONTAINERS_STORAGE_CONF: config,
    KPT_FN_RUNTIME: "podman",
  };
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

// What the images are made of.
function sourceHash(): string {
  const directories = ["tools", "licenses", "dist/parts"].map((name) => join(root, name));
  const entries = directories.flatMap((name) => readdirSync(name, { recursive: true, withFileTypes: true }));
  const files = [
    ...["Dockerfile", ".dockerignore", "package-lock.json", "integrations/argo-cd/plugin.yaml"].map((text) =>
      join(root, text),
    ),
    ...entries
      .filter((entry) => entry.isFile())
      .map((file) => join(file.parentPath, file.name))
      .sort(),
  ];
  const hash = createHash("sha256").update(`${process.version} ${process.arch}`);
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

function revisionOf(target: string, env: NodeJS.ProcessEnv): string {
  const label = `{{index .Config.Labels "org.opencontainers.image.revision"}}`;
  return spawnSync("podman", ["image", "inspect", "--format", label, imageOf(target)], {
    env,
    encoding: "utf8",
  }).stdout.trim();
}

// The stages that targets share are built once; a target then takes them as they are.
function build(revision: string, env: NodeJS.ProcessEnv): void {
  must(process.execPath, ["tools/base-images.mjs"], env);
  const values = ["BUILD_IMAGE=localhost/ccf-base/build", "RUN_IMAGE=localhost/ccf-base/run", `REVISION=${revision}`];
  const args = ["bud", "--isolation", "chroot", ...values.flatMap((value) => ["--build-arg", value])];
  const stages: string[] = [];
  for (const stage of ["build", "base", "functions"]) {
    const shared = `localhost/ccf-base/stage-${stage}`;
    must("buildah", [...args, ...stages, "--target", stage, "--tag", shared, "."], env);
    stages.push("--build-context", `${stage}=container-image://${shared}`);
  }
  for (const target of imageTargets) {
    must("buildah", [...args, ...stages, "--target", target, "--tag", imageOf(target), "."], env);
  }
  // What earlier builds left; where some of it is in use, it stays for the next time.
  spawnSync("podman", ["image", "prune", "--force"], { env });
}

function must(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}\n${stdout}\n${stderr}`);
}
