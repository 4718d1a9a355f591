import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runBeside } from "../../helpers/release-image/beside.ts";
import { type BuiltImage, digestOf, imageOf, layer, manifests, mediaTypes } from "../../helpers/release-image/image.ts";
import { answer, TestRegistry } from "../../helpers/release-image/registry.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import { temporary } from "../../helpers/temporary.ts";

const include = "include.release.openshift.io/self-managed-high-availability";
const yaml = (value: unknown) => JSON.stringify(value);

function request(name: string, actions: readonly string[], annotations: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: {
      name,
      namespace: "openshift-cloud-credential-operator",
      annotations: { [include]: "true", ...annotations },
    },
    spec: {
      secretRef: { namespace: `openshift-${name}`, name: "credentials" },
      serviceAccountNames: [name],
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AWSProviderSpec",
        statementEntries: [{ effect: "Allow", action: actions, resource: "*" }],
      },
    },
  };
}

function featureGate(set: string, enabled: readonly string[]): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: {
      name: "cluster",
      annotations: { [include]: "false-except-for-the-config-operator", "release.openshift.io/feature-set": set },
    },
    spec: {},
    status: {
      featureGates: [{ version: "", enabled: enabled.map((name) => ({ name })), disabled: [{ name: "Off" }] }],
    },
  };
}

const namespace = (name: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, annotations: { [include]: "true" } },
});

async function release(version: string, objects: Readonly<Record<string, unknown>>): Promise<BuiltImage> {
  const files = {
    "release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version, previous: [] }),
    "image-references": JSON.stringify({ kind: "ImageStream", metadata: { name: version } }),
    ...Object.fromEntries(Object.entries(objects).map(([name, value]) => [name, yaml(value)])),
  };
  return imageOf([await layer([{ name: "etc/passwd", content: "root" }]), await layer(manifests(files))]);
}

const gate = { "release.openshift.io/feature-gate": "New" };
const repository = "ocp/release";

let registry: TestRegistry;
let image: string;
let old: BuiltImage;
let next: BuiltImage;
beforeAll(async () => {
  registry = await TestRegistry.start();
  image = `${registry.host}/${repository}`;
  old = await release("4.21.3", {
    "0000_10_namespaces.yaml": namespace("openshift-a"),
    "0000_50_a.yaml": request("a", ["s3:GetObject"]),
    "0000_50_featureGate-Default.yaml": featureGate("Default", []),
  });
  next = await release("4.22.1", {
    "0000_10_namespaces.yaml": namespace("openshift-a"),
    "0000_50_a.yaml": request("a", ["s3:GetObject", "s3:PutObject"]),
    "0000_50_b.yaml": request("b", ["ec2:DescribeInstances"], gate),
    "0000_50_featureGate-Default.yaml": featureGate("Default", ["New"]),
    "0000_50_featureGate-Tech.yaml": featureGate("TechPreviewNoUpgrade", ["New", "More"]),
  });
  registry.push(repository, old, "4.21.3-x86_64", "4.21.3");
  registry.push(repository, next, "4.22.1-x86_64", "moving");
});
afterAll(() => registry.stop());

const releaseNames = [
  "0000_50_a.yaml",
  "0000_50_b.yaml",
  "0000_50_featureGate-Default.yaml",
  "0000_50_featureGate-Tech.yaml",
  "manifests-index.json",
  "release-metadata",
  "release-source.json",
];

describe("ccf extract-release", () => {
  it("writes a release from a mirror of a version, and nothing in a second run", async () => {
    const directory = join(temporary(), "4.22.1");
    const args = ["extract-release", "4.22.1", "--mirror", image, "--insecure-skip-verify", "--output-dir", directory];
    const first = await runBeside(args);
    const name = "quay.io/openshift-release-dev/ocp-release";
    const lines = (state: string) => [
      `4.22.1: ${name}@${next.digest}, read from ${image}`,
      `${state}${directory} contains the release 4.22.1: 2 files with CredentialsRequests and 2 FeatureGate manifests.`,
      "Not verified, because of --insecure-skip-verify.",
      `Next: ccf init DIR --credentials-requests ${directory}, or ccf update-requests --from ${directory} DIR`,
      "",
    ];
    expect({ status: first.status, stdout: first.stdout.split("\n") }).toEqual({ status: 0, stdout: lines("") });
    expect(first.stderr).toMatch(/^warning: The signature of ".*" was not looked for, .*\[release-not-verified\]$/m);
    expect(readdirSync(directory).sort()).toEqual(releaseNames);
    expect(JSON.parse(readFileSync(join(directory, "release-source.json"), "utf8"))).toEqual({
      version: "4.22.1",
      image: name,
      tag: "4.22.1-x86_64",
      digest: next.digest,
      architecture: "amd64",
      from: image,
      signature: { verified: "none", why: "skipped" },
      cloud: "all",
      files: Object.fromEntries(
        releaseNames.slice(0, -1).map((name) => [name, expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]),
      ),
    });
    expect((await runBeside([...args, "-q"])).stderr).toContain("[release-not-verified]");
    const second = await runBeside([...args, "-o", "json"]);
    expect(JSON.parse(second.stdout)).toMatchObject({
      version: "4.22.1",
      files: 2,
      featureGates: 2,
      added: [],
      findings: [],
    });
    rmSync(join(directory, "manifests-index.json"));
    const third = await runBeside([...args, "-o", "json"]);
    expect(JSON.parse(third.stdout)).toMatchObject({ added: ["manifests-index.json"] });
  });

  it("refuses the directory of another release, a changed file, and a tag that moved", async () => {
    const directory = temporary();
    const extract = (tag: string) => runBeside(["extract-release", `${image}:${tag}`, "--output-dir", directory]);
    expect((await extract("4.22.1-x86_64")).status).toBe(0);
    const before = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    const other = await extract("4.21.3");
    expect(other).toMatchObject({ status: 1, stdout: "" });
    expect(other.stderr).toContain(
      `contains the release "4.22.1", not "4.21.3". Name a new or empty directory. [release-directory-taken]`,
    );
    expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))).toEqual(before);
    const moved = temporary();
    expect((await runBeside(["extract-release", `${image}:moving`, "--output-dir", moved])).status).toBe(0);
    const same = await release("4.22.1", { "0000_50_a.yaml": request("a", ["s3:*"]) });
    registry.push(repository, same, "moving");
    const again = await runBeside(["extract-release", `${image}:moving`, "--output-dir", moved]);
    expect(again.stderr).toContain(`error: the tag "moving" of "${image}" moved: `);
    writeFileSync(join(directory, "0000_50_a.yaml"), "kind: Other\n");
    const changed = await extract("4.22.1-x86_64");
    expect(changed.stderr).toMatch(/error: "0000_50_a.yaml" in ".*" has other content than in this release\./);
    const own = temporary();
    const ofCloud = (...more: string[]) =>
      runBeside(["extract-release", `${image}:moving`, "--output-dir", own, ...more]);
    const cloud = await ofCloud("--cloud", "aws", "-o", "json");
    expect(JSON.parse(cloud.stdout)).toMatchObject({ cloud: "aws", signature: { why: "no policy" } });
    expect(cloud.stderr).toContain(
      "because no key is known for this repository. If it is a mirror of Red Hat's releases,",
    );
    expect((await ofCloud()).stderr).toContain('contains the requests for "aws". Name a new or empty directory.');
    expect((await ofCloud("--cloud", "aws", "--insecure-skip-verify")).stderr).toContain(
      "contains the same image, but it was verified in another way. Name a new or empty directory.",
    );
  });

  it("completes what an interrupted run left", async () => {
    const directory = temporary();
    mkdirSync(join(directory, ".ccf-extract-release"));
    writeFileSync(
      join(directory, "release-metadata"),
      JSON.stringify({ kind: "cincinnati-metadata-v0", version: "4.22.1", previous: [] }),
    );
    const done = await runBeside(["extract-release", `${image}:4.22.1-x86_64`, "--output-dir", directory]);
    expect(done.status).toBe(0);
    expect(done.stderr).toContain("[release-extract-interrupted]");
    expect(readdirSync(directory).sort()).toEqual(releaseNames);
  });

  it("refuses an image without a signature, of another key, and of another version", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const directory = temporary();
    const key = join(temporary(), "key.pem");
    writeFileSync(key, publicKey.export({ type: "spki", format: "pem" }));
    const extract = (...more: string[]) =>
      runBeside(["extract-release", "4.22.1", "--mirror", image, "--output-dir", join(directory, "out"), ...more]);
    expect((await extract("--key", key)).stderr).toContain("[release-signature-missing]");
    const name = "quay.io/openshift-release-dev/ocp-release";
    const sign = (privateKey: typeof other.privateKey, digest = next.digest, reference = name) => {
      const { manifest, blobs } = signatureManifest([
        { payload: payloadFor(digest, `${reference}:4.22.1-x86_64`), key: privateKey },
      ]);
      registry.push(
        repository,
        { bytes: manifest, digest: digestOf(manifest), mediaType: mediaTypes.oci.manifest, blobs },
        `sha256-${next.digest.slice("sha256:".length)}.sig`,
      );
    };
    sign(other.privateKey);
    expect((await extract("--key", key)).stderr).toContain("[release-signature-other-key]");
    sign(privateKey, old.digest);
    expect((await extract("--key", key)).stderr).toContain("[release-signature-other-digest]");
    sign(privateKey, next.digest, "quay.io/other/release");
    expect((await extract("--key", key)).stderr).toContain("[release-signature-other-repository]");
    expect(existsSync(join(directory, "out"))).toBe(false);
    sign(privateKey);
    const verified = await extract("--key", key);
    expect(verified.stdout).toMatch(/^Verified: signed with the key [^\n]*[0-9a-f]{64}/m);
    expect(JSON.parse(readFileSync(join(directory, "out/release-source.json"), "utf8")).signature.verified).toBe("key");
    // The built-in key is Red Hat's, which did not sign this image.
    expect((await extract()).stderr).toContain("[release-signature-other-key]");
    registry.push(repository, old, "4.22.9-x86_64");
    const differs = await runBeside([
      "extract-release",
      "4.22.9",
      "--mirror",
      image,
      "--insecure-skip-verify",
      "--output-dir",
      join(directory, "x"),
    ]);
    expect(differs.stderr).toMatch(
      /^error: the image of "4.22.9" in ".*" \(sha256:[0-9a-f]{64}\) is the release "4.21.3"\..*\[release-version-differs\]$/m,
    );
    const byTag = await runBeside(["extract-release", `${image}:4.22.9-x86_64`, "--output-dir", join(directory, "x")]);
    expect(byTag.stderr).toContain("[release-version-differs]");
    expect(existsSync(join(directory, "x"))).toBe(false);
  });

  it("does not send the credential of a registry on this machine to a proxy without TLS", async () => {
    const seen: string[] = [];
    const proxy = createServer((socket) => {
      socket.on("data", (data) => {
        seen.push(data.toString("latin1"));
        // It accepts the tunnel, and ends what is not plain text.
        if (data.toString("latin1").startsWith("CONNECT")) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        else socket.end("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n");
      });
      socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const auth = join(temporary(), "auth.json");
    const secret = Buffer.from("kim:a-long-password").toString("base64");
    writeFileSync(auth, JSON.stringify({ auths: { "localhost:5999": { auth: secret } } }));
    const args = [
      "extract-release",
      "localhost:5999/a/b:1",
      "--registry-config",
      auth,
      "--output-dir",
      join(temporary(), "out"),
    ];
    const done = await runBeside(args, { HTTP_PROXY: url, HTTPS_PROXY: url });
    await new Promise((resolve) => proxy.close(resolve));
    expect(done).toMatchObject({ status: 1, stderr: expect.stringContaining("[registry-not-reached]") });
    expect(seen.some((text) => text.startsWith("CONNECT localhost:5999"))).toBe(true);
    expect(seen.join("")).not.toContain(secret);
  });

  it("says what is wrong with a command line, an image, and a registry", async () => {
    const out = join(temporary(), "out");
    const refused = async (...args: string[]) => {
      const { status, stdout, stderr } = await runBeside(["extract-release", ...args, "--output-dir", out]);
      expect([status, stdout, existsSync(out)]).toEqual([1, "", false]);
      return stderr;
    };
    expect(await refused()).toContain("error: name either a version or an image, or a file with --from-file.");
    expect(await refused("4.20.3", "--from-file", "x")).toContain("error: name either a version or an image");
    expect(await refused("v4.20.3")).toContain("[release-name-invalid]");
    expect(await refused("4.20.3", "--key", "x", "--insecure-skip-verify")).toContain("contradict each other");
    expect(await refused(`${image}:missing`)).toContain("[release-image-missing]");
    registry.push(repository, imageOf([await layer([{ name: "a", content: "b" }])]), "other");
    expect(await refused(`${image}:other`)).toMatch(/\[release-(?:image|payload)-invalid\]/);
    registry.instead = (_, response) => answer(response, 403, "denied");
    expect(await refused(`${image}:4.22.1-x86_64`)).toContain("[pull-secret-");
    registry.instead = () => false;
    expect(run(["extract-release", "4.20.3"]).stderr).toContain("error: --output-dir is required");
  });
});

describe("--release", () => {
  it("creates a package and brings it to the next release, without a directory", async () => {
    const directory = temporary();
    const keys = join(directory, "keys");
    expect(run(["create-key-pair", "--output-dir", keys, "--allow-in-git"]).status).toBe(0);
    const pkg = join(directory, "demo");
    const init = await runBeside([
      ...["init", pkg, "--platform", "aws", "--name", "demo", "--account-id", "123456789012", "--region", "us-east-2"],
      ...["--public-key-file", join(keys, "serviceaccount-signer.public"), "--release", `${image}:4.21.3`],
    ]);
    expect(init).toMatchObject({ status: 0, stdout: expect.stringContaining("with 1 CredentialsRequest for AWS") });
    const config = () => (load(readFileSync(join(pkg, "cluster-identity.yaml"), "utf8")) as Any).spec.release;
    expect(config()).toEqual({ version: "4.21" });
    expect(readdirSync(join(pkg, "credentials-requests")).sort()).toEqual([
      "0000_50_a.yaml",
      "feature-gates.yaml",
      "release.yaml",
    ]);
    expect(run(["render", pkg]).status).toBe(0);
    const update = await runBeside(["update-requests", "--release", `${image}:4.22.1-x86_64`, pkg]);
    expect({ ...update, stderr: "" }).toEqual({
      status: 0,
      stderr: "",
      stdout: `new      openshift-b/credentials
changed  openshift-a/credentials
version  4.22: it was 4.21
4 files written. Next: ccf render ${pkg}
`,
    });
    expect(config()).toEqual({ version: "4.22" });
    const check = await runBeside(["update-requests", "--release", `${image}:4.22.1-x86_64`, "--check", pkg]);
    expect(check).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    expect(run(["render", pkg]).status).toBe(0);
    expect(run(["validate", pkg]).status).toBe(0);
    const stream = run(["render", "--stdout", pkg]).stdout;
    expect(stream).toContain("name: credentials");
    expect(stream).not.toMatch(/FeatureGate|capabilities:/);
  });

  it("contradicts a directory, and is needed for flags about images", () => {
    const directory = temporary();
    const init = (...more: string[]) => run(["init", join(directory, "x"), ...more]).stderr;
    expect(init("--okd")).toContain("error: --okd requires --release; add it, or omit --okd.");
    expect(init("--release", "4.20.3", "--credentials-requests", directory)).toContain(
      "error: --release and --credentials-requests both name requests; omit one of them.",
    );
    const update = (...more: string[]) => run(["update-requests", ...more, directory]).stderr;
    expect(update("--release", "4.20.3", "--from", directory)).toContain(
      "error: --from and --release both name the requests of a release; omit one of them.",
    );
    expect(update("--final", "--mirror", "localhost/x")).toContain("error: --mirror requires --release;");
    expect(update("--final", "--previous-release", directory)).toContain(
      "error: --previous-release requires --from or --release.",
    );
  });
});
