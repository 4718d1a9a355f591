import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { judgeRsa } from "../../../src/oidc/judge-key.ts";
import { isKeyProblem, readPublicKey, readRsaSpki } from "../../../src/oidc/public-key.ts";
import { runs } from "../../helpers/effort.ts";

const pemOf = (der: Uint8Array) =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(der)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n")}-----END PUBLIC KEY-----\n`;

/** How OpenSSL reads a key. The project's reader must never disagree. */
function byOpenSSL(pem: string) {
  const key = createPublicKey(pem);
  const { n, e } = key.export({ format: "jwk" });
  const spki = createPublicKey({ key: { kty: "RSA", n: n ?? "", e: e ?? "" }, format: "jwk" }).export({
    format: "der",
    type: "spki",
  });
  return { n, e, kid: createHash("sha256").update(spki).digest("base64url") };
}

function readOrFail(pem: string) {
  const read = readPublicKey(pem);
  if (isKeyProblem(read)) throw new Error(read.problem);
  return read.jwk;
}

const numbers = fc.record({
  modulus: fc.uint8Array({ minLength: 256, maxLength: 520 }).filter((bytes) => (bytes[0] ?? 0) >= 0x80),
  exponent: fc.oneof(
    fc.constant(Uint8Array.of(1, 0, 1)),
    fc.uint8Array({ minLength: 3, maxLength: 5 }).filter((bytes) => (bytes[0] ?? 0) > 0),
  ),
});

describe("an RSA key of the usual form is read without OpenSSL", () => {
  it("and is the same key, with the same key ID", () => {
    let taken = 0;
    fc.assert(
      fc.property(numbers, ({ modulus, exponent }) => {
        const jwk = {
          kty: "RSA",
          n: Buffer.from(modulus).toString("base64url"),
          e: Buffer.from(exponent).toString("base64url"),
        };
        const key = createPublicKey({ key: jwk, format: "jwk" });
        const pem = key.export({ format: "pem", type: "spki" }).toString();
        expect(readRsaSpki(key.export({ format: "der", type: "spki" }))).toEqual({
          modulus: Buffer.from(modulus),
          exponent: Buffer.from(exponent),
        });
        if (judgeRsa(jwk, limits) === undefined) {
          taken++;
          expect(readOrFail(pem)).toMatchObject(byOpenSSL(pem));
          expect(readOrFail(pem.replaceAll("\n", "\r\n"))).toMatchObject(byOpenSSL(pem));
        } else {
          expect(readPublicKey(pem)).toMatchObject({ code: "signing-key-invalid" });
        }
      }),
    );
    expect(taken).toBeGreaterThan(10);
  });

  it("with a byte changed, added or missing, it is read as OpenSSL reads it, or refused", () => {
    const der = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "der", type: "spki" });
    const change = fc.record({
      at: fc.integer({ min: 0, max: 40 }),
      drop: fc.nat(2),
      bytes: fc.uint8Array({ maxLength: 2 }),
    });
    let taken = 0;
    fc.assert(
      fc.property(change, fc.boolean(), ({ at, drop, bytes }, fromEnd) => {
        const start = fromEnd ? der.length - at : at;
        const changed = Buffer.concat([der.subarray(0, start), bytes, der.subarray(start + drop)]);
        const pem = pemOf(changed);
        const read = readPublicKey(pem);
        if (isKeyProblem(read)) return;
        taken++;
        expect(read.jwk).toMatchObject(byOpenSSL(pem));
      }),
      { numRuns: runs(2000) },
    );
    expect(taken).toBeGreaterThan(runs(2000) / 20);
  });
});

describe("OpenSSL reads every other form", () => {
  const der = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "der", type: "spki" });
  const long = (bytes: Buffer) => Buffer.concat([Buffer.of(0x30, 0x83, 0), bytes.subarray(2)]);
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["a tag alone", Buffer.of(0x30)],
    ["a byte behind the end", Buffer.concat([der, Buffer.of(0)])],
    ["a length in more bytes than it needs", long(der)],
    ["another algorithm", Buffer.from(der.toString("hex").replace("2a864886f70d010101", "2a864886f70d01010a"), "hex")],
    ["a negative exponent", Buffer.from(der.toString("hex").replace(/0203010001$/, "0203810001"), "hex")],
    ["a key that is not RSA", generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" })],
  ])("%s", (_, bytes) => {
    expect(readRsaSpki(bytes)).toBeUndefined();
  });

  it("PEM with lines of other lengths than 64 characters", () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString("base64").replace(/.{1,48}/g, "$&\n")}-----END PUBLIC KEY-----`;
    expect(readOrFail(pem)).toEqual(readOrFail(pemOf(der)));
  });

  it("PKCS#1", () => {
    const key = createPublicKey(pemOf(der));
    expect(readOrFail(key.export({ format: "pem", type: "pkcs1" }).toString())).toEqual(readOrFail(pemOf(der)));
  });
});
