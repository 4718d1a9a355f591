import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import type { Cloud } from "../../src/clouds/cloud.ts";
import { engines } from "../../src/clouds/engines.ts";
import { clouds } from "../../src/clouds/index.ts";
import type { Inspector } from "../../src/clouds/inspector.ts";
import { inspectors } from "../../src/clouds/inspectors.ts";
import { platformQuestions } from "../../src/clouds/platform-questions.ts";
import type { PlatformQuestions } from "../../src/clouds/questions.ts";
import { keptTemporary, readTree, writeTree } from "../helpers/temporary.ts";
import { tiny } from "./tiny-cloud.ts";
import { tinyAccounts, tinyEngine } from "./tiny-engine.ts";
import { tinyInspector, tinyQuestions } from "./tiny-inspector.ts";

// Only adds the rows of a fourth cloud to the tables. Modules that read the tables are imported afterwards.
(clouds as Cloud[]).push(tiny);
(inspectors as Inspector[]).push(tinyInspector);
(platformQuestions as PlatformQuestions[]).push(tinyQuestions);
engines["tiny"] = async () => () => tinyEngine;
const { answerOf } = await import("../helpers/in-process.ts");

const { directory: root } = keptTemporary();
const [pkg, out] = [join(root, "pkg"), join(root, "out")];
const publicKey = readFileSync("testdata/sample-cluster/serviceaccount-signer.public", "utf8");
const identity = {
  apiVersion: "fn.cloudcredential.dev/v1alpha1",
  kind: "ClusterIdentity",
  metadata: { name: "demo", annotations: { "config.kubernetes.io/local-config": "true" } },
  spec: { issuer: { signingKeys: [{ publicKey }] }, platform: { tiny: { project: "here" } } },
};
const request = (may: readonly string[]) => ({
  apiVersion: "cloudcredential.openshift.io/v1",
  kind: "CredentialsRequest",
  metadata: { name: "disks", namespace: "openshift-cloud-credential-operator" },
  spec: {
    secretRef: { namespace: "openshift-disks", name: "keys" },
    serviceAccountNames: ["driver"],
    providerSpec: { kind: "TinyProviderSpec", may },
  },
});
const files = [
  "manifests/cluster-authentication-02-config.yaml",
  "manifests/openshift-disks-keys-credentials.yaml",
  "tiny/accounts/openshift-disks-keys.yaml",
  "tiny/cluster.yaml",
  "tiny/issuer.yaml",
];

beforeAll(async () => {
  writeTree(pkg, {
    "cluster-identity.yaml": dump(identity),
    "requests/disks.yaml": dump(request(["disk:read", "disk:write"])),
  });
  expect(await answerOf(["render", pkg])).toMatchObject({ status: 0 });
});

describe("a fourth cloud", () => {
  it("is rendered, and a second run changes nothing", async () => {
    const made = readTree(pkg);
    expect(Object.keys(made)).toEqual(["cluster-identity.yaml", ...files, "requests/disks.yaml"].sort());
    expect(made["manifests/openshift-disks-keys-credentials.yaml"]).toContain(
      "account: here:demo-openshift-disks-keys\n",
    );
    expect(made["manifests/cluster-authentication-02-config.yaml"]).toContain(
      "serviceAccountIssuer: https://oidc.tiny.example/here\n",
    );
    expect(await answerOf(["render", "--check", pkg])).toMatchObject({ status: 0 });
  });

  it("is exported with its commands", async () => {
    expect(await answerOf(["export", pkg, "--output-dir", out])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\nNext: ccf apply --dry-run \S+\n$/),
    });
    const exported = Object.keys(readTree(join(out, "tiny")));
    expect(exported).toEqual([
      "accounts/openshift-disks-keys/account.json",
      "accounts/openshift-disks-keys/identity.json",
      "cluster.json",
      "commands.txt",
      "issuer/discovery.json",
    ]);
  });

  it("has no module for Terraform without a mapping", async () => {
    const exported = await answerOf(["export", pkg, "--output-dir", join(root, "module"), "--format", "terraform"]);
    expect(exported).toMatchObject({ status: 1 });
    expect(exported.stderr).toContain(
      'error: "--format terraform" requires a package for AWS, Azure or GCP, but this package is for Tiny Cloud. Export without "--format terraform". [terraform-unsupported]',
    );
  });

  it("is applied, compared, and destroyed, from the package and from the export", async () => {
    const id = "here:demo-openshift-disks-keys";
    const plan = await answerOf(["apply", "--dry-run", pkg]);
    expect(plan).toMatchObject({ status: 2, stdout: expect.stringContaining(`+ account ${id}`) });
    expect([...tinyAccounts.keys()]).toEqual([]);
    expect(await answerOf(["apply", "--yes", out])).toMatchObject({ status: 0 });
    expect(await answerOf(["status", pkg, out])).toMatchObject({ status: 0 });
    tinyAccounts.set("other", { owner: "demo" });
    tinyAccounts.set("foreign", {});
    tinyAccounts.set(id, { ...tinyAccounts.get(id), may: [] });
    expect(await answerOf(["status", pkg])).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/may {2}missing: disk:read/),
    });
    expect(await answerOf(["apply", "--yes", pkg])).toMatchObject({ status: 0 });
    expect([...tinyAccounts.keys()]).toContain("other");
    expect(await answerOf(["destroy", "--yes", "demo", pkg])).toMatchObject({ status: 0 });
    expect([...tinyAccounts.keys()]).toEqual(["foreign"]);
  });

  it("is not applied without an engine", async () => {
    const engine = engines["tiny"];
    delete engines["tiny"];
    const { status, stderr } = await answerOf(["apply", "--dry-run", pkg]);
    if (engine !== undefined) engines["tiny"] = engine;
    expect([status, stderr]).toEqual([
      1,
      'error: ccf apply does not support Tiny Cloud. Run "ccf export", and use the tools of the cloud with the exported files. [cloud-without-engine]\n',
    ]);
  });

  it("is validated: its configuration and edited files", async () => {
    expect(await answerOf(["validate", pkg])).toMatchObject({ status: 0 });
    const path = join(root, "wrong");
    writeTree(path, {
      ...readTree(pkg),
      "cluster-identity.yaml": dump({ ...identity, spec: { ...identity.spec, platform: { tiny: { project: "4" } } } }),
    });
    const { status, stdout, stderr } = await answerOf(["validate", path]);
    expect([status, stdout + stderr]).toEqual([
      2,
      expect.stringContaining("the project must be letters. [config-invalid-field]"),
    ]);
  });

  it("is explained, from the package and from the export", async () => {
    for (const directory of [pkg, out]) {
      const { status, stdout } = await answerOf(["explain", directory]);
      expect([status, stdout]).toEqual([
        0,
        expect.stringMatching(/here:demo-openshift-disks-keys[\s\S]*read[\s\S]*write/),
      ]);
      const page = await answerOf(["explain", directory, "-o", "html"]);
      expect([page.status, page.stdout]).toEqual([
        0,
        expect.stringContaining('<div data-s="disk"><b>disk</b> <code>read, write</code></div>'),
      ]);
    }
  });

  it("has its requests compared with what was rendered", async () => {
    const next = join(root, "next");
    writeTree(next, { "disks.yaml": dump(request(["disk:read", "disk:delete"])) });
    const { status, stdout } = await answerOf(["diff", pkg, next]);
    expect([status, stdout]).toEqual([2, expect.stringMatching(/disk:delete/)]);
  });

  it("has its requests updated to a release: the identity gets what both releases need, then what the new one needs", async () => {
    const [next, directory] = [join(root, "release"), join(root, "updated")];
    const annotations = { "include.release.openshift.io/self-managed-high-availability": "true" };
    const asked = (may: readonly string[]) => {
      const { metadata, ...rest } = request(may);
      return dump({ ...rest, metadata: { ...metadata, annotations } });
    };
    writeTree(next, { "disks.yaml": asked(["disk:read", "disk:delete"]) });
    const { "requests/disks.yaml": _, ...others } = readTree(pkg);
    writeTree(directory, { ...others, "credentials-requests/disks.yaml": asked(["disk:read", "disk:write"]) });
    expect(await answerOf(["update-requests", "--from", next, directory])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("kept     openshift-disks/keys: the release does not allow disk:write\n"),
    });
    expect(await answerOf(["render", directory])).toMatchObject({ status: 0 });
    const may = () =>
      /"may": \[([^\]]*)\]/.exec(readTree(directory)["tiny/accounts/openshift-disks-keys.yaml"] ?? "")?.[1];
    expect(may()?.match(/\w+:\w+/g)).toEqual(["disk:read", "disk:delete", "disk:write"]);
    expect(await answerOf(["update-requests", "--final", "--from", next, directory])).toMatchObject({ status: 0 });
    expect(await answerOf(["render", directory])).toMatchObject({ status: 0 });
    expect(may()?.match(/\w+:\w+/g)).toEqual(["disk:read", "disk:delete"]);
  });

  it("is asked about: by whom something may be done, what a token is exchanged for, what an operator needs", async () => {
    const may = await answerOf(["report", pkg, "--who-may", "disk:write"]);
    expect([may.status, may.stdout]).toEqual([0, expect.stringMatching(/openshift-disks\/keys/)]);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = (sub: string) =>
      `${part({ alg: "RS256", kid: "k" })}.${part({ sub, iss: "https://i", exp: 1 })}.c2ln`;
    writeTree(root, { good: token("system:serviceaccount:ns:driver"), bad: token("system:serviceaccount:ns:other") });
    expect(await answerOf(["verify-token", "--token", join(root, "good"), "--package", pkg])).toMatchObject({
      status: 0,
    });
    expect(await answerOf(["verify-token", "--token", join(root, "bad"), "--package", pkg])).toMatchObject({
      status: 2,
    });
    const spec = await answerOf(["role-spec", join(pkg, "requests/disks.yaml"), "--platform", "tiny"]);
    expect([spec.status, spec.stdout]).toEqual([0, "tiny create disk:read,disk:write\n"]);
  });

  it("is created, and compared with the other clusters of a fleet", async () => {
    const key = "testdata/sample-cluster/serviceaccount-signer.public";
    const flags = ["--platform", "tiny", "--name", "demo", "--project", "here", "--public-key-file", key];
    flags.push("--credentials-requests", join(pkg, "requests"));
    const fleet = join(root, "fleet");
    for (const one of ["a", "b"])
      expect(await answerOf(["init", join(fleet, one), ...flags])).toMatchObject({ status: 0 });
    const { status, stderr } = await answerOf(["validate", "--recursive", fleet]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("are also in the package of")]);
  });
});
