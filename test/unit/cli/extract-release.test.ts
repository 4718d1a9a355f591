import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Any } from "../../helpers/cluster.ts";
import { answerOf } from "../../helpers/in-process.ts";
import { type BuiltImage, digestOf, imageOf, layer, mediaTypes } from "../../helpers/release-image/image.ts";
import { answer, type TestRegistry } from "../../helpers/release-image/registry.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import {
  registryWithReleases,
  release,
  releaseNames,
  releaseRequest,
  repository,
} from "../../helpers/release-image/two-releases.ts";
import { temporary } from "../../helpers/temporary.ts";

let registry: TestRegistry;
let image: string;
let old: BuiltImage;
let next: BuiltImage;
beforeAll(async () => {
  // No credentials and no proxy of the user of the tests.
  for (const name of ["HOME", "REGISTRY_AUTH_FILE", "XDG_RUNTIME_DIR"]) vi.stubEnv(name, "");
  for (const name of ["NO_PROXY", "no_proxy"]) vi.stubEnv(name, "*");
  ({ registry, old, next } = await registryWithReleases());
  image = `${registry.host}/${repository}`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await registry.stop();
});

describe("ccf extract-release", () => {
  it("refuses the directory of another release, a changed file, and a tag that moved", async () => {
    const directory = temporary();
    const extract = (tag: string) => answerOf(["extract-release", `${image}:${tag}`, "--output-dir", directory]);
    expect((await extract("4.22.1-x86_64")).status).toBe(0);
    const before = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    const other = await extract("4.21.3");
    expect(other).toMatchObject({ status: 1, stdout: "" });
    expect(other.stderr).toContain(
      `contains the release "4.22.1", not "4.21.3". Name a new or empty directory. [release-directory-taken]`,
    );
    expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))).toEqual(before);
    const moved = temporary();
    expect((await answerOf(["extract-release", `${image}:moving`, "--output-dir", moved])).status).toBe(0);
    const same = await release("4.22.1", { "0000_50_a.yaml": releaseRequest("a", ["s3:*"]) });
    registry.push(repository, same, "moving");
    const again = await answerOf(["extract-release", `${image}:moving`, "--output-dir", moved]);
    expect(again.stderr).toContain(`error: the tag "moving" of "${image}" moved: `);
    writeFileSync(join(directory, "0000_50_a.yaml"), "kind: Other\n");
    const changed = await extract("4.22.1-x86_64");
    expect(changed.stderr).toMatch(/error: "0000_50_a.yaml" in ".*" has other content than in this release\./);
    const own = temporary();
    const ofCloud = (...more: string[]) =>
      answerOf(["extract-release", `${image}:moving`, "--output-dir", own, ...more]);
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
    const done = await answerOf(["extract-release", `${image}:4.22.1-x86_64`, "--output-dir", directory]);
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
      answerOf(["extract-release", "4.22.1", "--mirror", image, "--output-dir", join(directory, "out"), ...more]);
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
    const differs = await answerOf([
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
    const byTag = await answerOf(["extract-release", `${image}:4.22.9-x86_64`, "--output-dir", join(directory, "x")]);
    expect(byTag.stderr).toContain("[release-version-differs]");
    expect(existsSync(join(directory, "x"))).toBe(false);
  });

  it("says what is wrong with a command line, an image, and a registry", async () => {
    const out = join(temporary(), "out");
    const refused = async (...args: string[]) => {
      const { status, stdout, stderr } = await answerOf(["extract-release", ...args, "--output-dir", out]);
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
    expect((await answerOf(["extract-release", "4.20.3"])).stderr).toContain("error: --output-dir is required");
  });
});

describe("--release", () => {
  it("creates a package and brings it to the next release, without a directory", async () => {
    const directory = temporary();
    const pkg = join(directory, "demo");
    const init = await answerOf([
      ...["init", pkg, "--platform", "aws", "--name", "demo", "--account-id", "123456789012", "--region", "us-east-2"],
      ...["--public-key-file", "testdata/sample-cluster/serviceaccount-signer.public", "--release", `${image}:4.21.3`],
    ]);
    expect(init).toMatchObject({ status: 0, stdout: expect.stringContaining("with 1 CredentialsRequest for AWS") });
    const config = () => (load(readFileSync(join(pkg, "cluster-identity.yaml"), "utf8")) as Any).spec.release;
    expect(config()).toEqual({ version: "4.21" });
    expect(readdirSync(join(pkg, "credentials-requests")).sort()).toEqual([
      "0000_50_a.yaml",
      "feature-gates.yaml",
      "release.yaml",
    ]);
    expect((await answerOf(["render", pkg])).status).toBe(0);
    const update = await answerOf(["update-requests", "--release", `${image}:4.22.1-x86_64`, pkg]);
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
    const check = await answerOf(["update-requests", "--release", `${image}:4.22.1-x86_64`, "--check", pkg]);
    expect(check).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    expect((await answerOf(["render", pkg])).status).toBe(0);
    expect((await answerOf(["validate", pkg])).status).toBe(0);
    const stream = (await answerOf(["render", "--stdout", pkg])).stdout;
    expect(stream).toContain("name: credentials");
    expect(stream).not.toMatch(/FeatureGate|capabilities:/);
  });

  it("contradicts a directory, and is needed for flags about images", async () => {
    const directory = temporary();
    const init = async (...more: string[]) => (await answerOf(["init", join(directory, "x"), ...more])).stderr;
    expect(await init("--okd")).toContain("error: --okd requires --release; add it, or omit --okd.");
    expect(await init("--release", "4.20.3", "--credentials-requests", directory)).toContain(
      "error: --release and --credentials-requests both name requests; omit one of them.",
    );
    const update = async (...more: string[]) => (await answerOf(["update-requests", ...more, directory])).stderr;
    expect(await update("--release", "4.20.3", "--from", directory)).toContain(
      "error: --from and --release both name the requests of a release; omit one of them.",
    );
    expect(await update("--final", "--mirror", "localhost/x")).toContain("error: --mirror requires --release;");
    expect(await update("--final", "--previous-release", directory)).toContain(
      "error: --previous-release requires --from or --release.",
    );
  });
});
