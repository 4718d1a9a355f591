import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { readJwks } from "../../../src/oidc/key-set.ts";
import { readToken, type Token } from "../../../src/oidc/token.ts";
import { verifyTokenSignature } from "../../../src/oidc/verify-signature.ts";
import { base64url, claimsOf, ecSigner, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";

const [rsa, p256, p521, other] = [rsaSigner(), ecSigner(), ecSigner("P-521"), ecSigner()];
const copyWhole = "get the complete token again: `oc create token`, or the file that the pod mounts";

function tokenFrom(text: string): Token {
  const { token } = readToken(text, limits);
  if (token === undefined) throw new Error("the token cannot be read");
  return token;
}

/** A token with its signature truncated to this many octets. */
function cut(signer: Signer, octets: number): Token {
  const [header, payload, signature = ""] = tokenOf(signer).split(".");
  const kept = Buffer.from(signature, "base64url").subarray(0, octets);
  return tokenFrom(`${header}.${payload}.${kept.toString("base64url")}`);
}

const keysOf = (...jwks: object[]) => {
  const keys = readJwks({ keys: jwks } as never, limits);
  if (typeof keys === "string") throw new Error(keys);
  return keys;
};

describe("a truncated signature", () => {
  it.each<[string, Token, object[], string]>([
    ["of RSA", cut(rsa, 200), [rsa.jwk], "the token's signature has 200 bytes, but the key creates 256"],
    ["of RSA, by one", cut(rsa, 255), [rsa.jwk, p256.jwk], "has 255 bytes, but the key creates 256"],
    ["of P-256", cut(p256, 40), [p256.jwk], "has 40 bytes, but ES256 creates 64"],
    ["of P-521", cut(p521, 64), [p521.jwk], "has 64 bytes, but ES512 creates 132"],
    [
      "of RSA, and its key is not published",
      cut(rsa, 100),
      [p256.jwk],
      "has 100 bytes, but an RSA key that AWS accepts creates at least 256",
    ],
    ["of P-256, and its key is not published", cut(p256, 10), [], "has 10 bytes, but ES256 creates 64"],
  ])("%s", async (_name, token, keys, cause) => {
    const answer = await verifyTokenSignature(token, keysOf(...keys), limits);
    expect(answer).toMatchObject({ verdict: "invalid", cure: copyWhole, isDamaged: true });
    expect(answer.cause).toContain(cause);
    expect(answer.cause).toContain("the token was truncated or changed");
  });
});

describe("a signature of the right length that does not match", () => {
  it("is from a changed token if the key ID matches the key", async () => {
    const [header, , signature] = tokenOf(p256).split(".");
    const changed = tokenFrom(`${header}.${base64url(claimsOf({ sub: "x" }))}.${signature}`);
    expect(await verifyTokenSignature(changed, keysOf(p256.jwk), limits)).toMatchObject({
      verdict: "invalid",
      cause: expect.stringContaining("the token was changed"),
      cure: copyWhole,
      isDamaged: true,
    });
  });

  it("is from another key if the ID does not match the key", async () => {
    const answer = await verifyTokenSignature(
      tokenFrom(tokenOf(p256)),
      keysOf({ ...other.jwk, kid: p256.kid }),
      limits,
    );
    expect(answer).toMatchObject({
      verdict: "invalid",
      cure: expect.stringContaining("publish the public part of the key"),
    });
    expect(answer.isDamaged).toBeUndefined();
  });

  it("is from a key that is not published, with another cure", async () => {
    for (const signer of [rsa, p256])
      expect(await verifyTokenSignature(tokenFrom(tokenOf(signer)), keysOf(other.jwk), limits)).toMatchObject({
        cause: expect.stringContaining("is not in the JWKS"),
        cure: expect.stringContaining("publish the public part of the key"),
      });
  });
});
