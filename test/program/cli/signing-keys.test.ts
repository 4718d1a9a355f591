import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it, test } from "vitest";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import { renderedAzurePackage } from "../../helpers/azure-package.ts";
import { run } from "../../helpers/ccf.ts";
import {
  awsOf,
  configure,
  type Fields,
  renderedPackage,
  signerKeyFile,
  succeed,
} from "../../helpers/cluster-package.ts";
import { renderedGcpPackage } from "../../helpers/gcp-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const config = "cluster-identity.yaml";

interface Key {
  readonly id: string;
  readonly pem: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function keyOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Key {
  const pem = pemOf(publicKey);
  return { id: idOf(pem), pem, publicKey, privateKey };
}

function pemOf(key: KeyObject, type: "spki" | "pkcs1" = "spki"): string {
  return key.export({ format: "pem", type } as { format: "pem"; type: "spki" }).toString();
}

function idOf(pem: string): string {
  const key = readPublicKey(pem);
  if (isKeyProblem(key)) throw new Error(key.problem);
  return key.jwk.kid;
}

/** A key whose ID does not begin with a dash, as that of every 64th key does: it is not an option. */
function withPlainId(make: () => Key): Key {
  const key = make();
  return key.id.startsWith("-") ? withPlainId(make) : key;
}

const anyKey = () => keyOf(generateKeyPairSync("ec", { namedCurve: "P-256" }));
const ecKey = () => withPlainId(anyKey);
const rsa = withPlainId(() => keyOf(generateKeyPairSync("rsa", { modulusLength: 2048 })));
const ec = ecKey();
const first = { id: idOf(readFileSync(signerKeyFile, "utf8")) };

/** A directory with packages by name, and the files of the keys. */
function withPackages(packages: Readonly<Record<string, string>>): string {
  const root = temporary();
  for (const [name, directory] of Object.entries(packages)) cpSync(directory, join(root, name), { recursive: true });
  writeTree(root, {
    "rsa.public": rsa.pem,
    "rsa-pkcs1.public": pemOf(rsa.publicKey, "pkcs1"),
    "rsa-dos.public": `\n${rsa.pem.replaceAll("\n", "\r\n")}`,
    "ec.public": ec.pem,
  });
  return root;
}

const ccf = (root: string, ...args: readonly string[]) => run(args, { cwd: root });
const add = (root: string, file: string, ...args: readonly string[]) =>
  ccf(root, "add-key", "--public-key-file", file, ...args);
const textOf = (root: string, name = "demo") => readFileSync(join(root, name, config), "utf8");

/** Expects that a run fails and changes nothing, and returns standard error. */
function refused(root: string, ...args: readonly string[]): string {
  const before = readTree(root);
  const { status, stderr } = ccf(root, ...args);
  expect({ status, tree: readTree(root) }).toEqual({ status: 1, tree: before });
  return stderr;
}

const beforeSigning =
  "Let the cluster sign with the new key only when the cloud knows it, and keep the old key as long as a token that it signed is in use: docs/guides/key-rotation.md.\n";
const beforeRemoval = [
  "Once it is applied, the cloud refuses every token that the removed key signed. So before that:\n",
  '- The kube-apiserver of the cluster must sign with another key: "ccf verify-token" shows the key of a new token.\n',
  "- The last token that the removed key signed must have expired. A pod's token is valid for the expirationSeconds of its volume, by default for an hour. Wait for the longest of them, or renew the tokens: docs/guides/key-rotation.md.\n",
].join("");
const review = "Then commit the change, and have it reviewed.\n";
const inSync = 'Then "ccf status" must say that everything is in sync.\n';

const external: Fields = { issuer: { url: "https://oidc.example.com/demo" } };

/** A rendered package for each place of the keys, and the step with which they reach the cloud. */
const hostings: readonly [what: string, make: () => string, publish: (options: string) => string][] = [
  [
    "AWS, in a bucket",
    () => renderedPackage(),
    (options) => `Then: ccf apply ${options}demo, which writes the keys to the issuer's documents.\n`,
  ],
  [
    "AWS, on another server",
    () =>
      renderedPackage(undefined, (spec) => {
        Object.assign(spec["issuer"] as Fields, external["issuer"]);
        awsOf(spec)["issuerHosting"] = { type: "External" };
      }),
    () =>
      "Then: have the administrator of oidc.example.com put `aws/issuer/openid-configuration` of `ccf export` at https://oidc.example.com/demo/.well-known/openid-configuration, and `aws/issuer/keys.json` at https://oidc.example.com/demo/keys.json, because `ccf apply` does not publish them with the hosting `External`.\n",
  ],
  [
    "GCP, in the provider",
    () => renderedGcpPackage({ keyStorage: "PoolJWKFile" }),
    (options) => `Then: ccf apply ${options}demo, which writes the keys to the provider.\n`,
  ],
  [
    "GCP, in a bucket",
    () => renderedGcpPackage({ keyStorage: "Bucket" }),
    (options) => `Then: ccf apply ${options}demo, which writes the keys to the issuer's documents.\n`,
  ],
  [
    "Azure",
    () => renderedAzurePackage(),
    (options) => `Then: ccf apply ${options}demo, which writes the keys to the issuer's documents.\n`,
  ],
];

describe("a rotation", () => {
  test.each(hostings)("is done with both commands: %s", (_what, make, publish) => {
    const root = withPackages({ demo: make() });
    const before = textOf(root);
    const added = add(root, "rsa.public", "demo");
    expect(added).toMatchObject({ status: 0, stderr: "" });
    expect(added.stdout).toBe(
      `demo: added the key "${rsa.id}" (RSA, 2048 bits), after its 1 key, published as before\n1 package: 1 changed\nNext: ccf render demo\n${review}${publish("")}${beforeSigning}`,
    );
    const after = textOf(root);
    const lines = after.split("\n");
    expect(lines.filter((line) => !before.split("\n").includes(line)).length).toBeGreaterThan(5);
    for (const file of ["rsa.public", "rsa-pkcs1.public", "rsa-dos.public"])
      expect(add(root, file, "demo")).toMatchObject({
        status: 0,
        stdout: `demo: already has the key "${rsa.id}" (RSA, 2048 bits)\n1 package: 1 up to date\n`,
      });
    expect(textOf(root)).toBe(after);

    const { stderr } = succeed(ccf(root, "render", "--verbose", "demo"));
    expect(stderr).toContain(`publishes the key "${first.id}" (RSA, 4096 bits). [signing-key]`);
    expect(stderr).toContain(`publishes the new key "${rsa.id}" (RSA, 2048 bits). [signing-key]`);

    const removed = ccf(root, "remove-key", first.id, "demo");
    expect(removed).toMatchObject({ status: 0, stderr: "" });
    expect(removed.stdout).toBe(
      `demo: removed the key "${first.id}" (RSA, 4096 bits), and kept "${rsa.id}" (RSA, 2048 bits)\n1 package: 1 changed\nNext: ccf render demo\n${review}${beforeRemoval}${publish("--prune ")}${inSync}`,
    );
    expect(succeed(ccf(root, "render", "--verbose", "demo")).stderr).toContain(
      `no longer publishes the key "${first.id}". [signing-key-removed]`,
    );
  });

  test.each(hostings)("leaves the file as it was if it is undone: %s", (_what, make) => {
    const root = withPackages({ demo: make() });
    const path = join(root, "demo", config);
    const before = textOf(root).replace("signingKeys:\n", "signingKeys: # ours\n");
    for (const text of [before, before.replaceAll("\n", "\r\n")]) {
      writeFileSync(path, text);
      succeed(add(root, "rsa.public", "demo"));
      expect(textOf(root).startsWith(text.slice(0, text.indexOf("-----END")))).toBe(true);
      const { status, stdout } = ccf(root, "remove-key", rsa.id, "demo");
      expect(status).toBe(0);
      expect(stdout).toContain("The key was not rendered, so no token depends on it.\nNext: ccf render demo\n");
      expect(textOf(root)).toBe(text);
    }
  });

  it("prints JSON, and writes nothing with --check", () => {
    const root = withPackages({ demo: renderedPackage() });
    const before = readTree(root);
    const checked = add(root, "rsa.public", "--check", "-o", "json", "demo");
    expect(checked).toMatchObject({ status: 2, stderr: "1 package: 1 would change\n" });
    expectFits("set", checked.stdout);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      package: "demo",
      identity: "demo",
      platform: "aws",
      status: "would-change",
      file: config,
      fields: [{ field: "spec.issuer.signingKeys", after: [{}, { publicKey: rsa.pem }] }],
      keyID: rsa.id,
      key: "RSA, 2048 bits",
      keyIDs: [first.id, rsa.id],
      findings: [],
    });
    expect(readTree(root)).toEqual(before);
    expect(add(root, "rsa.public", "--check", "demo").stdout).toBe(
      `demo: would add the key "${rsa.id}" (RSA, 2048 bits), after its 1 key, published as before\n1 package: 1 would change\n`,
    );
    succeed(add(root, "rsa.public", "demo"));
    expect(ccf(root, "remove-key", rsa.id, "--check", "demo")).toMatchObject({
      status: 2,
      stdout: `demo: would remove the key "${rsa.id}" (RSA, 2048 bits), and kept "${first.id}" (RSA, 4096 bits)\n1 package: 1 would change\n`,
    });
    const { stdout } = ccf(root, "remove-key", rsa.id, "-o", "json", "demo");
    expectFits("set", stdout);
    expect(JSON.parse(stdout)).toMatchObject({ status: "changed", keyID: rsa.id, keyIDs: [first.id] });
    expect(readTree(root)).toEqual(before);
  });

  it("tells of a package whose keys another one publishes", () => {
    const root = withPackages({ demo: renderedPackage() });
    const kptfile = join(root, "demo", "Kptfile");
    const text = readFileSync(kptfile, "utf8");
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.includes("generate-oidc-issuer"));
    expect(at).toBeGreaterThan(0);
    writeFileSync(kptfile, lines.filter((_, index) => index !== at && index !== at + 1).join("\n"));
    expect(add(root, "rsa.public", "demo").stdout).toContain(
      'Then: make the same change in the package that publishes the keys of demo, because the pipeline of this one does not contain "generate-oidc-issuer".\n',
    );
  });
});

describe("ccf add-key", () => {
  test.each<[what: string, text: string, message: string]>([
    ["a private key", privatePem(), "is a private key. Only the public key belongs"],
    [
      "a certificate",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      "is a certificate, but must be a public key",
    ],
    ["no key", "ssh-rsa AAAA\n", "must be one public key in PEM form"],
    ["a weak key", pemOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey), "[signing-key-invalid]"],
    ["an Ed25519 key", pemOf(generateKeyPairSync("ed25519").publicKey), "must be an RSA key, or an ECDSA key on P-256"],
  ])("refuses %s", (_what, text, message) => {
    const root = withPackages({ demo: renderedPackage() });
    writeTree(root, { "given.pem": text });
    const stderr = refused(root, "add-key", "--public-key-file", "given.pem", "demo");
    expect(stderr).toContain(`error: --public-key-file "given.pem" `);
    expect(stderr).toContain(message);
    for (const line of text.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----")))
      expect(stderr).not.toContain(line);
  });

  it("refuses a type that the cloud does not accept, as a render does", () => {
    const root = withPackages({ aws: renderedPackage(), azure: renderedAzurePackage() });
    const stderr = refused(root, "add-key", "--public-key-file", "ec.public", "azure");
    expect(stderr).toContain(
      '"spec.issuer.signingKeys[1]" is a key for ES256 (ECDSA, P-256), and Microsoft Entra accepts only RS256. Create an RSA key, for example with "ccf create-key-pair". [signing-key-unsupported]',
    );
    expect(add(root, "ec.public", "aws").status).toBe(0);
  });

  it("refuses more keys than the cloud reads", () => {
    const root = withPackages({ aws: renderedPackage(), azure: renderedAzurePackage() });
    configure(join(root, "aws"), (spec) =>
      setKeys(
        spec,
        Array.from({ length: 100 }, () => ecKey().pem),
      ),
    );
    expect(refused(root, "add-key", "--public-key-file", "ec.public", "aws")).toContain(
      '"spec.issuer.signingKeys" already contains 100 EC keys, which is the most that IAM reads of an issuer; remove those that the cluster no longer signs with. [too-many-signing-keys]',
    );
    expect(add(root, "rsa.public", "aws").status).toBe(0);
    const pem = readFileSync(signerKeyFile, "utf8");
    configure(join(root, "azure"), (spec) =>
      setKeys(
        spec,
        Array.from({ length: 100 }, () => pem),
      ),
    );
    expect(refused(root, "add-key", "--public-key-file", "rsa.public", "azure")).toContain(
      '"spec.issuer.signingKeys" contains 101 keys, but Microsoft Entra reads only the first 100 of an issuer; remove those that the cluster no longer signs with. [too-many-signing-keys]',
    );
  });

  it("requires a file that can be read", () => {
    const root = withPackages({ demo: renderedPackage() });
    expect(refused(root, "add-key", "demo")).toContain("error: --public-key-file FILE is required.");
    expect(refused(root, "add-key", "--public-key-file", "none", "demo")).toContain(
      'error: --public-key-file "none" cannot be read (ENOENT).',
    );
    expect(refused(root, "add-key", "--public-key-file", "rsa.public", ".")).toContain(
      'run "ccf add-key --public-key-file FILE demo". [not-a-package]',
    );
    expect(refused(root, "remove-key", "KEYID", ".")).toContain('run "ccf remove-key KEYID demo". [not-a-package]');
  });

  it("adds a key to a package without one, and finds a key in a ConfigMap", () => {
    const root = withPackages({ demo: renderedPackage() });
    configure(join(root, "demo"), (spec) => {
      (spec["issuer"] as Fields)["signingKeys"] = [
        { from: { configMapKeyRef: { name: "certs", namespace: "openshift-kube-apiserver", key: "001.pub" } } },
      ];
    });
    const metadata = { name: "certs", namespace: "openshift-kube-apiserver" };
    const certs = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "001.pub": rsa.pem } };
    writeTree(root, { "demo/certs.yaml": dump(certs) });
    expect(add(root, "rsa.public", "demo").stdout).toBe(
      `demo: already has the key "${rsa.id}" (RSA, 2048 bits), in the ConfigMap "certs"\n1 package: 1 up to date\n`,
    );
    succeed(add(root, "ec.public", "demo"));
    const { stdout } = ccf(root, "remove-key", rsa.id, "--allow", "replace-key", "demo");
    expect(stdout).toContain(
      `demo: removed the key "${rsa.id}" (RSA, 2048 bits), and kept "${ec.id}" (ECDSA, P-256); the ConfigMap "certs", which contains it, stays\n`,
    );
    expect(readTree(root)["demo/certs.yaml"]).toBe(dump(certs));
    configure(join(root, "demo"), (spec) => delete spec["issuer"]);
    expect(add(root, "rsa.public", "demo").stdout).toContain(
      `demo: added the key "${rsa.id}" (RSA, 2048 bits), its only key\n`,
    );
  });
});

function privatePem(): string {
  return rsa.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

function setKeys(spec: Fields, pems: readonly string[]): void {
  (spec["issuer"] as Fields)["signingKeys"] = pems.map((publicKey) => ({ publicKey }));
}

describe("ccf remove-key", () => {
  it("lists the keys of the cluster if the ID is wrong, and accepts no part of one", () => {
    const root = withPackages({ demo: renderedPackage() });
    succeed(add(root, "rsa.public", "demo"));
    const keys = `Its keys: "${first.id}" (RSA, 4096 bits), "${rsa.id}" (RSA, 2048 bits). Write the whole ID. [signing-key-not-found]\n`;
    const start = `error: ${config}: ClusterIdentity demo: `;
    expect(refused(root, "remove-key", rsa.id.slice(0, -2), "demo")).toBe(
      `${start}"${rsa.id.slice(0, -2)}" is not the ID of one of its keys (did you mean "${rsa.id}"?). ${keys}`,
    );
    expect(refused(root, "remove-key", "demo", "demo")).toBe(
      `${start}"demo" is not the ID of one of its keys. ${keys}`,
    );
    expect(refused(root, "remove-key", "--", privatePem(), "demo")).not.toContain(privatePem().split("\n")[1]);
    configure(join(root, "demo"), (spec) => setKeys(spec, ["-----BEGIN PUBLIC KEY-----"]));
    expect(refused(root, "remove-key", rsa.id, "demo")).toContain(
      'Its keys: none; 1 entry cannot be read, and "ccf render" says why. Write the whole ID.',
    );
    configure(join(root, "demo"), (spec) => delete spec["issuer"]);
    expect(refused(root, "remove-key", rsa.id, "demo")).toContain("It has no keys.");
  });

  it("removes the last key only if that is allowed", () => {
    const root = withPackages({ demo: renderedPackage() });
    const stderr = refused(root, "remove-key", first.id, "demo");
    expect(stderr).toBe(
      `error: ${config}: ClusterIdentity demo: "${first.id}" is its last key. Without a key, the package cannot be rendered, and with another one, every token of the cluster is refused until the cluster signs with that. Add the new key first ("ccf add-key"), and remove the old one when no token that it signed is in use. If this is intended, run "ccf remove-key --allow replace-key ${first.id} demo", or set the annotation "fn.cloudcredential.dev/allow: replace-key" on the ClusterIdentity for one run. [signing-key-last]\n`,
    );
    const before = textOf(root);
    const { status, stdout, stderr: said } = ccf(root, "remove-key", "--allow", "replace-key", first.id, "demo");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `demo: removed the key "${first.id}" (RSA, 4096 bits), and kept no key\n1 package: 1 changed\nNext: ccf add-key --public-key-file FILE demo\n`,
    });
    expect(said).toContain(`warning: ${config}: ClusterIdentity demo: "${first.id}" is its last key.`);
    expect(said).toContain('This run allows it ("replace-key"). [signing-key-last]');
    expect(textOf(root)).not.toContain("issuer");
    expect(add(root, "rsa.public", "demo").stdout).toContain(
      `Next: ccf render --allow replace-key demo\n${review}Then: ccf apply --allow replace-key demo, which writes the keys to the issuer's documents.\n`,
    );
    const lines = (text: string) =>
      text
        .split("\n")
        .filter((line) => !/^ {8}/.test(line))
        .sort();
    expect(lines(textOf(root))).toEqual(lines(before));
    expect(ccf(root, "render", "demo").stderr).toContain("[signing-key-replaced]");
    succeed(ccf(root, "render", "--allow", "replace-key", "demo"));
  });

  it("replaces all keys that were rendered only if that is allowed", () => {
    const root = withPackages({ demo: renderedPackage() });
    succeed(add(root, "rsa.public", "demo"));
    expect(refused(root, "remove-key", first.id, "demo")).toMatch(
      /contains none of the keys that were published before.* If this is intended, run "ccf remove-key --allow replace-key \S+ demo".* \[signing-key-replaced\]\n$/,
    );
    const { status, stdout } = ccf(root, "remove-key", "--allow", "replace-key", first.id, "demo");
    expect(status).toBe(0);
    expect(stdout).toContain("Next: ccf render --allow replace-key demo\n");
    expect(stdout).toContain("Then: ccf apply --prune --allow replace-key demo, which writes the keys");
    expect(succeed(ccf(root, "render", "--allow", "replace-key", "demo")).stderr).toContain("This run allows it");
  });

  it("removes a key that is there twice", () => {
    const root = withPackages({ demo: renderedPackage() });
    configure(join(root, "demo"), (spec) =>
      setKeys(spec, [rsa.pem, readFileSync(signerKeyFile, "utf8"), pemOf(rsa.publicKey, "pkcs1")]),
    );
    expect(ccf(root, "remove-key", rsa.id, "demo")).toMatchObject({ status: 0, stderr: "" });
    expect(ccf(root, "render", "--check", "demo").status).toBe(0);
  });

  it("refuses to remove what an alias refers to", () => {
    const root = withPackages({ demo: renderedPackage() });
    succeed(add(root, "rsa.public", "demo"));
    const anchored = textOf(root).replace("publicKey: |", "publicKey: &key |");
    writeFileSync(join(root, "demo", config), `${anchored}      tags:\n        x: *key\n`);
    expect(refused(root, "remove-key", "--allow", "replace-key", first.id, "demo")).toContain(
      '"spec.issuer.signingKeys[0]" has an anchor that aliases may refer to',
    );
  });

  it("takes an ID that begins with a dash", () => {
    let key = anyKey();
    while (!key.id.startsWith("-")) key = anyKey();
    const root = withPackages({ demo: renderedPackage() });
    writeTree(root, { "dash.public": key.pem });
    succeed(add(root, "dash.public", "demo"));
    succeed(ccf(root, "remove-key", "--allow", "replace-key", first.id, "demo"));
    expect(refused(root, "remove-key", "--", key.id, "demo")).toContain(
      `run "ccf remove-key --allow replace-key -- ${key.id} demo"`,
    );
    expect(refused(root, "remove-key", key.id, "demo")).toContain("error: unknown option");
    expect(ccf(root, "remove-key", "--allow", "replace-key", "--", key.id, "demo").status).toBe(0);
  });
});

describe("several packages", () => {
  /** Three clusters with their own prefixes: each with its own key, or all with one. */
  function three(keys: readonly string[], accepting = false): string {
    const made = renderedPackage();
    const root = withPackages({ a: made, b: made, c: made });
    for (const [index, name] of ["a", "b", "c"].entries()) {
      configure(join(root, name), (spec) => {
        setKeys(spec, [keys[index] ?? keys[0] ?? ""]);
        const accept = { rule: "signing-key-shared", object: `ClusterIdentity/${name}`, reason: "They are one." };
        if (accepting) spec["accept"] = [accept];
      });
      const path = join(root, name, config);
      writeFileSync(path, readFileSync(path, "utf8").replace("name: demo\n", `name: ${name}\n`));
    }
    return root;
  }

  const [own1, own2, own3] = [ecKey().pem, ecKey().pem, ecKey().pem];

  it("refuses a key for clusters that do not share one", () => {
    const root = three([own1, own2, own3]);
    const stderr = refused(root, "add-key", "--public-key-file", "rsa.public", "a", "b", "c");
    expect(stderr).toContain(
      `a:\nerror: ${config}: ClusterIdentity a: the key "${rsa.id}" is or would be a key of other clusters, too: "b/${config}", "c/${config}". Anyone who has its private part could sign the tokens of all of them.`,
    );
    expect(stderr.match(/\[signing-key-of-other-cluster\]/g)).toHaveLength(3);
    expect(ccf(root, "add-key", "--public-key-file", "rsa.public", "a", "b", "c").stdout).toBe(
      "3 packages: 3 failed\n",
    );
    succeed(add(root, "rsa.public", "a"));
    // A limit does not hide the other clusters.
    expect(
      refused(
        root,
        "add-key",
        "--public-key-file",
        "rsa.public",
        "--recursive",
        ".",
        "-l",
        "account=123456789012",
        "--shard",
        "1/1",
      ),
    ).toContain("[signing-key-of-other-cluster]");
  });

  it("tells of a key for clusters that share one already", () => {
    const root = three([own1]);
    const { status, stdout, stderr } = add(root, "rsa.public", "a", "b", "c");
    expect(status).toBe(0);
    expect(stderr).toContain(
      `a:\nwarning: ${config}: ClusterIdentity a: 3 clusters sign their tokens with the key "${rsa.id}": "a/${config}", "b/${config}", "c/${config}".`,
    );
    expect(stderr.match(/\[signing-key-shared\]/g)).toHaveLength(3);
    expect(stdout).toContain("3 packages: 3 changed\nNext: ccf render a\nNext: ccf render b\nNext: ccf render c\n");
    for (const name of ["a", "b", "c"]) expect(textOf(root, name)).toContain(rsa.pem.split("\n")[1]);
  });

  it("changes clusters that accept that they share a key, and undoes it", () => {
    const root = three([own1, own2, own3], true);
    const before = readTree(root);
    expect(add(root, "rsa.public", "--recursive", ".")).toMatchObject({ status: 0, stderr: "" });
    const lines = ["a", "b", "c"].map((name) => `${name}: removed the key "${rsa.id}" (RSA, 2048 bits), and kept `);
    const { status, stdout } = ccf(root, "remove-key", rsa.id, "--recursive", ".", "--allow", "replace-key");
    expect(status).toBe(0);
    for (const line of lines) expect(stdout).toContain(line);
    expect(readTree(root)).toEqual(before);
  });

  it("changes none if one has not the key", () => {
    const root = three([own1, own1, own3]);
    const stderr = refused(root, "remove-key", "--allow", "replace-key", idOf(own1), "a", "b", "c");
    expect(stderr).toContain(
      `c:\nerror: ${config}: ClusterIdentity c: "${idOf(own1)}" is not the ID of one of its keys`,
    );
    const again = ccf(root, "remove-key", "--allow", "replace-key", idOf(own1), "a", "b", "c");
    expect(again.stdout).toBe("3 packages: 2 not changed, 1 failed\n");
  });
});
