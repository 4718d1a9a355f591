import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, type webcrypto } from "node:crypto";
import fc from "fast-check";
import { importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { unknownIssuer } from "../../../src/clouds/rendered.ts";
import { passed } from "../../../src/oidc/answer.ts";
import { checkSignature } from "../../../src/oidc/checks.ts";
import { judgeKey, type KeyJudgment } from "../../../src/oidc/judge-key.ts";
import { anyCloud } from "../../../src/oidc/limits.ts";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import { checkKeys } from "../../../src/oidc/published-issuer.ts";
import { readToken } from "../../../src/oidc/token.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { base64url, claimsOf, ecSigner, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";

const rsa = rsaSigner();
const [p256, p384, p521, stranger] = [ecSigner(), ecSigner("P-384"), ecSigner("P-521"), ecSigner()];
const good = ecSigner();

type Verdict = KeyJudgment["verdict"];

/** A signer with a key pair that no generator would accept. */
function anySigner({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Signer {
  const jwk: Any = { ...publicKey.export({ format: "jwk" }), kid: "any", use: "sig", alg: "RS256" };
  return { alg: "RS256", kid: "any", jwk, publicPem: "", privateKey };
}

const rsaWith = (modulusLength: number, publicExponent = 65537): Signer =>
  anySigner(generateKeyPairSync("rsa", { modulusLength, publicExponent }));

/** A key of random octets with the first and last bit set. Its private key is not known. */
function longKey(bits: number, e = "AQAB"): Signer {
  const octets = Buffer.alloc(Math.ceil(bits / 8), 0xa5);
  octets[0] = 1 << ((bits - 1) % 8);
  return { ...rsa, kid: "long", jwk: { ...rsa.jwk, kid: "long", n: octets.toString("base64url"), e } };
}

const changed = (signer: Signer, change: Any): Signer => ({ ...signer, jwk: { ...signer.jwk, ...change } });
const without = (signer: Signer, ...names: string[]): Signer =>
  changed(signer, Object.fromEntries(names.map((name) => [name, undefined])));

const n = String(rsa.jwk["n"]);
const [x, y] = [String(p256.jwk["x"]), String(p256.jwk["y"])];
const standard = (text: string) => Buffer.from(text, "base64url").toString("base64");
const octets = (text: string, ...parts: [before: number[], after?: number[]]) =>
  Buffer.concat([Buffer.from(parts[0]), Buffer.from(text, "base64url"), Buffer.from(parts[1] ?? [])]).toString(
    "base64url",
  );
const sealed = (text: string) => text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);

// By default, the token is signed with the private key of the pair.
const rows: readonly [name: string, signer: Signer, verdict: Verdict, cause?: string][] = [
  ["RSA of 2048 bits", rsa, "usable"],
  ["P-256", p256, "usable"],
  ["P-384", p384, "usable"],
  ["P-521", p521, "usable"],
  ["no use", without(rsa, "use"), "usable"],
  ["no alg", without(rsa, "alg"), "usable"],
  ["key_ops", changed(rsa, { key_ops: ["verify"] }), "usable"],
  ["an unknown member", changed(rsa, { "x-owner": { a: [1] } }), "usable"],

  // The modulus.
  ["no modulus", without(rsa, "n"), "malformed", 'has no modulus ("n")'],
  ["an empty modulus", changed(rsa, { n: "" }), "malformed", 'has an empty modulus ("n")'],
  ["a modulus that is a number", changed(rsa, { n: 5 }), "malformed", 'has a modulus ("n") that is not a string'],
  ["a modulus in standard base64", changed(rsa, { n: standard(n) }), "malformed", "is not base64url without padding"],
  ["a padded modulus", changed(rsa, { n: `${n}==` }), "malformed", "is not base64url without padding"],
  ["a modulus with blanks", changed(rsa, { n: `${n.slice(0, 9)} ${n.slice(9)}` }), "malformed", "is not base64url"],
  ["a modulus in two lines", changed(rsa, { n: `${n}\n` }), "malformed", "is not base64url"],
  ["a modulus with spare bits set", changed(rsa, { n: sealed(n) }), "malformed", "is not base64url"],
  [
    "a zero octet first",
    changed(rsa, { n: octets(n, [0]) }),
    "malformed",
    "has a zero octet at the start of its modulus",
  ],
  ["512 bits", rsaWith(512), "weak", "is an RSA key of 512 bits, but must have at least 2048"],
  ["1024 bits", rsaWith(1024), "weak", "is an RSA key of 1024 bits"],
  ["2047 bits", rsaWith(2047), "weak", "is an RSA key of 2047 bits"],
  ["an even modulus", changed(rsa, { n: octets(n, [], [2]) }), "weak", "with an even modulus"],
  ["16383 bits", longKey(16_383), "usable"],
  ["16384 bits", longKey(16_384), "unknown", "is an RSA key of 16384 bits"],
  ["half a megabyte", longKey(4_000_000), "unknown", "is an RSA key of 4000000 bits"],

  // The exponent.
  ["no exponent", without(rsa, "e"), "malformed", 'has no exponent ("e")'],
  ["the exponent 0", changed(rsa, { e: "AA" }), "malformed", "has a zero octet at the start of its exponent"],
  ["the exponent 1", changed(rsa, { e: "AQ" }), "weak", "with the public exponent 1, but must have 65537"],
  ["the exponent 2", changed(rsa, { e: "Ag" }), "weak", "with the public exponent 2, but must have 65537"],
  ["the exponent 3", rsaWith(2048, 3), "weak", "with the public exponent 3, but must have 65537"],
  [
    "the exponent 17",
    rsaWith(2048, 17),
    "unknown",
    "with the public exponent 17; how AWS handles that is not documented",
  ],
  [
    "the exponent 65539",
    rsaWith(2048, 65_539),
    "unknown",
    "with the public exponent 65539; how AWS handles that is not documented",
  ],
  ["the exponent 65538", changed(rsa, { e: "AQAC" }), "weak", "with the public exponent 65538"],
  ["65537 with a zero octet", changed(rsa, { e: octets("AQAB", [0]) }), "malformed", "has a zero octet at the start"],
  ["65537, padded", changed(rsa, { e: "AQAB====" }), "malformed", "is not base64url without padding"],
  ["an exponent of 64 bits", changed(rsa, { e: "gAAAAAAAAAE" }), "unknown", "the public exponent 9223372036854775809"],
  ["an exponent of 65 bits", changed(rsa, { e: "AQAAAAAAAAAB" }), "unknown", "with a public exponent of 65 bits"],
  ["an exponent as long as the modulus", changed(rsa, { e: n }), "unknown", "with a public exponent of 2048 bits"],

  // The point.
  ["no coordinates", without(p256, "x", "y"), "malformed", 'has no coordinate "x"'],
  ["no y", without(p256, "y"), "malformed", 'has no coordinate "y"'],
  ["an empty y", changed(p256, { y: "" }), "malformed", 'has an empty coordinate "y"'],
  ["a list as x", changed(p256, { x: [x] }), "malformed", 'has a coordinate "x" that is not a string'],
  ["a padded x", changed(p256, { x: `${x}=` }), "malformed", 'has a coordinate "x" that is not base64url'],
  ["an x that is too long", changed(p256, { x: octets(x, [0]) }), "malformed", 'has a coordinate "x" of 33 octets'],
  [
    "a y that is too short",
    changed(p256, { y: Buffer.from(y, "base64url").subarray(1).toString("base64url") }),
    "malformed",
    'has a coordinate "y" of 31 octets',
  ],
  ["x and y exchanged", changed(p256, { x: y, y: x }), "malformed", "has coordinates that are not a point on P-256"],
  [
    "zeros",
    changed(p256, { x: octets("", Array(32).fill(0)), y: octets("", Array(32).fill(0)) }),
    "malformed",
    "not a point",
  ],
  ["an x beyond the field", changed(p256, { x: octets("", Array(32).fill(255)) }), "malformed", "not a point on P-256"],
  ["the curve of another key", changed(p256, { crv: "P-384", alg: "ES384" }), "malformed", "but P-384 requires 48"],
  ["no curve", without(p256, "crv"), "malformed", 'has no curve ("crv")'],
  ["another curve", changed(p256, { crv: "secp256k1", alg: undefined }), "unsuited", 'is on the curve "secp256k1"'],

  // What it is for.
  ["no kind", without(rsa, "kty"), "malformed", 'has no key type ("kty")'],
  ["a kind in lower case", changed(rsa, { kty: "rsa" }), "unsuited", 'has the type "rsa"'],
  ["a kind that every object has", changed(rsa, { kty: "constructor" }), "unsuited", 'has the type "constructor"'],
  ["Ed25519", changed(rsa, { kty: "OKP", crv: "Ed25519", x }), "unsuited", 'has the type "OKP"'],
  ["no ID", without(rsa, "kid"), "unsuited", 'has no key ID ("kid")'],
  ["an ID that is a number", changed(rsa, { kid: 7 }), "malformed", 'has a member "kid" that is not a string'],
  ["for encryption", changed(rsa, { use: "enc" }), "unsuited", "is not for signatures"],
  ["a use that is null", changed(rsa, { use: null }), "malformed", 'has a member "use" that is not a string'],
  ["another use", changed(rsa, { use: "SIG" }), "unsuited", "is not for signatures"],
  ["key_ops to encrypt", changed(rsa, { use: undefined, key_ops: ["encrypt"] }), "unsuited", "is not for signatures"],
  ["use and key_ops that contradict", changed(rsa, { key_ops: ["encrypt"] }), "malformed", "contradict each other"],
  ["use to encrypt, key_ops to verify", changed(rsa, { use: "enc", key_ops: ["verify"] }), "malformed", "contradict"],
  ["no key_ops", changed(rsa, { key_ops: [] }), "malformed", "contradict each other"],
  [
    "key_ops twice",
    changed(rsa, { key_ops: ["verify", "verify"] }),
    "malformed",
    'has a duplicate entry in its "key_ops"',
  ],
  [
    "key_ops that is a text",
    changed(rsa, { key_ops: "verify" }),
    "malformed",
    'has a "key_ops" that is not a list of strings',
  ],
  ["key_ops to sign and verify", changed(rsa, { key_ops: ["sign", "verify"] }), "unknown", 'more than "verify"'],
  ["an alg of the other kind", changed(rsa, { alg: "ES256" }), "malformed", 'has the "alg" "ES256", which contradicts'],
  ["an alg of another curve", changed(p256, { alg: "ES384" }), "malformed", 'has the "alg" "ES384", which contradicts'],
  ["an alg that is a list", changed(rsa, { alg: ["RS256"] }), "malformed", 'has a member "alg" that is not a string'],
  ["PS256", changed(rsa, { alg: "PS256" }), "unsuited", 'is for the algorithm "PS256"'],
  ["none", changed(rsa, { alg: "none" }), "unsuited", 'is for the algorithm "none"'],
  [
    "x5c that is not a list",
    changed(rsa, { x5c: "AAAA" }),
    "malformed",
    'has an "x5c" that is not a list of certificates',
  ],
  ["x5c that is not a certificate", changed(rsa, { x5c: ["AAAA"] }), "malformed", "for another key"],

  // Private.
  ...["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"].map((name): [string, Signer, Verdict, string] => [
    `published with ${name}`,
    changed(rsa, { [name]: "c2VjcmV0LXZhbHVl" }),
    "private",
    "is published with parts of its private key",
  ]),
  ["published with an empty d", changed(p256, { d: null }), "private", "parts of its private key"],
  ["a shared secret", changed(rsa, { kty: "oct", k: "c2VjcmV0LXZhbHVl" }), "private", "of its private key"],
];

/** What check-issuer says of the key alone, of the key beside a good one, and verify-token of a token that it signed. */
const answers: Readonly<Record<Verdict, readonly [alone: string, beside: string, token: readonly string[]]>> = {
  usable: ["passed", "passed", ["passed"]],
  unsuited: ["failed", "passed", ["failed"]],
  malformed: ["failed", "unknown", ["failed"]],
  weak: ["failed", "failed", ["failed"]],
  unknown: ["unknown", "unknown", ["unknown", "failed"]],
  private: ["failed", "failed", ["failed"]],
};

async function signatureCheck(text: string, keys: readonly Any[]) {
  const { token } = readToken(text, limits);
  if (token === undefined) throw new Error("the token cannot be read");
  const value = JSON.parse(JSON.stringify({ keys }));
  return await checkSignature(token, passed("shape", ""), { ...unknownIssuer, keys: { value } }, limits);
}

const plain = (jwk: Any): Any => JSON.parse(JSON.stringify(jwk));

describe("every command gives the same verdict on a published key", () => {
  it.each(rows)("%s", async (_, signer, verdict, cause = "") => {
    const jwk = plain(signer.jwk);
    const judged = judgeKey(jwk, limits);
    expect([judged.verdict, judged.cause]).toEqual([verdict, expect.stringContaining(cause)]);
    const [alone, beside, token] = answers[verdict];
    const said = checkKeys(JSON.stringify({ keys: [jwk] }), limits).check;
    expect([said.status, said.detail]).toEqual([alone, expect.stringContaining(cause)]);
    expect(checkKeys(JSON.stringify({ keys: [good.jwk, jwk] }), limits).check.status).toBe(beside);
    const alg = jwk.kty === "EC" ? signer.alg : "RS256";
    const text = tokenOf({ ...signer, alg, kid: String(jwk.kid || "x") });
    const isOwn = !signer.kid.startsWith("long");
    const check = await signatureCheck(text, [jwk]);
    if (isOwn) expect(token).toContain(check.status);
    else expect(check.status).not.toBe("passed");
    for (const text of [said.detail, said.cure, judged.cause, check.detail, check.cure])
      expect(text ?? "").not.toContain("c2Vjc");
  });

  it("a token is undecided if its key is unusual, and refused if its key is weak", async () => {
    for (const [exponent, status] of [
      [3, "failed"],
      [17, "unknown"],
      [65_539, "unknown"],
    ] as const) {
      const signer = rsaWith(2048, exponent);
      expect((await signatureCheck(tokenOf(signer), [signer.jwk])).status).toBe(status);
    }
  });

  it("a token that no private key has signed is refused: the exponent 1", async () => {
    const jwk = { ...rsa.jwk, e: "AQ" };
    const signed = `${base64url({ alg: "RS256", kid: rsa.kid })}.${base64url(claimsOf())}`;
    // With the exponent 1, the padded digest of PKCS#1 is its own signature.
    const digest = Buffer.from((await crypto.subtle.digest("SHA-256", Buffer.from(signed))) as ArrayBuffer);
    const info = Buffer.concat([Buffer.from("3031300d060960864801650304020105000420", "hex"), digest]);
    const padded = Buffer.concat([Buffer.of(0, 1), Buffer.alloc(256 - info.length - 3, 0xff), Buffer.of(0), info]);
    const text = `${signed}.${padded.toString("base64url")}`;
    expect(await signatureCheck(text, [jwk])).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("with the public exponent 1"),
    });
  });

  it("the generators publish what is usable, and nothing else", () => {
    let count = 0;
    for (const [name, signer, verdict] of rows) {
      const jwk = plain(signer.jwk);
      let pem: string;
      try {
        const key = createPublicKey({
          key: { kty: jwk.kty, n: jwk.n, e: jwk.e, crv: jwk.crv, x: jwk.x, y: jwk.y },
          format: "jwk",
        });
        pem = key.export({ format: "pem", type: "spki" }).toString();
        // What is said of the numbers alone; another text of the same numbers is not in a PEM file.
        const { kty, n, e, x, y, crv } = key.export({ format: "jwk" });
        if (JSON.stringify([kty, n, e, x, y, crv]) !== JSON.stringify([jwk.kty, jwk.n, jwk.e, jwk.x, jwk.y, jwk.crv]))
          continue;
      } catch {
        continue;
      }
      const numbers = judgeKey(
        { kty: jwk.kty, n: jwk.n, e: jwk.e, crv: jwk.crv, x: jwk.x, y: jwk.y, kid: "x" },
        anyCloud,
      );
      const read = readPublicKey(pem);
      expect([name, isKeyProblem(read)]).toEqual([name, numbers.verdict !== "usable"]);
      if (isKeyProblem(read)) expect(read.problem).toBe(numbers.cause);
      else expect(judgeKey(read.jwk, anyCloud).verdict).toBe("usable");
      count += verdict === numbers.verdict ? 1 : 0;
    }
    expect(count).toBeGreaterThan(15);
  });
});

describe("the keys of an issuer as a whole", () => {
  const said = (value: unknown) => checkKeys(typeof value === "string" ? value : JSON.stringify(value), limits).check;
  const many = (count: number, signer = rsa) =>
    Array.from({ length: count }, (_, at) => ({ ...signer.jwk, kid: `k${at}` }));

  it.each<[name: string, keys: unknown, status: string, detail: string]>([
    ["100 of a kind", [...many(100), good.jwk], "passed", '101 of 101 keys can be used: "k0", "k1", "k2"'],
    ["101 RSA keys", many(101), "unknown", "the JWKS has more than 100 RSA keys, which is the most that IAM reads"],
    ["101 EC keys", many(101, good), "unknown", "the JWKS has more than 100 EC keys"],
    ["more than are checked", many(201), "unknown", 'the key "k200" comes after 200 others and was not checked'],
    ["a private one after them all", [...many(200), { ...good.jwk, d: "x" }], "failed", "parts of its private key"],
    [
      "two keys of one ID",
      [good.jwk, { ...stranger.jwk, kid: good.kid }],
      "unknown",
      `2 keys of the JWKS have the ID "${good.kid}"`,
    ],
    ["a key twice", [good.jwk, good.jwk], "unknown", "2 keys of the JWKS have the ID"],
    [
      "two keys without an ID",
      [
        { ...good.jwk, kid: undefined },
        { ...rsa.jwk, kid: undefined },
      ],
      "failed",
      "no key that AWS can use",
    ],
    [
      "keys for other readers",
      [good.jwk, { ...rsa.jwk, use: "enc" }, { kty: "OKP", kid: "o" }],
      "passed",
      "1 of 3 keys can be used",
    ],
    [
      "a PEM file in a member",
      [{ ...good.jwk, pem: "-----BEGIN PRIVATE KEY-----\nAAAA" }],
      "failed",
      "contains a private key outside its keys",
    ],
    [
      "a private key within a key",
      [{ ...good.jwk, was: { kty: "EC", d: "x" } }],
      "failed",
      "contains a private key outside its keys",
    ],
    ["an entry that is not a key", [good.jwk, null], "failed", 'has an entry in "keys" that is not a key'],
    ["no list", good.jwk, "failed", 'has no list "keys"'],
  ])("%s", (_, keys, status, detail) => {
    expect(said({ keys })).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect(said({ keys }).detail.length).toBeLessThan(2000);
  });

  it("is JSON that every reader interprets the same", () => {
    const key = JSON.stringify(good.jwk).slice(1);
    for (const text of [
      `{"keys":[],"keys":[{${key}]}`,
      `{"keys":[{"kid":"a",${key}]}`,
      `{"keys":[{"\\u006bid":"a",${key}]}`,
    ])
      expect(said(text)).toMatchObject({ status: "failed", detail: "the JWKS has a duplicate key" });
  });

  it("does not contain a private key in any other place", () => {
    const detail = "the JWKS contains a private key outside its keys";
    for (const value of [
      { ...good.jwk, d: "x" },
      { keys: [good.jwk], kty: "EC", d: "x" },
      { keys: [good.jwk], old: [{ kty: "oct", k: "x" }] },
    ])
      expect(said(value)).toMatchObject({ status: "failed", detail });
  });
});

describe("a mutation of a good key", () => {
  const pool = fc.oneof(
    fc.constantFrom<unknown>(
      "",
      null,
      0,
      65537,
      true,
      [],
      {},
      "AQAB",
      "AQ",
      "Aw",
      "RSA",
      "EC",
      "oct",
      "P-256",
      "P-384",
      "P-521",
    ),
    fc.constantFrom<unknown>(
      n,
      x,
      y,
      "sig",
      "enc",
      ["verify"],
      ["sign"],
      "RS256",
      "ES256",
      "PS256",
      rsa.jwk["n"],
      stranger.jwk["x"],
    ),
  );
  const names = fc.constantFrom(
    "kty",
    "n",
    "e",
    "crv",
    "x",
    "y",
    "kid",
    "alg",
    "use",
    "key_ops",
    "ext",
    "d",
    "x5c",
    "oth",
  );
  const characters = fc.constantFrom("A", "Q", "-", "_", "+", "/", "=", " ", "\n", "\t", ".", "é", "\u0000", "");
  const mutation = fc.oneof(
    fc.tuple(names, pool).map(([name, value]) => (jwk: Any) => ({ ...jwk, [name]: value })),
    names.map((name) => (jwk: Any) => ({ ...jwk, [name]: undefined })),
    fc
      .tuple(fc.constantFrom("n", "e", "x", "y", "kty", "crv", "alg"), fc.nat(400), fc.nat(2), characters)
      .map(([name, at, drop, one]) => (jwk: Any) => {
        const text = jwk[name];
        if (typeof text !== "string") return jwk;
        const index = at % (text.length + 1);
        return { ...jwk, [name]: text.slice(0, index) + one + text.slice(index + drop) };
      }),
  );
  const mutated = fc
    .tuple(fc.constantFrom(rsa, p256, p384, p521), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([signer, changes]) => plain(changes.reduce((jwk, change) => change(jwk), signer.jwk as Any)));

  it("is usable only if every reader sees the same numbers", async () => {
    let usable = 0;
    await fc.assert(
      fc.asyncProperty(mutated, async (jwk) => {
        if (judgeKey(jwk, limits).verdict !== "usable") return;
        usable++;
        const { kty, n: modulus, e, crv, x: first, y: second } = jwk;
        const numbers = kty === "RSA" ? { kty, n: modulus, e } : { kty, crv, x: first, y: second };
        const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
        expect(key.export({ format: "jwk" })).toEqual(numbers);
        const alg =
          jwk.alg ??
          (kty === "RSA" ? "RS256" : { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" }[crv as string]);
        // As jose reads it; its "ext" and "key_ops" are for programs that keep keys.
        const imported = (await importJWK({ ...jwk, ext: true }, alg)) as webcrypto.CryptoKey;
        expect(imported.type).toBe("public");
        const exported = await crypto.subtle.exportKey("jwk", imported);
        expect(exported).toMatchObject(numbers);
      }),
      { numRuns: runs(1500) },
    );
    expect(usable).toBeGreaterThan(runs(1500) / 30);
  });

  it("never verifies a token of the first key, unless it is the same key", async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (jwk) => {
        const signer = [rsa, p256, p384, p521].find(({ kid }) => kid === jwk.kid);
        if (signer === undefined) return;
        const { status } = await signatureCheck(tokenOf(signer), [jwk]);
        if (status !== "passed") return;
        for (const name of ["kty", ...(jwk.kty === "RSA" ? ["n", "e"] : ["crv", "x", "y"])])
          expect(jwk[name]).toBe((signer.jwk as Any)[name]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("a key with an empty ID", () => {
  it("can be used only by a cloud that takes the empty ID for an ID", () => {
    const key = { ...plain(rsa.jwk), kid: "" };
    expect(judgeKey(key, limits).verdict).toBe("usable");
    expect(judgeKey(key, anyCloud)).toMatchObject({ verdict: "unsuited", cause: expect.stringContaining("no key ID") });
  });
});
