import { createHash, generateKeyPairSync, type KeyObject, webcrypto } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readPublicKey } from "../../../src/oidc/public-key.ts";
import { type Any, expectClean, expectFinding, identity, makeIssuer, publicKey } from "../../helpers/cluster.ts";

const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength });
const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
const spki = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

const withKeys = (...signingKeys: Any[]) => identity({ spec: { issuer: { signingKeys } } });

describe("public keys", () => {
  it.each([
    ["RSA, 2048 bits", rsa(2048).publicKey, "RS256", "RSASSA-PKCS1-v1_5"],
    ["RSA, 4096 bits", rsa(4096).publicKey, "RS256", "RSASSA-PKCS1-v1_5"],
    ["ECDSA, P-256", ec("P-256").publicKey, "ES256", "P-256"],
    ["ECDSA, P-384", ec("P-384").publicKey, "ES384", "P-384"],
    ["ECDSA, P-521", ec("P-521").publicKey, "ES512", "P-521"],
  ])("%s: the JWK is the key, and its ID what the API server computes", async (description, key, alg, name) => {
    const read = readPublicKey(spki(key)) as Any;
    expect(read.description).toBe(description);
    expect(read.jwk).toMatchObject({ use: "sig", alg });
    const algorithm = name.startsWith("P-") ? { name: "ECDSA", namedCurve: name } : { name, hash: "SHA-256" };
    const imported = await webcrypto.subtle.importKey("jwk", read.jwk, algorithm, true, ["verify"]);
    const der = Buffer.from(await webcrypto.subtle.exportKey("spki", imported));
    expect(der.equals(key.export({ type: "spki", format: "der" }))).toBe(true);
    expect(read.jwk.kid).toBe(createHash("sha256").update(der).digest("base64url"));
    expect(read.jwk.kid).toMatch(/^[\w-]{43}$/);
  });

  it("in PKCS#1 form, with CRLF or spaces around, are the same keys", () => {
    const { publicKey: key } = rsa(2048);
    const pem = spki(key);
    const expected = readPublicKey(pem);
    for (const text of [
      key.export({ type: "pkcs1", format: "pem" }).toString(),
      pem.replaceAll("\n", "\r\n"),
      `\n  ${pem}\n\n`,
    ]) {
      expect(readPublicKey(text)).toEqual(expected);
    }
  });

  it.each([
    ["1024 bits", () => spki(rsa(1024).publicKey), "is an RSA key of 1024 bits, but must have at least 2048"],
    [
      "an exponent of 3",
      () => spki(generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 }).publicKey),
      "with the public exponent 3, but must have 65537",
    ],
    ["another curve", () => spki(ec("secp256k1").publicKey), "Kubernetes does not sign tokens with other keys"],
    [
      "Ed25519",
      () => spki(generateKeyPairSync("ed25519").publicKey),
      "Kubernetes does not sign tokens with other keys",
    ],
    [
      "a certificate",
      () => "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      "is a certificate, but must be a public key",
    ],
    ["nothing", () => "", "must be one public key in PEM form"],
    ["text", () => "ssh-rsa AAAA", "must be one public key in PEM form"],
    ["two keys", () => publicKey + publicKey, "must be one public key in PEM form"],
    ["text before the key", () => `key:\n${publicKey}`, "must be one public key in PEM form"],
    [
      "half a key",
      () => publicKey.replace(/\n[^\n]+\n[^\n]+\n/, "\n"),
      "is not a readable public key; it may have been truncated or edited.",
    ],
  ])("%s: refused", (_, pem, problem) => {
    const made = makeIssuer(withKeys({ publicKey: pem() }));
    expect(expectFinding(made, "error", "signing-key-invalid")).toContain(`"spec.issuer.signingKeys[0]" `);
    expect(expectFinding(made, "error", "signing-key-invalid")).toContain(problem);
  });

  it.each([
    ["PKCS#1", () => rsa(2048).privateKey.export({ type: "pkcs1", format: "pem" })],
    ["PKCS#8", () => rsa(2048).privateKey.export({ type: "pkcs8", format: "pem" })],
    ["SEC1", () => ec("P-256").privateKey.export({ type: "sec1", format: "pem" })],
    [
      "encrypted",
      () => rsa(2048).privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
    ],
  ])("a private key (%s) is refused in any field, and not printed", (_, make) => {
    const pem = make().toString();
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "signer" }, data: { key: pem } };
    const from = { from: { configMapKeyRef: { name: "signer", key: "key" } } };
    for (const [config, items, field] of [
      [withKeys({ publicKey: pem }), [], "spec.issuer.signingKeys[0].publicKey"],
      [withKeys({ publicKey: Buffer.from(pem).toString("base64") }), [], "spec.issuer.signingKeys[0].publicKey"],
      [identity({ metadata: { annotations: { note: pem } } }), [], "metadata.annotations.note"],
      [identity({ aws: { tags: { key: pem } } }), [], "spec.platform.aws.tags.key"],
      [identity({ spec: { unknown: { deep: [pem] } } }), [], "spec.unknown.deep[0]"],
      [withKeys(from), [map], "spec.issuer.signingKeys[0]"],
    ] as const) {
      const made = makeIssuer(config, items);
      expect(expectFinding(made, "error", "private-key")).toContain(`"${field}"`);
      const told = made.stderr + JSON.stringify(made.results);
      for (const line of pem.split("\n").filter((text) => text.length > 30 && !text.startsWith("-----")))
        expect(told).not.toContain(line);
    }
  });
});

describe("signing keys", () => {
  const [first, second] = [spki(rsa(2048).publicKey), spki(ec("P-256").publicKey)];

  it("are published in the order of the config, each with a note of its ID", () => {
    const made = makeIssuer(withKeys({ publicKey: second }, { publicKey: first }));
    expectClean(made);
    const { keys } = made.bundle("aws/issuer.yaml")["keys.json"];
    expect(keys.map((key: Any) => key.alg)).toEqual(["ES256", "RS256"]);
    expect(made.bundle("aws/issuer.yaml")["openid-configuration"].id_token_signing_alg_values_supported).toEqual([
      "ES256",
      "RS256",
    ]);
    const notes = made.results.filter((result) => result.tags.code === "signing-key");
    expect(notes.map((note) => [note.field.path, note.message])).toEqual([
      ["spec.issuer.signingKeys[0]", `publishes the key "${keys[0].kid}" (ECDSA, P-256).`],
      ["spec.issuer.signingKeys[1]", `publishes the key "${keys[1].kid}" (RSA, 2048 bits).`],
    ]);
  });

  it("come only from a ConfigMap that the config names", () => {
    const map = (namespace: string | undefined, key: string) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "signer", ...(namespace === undefined ? {} : { namespace }) },
      data: { key },
    });
    const ref = (more: Any = {}) => withKeys({ from: { configMapKeyRef: { name: "signer", key: "key", ...more } } });
    const kid = (key: string) => (readPublicKey(key) as Any).jwk.kid;
    const published = (config: Any, items: Any[]) =>
      makeIssuer(config, items).bundle("aws/issuer.yaml")["keys.json"].keys[0].kid;
    expect(published(ref(), [map(undefined, first), map("x", second)])).toBe(kid(first));
    expect(published(ref({ namespace: "x" }), [map(undefined, first), map("x", second)])).toBe(kid(second));
    for (const [config, items] of [
      [ref({ namespace: "y" }), [map("x", first)]],
      [ref({ key: "other" }), [map(undefined, first)]],
      [ref({ key: "__proto__" }), [map(undefined, first)]],
      [ref(), [map(undefined, first), map(undefined, first)]],
      [ref(), []],
    ] as const) {
      expect(expectFinding(makeIssuer(config, items), "error", "signing-key-missing")).toMatch(
        /^"spec\.issuer\.signingKeys\[0\]" refers to the key ".*" of the ConfigMap "signer".*, but the list does not contain exactly one such key\.$/,
      );
    }
  });

  it("appear once, and are required only for the issuer", () => {
    const made = makeIssuer(withKeys({ publicKey: first }, { publicKey: first.replaceAll("\n", "\r\n") }));
    expect(expectFinding(made, "error", "signing-key-repeated")).toContain(
      '"spec.issuer.signingKeys[1]" is the same key as an earlier one',
    );
    expect(expectFinding(makeIssuer(identity({ spec: { issuer: {} } })), "error", "config-missing-field")).toContain(
      '"spec.issuer.signingKeys" is required here',
    );
  });
});

describe("problems of a key are reported completely, at its field", () => {
  const [first, second] = [spki(rsa(2048).publicKey), spki(ec("P-384").publicKey)];
  const from = (configMapKeyRef: Any) => ({ from: { configMapKeyRef } });
  const said = (...signingKeys: Any[]) =>
    makeIssuer(withKeys(...signingKeys))
      .results.filter((result) => result.severity === "error")
      .map((result) => [result.tags.code, result.field.path, result.message]);

  it.each([
    [
      [{ publicKey: "x" }],
      "signing-key-invalid",
      0,
      'must be one public key in PEM form, from "-----BEGIN PUBLIC KEY-----" to "-----END PUBLIC KEY-----".',
    ],
    [
      [{ publicKey: first }, { publicKey: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }],
      "signing-key-invalid",
      1,
      'is a certificate, but must be a public key ("PUBLIC KEY").',
    ],
    [
      [{ publicKey: first }, { publicKey: second }, { publicKey: first.trim() }],
      "signing-key-repeated",
      2,
      `is the same key as an earlier one (key ID "${(readPublicKey(first) as Any).jwk.kid}"); remove one.`,
    ],
    [
      [from({ name: "signer", key: "a.pub" })],
      "signing-key-missing",
      0,
      'refers to the key "a.pub" of the ConfigMap "signer", but the list does not contain exactly one such key.',
    ],
    [
      [{ publicKey: second }, from({ name: "signer", namespace: "apart", key: "a.pub" })],
      "signing-key-missing",
      1,
      'refers to the key "a.pub" of the ConfigMap "signer" in the namespace "apart", but the list does not contain exactly one such key.',
    ],
  ])("%#: %s", (keys, code, index, message) => {
    const field = `spec.issuer.signingKeys[${index}]`;
    expect(said(...keys)).toEqual([[code, field, `"${field}" ${message}`]]);
  });

  it("all problems in one run, and no file is created", () => {
    const made = makeIssuer(withKeys({ publicKey: "x" }, { publicKey: first }, from({ name: "n", key: "k" })));
    expect(made.results.map((result) => [result.tags.code, result.field.path])).toEqual([
      ["signing-key-invalid", "spec.issuer.signingKeys[0]"],
      ["signing-key-missing", "spec.issuer.signingKeys[2]"],
      ["signing-key", "spec.issuer.signingKeys[1]"],
    ]);
    expect(made.objects).toEqual({});
  });

  it.each([
    ["a Secret", { apiVersion: "v1", kind: "Secret", metadata: { name: "signer" }, data: { key: first } }],
    [
      "another API",
      { apiVersion: "x.example.com/v1", kind: "ConfigMap", metadata: { name: "signer" }, data: { key: first } },
    ],
    ["another name", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "other" }, data: { key: first } }],
    ["no data", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "signer" } }],
    ["data that is a text", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "signer" }, data: "key" }],
    ["a number for the key", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "signer" }, data: { key: 5 } }],
  ])("%s is not the referenced ConfigMap", (_, item) => {
    const made = makeIssuer(withKeys(from({ name: "signer", key: "key" })), [item]);
    expect(expectFinding(made, "error", "signing-key-missing")).toContain('the key "key" of the ConfigMap "signer"');
    expect(made.results).toHaveLength(1);
  });
});
