import { createHash, createPublicKey, ECDH, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { discoveryDocument } from "../../../src/oidc/issuer-url.ts";
import { isKeyProblem, type PublicJwk, readPublicKey } from "../../../src/oidc/public-key.ts";
import { expectFinding, identity, makeIssuer } from "../../helpers/cluster.ts";

const pemOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

function jwkOf(pem: string): PublicJwk {
  const read = readPublicKey(pem);
  if (isKeyProblem(read)) throw new Error(read.problem);
  return read.jwk;
}

/** A SubjectPublicKeyInfo with another text for the key itself, lengths of the outer two levels corrected. */
function withPoint(der: Buffer, point: Buffer, compressed: Buffer): Buffer {
  const bits = Buffer.concat([Buffer.from([0x03, compressed.length + 1, 0]), compressed]);
  const head = der.subarray(2, der.length - point.length - 3);
  return Buffer.concat([Buffer.from([0x30, head.length + bits.length]), head, bits]);
}

describe("a key type that Kubernetes does not sign with is refused", () => {
  it.each([
    ["RSA-PSS", generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey],
    ["DSA", generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).publicKey],
    ["P-224", generateKeyPairSync("ec", { namedCurve: "secp224r1" }).publicKey],
    ["secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey],
    ["Ed25519", generateKeyPairSync("ed25519").publicKey],
    ["X25519", generateKeyPairSync("x25519").publicKey],
  ])("%s", (_, key) => {
    const made = makeIssuer(identity({ spec: { issuer: { signingKeys: [{ publicKey: pemOf(key) }] } } }));
    expect(expectFinding(made, "error", "signing-key-invalid")).toBe(
      '"spec.issuer.signingKeys[0]" must be an RSA key, or an ECDSA key on P-256, P-384 or P-521; Kubernetes does not sign tokens with other keys.',
    );
  });

  it.each([1024, 2047])("RSA of %d bits", (modulusLength) => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
    expect(readPublicKey(pemOf(publicKey))).toEqual({
      code: "signing-key-invalid",
      problem: `is an RSA key of ${modulusLength} bits, but must have at least 2048`,
    });
  });
});

describe("a key is the same key in every notation", () => {
  it("with a label that says PKCS#1, as OpenShift's kube-apiserver operator writes it", () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const labeled = pemOf(publicKey).replaceAll("PUBLIC KEY", "RSA PUBLIC KEY");
    expect(jwkOf(labeled)).toEqual(jwkOf(pemOf(publicKey)));
    expect(jwkOf(publicKey.export({ type: "pkcs1", format: "pem" }).toString())).toEqual(jwkOf(labeled));
  });

  // Go's x509.MarshalPKIXPublicKey, from which the API server computes the key ID, writes only one form: named curves,
  // points in full.
  it("with its curve by parameters", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" });
    const plain = createPublicKey({ key: publicKey.export({ format: "jwk" }), format: "jwk" });
    expect(pemOf(plain)).not.toBe(pemOf(publicKey));
    expect(readPublicKey(pemOf(publicKey))).toEqual(readPublicKey(pemOf(plain)));
  });

  it("with its point compressed", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const der = publicKey.export({ type: "spki", format: "der" });
    const point = der.subarray(-65);
    const compressed = ECDH.convertKey(point, "prime256v1", undefined, undefined, "compressed") as Buffer;
    const short = withPoint(der, point, compressed);
    const pem = `-----BEGIN PUBLIC KEY-----\n${short.toString("base64")}\n-----END PUBLIC KEY-----\n`;
    const jwk = jwkOf(pem);
    expect(jwk).toEqual(jwkOf(pemOf(publicKey)));
    expect(jwk.kid).toBe(createHash("sha256").update(der).digest("base64url"));
    expect(jwk.kid).not.toBe(createHash("sha256").update(short).digest("base64url"));
  });
});

describe("the JWK", () => {
  it("of an RSA key is { use, kty, kid, alg, n, e }, in that order", () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = jwkOf(pemOf(publicKey));
    expect(Object.keys(jwk)).toEqual(["use", "kty", "kid", "alg", "n", "e"]);
    expect(jwk).toMatchObject({ use: "sig", kty: "RSA", alg: "RS256", e: "AQAB" });
    // RFC 7518, section 6.3.1.1: no leading zero octet.
    expect(Buffer.from(jwk["n"] ?? "", "base64url")).toHaveLength(256);
  });

  it.each([
    ["P-256", "ES256", 32],
    ["P-384", "ES384", 48],
    ["P-521", "ES512", 66],
  ])("of an ECDSA key on %s is { use, kty, kid, alg, crv, x, y }, coordinates of full length", (crv, alg, length) => {
    const jwk = jwkOf(pemOf(generateKeyPairSync("ec", { namedCurve: crv }).publicKey));
    expect(Object.keys(jwk)).toEqual(["use", "kty", "kid", "alg", "crv", "x", "y"]);
    expect(jwk).toMatchObject({ use: "sig", kty: "EC", alg, crv });
    for (const coordinate of ["x", "y"]) expect(Buffer.from(jwk[coordinate] ?? "", "base64url")).toHaveLength(length);
  });

  it("has a key ID that does not change with the tool: this one was computed with openssl", () => {
    // openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | basenc --base64url
    const pem = [
      "-----BEGIN PUBLIC KEY-----",
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWFuKd/LwUeL1yBUsp8JDa6TvH8pl",
      "EmNW8PWo4RdG5Kjj8/AE5MLG5Tdh2NXDox/Rv/7DLk47KsWIJE6wcpL1Wg==",
      "-----END PUBLIC KEY-----",
    ].join("\n");
    expect(jwkOf(pem).kid).toBe("ok5fxEAeMDxYKDbekgH6iwNWQ-aZJPstrROvaUohvp8");
  });
});

it("the discovery document names each algorithm once, sorted", () => {
  expect(discoveryDocument("https://x.example.com/a", ["RS256", "ES256", "RS256"])).toEqual({
    issuer: "https://x.example.com/a",
    jwks_uri: "https://x.example.com/a/keys.json",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256", "RS256"],
    claims_supported: ["aud", "exp", "sub", "iat", "iss"],
  });
});
