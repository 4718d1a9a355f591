import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** A clone of what would be released: the files that Git tracks, committed. */
function clone(changes: Readonly<Record<string, string>> = {}): string {
  const directory = temporary();
  const files = run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root })
    .stdout.trim()
    .split("\n");
  for (const file of files) if (!file.startsWith("test")) cpSync(join(root, file), join(directory, file));
  writeTree(directory, changes);
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  const commit = ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "all"];
  for (const args of [["init", "--quiet"], ["add", "--all"], commit]) run("git", args, { cwd: directory });
  return directory;
}

const dry = (directory: string) =>
  run(process.execPath, ["tools/release-dry.mjs", "--skip-tests", "--skip-images"], {
    cwd: directory,
    env: { HOME: directory, PATH: process.env["PATH"] },
  });

it("packs the npm package, and lists what a release publishes and what is missing for it", () => {
  const directory = clone({ "CHANGELOG.md": `# Changelog\n\n## ${version} - unreleased\n` });
  const { status, stdout, stderr } = dry(directory);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const { SHA256SUMS: sums = "" } = readTree(join(directory, "dist/release"));
  expect(sums).toMatch(/^[0-9a-f]{64} {2}cloud-credential-functions-[\d.]+\.tgz\n$/);
  const images = ["generate-oidc-issuer", "generate-cloud-credentials", "validate-credentials"];
  expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(images));
  const publish = [
    `  GitHub release  ${sums.trim()}, signed, with provenance`,
    ...["linux-x64", "linux-arm64", "linux-x64-musl", "darwin-arm64"].map(
      (platform) => `  GitHub release  ccf-${platform}.tar.gz, signed, with SBOM and provenance`,
    ),
    `  npm             cloud-credential-functions@${version}, with provenance`,
    ...["ccf", "argocd-plugin", ...functions.map(({ name }) => name)].map(
      (target) =>
        `  image           ghcr.io/cloud-credential-functions/${target}:v${version}, signed, with SBOM and provenance`,
    ),
  ];
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe(`Release v${version} would publish:`);
  expect(lines.slice(1, 1 + publish.length).sort()).toEqual(publish.sort());
  expect(lines.slice(1 + publish.length)).toEqual([
    "Before the tag:",
    '  - in CHANGELOG.md, replace "unreleased" with the date',
    "  - run npm test",
    "  - build the images: needs docker or buildah",
  ]);
});

it.each([
  [
    "a changelog without the version",
    { "CHANGELOG.md": "# Changelog\n" },
    `CHANGELOG.md has no section "## ${version} - DATE"`,
  ],
  [
    "another version in the lock file",
    { "package-lock.json": '{ "version": "9.9.9" }\n' },
    `package-lock.json has the version 9.9.9, and package.json has ${version}`,
  ],
])("stops at %s", (_, changes, message) => {
  expect(dry(clone(changes))).toEqual({ status: 1, stdout: "", stderr: `error: ${message}\n` });
});

it("stops if the tag exists", () => {
  const directory = clone();
  run("git", ["tag", `v${version}`], { cwd: directory });
  expect(dry(directory)).toEqual({ status: 1, stdout: "", stderr: `error: the tag v${version} exists\n` });
});
