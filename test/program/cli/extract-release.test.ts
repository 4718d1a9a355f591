import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBeside } from "../../helpers/release-image/beside.ts";
import type { BuiltImage } from "../../helpers/release-image/image.ts";
import type { TestRegistry } from "../../helpers/release-image/registry.ts";
import { registryWithReleases, releaseNames, repository } from "../../helpers/release-image/two-releases.ts";
import { expectFits } from "../../helpers/schema.ts";
import { temporary } from "../../helpers/temporary.ts";

let registry: TestRegistry;
let image: string;
let next: BuiltImage;
beforeAll(async () => {
  ({ registry, next } = await registryWithReleases());
  image = `${registry.host}/${repository}`;
});
afterAll(() => registry.stop());

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
    expectFits("extract-release", second.stdout);
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
});
