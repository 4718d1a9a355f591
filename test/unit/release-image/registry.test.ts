import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../../src/network/pace.ts";
import { readMirror } from "../../../src/release-image/mirrors.ts";
import { type ImageOptions, readReleaseImage } from "../../../src/release-image/read-image.ts";
import { signatureTag } from "../../../src/release-image/signature/signature.ts";
import {
  type BuiltImage,
  digestOf,
  imageOf,
  indexOf,
  json,
  layer,
  manifests,
  mediaTypes,
  releaseFiles,
  releaseImage,
} from "../../helpers/release-image/image.ts";
import { named, plainOptions, problemOf } from "../../helpers/release-image/read.ts";
import { answer, type Got, TestRegistry } from "../../helpers/release-image/registry.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import { temporary } from "../../helpers/temporary.ts";

const repository = "team/release";
const { second } = pace;
let registry: TestRegistry;
let other: TestRegistry;
let image: BuiltImage;

beforeEach(async () => {
  pace.second = 5;
  registry = await TestRegistry.start();
  other = await TestRegistry.start();
  image = await releaseImage();
  registry.push(repository, image, "4.20.3");
});

afterEach(async () => {
  pace.second = second;
  await Promise.all([registry.stop(), other.stop()]);
});

function read(options: Partial<ImageOptions> = {}, name = `${registry.host}/${repository}:4.20.3`) {
  return readReleaseImage(named(name), { ...plainOptions, ...options });
}

function problem(options: Partial<ImageOptions> = {}, name?: string) {
  return problemOf(() => read(options, name));
}

function pullSecret(...hosts: string[]): string {
  const path = join(temporary(), "auth.json");
  const auth = Buffer.from("kim:pass-of-kim").toString("base64");
  writeFileSync(path, JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, { auth }])) }));
  return path;
}

const basic = `Basic ${Buffer.from("kim:pass-of-kim").toString("base64")}`;
/** Requests with credentials. */
const withSecrets = (got: readonly Got[]) => got.filter(({ authorization, body }) => `${authorization}${body}` !== "");

describe("an image in a registry", () => {
  it.each(["docker", "oci"] as const)("of the types of %s is read", async (format) => {
    const one = await releaseImage({ format });
    registry.push(repository, one, "one");
    const found = await read({}, `${registry.host}/${repository}:one`);
    expect({ ...found, files: Object.keys(Object.fromEntries(found.files)).sort() }).toEqual({
      name: `${registry.host}/${repository}`,
      tag: "one",
      digest: one.digest,
      index: undefined,
      architecture: "amd64",
      from: `${registry.host}/${repository}`,
      signature: { verified: "none", why: "skipped" },
      files: Object.keys(releaseFiles).sort(),
    });
    const [{ accept } = { accept: "" }] = registry.got.filter(({ path }) => path.includes("/manifests/"));
    for (const type of Object.values(mediaTypes).flatMap(({ index, manifest }) => [index, manifest]))
      expect(accept).toContain(type);
  });

  it("is read by digest", async () => {
    const found = await read({}, `${registry.host}/${repository}:moved@${image.digest}`);
    expect(found).toMatchObject({ tag: "moved", digest: image.digest });
    expect(registry.paths).toContain(`/v2/${repository}/manifests/${image.digest}`);
  });

  it.each(["docker", "oci"] as const)("is that of an architecture in an index of %s", async (format) => {
    const arm = await releaseImage({ format, architecture: "arm64" });
    const amd = await releaseImage({ format });
    const power = await releaseImage({ format, architecture: "ppc64le" });
    const index = indexOf({ amd64: amd, arm64: arm, ppc64le: power }, format);
    registry.push(repository, amd);
    registry.push(repository, arm);
    registry.push(repository, index, "index");
    const found = await read({ arch: "arm64" }, `${registry.host}/${repository}:index`);
    expect(found).toMatchObject({ digest: arm.digest, index: index.digest, architecture: "arm64" });
    expect(await problem({ arch: "s390x" }, `${registry.host}/${repository}:index`)).toEqual({
      code: "release-image-architecture",
      message: `${registry.host}/${repository}: the image does not exist for the architecture "s390x". It has "amd64", "arm64", "ppc64le". Use --arch with one that it has.`,
    });
    expect(await read({ arch: "multi" }, `${registry.host}/${repository}:index`)).toMatchObject({ digest: amd.digest });
    const missing = await problem({ arch: "ppc64le" }, `${registry.host}/${repository}:index`);
    expect(missing.code).toBe("release-image-missing");
    expect(missing.message).toContain("which does not exist. Copy the whole image again.");
  });

  it("may be the only one of an index, without a platform", async () => {
    const arm = await releaseImage({ architecture: "arm64" });
    registry.push(repository, arm);
    registry.push(repository, indexOf({ "": arm }), "index");
    expect(await read({}, `${registry.host}/${repository}:index`)).toMatchObject({
      architecture: "arm64",
      digest: arm.digest,
    });
  });

  it.each([
    [{ manifests: [], layers: [] }, "the manifest is both an index and an image, so that programs read it differently"],
    [
      { mediaType: "application/vnd.docker.distribution.manifest.v1+json" },
      'has the media type "application/vnd.docker.distribution.manifest.v1+json"',
    ],
    [
      { mediaType: mediaTypes.oci.manifest, config: {}, layers: [] },
      "the manifest has a blob without a valid size and SHA-256 digest",
    ],
    [
      { mediaType: mediaTypes.oci.index, manifests: [{ digest: "sha256:1" }] },
      "the index lists a manifest without a valid size and SHA-256 digest",
    ],
    [{ mediaType: mediaTypes.oci.index, manifests: Array(1001).fill(0) }, "the index lists more than 1000 manifests"],
    [[], "the manifest is not a mapping"],
    ["a text", "the manifest is not a mapping"],
  ])("%# is not valid", async (value, message) => {
    const bytes = json(value);
    registry.push(repository, { bytes, digest: digestOf(bytes), mediaType: "text/plain", blobs: [] }, "wrong");
    const found = await problem({}, `${registry.host}/${repository}:wrong`);
    expect(found.code).toBe("release-image-invalid");
    expect(found.message).toContain(message);
  });

  it("is not valid with too many layers, with an artifact, and with a configuration that says nothing", async () => {
    const wrong = async (change: (manifest: Record<string, unknown>) => unknown, blobs: Uint8Array[] = []) => {
      const bytes = json(change(JSON.parse(Buffer.from(image.bytes).toString())));
      registry.push(repository, { ...image, bytes, digest: digestOf(bytes), blobs }, "wrong");
      return (await problem({}, `${registry.host}/${repository}:wrong`)).message;
    };
    const [first] = JSON.parse(Buffer.from(image.bytes).toString()).layers;
    expect(await wrong((one) => ({ ...one, layers: Array(201).fill(first) }))).toContain(
      "the image has more than 200 layers",
    );
    const empty = json({});
    const config = (mediaType: string) => ({ mediaType, digest: digestOf(empty), size: empty.length });
    expect(await wrong((one) => ({ ...one, config: config("application/vnd.oci.empty.v1+json") }), [empty])).toContain(
      'the configuration has the media type "application/vnd.oci.empty.v1+json", which is not that of an image',
    );
    expect(await wrong((one) => ({ ...one, config: config(mediaTypes.oci.config) }), [empty])).toContain(
      'the configuration names the architecture ""',
    );
  });

  it("that does not exist is an error", async () => {
    expect(await problem({}, `${registry.host}/${repository}:4.20.99`)).toEqual({
      code: "release-image-missing",
      message: `The image ${registry.host}/${repository}:4.20.99 does not exist. Check the version, and the name of the image.`,
    });
  });

  it("without one of its blobs is an error", async () => {
    registry.instead = ({ path }, response) => path.includes("/blobs/") && answer(response, 404);
    const found = await problem();
    expect(found.code).toBe("release-image-missing");
    expect(found.message).toMatch(
      /: the blob sha256:[0-9a-f]{64} of the image does not exist\. Copy the whole image again\.$/,
    );
  });

  it.each([
    [
      "another manifest than the digest's",
      ({ path }: Got) => path.includes("/manifests/"),
      "{}",
      "the digest of the manifest is sha256:44136fa",
    ],
    ["a blob that is cut off", ({ path }: Got) => path.includes("/blobs/"), "x", "it ends after 1 of its"],
  ])("that is %s is an error", async (_, isAsked, body, how) => {
    registry.instead = (got, response) => isAsked(got) && answer(response, 200, body);
    const found = await problem({}, `${registry.host}/${repository}@${image.digest}`);
    expect(found.code).toBe("release-image-digest");
    expect(found.message).toContain(how);
  });

  it("whose registry states another digest is an error", async () => {
    const headers = { "docker-content-digest": `sha256:${"0".repeat(64)}`, "content-type": image.mediaType };
    registry.instead = ({ path }, response) =>
      path.includes("/manifests/") && answer(response, 200, image.bytes, headers);
    expect((await problem()).code).toBe("release-image-digest");
  });

  it("whose manifest is too long is not read", async () => {
    registry.instead = ({ path }, response) =>
      path.includes("/manifests/") && answer(response, 200, Buffer.alloc((4 << 20) + 1, " "));
    expect(await problem()).toEqual({
      code: "registry-answer-invalid",
      message: `${registry.host}/${repository}: the registry answered with a manifest that is longer than 4 MiB. Check the name of the registry, or report it to its operator.`,
    });
  });

  it("is not a login page", async () => {
    registry.instead = (_, response) => answer(response, 200, "<html>", { "content-type": "text/html; charset=utf-8" });
    const found = await problem();
    expect(found.code).toBe("registry-answer-invalid");
    expect(found.message).toContain(
      "answered with a web page. A proxy or a login page of the network probably answered.",
    );
  });
});

describe("a registry with a login", () => {
  const demand = (challenge: string, token: string) => {
    registry.instead = ({ path, authorization }, response) =>
      path.startsWith("/v2/") &&
      authorization !== token &&
      answer(response, 401, "", { "www-authenticate": challenge });
  };

  it("gets the user name and the password, after it demanded them", async () => {
    demand('Basic realm="registry"', basic);
    const registryConfig = pullSecret(registry.host);
    expect(await read({ registryConfig })).toMatchObject({ digest: image.digest });
    expect(registry.got.find(({ path }) => path.includes("manifests"))?.authorization).toBe("");
    expect(other.got).toEqual([]);
  });

  it.each(["token", "access_token"])("may want a %s of another server", async (field) => {
    demand(
      `Bearer realm="http://${other.host}/token?x=1",service="the registry",scope="repository:${repository}:pull"`,
      "Bearer t0ken.value-1",
    );
    other.instead = (_, response) => answer(response, 200, JSON.stringify({ [field]: "t0ken.value-1" }));
    expect(await read({ registryConfig: pullSecret(registry.host) })).toMatchObject({ digest: image.digest });
    expect(other.got[0]).toMatchObject({
      path: `/token?x=1&service=the+registry&scope=repository%3Ateam%2Frelease%3Apull`,
      authorization: basic,
    });
    // One token serves all requests.
    expect(other.got.length).toBe(1);
    expect(withSecrets(registry.got).every(({ authorization }) => authorization === "Bearer t0ken.value-1")).toBe(true);
  });

  it("may give anyone a token", async () => {
    demand(`Bearer realm="http://${other.host}/token"`, "Bearer anonymous");
    other.instead = (_, response) => answer(response, 200, '{"token":"anonymous"}');
    expect(await read()).toMatchObject({ digest: image.digest });
    expect(other.got[0]).toMatchObject({ authorization: "", path: "/token?scope=repository%3Ateam%2Frelease%3Apull" });
  });

  it("may want a token for a refresh token", async () => {
    demand(`Bearer realm="http://${other.host}/token",service="s"`, "Bearer fresh");
    other.instead = (_, response) => answer(response, 200, '{"access_token":"fresh"}');
    const registryConfig = join(temporary(), "auth.json");
    writeFileSync(
      registryConfig,
      JSON.stringify({ auths: { [registry.host]: { identitytoken: "refresh-me-please" } } }),
    );
    expect(await read({ registryConfig })).toMatchObject({ digest: image.digest });
    expect(other.got[0]).toMatchObject({ method: "POST", path: "/token", authorization: "" });
    expect(Object.fromEntries(new URLSearchParams(other.got[0]?.body))).toEqual({
      ...{ service: "s", scope: `repository:${repository}:pull`, grant_type: "refresh_token" },
      ...{ client_id: "ccf", refresh_token: "refresh-me-please" },
    });
    other.instead = (_, response) => answer(response, 302, "", { location: "/elsewhere" });
    expect((await problem({ registryConfig })).message).toContain(
      "a redirect of a request with credentials, which is not followed.",
    );
  });

  it.each([401, 403])("says what is missing without a pull secret (%i)", async (status) => {
    registry.instead = (_, response) =>
      answer(response, status, '{"errors":[{"code":"DENIED","message":"not\\u001b[31m for you"}]}', {
        "www-authenticate": "Basic",
      });
    expect(await problem({ environment: { HOME: "/nowhere" } })).toEqual({
      code: "pull-secret-missing",
      message: `${registry.host}/${repository}: the registry requires a login (status ${status}, "not\\u001b[31m for you"), and there is no pull secret for ${registry.host} in "/nowhere/.docker/config.json". Name a file that contains it with --registry-config.`,
    });
  });

  it("says that a credential helper is not run", async () => {
    registry.instead = (_, response) => answer(response, 401, "", { "www-authenticate": "Basic" });
    const registryConfig = join(temporary(), "auth.json");
    writeFileSync(registryConfig, '{"credsStore":"desktop"}');
    expect((await problem({ registryConfig })).message).toContain(
      'A credential helper ("desktop") may have one, but helpers are programs, and ccf does not run them. Name a file that contains it with --registry-config.',
    );
  });

  it.each([401, 403])("says that the pull secret is refused (%i)", async (status) => {
    registry.instead = (_, response) => answer(response, status, "", { "www-authenticate": "Basic" });
    expect(await problem({ registryConfig: pullSecret(registry.host) })).toEqual({
      code: "pull-secret-refused",
      message: `${registry.host}/${repository}: the registry refuses the pull secret for ${registry.host} (status ${status}). It is wrong, or it may not read this repository. Name a pull secret that may read it with --registry-config.`,
    });
  });

  it("says that the server of tokens refuses the pull secret", async () => {
    demand(`Bearer realm="http://${other.host}/token"`, "never");
    other.instead = (_, response) => answer(response, 401, "kim pass-of-kim");
    const found = await problem({ registryConfig: pullSecret(registry.host) });
    expect(found.code).toBe("pull-secret-refused");
    expect(found.message).toBe(
      `${registry.host} does not accept the pull secret: "${other.host}" answered with status 401. Download the pull secret again, and name it with --registry-config.`,
    );
  });

  it.each([
    ["Negotiate", "does not say how it authenticates: it offers neither Basic nor Bearer."],
    ["", "does not say how it authenticates: it offers neither Basic nor Bearer."],
    ["Bearer", 'names "" for tokens, which is not an https URL.'],
    [
      'Bearer realm="http://example.com/token"',
      'names "http://example.com/token" for tokens, which is not an https URL.',
    ],
    [
      'Bearer realm="https://a:b@example.com/token"',
      'names "https://a:b@example.com/token" for tokens, which is not an https URL.',
    ],
    ['Bearer realm="file:///etc/passwd"', 'names "file:///etc/passwd" for tokens, which is not an https URL.'],
  ])("that demands %j is an error", async (challenge, message) => {
    registry.instead = (_, response) => answer(response, 401, "", { "www-authenticate": challenge });
    const found = await problem({ registryConfig: pullSecret(registry.host) });
    expect(found).toEqual({
      code: "registry-answer-invalid",
      message: expect.stringContaining(`${registry.host} ${message}`),
    });
    expect(withSecrets(registry.got)).toEqual([]);
  });

  it.each([
    ["{}", "whose answer contains no token"],
    ["<html>", "whose answer contains no token"],
    ['{"token":"a\\r\\nb: c"}', "whose answer contains no token"],
    ['{"token":7}', "whose answer contains no token"],
    [" ".repeat((64 << 10) + 1), "whose answer is too long"],
  ])("whose token is %.12j is an error", async (body, message) => {
    demand(`Bearer realm="http://${other.host}/token"`, "never");
    other.instead = (_, response) => answer(response, 200, body);
    expect(await problem()).toEqual({ code: "registry-answer-invalid", message: expect.stringContaining(message) });
  });

  it("does not get the pull secret of another registry", async () => {
    registry.instead = (_, response) => answer(response, 401, "", { "www-authenticate": "Basic" });
    expect((await problem({ registryConfig: pullSecret(other.host, "127.0.0.1", "quay.io") })).code).toBe(
      "pull-secret-missing",
    );
    expect(withSecrets(registry.got)).toEqual([]);
  });

  it("never has its secrets in a message", async () => {
    demand(`Bearer realm="http://${other.host}/token"`, "never");
    other.instead = (_, response) => answer(response, 200, '{"token":"secret-token-value"}');
    registry.instead = (_, response) =>
      answer(
        response,
        401,
        JSON.stringify({ errors: [{ message: "kim:pass-of-kim pass-of-kim secret-token-value" }] }),
        {
          "www-authenticate": `Bearer realm="http://${other.host}/token"`,
        },
      );
    const { message } = await problem({ registryConfig: pullSecret(registry.host) });
    expect(message).not.toMatch(/pass-of-kim|secret-token-value/);
    expect(message).toContain("(a value that is not shown)");
  });
});

describe("a redirect", () => {
  const blobsAt = (location: (path: string) => string, status = 307) => {
    registry.instead = ({ path, authorization }, response) => {
      if (authorization === "") return answer(response, 401, "", { "www-authenticate": "Basic" });
      return (
        path.includes("/blobs/") &&
        !path.includes("moved") &&
        answer(response, status, "", { location: location(path) })
      );
    };
    for (const blob of image.blobs) other.pushBlob(blob);
  };

  it.each([301, 302, 303, 307, 308])("%i to another port is followed without credentials", async (status) => {
    blobsAt((path) => `http://${other.host}${path}?signed=1`.replace("?signed=1", ""), status);
    expect(await read({ registryConfig: pullSecret(registry.host) })).toMatchObject({ digest: image.digest });
    expect(other.got.length).toBe(2);
    expect(withSecrets(other.got)).toEqual([]);
  });

  it("to another path is followed with credentials", async () => {
    blobsAt((path) => path.replace(repository, "moved/release"));
    expect(await read({ registryConfig: pullSecret(registry.host) })).toMatchObject({ digest: image.digest });
    expect(
      registry.got.filter(({ path }) => path.includes("moved")).every(({ authorization }) => authorization === basic),
    ).toBe(true);
  });

  it("does not let another host require a login", async () => {
    blobsAt((path) => `http://${other.host}${path}`);
    other.instead = (_, response) => answer(response, 401, "", { "www-authenticate": "Basic" });
    expect(await problem({ registryConfig: pullSecret(registry.host, other.host) })).toEqual({
      code: "registry-answer-invalid",
      message: expect.stringContaining(`answered with a redirect to "${other.host}", which answered with status 401.`),
    });
    expect(withSecrets(other.got)).toEqual([]);
  });

  it.each([
    ["http://example.com/blob", 'a redirect to "http://example.com", without TLS'],
    ["", "a redirect without a valid target"],
    ["http://[", "a redirect without a valid target"],
    ["file:///etc/passwd", 'a redirect to "null", without TLS'],
    ["https://a:b@example.com/blob", "a redirect with a user name"],
  ])("to %j is not followed", async (location, what) => {
    blobsAt(() => location);
    expect(await problem({ registryConfig: pullSecret(registry.host) })).toEqual({
      code: "registry-answer-invalid",
      message: `${registry.host} answered with ${what}, which is not followed. Report it to the operator of the registry.`,
    });
  });

  it("is followed five times", async () => {
    blobsAt((path) => `${path}x`);
    expect((await problem({ registryConfig: pullSecret(registry.host) })).message).toContain(
      "answered with more than 5 redirects",
    );
    expect(registry.paths.filter((path) => /x{5}$/.test(path)).length).toBe(1);
    expect(registry.paths.filter((path) => /x{6}$/.test(path)).length).toBe(0);
  });
});

describe("a request that fails", () => {
  const failTimes = (
    times: number,
    isAsked: (got: Got) => boolean,
    fail: (response: Parameters<typeof answer>[0]) => unknown,
  ) => {
    let rest = times;
    registry.instead = (got, response) => {
      if (!isAsked(got) || rest === 0) return false;
      rest -= 1;
      fail(response);
      return true;
    };
  };
  const isManifest = ({ path }: Got) => path.includes("/manifests/");
  const isBlob = ({ path }: Got) => path.includes("/blobs/");

  it.each([429, 500, 502, 503])("with status %i is repeated", async (status) => {
    failTimes(4, isManifest, (response) => answer(response, status, "", { "retry-after": "1" }));
    expect(await read()).toMatchObject({ digest: image.digest });
    expect(registry.got.filter(isManifest).length).toBe(5);
  });

  it.each([
    [429, "limits requests (status 429). Wait some minutes, and run the same command again."],
    [503, "could not be read: the registry answered with status 503. Run the same command again later."],
  ])("with status %i again and again is an error", async (status, message) => {
    failTimes(100, isManifest, (response) =>
      answer(response, status, "", { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }),
    );
    expect(await problem()).toEqual({
      code: "registry-not-reached",
      message: `${registry.host}/${repository} ${message}`,
    });
    expect(registry.got.filter(isManifest).length).toBe(5);
  });

  it("with status 407 is about the proxy", async () => {
    registry.instead = (_, response) => answer(response, 407);
    expect(await problem()).toEqual({
      code: "registry-not-reached",
      message: expect.stringContaining("could not be read. A proxy demands a user name and a password."),
    });
  });

  it("with another status is an error", async () => {
    registry.instead = (_, response) => answer(response, 418, '{"errors":[{"code":"TEAPOT"}]}');
    expect((await problem()).message).toContain('the registry answered with status 418, "TEAPOT".');
  });

  it.each([
    ["a manifest before its answer", isManifest, (response: Parameters<typeof answer>[0]) => response.destroy()],
    ["a blob before its answer", isBlob, (response: Parameters<typeof answer>[0]) => response.destroy()],
    [
      "a manifest in the middle",
      isManifest,
      (response: Parameters<typeof answer>[0]) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{", () => response.destroy());
      },
    ],
    [
      "a blob in the middle",
      isBlob,
      (response: Parameters<typeof answer>[0]) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{", () => response.destroy());
      },
    ],
    [
      "a blob in the middle, silently",
      isBlob,
      (response: Parameters<typeof answer>[0]) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{");
      },
    ],
  ])("because the connection is lost is repeated: %s", async (_, isAsked, fail) => {
    failTimes(2, isAsked, fail);
    expect(await read()).toMatchObject({ digest: image.digest });
  });

  it("because nothing arrives is an error", async () => {
    registry.instead = (got) => isManifest(got);
    expect(await problem()).toEqual({
      code: "registry-not-reached",
      message: expect.stringMatching(/could not be read: timed out: no answer within 30 s\. Check the network\./),
    });
    registry.instead = (got, response) => {
      if (!isBlob(got)) return false;
      response.writeHead(200, { "content-length": "1000" });
      response.write("{");
      return true;
    };
    expect((await problem()).message).toContain("timed out: no answer within 30 s.");
  });

  it("because nothing listens is an error", async () => {
    await other.stop();
    expect(await problem({}, `${other.host}/a:1`)).toEqual({
      code: "registry-not-reached",
      message: `${other.host}/a could not be read: connect ECONNREFUSED ${other.host}. Check the network. If it requires a proxy, set HTTPS_PROXY.`,
    });
    other = await TestRegistry.start();
  });

  it("because the server speaks another protocol is an error", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().end("220 mail.example\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect((await problem({}, `127.0.0.1:${port}/a:1`)).code).toBe("registry-not-reached");
    await new Promise((resolve) => server.close(resolve));
  });

  it("because a proxy is not a URL is an error", async () => {
    expect(await problem({ environment: { HTTPS_PROXY: "http://" } })).toEqual({
      code: "registry-not-reached",
      message: expect.stringMatching(/^HTTPS_PROXY is not a URL\. Set it to a URL/),
    });
  });
});

describe("a mirror", () => {
  const mirrored = (options: Partial<ImageOptions> = {}, host = other.host) =>
    read(
      { mirrors: [readMirror(`registry.invalid=${host}/mirror`)], ...options },
      `registry.invalid/${repository}:4.20.3`,
    );

  it("is asked before the source, under its own name", async () => {
    other.push("mirror/team/release", image, "4.20.3");
    expect(await mirrored()).toMatchObject({
      name: `registry.invalid/${repository}`,
      from: `${other.host}/mirror/team/release`,
      digest: image.digest,
    });
  });

  it("that lacks the image is followed by the source", async () => {
    const mirrors = [readMirror(`${other.host}/mirror/release`)];
    expect(await read({ mirrors })).toMatchObject({ from: `${registry.host}/${repository}` });
    expect(other.paths).toContain("/v2/mirror/release/manifests/4.20.3");
    const found = await problem({ mirrors }, `${registry.host}/${repository}:missing`);
    expect(found).toEqual({
      code: "release-image-missing",
      message: `The image ${registry.host}/${repository}:missing does not exist. Check the version, and the name of the image. Other places: The image ${other.host}/mirror/release:missing does not exist. Check the version, and the name of the image.`,
    });
  });

  it("with content that is wrong is an error", async () => {
    other.instead = ({ path }, response) => path.includes("/manifests/") && answer(response, 200, "{}");
    const mirrors = [readMirror(`${other.host}/mirror/release`)];
    expect((await problem({ mirrors }, `${registry.host}/${repository}@${image.digest}`)).code).toBe(
      "release-image-digest",
    );
  });

  it("has the signature, which names the source", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const options = { skipVerify: false, publicKey: pem };
    const sign = (reference: string) => {
      const { manifest, blobs } = signatureManifest([
        { payload: payloadFor(image.digest, reference), key: privateKey },
      ]);
      const signature = { bytes: manifest, digest: digestOf(manifest), mediaType: mediaTypes.oci.manifest, blobs };
      other.push("mirror/team/release", signature, signatureTag(image.digest));
    };
    other.push("mirror/team/release", image, "4.20.3");
    expect((await problemOf(() => mirrored(options))).code).toBe("release-signature-missing");
    sign(`registry.invalid/${repository}:4.20.3`);
    expect(await mirrored(options)).toMatchObject({
      signature: { verified: "key", key: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    sign(`${other.host}/mirror/team/release:4.20.3`);
    expect((await problemOf(() => mirrored(options))).code).toBe("release-signature-other-repository");
  });
});

describe("a signature in a registry", () => {
  it("is not demanded where no policy does", async () => {
    expect(await read({ skipVerify: false })).toMatchObject({ signature: { verified: "none", why: "no policy" } });
    expect(registry.paths.filter((path) => path.includes("sha256-"))).toEqual([]);
  });

  it("is demanded for Red Hat's releases, before a layer is read", async () => {
    other.push("m/ocp-release", image, "4.20.3-x86_64");
    const mirrors = [readMirror(`quay.io/openshift-release-dev=${other.host}/m`)];
    const name = "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64";
    expect((await problem({ mirrors, skipVerify: false }, name)).code).toBe("release-signature-missing");
    const layers = image.blobs.slice(1).map((one) => `/v2/m/ocp-release/blobs/${digestOf(one)}`);
    expect(other.paths.filter((path) => layers.includes(path))).toEqual([]);
    const tag = `sha256-${image.digest.slice(7)}`;
    const asked = [`manifests/${tag}.sig`, `referrers/${image.digest}`, `manifests/${tag}`];
    expect(other.paths.slice(-3)).toEqual(asked.map((path) => `/v2/m/ocp-release/${path}`));
  });

  it("that cannot be read is an error of its own", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    registry.instead = ({ path }, response) => path.endsWith(".sig") && answer(response, 500);
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const found = await problem({ skipVerify: false, publicKey: pem });
    expect(found.code).toBe("release-signature-unread");
    expect(found.message).toContain("its signature could not be read.");
    expect(found.message).toContain("the registry answered with status 500.");
  });
});

it("a large layer below is not read", async () => {
  const large = await layer([{ name: "usr/bin/x", content: new Uint8Array(1 << 20) }]);
  const two = imageOf([large, await layer(manifests())]);
  registry.push(repository, two, "two");
  await read({}, `${registry.host}/${repository}:two`);
  expect(registry.paths).not.toContain(`/v2/${repository}/blobs/${digestOf(large)}`);
});
