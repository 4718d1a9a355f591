import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import {
  bundledFiles,
  configure,
  listOf,
  renderedPackage,
  sampleRequests,
  succeed,
} from "../../helpers/cluster-package.ts";
import { moments } from "../../helpers/effort.ts";
import { countChanges, runWithFault } from "../../helpers/fault.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const requests = "credentials-requests";
const registry = "openshift-image-registry/installer-cloud-credentials";
const ingress = "openshift-ingress-operator/cloud-credentials";
const storage = "openshift-cluster-csi-drivers/ebs-cloud-credentials";

const { directory: root } = keptTemporary();
const release = join(root, "releases/4.21");
let files: Record<string, string>;

/** The next release of the sample: the registry loses an action, ingress gains one, storage is gone, and a file is renamed. */
beforeAll(() => {
  files = readTree(renderedPackage());
  const next = readTree(sampleRequests);
  writeTree(release, {
    "aws/10-registry.yaml": (next["10-registry.yaml"] ?? "").replace('"s3:CreateBucket", ', ""),
    "aws/25-ingress.yaml": (next["20-ingress.yaml"] ?? "").replace(
      "- route53:ListHostedZones",
      "$&\n      - sts:AssumeRole",
    ),
    "aws/40-preview.yaml": next["40-preview.yaml"] ?? "",
    "gcp/10-registry.yaml": (next["10-registry.yaml"] ?? "").replace("AWSProviderSpec", "GCPProviderSpec"),
  });
});

function copy(name = "package"): string {
  const directory = join(temporary(), name);
  writeTree(directory, files);
  return directory;
}

const update = (...args: string[]) => run(["update-requests", ...args]);
const requestsIn = (directory: string) => Object.keys(readTree(join(directory, requests)));

describe("ccf update-requests", () => {
  it("writes nothing if two files of the release differ only in upper and lower case", () => {
    const directory = copy();
    const other = temporary();
    writeTree(other, readTree(join(release, "aws")));
    renameSync(join(other, "40-preview.yaml"), join(other, "25-Ingress.yaml"));
    const { status, stderr } = update("--from", other, directory);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: .*25-ingress\.yaml" and ".*25-Ingress\.yaml" differ only in .*\[path-case\]$/m);
    expect(readTree(directory)).toEqual(files);
  });

  it("says with --check what a run writes, writes it once, and the render grants what both releases need", () => {
    const directory = copy();
    const lines = [
      `changed  ${registry}`,
      `changed  ${ingress}`,
      `gone     ${storage}`,
      `kept     ${storage}: the release has no request for it`,
      `kept     ${registry}: the release does not allow s3:CreateBucket`,
    ];
    const checked = update("--from", release, "--check", directory);
    expect([checked.status, checked.stderr, checked.stdout]).toEqual([
      2,
      "",
      `${[...lines, `Not up to date: 5 files would change. Run: ccf update-requests --from ${release} ${directory}`].join("\n")}\n`,
    ]);
    expect(readTree(directory)).toEqual(files);
    const done = update("--from", release, directory);
    expect([done.status, done.stderr, done.stdout]).toEqual([
      0,
      "",
      `${[...lines, `5 files written. Next: ccf render ${directory}`].join("\n")}\n`,
    ]);
    expect(requestsIn(directory)).toEqual([
      "10-registry.yaml",
      "25-ingress.yaml",
      "30-storage.yaml",
      "40-preview.yaml",
      "previous-release/10-registry.yaml",
    ]);
    expect(readFileSync(join(directory, requests, "25-ingress.yaml"), "utf8")).toBe(
      readFileSync(join(release, "aws/25-ingress.yaml"), "utf8"),
    );
    const again = update("--from", release, directory);
    expect([again.status, again.stdout]).toEqual([
      0,
      `Up to date: no file changes. 2 requests of the previous release stay until the upgrade is finished; then run: ccf update-requests --final ${directory}\n`,
    ]);
    const rendered = succeed(run(["render", "--verbose", directory]));
    expect(rendered.stdout).toBe(
      "changed  aws/roles/openshift-image-registry-installer-cloud-credentials.yaml\nchanged  aws/roles/openshift-ingress-operator-cloud-credentials.yaml\n2 files written. A second run changes nothing.\n",
    );
    expect(rendered.stderr.match(/\[request-in-transition\]/g)).toHaveLength(2);
    expect(succeed(run(["validate", directory])).status).toBe(0);
    for (const side of [sampleRequests, release]) {
      const { status, stdout } = run(["diff", directory, side]);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/Verdict, permissions only: (narrowed|none) /)]);
    }
  });

  it("ends an upgrade with --final, and then says that there is none", () => {
    const directory = copy();
    succeed(update("--from", release, directory));
    const other = update("--final", "--from", sampleRequests, directory);
    expect([other.status, other.stdout, other.stderr]).toEqual([1, "", expect.stringContaining("[update-missing]")]);
    const checked = update("--final", "--check", directory);
    expect([checked.status, checked.stdout]).toEqual([
      2,
      `changed  ${registry}\ngone     ${storage}\nNot up to date: 2 files would change. Run: ccf update-requests --final ${directory}\n`,
    ]);
    expect(update("--final", "--from", release, directory).stdout).toBe(
      `changed  ${registry}\ngone     ${storage}\n2 files written. Next: ccf render --allow removal:${storage} ${directory}\n`,
    );
    expect(requestsIn(directory)).toEqual(["10-registry.yaml", "25-ingress.yaml", "40-preview.yaml"]);
    const nothing = "Up to date: the package keeps no request of a previous release, so no upgrade is in progress.\n";
    const again = update("--final", directory);
    expect([again.status, again.stdout]).toEqual([0, nothing]);
    expect(succeed(run(["diff", join(release, "aws"), join(directory, requests)])).stdout).toContain(
      "No changes of permissions.",
    );
  });

  it("updates several packages, and a failure ends its package alone", () => {
    const [one, two, three] = [copy("one"), copy("two"), copy("three")] as const;
    configure(two, (spec) => {
      spec["release"] = { profile: "hypershift" };
    });
    const before = readTree(two);
    succeed(update("--from", release, three));
    const { status, stdout, stderr } = update("--from", release, "-o", "json", one, two, three);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        package: one,
        identity: "demo",
        platform: "aws",
        new: [],
        changed: [registry, ingress],
        kept: [storage, registry],
        gone: [storage],
        files: {
          added: [`${requests}/previous-release/10-registry.yaml`, `${requests}/25-ingress.yaml`],
          changed: [`${requests}/30-storage.yaml`, `${requests}/10-registry.yaml`],
          removed: [`${requests}/20-ingress.yaml`],
        },
        next: expect.stringMatching(/^ccf render \S+$/),
        findings: [],
      },
      { package: two, error: expect.objectContaining({ code: "findings" }), findings: [expect.anything()] },
      expect.objectContaining({ package: three, changed: [], kept: [storage, registry] }),
    ]);
    expect([status, stderr]).toEqual([1, "3 packages: 1 up to date, 1 written, 1 failed\n"]);
    expect(readTree(two)).toEqual(before);
    expect(readTree(one)).toEqual(readTree(three));
    const text = update("--from", release, "--check", two, copy("four"));
    expect(text.stderr).toMatch(/^.*two:\nerror: .*\[no-request-for-package\]\n$/);
    expect([text.status, text.stdout]).toEqual([
      1,
      expect.stringMatching(/^\S+four: changed {2}.*^2 packages: 1 would change, 1 failed\n$/ms),
    ]);
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      "without a release",
      [],
      /^error: --from DIR or --release VERSION is required: the release's requests\. When an upgrade is finished, use --final\./,
    ],
    ["with a release that does not exist", ["--from", "missing"], /^error: --from "missing" is not a directory\./],
  ])("fails %s", (_, args, said) => {
    const { status, stdout, stderr } = update(...args, copy());
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(said)]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "contains no YAML files"],
    [
      "no requests",
      { "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" },
      "contains no CredentialsRequests",
    ],
    [
      "a list",
      { "a.yaml": "apiVersion: v1\nkind: List\nitems: []\n" },
      'contains a list, in "a.yaml", which is not read',
    ],
    [
      "a broken file",
      { "a.yaml": "kind: CredentialsRequest\n  spec: {\n" },
      'contains files that cannot be used: "a.yaml" is not YAML',
    ],
    [
      "a package in the middle of an upgrade",
      {
        "a.yaml":
          "apiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\nmetadata:\n  name: a\n  annotations: {fn.cloudcredential.dev/transition: previous-release}\n",
      },
      'contains a request that a package keeps during an upgrade, in "a.yaml"',
    ],
  ])("refuses a release with %s", (_, content, said) => {
    const [from, directory] = [temporary(), copy()];
    writeTree(from, content);
    const { status, stderr } = update("--from", from, directory);
    expect([status, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(readTree(directory)).toEqual(files);
  });

  it("refuses a release inside the package, and a directory that is not a package", () => {
    const directory = copy();
    const inside = update("--from", join(directory, requests), directory);
    expect([inside.status, inside.stderr]).toEqual([
      1,
      expect.stringContaining("contain one another; keep releases outside packages"),
    ]);
    const none = update("--from", release, sampleRequests);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining("[not-a-package]")]);
  });

  it("prints hostile names harmlessly, and never writes through a link", () => {
    const directory = copy("evil\u202e");
    const name = "10-\u001b[2J.yaml";
    const from = temporary();
    cpSync(release, from, { recursive: true });
    cpSync(join(from, "aws/10-registry.yaml"), join(from, `aws/${name}`));
    writeFileSync(join(directory, requests, name), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "\\e[31m"}\n');
    const { status, stdout, stderr } = update("--from", from, "--check", directory);
    for (const raw of ["\u001b", "\u202e"]) expect(`${stdout}${stderr}`).not.toContain(raw);
    expect([0, 1, 2]).toContain(status);
    const linked = copy();
    const target = join(temporary(), "elsewhere");
    mkdirSync(target);
    symlinkSync(target, join(linked, requests, "previous-release"));
    const refused = update("--from", release, linked);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("[file-skipped]")]);
    expect(readTree(target)).toEqual({});
  });

  it("writes nothing if a file cannot be written", () => {
    const directory = copy();
    chmodSync(join(directory, requests, "10-registry.yaml"), 0o444);
    const { status, stderr } = update("--from", release, directory);
    if (process.getuid?.() !== 0) expect([status, stderr]).toEqual([1, expect.stringContaining("[file-not-writable]")]);
    else expect(status).toBe(0);
  });

  it("can be killed at any moment, and a second run finishes", () => {
    const done = copy();
    const calls = countChanges(["update-requests", "--from", release, done]);
    const after = readTree(done);
    for (const at of moments(calls, { few: 2 })) {
      const directory = copy();
      runWithFault("kill", at, ["update-requests", "--from", release, directory]);
      for (const [path, text] of Object.entries(readTree(directory)))
        if (!path.startsWith(".ccf-update-requests/")) expect([files[path], after[path]], path).toContain(text);
      const again = update("--from", release, directory);
      expect([again.status, readTree(directory)], `${at} of ${calls}`).toEqual([0, after]);
    }
  });

  it("is read by functions as by a render, and by rules once, with the file that asks", () => {
    const directory = copy();
    const old = join(directory, requests, "10-registry.yaml");
    writeFileSync(old, readFileSync(old, "utf8").replace('"s3:CreateBucket"', '"iam:PassRole"'));
    succeed(update("--from", release, directory));
    succeed(run(["render", directory]));
    const { stderr } = run(["validate", directory]);
    expect(stderr.match(/^.*\[pass-role-any\]$/gm)).toEqual([
      expect.stringMatching(
        /^warning: credentials-requests\/previous-release\/10-registry\.yaml: .* any role that matches "\*"/,
      ),
    ]);
    const { items, ...list } = load(listOf(directory)) as { items: unknown[] };
    const outputs = [items, items.toReversed()].map((ordered) => {
      const { stdout } = succeed(run(["generate-cloud-credentials"], { input: dump({ ...list, items: ordered }) }));
      const made = (load(stdout) as { items: { metadata: { name: string }; data?: unknown }[] }).items;
      return made.find(
        ({ metadata }) => metadata.name === "aws-role-openshift-image-registry-installer-cloud-credentials",
      )?.data;
    });
    const rendered = readFileSync(
      join(directory, "aws/roles/openshift-image-registry-installer-cloud-credentials.yaml"),
      "utf8",
    );
    expect(rendered).toContain("iam:PassRole");
    expect(outputs).toEqual([bundledFiles(rendered), bundledFiles(rendered)]);
  });

  it("reports an interrupted run", () => {
    const directory = copy();
    mkdirSync(join(directory, ".ccf-update-requests"));
    const { status, stderr } = update("--final", "--check", directory);
    expect([status, stderr]).toEqual([
      2,
      `warning: An earlier run was interrupted; each file has either its old or its new content. Run "ccf update-requests --final ${directory}" to finish it. [update-interrupted]\n`,
    ]);
    expect(update("--final", directory).stderr).toContain("This run finishes it. [update-interrupted]");
    expect(readTree(directory)).toEqual(files);
  });

  it("is in the help and in the completion", () => {
    expect(succeed(run(["update-requests", "--help"])).stdout).toContain(
      "ccf update-requests --from DIR [--check] [DIR...]",
    );
    expect(succeed(run(["completion", "bash"])).stdout).toContain("update-requests");
  });
});

it("names the next command in JSON as in text", () => {
  const directory = copy();
  const nextOf = (...args: string[]) => JSON.parse(update(...args, "-o", "json", directory).stdout).next;
  expect(nextOf("--final")).toBeUndefined();
  expect(nextOf("--from", release, "--check")).toBe(`ccf update-requests --from ${release} ${directory}`);
  const text = copy();
  for (const args of [["--from", release], ["--final"]]) {
    const said = /Next: (.*)$/m.exec(update(...args, text).stdout)?.[1]?.replace(text, directory);
    expect(nextOf(...args)).toBe(said);
    expect(said).toMatch(/^ccf render /);
  }
});

it.each([
  ["a request", "credentials-requests/90-pipe.yaml"],
  ["a generated file", "manifests/90-pipe.yaml"],
])("fails and writes nothing if a pipe is in place of %s, as every command that prints an error", (_what, path) => {
  const directory = copy();
  execFileSync("mkfifo", [join(directory, path)]);
  const error = expect.stringMatching(new RegExp(`^error: ${path}: .*not a regular file.*\\[file-skipped\\]$`, "m"));
  const commands = [
    ["update-requests", "--final", directory],
    ["update-requests", "--from", release, directory],
    ["update-requests", "--final", "--check", "--recursive", directory],
    ["explain", directory],
    ["explain", "-o", "html", directory],
    ["report", directory],
    ["render", "--check", directory],
  ];
  for (const command of commands) expect(run(command), command.join(" ")).toMatchObject({ status: 1, stderr: error });
  expect(run(["update-requests", "--final", "--recursive", directory]).stdout).toBe("1 package: 1 failed\n");
  expect(run(["validate", directory])).toMatchObject({ status: 2, stderr: error });
});
