import { readdirSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { runBeside } from "../../helpers/release-image/beside.ts";
import { DockerRegistry } from "../../helpers/release-image/docker-registry.ts";
import { type BuiltImage, imageOf, layer, manifests } from "../../helpers/release-image/image.ts";
import { temporary } from "../../helpers/temporary.ts";

/** The image of a release with real requests for all clouds. */
async function imageFrom(release: string, version: string, gates: readonly string[] = []): Promise<BuiltImage> {
  const files: Record<string, string> = {
    "release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version, previous: [] }),
    "image-references": JSON.stringify({ kind: "ImageStream", metadata: { name: version } }),
  };
  for (const cloud of ["aws", "azure", "gcp"]) {
    const directory = join(corpus, "releases", release, cloud);
    for (const name of readdirSync(directory)) {
      const text = readFileSync(join(directory, name), "utf8");
      // A file of a payload has the requests for several clouds.
      files[name] = files[name] === undefined ? text : `${files[name]}\n---\n${text}`;
    }
  }
  for (const path of gates) files[`0000_50_cluster-config-api_${basename(path)}`] = readFileSync(path, "utf8");
  return imageOf([await layer([{ name: "etc/os-release", content: "x" }]), await layer(manifests(files))]);
}

describeWithCorpus(["docker-registry"], "a package, from two release images and without oc", () => {
  let registry: DockerRegistry;
  beforeAll(async () => {
    registry = await DockerRegistry.start();
    await registry.push("ocp/release", await imageFrom("4.19", "4.19.7"), "4.19.7");
    const gates = readdirSync(join(corpus, "feature-gates")).map((name) => join(corpus, "feature-gates", name));
    await registry.push("ocp/release", await imageFrom("main", "4.22.1", gates), "4.22.1");
  });
  afterAll(() => registry.stop());

  it.each([
    ["aws", ["--account-id", "123456789012", "--region", "us-east-2"]],
    ["gcp", ["--project-id", "my-project", "--project-number", "123456789012"]],
  ])("on %s is created and upgraded from 4.19 to main", async (platform, flags) => {
    const directory = temporary();
    const env = { PATH: `${dirname(process.execPath)}${delimiter}/nonexistent` };
    const image = (version: string) => `${registry.host}/ocp/release:${version}`;
    const [old, next, pkg] = [join(directory, "4.19.7"), join(directory, "4.22.1"), join(directory, "demo")];
    for (const [version, to] of [["4.19.7", old] as const, ["4.22.1", next] as const])
      expect(await runBeside(["extract-release", image(version), "--output-dir", to], env)).toMatchObject({
        status: 0,
      });
    const keys = join(directory, "keys");
    expect(run(["create-key-pair", "--output-dir", keys, "--allow-in-git"]).status).toBe(0);
    const key = ["--public-key-file", join(keys, "serviceaccount-signer.public")];
    const made = [
      "init",
      pkg,
      "--platform",
      platform,
      "--name",
      "demo",
      ...flags,
      ...key,
      "--credentials-requests",
      old,
    ];
    expect(run(made)).toMatchObject({ status: 0 });
    expect(run(["render", pkg]).status).toBe(0);
    const release = ["--credentials-requests", next, "--previous-release", old];
    const before = run(["report", pkg, ...release, "-o", "json"]);
    expect([before.status, JSON.parse(before.stdout).ready]).toEqual([2, false]);
    expect(run(["update-requests", "--from", next, "--previous-release", old, pkg]).status).toBe(0);
    expect((load(readFileSync(join(pkg, "cluster-identity.yaml"), "utf8")) as Any).spec.release.version).toBe("4.22");
    const render = run(["render", pkg]);
    expect(render).toMatchObject({ status: 0, stderr: expect.not.stringContaining("feature-gate-unknown") });
    const after = run(["report", pkg, ...release, "-o", "json"]);
    expect([after.status, JSON.parse(after.stdout)]).toMatchObject([0, { ready: true, lacks: [] }]);
    expect(run(["update-requests", "--from", next, "--check", pkg]).status).toBe(0);
    // Without what the release says about its gates, the new request that depends on them is unknown.
    const requests = join(corpus, "releases/main", platform);
    const unknown = run(["report", pkg, "--credentials-requests", requests, "-o", "json"]);
    expect([unknown.status, JSON.parse(unknown.stdout).ready]).toEqual([2, null]);
  });
});
