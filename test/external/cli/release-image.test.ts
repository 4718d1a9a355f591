import { execFileSync, spawn } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { createWriteStream, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { build } from "esbuild";
import { createTarPacker } from "modern-tar";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ImageOptions, readReleaseFile, readReleaseImage } from "../../../src/release-image/read-image.ts";
import { signatureTag } from "../../../src/release-image/signature/signature.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { nodeOf } from "../../helpers/node-of.ts";
import { DockerRegistry, user } from "../../helpers/release-image/docker-registry.ts";
import { layoutOf } from "../../helpers/release-image/file.ts";
import {
  type BuiltImage,
  descriptorOf,
  digestOf,
  imageOf,
  indexOf,
  json,
  type LayerEntry,
  layer,
  manifests,
  mediaTypes,
  releaseFiles,
  releaseImage,
  tar,
} from "../../helpers/release-image/image.ts";
import { named, plainOptions, problemOf } from "../../helpers/release-image/read.ts";
import { answer, TestRegistry } from "../../helpers/release-image/registry.ts";
import { payloadFor, signatureManifest } from "../../helpers/release-image/signature.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";

/** The lowest major version of Node.js that reads zstd. */
const nodeWithZstd = "24";
const tools = ["docker-registry", "skopeo"];

function skopeo(...args: string[]): string {
  return execFileSync("skopeo", ["--insecure-policy", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** An OCI layout in a directory, for skopeo. */
function layoutDirectory(...parameters: Parameters<typeof layoutOf>): string {
  const directory = temporary();
  for (const { name, content = "", type } of layoutOf(...parameters)) {
    mkdirSync(join(directory, type === "directory" ? name : dirname(name)), { recursive: true });
    if (type !== "directory") writeFileSync(join(directory, name), content);
  }
  return directory;
}

describeWith(tools, "an image that skopeo pushed to a registry", () => {
  let registry: DockerRegistry;
  beforeAll(async () => {
    registry = await DockerRegistry.start();
  });
  afterAll(() => registry.stop());

  const read = (name: string, options: Partial<ImageOptions> = {}) =>
    readReleaseImage(named(`${registry.host}/${name}`), { ...plainOptions, ...options });
  const push = (directory: string, name: string, ...args: string[]) =>
    skopeo("copy", "--dest-tls-verify=false", ...args, `oci:${directory}`, `docker://${registry.host}/${name}`);
  const rawDigest = (name: string) =>
    digestOf(Buffer.from(skopeo("inspect", "--raw", "--tls-verify=false", `docker://${registry.host}/${name}`)));

  it.each(["oci", "v2s2"])("is read with the types of %s", async (format) => {
    const name = `types/${format}:1`;
    push(layoutDirectory([{ image: await releaseImage({ format: "oci" }) }]), name, "--format", format);
    const found = await read(name);
    expect(found).toMatchObject({ architecture: "amd64", digest: rawDigest(name), index: undefined });
    expect([...found.files.keys()].sort()).toEqual(Object.keys(releaseFiles).sort());
    const { mediaType } = JSON.parse(
      skopeo("inspect", "--raw", "--tls-verify=false", `docker://${registry.host}/${name}`),
    );
    expect(mediaType).toBe(mediaTypes[format === "oci" ? "oci" : "docker"].manifest);
  });

  it.each(["oci", "v2s2"])("is read from an index with the types of %s", async (format) => {
    const name = `index/${format}:1`;
    const [amd, arm] = [
      await releaseImage({ format: "oci" }),
      await releaseImage({ format: "oci", architecture: "arm64" }),
    ];
    const directory = layoutDirectory([{ image: indexOf({ amd64: amd, arm64: arm }) }], [amd, arm]);
    push(directory, name, "--all", "--format", format);
    const found = await read(name, { arch: "arm64" });
    expect(found).toMatchObject({ architecture: "arm64", index: rawDigest(name) });
    expect((await problemOf(() => read(name, { arch: "s390x" }))).code).toBe("release-image-architecture");
  });

  it("is another one after its tag moved, but not by its digest", async () => {
    push(layoutDirectory([{ image: await releaseImage({ format: "oci" }) }]), "moved:1");
    const before = await read("moved:1");
    const files = { ...releaseFiles, "new.yaml": "new" };
    push(layoutDirectory([{ image: imageOf([await layer(manifests(files))], { format: "oci" }) }]), "moved:1");
    const after = await read("moved:1");
    expect(after.digest).not.toBe(before.digest);
    expect([...after.files.keys()]).toContain("new.yaml");
    expect((await read(`moved@${before.digest}`)).digest).toBe(before.digest);
  });

  it("that does not exist is an error", async () => {
    expect((await problemOf(() => read("missing:1"))).code).toBe("release-image-missing");
  });

  it.each([
    ["cut off", (file: string) => truncateSync(file, 100)],
    ["changed", (file: string) => writeFileSync(file, readFileSync(file).fill(0x61, 40, 44))],
  ])("whose layer was %s is an error", async (what, change) => {
    const top = await layer(manifests({ ...releaseFiles, what: `${what} `.repeat(100) }));
    push(layoutDirectory([{ image: imageOf([top], { format: "oci" }) }]), "damaged:1");
    expect((await read("damaged:1")).files.size).toBe(4);
    change(registry.fileOf(digestOf(top)));
    expect((await problemOf(() => read("damaged:1"))).code).toBe("release-image-digest");
  });

  it("with a hostile layer is an error", async () => {
    const hostile: LayerEntry = { name: "release-manifests/x", type: "symlink", linkname: "/etc/passwd" };
    push(
      layoutDirectory([{ image: imageOf([await layer([...manifests(), hostile])], { format: "oci" }) }]),
      "hostile:1",
    );
    expect((await problemOf(() => read("hostile:1"))).code).toBe("release-image-invalid");
  });

  it.each(["oci-archive", "docker-archive"])("is read from a file of skopeo: %s", async (transport) => {
    const name = `file/${transport}:1`;
    push(layoutDirectory([{ image: await releaseImage({ format: "oci" }) }]), name, "--format", "v2s2");
    const path = join(temporary(), "image.tar");
    skopeo(
      "copy",
      "--src-tls-verify=false",
      `docker://${registry.host}/${name}`,
      `${transport}:${path}:example.com/a/release:1`,
    );
    const found = await readReleaseFile(path, plainOptions);
    expect(found).toMatchObject({ name: "example.com/a/release", tag: "1", architecture: "amd64", from: path });
    expect([...found.files.keys()].sort()).toEqual(Object.keys(releaseFiles).sort());
    expect((await problemOf(() => readReleaseFile(path, { ...plainOptions, skipVerify: false }))).code).toBe(
      "release-signature-missing",
    );
  });

  it("is verified with the signature beside it, of a copy too", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const options = { skipVerify: false, publicKey: publicKey.export({ type: "spki", format: "pem" }).toString() };
    const image = await releaseImage({ format: "docker" });
    await registry.push("signed", image, "1");
    expect((await problemOf(() => read("signed:1", options))).code).toBe("release-signature-missing");
    const sign = async (reference: string, digest = image.digest) => {
      const { manifest, blobs } = signatureManifest([{ payload: payloadFor(digest, reference), key: privateKey }]);
      const signature = { bytes: manifest, digest: digestOf(manifest), mediaType: mediaTypes.oci.manifest, blobs };
      await registry.push("signed", signature, signatureTag(image.digest));
    };
    await sign(`${registry.host}/other:1`);
    expect((await problemOf(() => read("signed:1", options))).code).toBe("release-signature-other-repository");
    await sign(`${registry.host}/signed:1`, `sha256:${"0".repeat(64)}`);
    expect((await problemOf(() => read("signed:1", options))).code).toBe("release-signature-other-digest");
    await sign(`${registry.host}/signed:1`);
    expect(await read("signed:1", options)).toMatchObject({ signature: { verified: "key" } });
    // A mirror gets the signature by a copy of its tag.
    for (const tag of ["1", signatureTag(image.digest)]) {
      const flags = ["--src-tls-verify=false", "--dest-tls-verify=false", "--preserve-digests"];
      skopeo(
        "copy",
        ...flags,
        `docker://${registry.host}/signed:${tag}`,
        `docker://${registry.host}/mirror/signed:${tag}`,
      );
    }
    const mirrors = [
      { source: `${registry.host}/signed`, mirrors: [`${registry.host}/mirror/signed`], neverContactSource: true },
    ];
    expect(await read("signed:1", { ...options, mirrors })).toMatchObject({
      from: `${registry.host}/mirror/signed`,
      signature: { verified: "key" },
    });
  });
});

describeWith(tools, "a registry with a login", () => {
  it("is read with the pull secret that skopeo wrote", async () => {
    const registry = await DockerRegistry.start(true);
    try {
      await registry.push("team/release", await releaseImage(), "1");
      const registryConfig = join(temporary(), "auth.json");
      const login = [
        "--authfile",
        registryConfig,
        "--tls-verify=false",
        "-u",
        user.name,
        "-p",
        user.password,
        registry.host,
      ];
      skopeo("login", ...login);
      const reference = named(`${registry.host}/team/release:1`);
      expect((await readReleaseImage(reference, { ...plainOptions, registryConfig })).files.size).toBe(3);
      expect((await problemOf(() => readReleaseImage(reference, plainOptions))).code).toBe("pull-secret-missing");
      const wrong = Buffer.from(`${user.name}:another-text`).toString("base64");
      writeFileSync(registryConfig, JSON.stringify({ auths: { [registry.host]: { auth: wrong } } }));
      expect((await problemOf(() => readReleaseImage(reference, { ...plainOptions, registryConfig }))).code).toBe(
        "pull-secret-refused",
      );
    } finally {
      await registry.stop();
    }
  });
});

describeWithCorpus(tools, "the manifests of real releases", () => {
  it("are those of the image", async () => {
    const registry = await DockerRegistry.start();
    try {
      const directory = join(corpus, "payload-files/aws");
      const names = readdirSync(directory, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []));
      const real = Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
      const files = { ...releaseFiles, ...real };
      await registry.push("real", imageOf([await layer([]), await layer(manifests(files))]), "1");
      const found = await readReleaseImage(named(`${registry.host}/real:1`), plainOptions);
      expect(
        Object.fromEntries([...found.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])),
      ).toEqual(files);
      expect(names.length).toBeGreaterThan(0);
    } finally {
      await registry.stop();
    }
  });
});

/** The program that reads an image, and its directory. */
async function builtProgram(directory: string): Promise<string> {
  const [entry, outfile] = ["test/helpers/release-image/read-program.ts", join(directory, "read.cjs")];
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", outfile, logLevel: "error" });
  return outfile;
}

/** Runs a program while this process goes on: it may be the server. */
function startProgram(
  node: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(node, args, { env: { PATH: process.env["PATH"], ...environment } });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (text) => {
      output.stdout += text;
    });
    child.stderr.on("data", (text) => {
      output.stderr += text;
    });
    child.on("close", () => resolve(output));
  });
}

describeWith(["openssl"], "a registry with TLS", () => {
  const host = "registry.example.test";
  const { directory, remove } = keptTemporary();
  const [caFile, keyFile, certFile] = ["ca.pem", "server.key", "server.pem"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  let program: string;
  let registry: TestRegistry;
  let other: TestRegistry;
  let proxy: Server;
  let proxyHost: string;
  const connected: string[] = [];

  beforeAll(async () => {
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", caFile, "-subj", "/CN=authority", "-days", "2");
    openssl("req", ...key, "-keyout", keyFile, "-out", "server.csr", "-subj", `/CN=${host}`);
    writeFileSync(join(directory, "names"), `subjectAltName=DNS:${host},DNS:localhost,IP:127.0.0.1\n`);
    const by = ["-CA", caFile, "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
    openssl("x509", "-req", "-in", "server.csr", ...by, "-out", certFile);
    program = await builtProgram(directory);
    registry = await TestRegistry.start({ key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8") });
    other = await TestRegistry.start();
    registry.push("release", await releaseImage(), "1");
    // Whatever it is asked for, it connects to the registry.
    proxy = createServer();
    proxy.on("connect", ({ url = "" }, socket) => {
      connected.push(url);
      const [, port] = registry.host.split(":");
      const way = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        way.pipe(socket).pipe(way);
      });
      for (const one of [way, socket]) one.on("error", () => way.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    proxyHost = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy.close();
    await Promise.all([registry.stop(), other.stop()]);
    remove();
  });

  const read = (name: string, environment: NodeJS.ProcessEnv) =>
    startProgram(process.execPath, [program, name], environment);
  const all = Object.keys(releaseFiles).sort();

  it("is read if its CA is trusted", async () => {
    const { stdout, stderr } = await read(`${registry.host}/release:1`, { NODE_EXTRA_CA_CERTS: caFile });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).files).toEqual(all);
  });

  it("is not read if its CA is not trusted, and not without TLS instead", async () => {
    const { stderr } = await read(`${registry.host}/release:1`, {});
    expect(stderr).toContain(`${registry.host}/release could not be read: unable to verify the first certificate.`);
    expect(stderr).toContain("Set NODE_EXTRA_CA_CERTS to a file with the CA certificate of the endpoint");
  });

  it("is read through a proxy", async () => {
    const environment = { NODE_EXTRA_CA_CERTS: caFile, HTTPS_PROXY: `http://kim:pass-of-proxy@${proxyHost}` };
    const { stdout, stderr } = await read(`${host}/release:1`, environment);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).files).toEqual(all);
    expect(new Set(connected)).toEqual(new Set([`${host}:443`]));
  });

  it("must not redirect to a server without TLS, even on this machine", async () => {
    registry.instead = ({ path }, response) =>
      path.includes("/blobs/") && answer(response, 307, "", { location: `http://${other.host}${path}` });
    const { stderr } = await read(`${registry.host}/release:1`, { NODE_EXTRA_CA_CERTS: caFile });
    registry.instead = () => false;
    expect(stderr).toContain(`answered with a redirect to "http://${other.host}", without TLS, which is not followed.`);
    expect(other.got).toEqual([]);
  });

  it("must not send credentials to a server of tokens without TLS", async () => {
    const auth = Buffer.from("kim:pass-of-kim").toString("base64");
    const file = join(directory, "auth.json");
    writeFileSync(file, JSON.stringify({ auths: { [host]: { auth } } }));
    registry.instead = (_, response) =>
      answer(response, 401, "", { "www-authenticate": `Bearer realm="http://${other.host}/token"` });
    const environment = { NODE_EXTRA_CA_CERTS: caFile, HTTPS_PROXY: `http://${proxyHost}`, REGISTRY_AUTH_FILE: file };
    const { stderr } = await read(`${host}/release:1`, environment);
    registry.instead = () => false;
    expect(stderr).toContain(`${host} names "http://${other.host}/token" for tokens, which is not an https URL.`);
    expect(other.got).toEqual([]);
  });
});

describeWith([...tools, "zstd"], "a program that reads an image", () => {
  let registry: DockerRegistry;
  const { directory, remove } = keptTemporary();
  let program: string;
  beforeAll(async () => {
    registry = await DockerRegistry.start();
    program = await builtProgram(directory);
  });
  afterAll(async () => {
    await registry.stop();
    remove();
  });

  const start = (node: string, name: string) => startProgram(node, [program, `${registry.host}/${name}`]);

  it("uses less than 150 MB of memory for a layer of 500 MB", async () => {
    const file = join(directory, "layer.tar.gz");
    const { digest, size } = await largeLayer(file, 500);
    expect(size).toBeGreaterThan(500 << 20);
    await registry.pushBlob("large", digest, file);
    const config = json({ architecture: "amd64", os: "linux" });
    const bytes = json({
      schemaVersion: 2,
      mediaType: mediaTypes.docker.manifest,
      config: descriptorOf(config, mediaTypes.docker.config),
      layers: [{ mediaType: mediaTypes.docker.layer, digest, size }],
    });
    const image: BuiltImage = {
      bytes,
      digest: digestOf(bytes),
      mediaType: mediaTypes.docker.manifest,
      blobs: [config],
    };
    await registry.push("large", image, "1");
    const { stdout, stderr } = await start(process.execPath, "large:1");
    expect(stderr).toBe("");
    const { files, megabytes } = JSON.parse(stdout);
    expect(files).toEqual(Object.keys(releaseFiles).sort());
    expect(megabytes).toBeLessThan(150);
  });

  it("reads zstd where Node.js can", async () => {
    const compressed = execFileSync("zstd", ["-q", "-c"], { input: await tar(manifests()) });
    await registry.push("zstd", imageOf([compressed], { format: "oci" }), "1");
    const node = nodeOf(nodeWithZstd);
    if (node !== undefined) {
      const { stdout, stderr } = await start(node, "zstd:1");
      expect(stderr).toBe("");
      expect(JSON.parse(stdout).files).toEqual(Object.keys(releaseFiles).sort());
    } else expect(process.env["CI"]).toBeUndefined();
    const old = nodeOf("20");
    if (old !== undefined)
      expect((await start(old, "zstd:1")).stderr).toContain("compressed with zstd, which cannot be read here");
  });
});

/** Writes a layer with a large file and a small release, and returns its descriptor. */
async function largeLayer(file: string, megabytes: number): Promise<{ digest: string; size: number }> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    const large = controller.add({ name: "usr/bin/large", type: "file", size: megabytes << 20 }).getWriter();
    const part = new Uint8Array(1 << 20);
    for (let index = 0; index < megabytes; index++) {
      part.fill(index);
      await large.write(part.slice());
    }
    await large.close();
    for (const [name, content] of Object.entries(releaseFiles)) {
      const body = Buffer.from(content);
      const small = controller.add({ name: `release-manifests/${name}`, type: "file", size: body.length }).getWriter();
      await small.write(new Uint8Array(body));
      await small.close();
    }
    controller.finalize();
  };
  const hash = createHash("sha256");
  let size = 0;
  const measure = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      hash.update(part);
      size += part.length;
      yield part;
    }
  };
  // Stored, not compressed: the size is what counts.
  await Promise.all([write(), pipeline(readable, createGzip({ level: 0 }), measure, createWriteStream(file))]);
  return { digest: `sha256:${hash.digest("hex")}`, size };
}
