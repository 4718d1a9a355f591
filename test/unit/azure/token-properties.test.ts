import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AzureWorld,
  azureAnswer,
  azureClaims,
  azureClient,
  azureCredential,
  azureExport,
  azureIdentities,
  azureIdentity,
  azureIssuer,
  azureShown,
  azureSubject,
  azureTenant,
} from "../../helpers/azure-exchange.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { base64url, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import "../../helpers/seed.ts";

const [signer, stranger, ec] = [rsaSigner(), rsaSigner(), ecSigner()];
const rendered = azureExport(azureIdentity([signer]));

/** An exchange: what the component sends, and what Microsoft Entra has. */
interface Case {
  readonly token: string;
  readonly credentials: readonly Any[];
  readonly shown: Any;
  readonly keys: readonly Any[];
  readonly time: number;
}

const usual: Case = {
  token: tokenOf(signer, azureClaims()),
  credentials: [azureCredential()],
  shown: azureShown(),
  keys: [signer.jwk],
  time: now,
};

const worldOf = ({ credentials, shown, keys }: Case): AzureWorld => ({
  files: rendered.files,
  items: [...rendered.manifests, azureIdentities()],
  credentials,
  shown,
  jwks: { keys },
});

/**
 * Microsoft Entra's rules once more, written plainly and without the code under test. It refuses more than is certain:
 * everything that is not known to be accepted.
 */
function mayAccept({ token, credentials, shown, keys, time }: Case): boolean {
  try {
    const [head = "", body = "", signature = "", ...more] = token.split(".");
    if (more.length > 0 || [head, body, signature].some((part) => !/^[\w-]+$/.test(part))) return false;
    const [header, claims] = [head, body].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    const key = keys.slice(0, 100).find(({ kid }) => kid === header.kid);
    const publicKey = createPublicKey({ key, format: "jwk" });
    const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, "base64url"));
    const [audience, ...others] = [claims.aud].flat();
    return [
      shown.clientId.toLowerCase() === azureClient && shown.tenantId.toLowerCase() === azureTenant,
      header.alg === "RS256" && key.kty === "RSA" && (key.use ?? "sig") === "sig" && isSigned,
      claims.iss === azureIssuer,
      credentials.some(
        ({ issuer, subject, audiences }) =>
          issuer === claims.iss && subject === claims.sub && audiences.length === 1 && audiences[0] === audience,
      ),
      others.length === 0,
      Number.isSafeInteger(claims.exp) && claims.exp > time,
      claims.nbf === undefined || claims.nbf <= time,
    ].every(Boolean);
  } catch {
    return false;
  }
}

const nearTo = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom("a", "Z", "/", ":", " ", ".", "*", ""))
    .map(([index, one]) => text.slice(0, index) + one + text.slice(index + 1))
    .filter((changed) => changed !== text);

const claim = (name: string, values: fc.Arbitrary<Any>) => values.map((value) => ({ [name]: value }));

/** Changes of claims; some of them leave the token valid. */
const claimChanges: fc.Arbitrary<Any> = fc.oneof(
  claim("iss", fc.oneof(nearTo(azureIssuer), fc.constantFrom(undefined, 5, `${azureIssuer}/`))),
  claim(
    "sub",
    fc.oneof(nearTo(azureSubject), fc.constantFrom(undefined, "", azureSubject.toUpperCase(), `${azureSubject}\u0000`)),
  ),
  claim("aud", fc.oneof(nearTo("openshift"), fc.constantFrom("openshift", [], ["openshift", "x"], [5], "OPENSHIFT"))),
  claim("iat", fc.oneof(fc.integer({ min: now - 9000, max: now + 300 }), fc.constantFrom(undefined, "1", now - 0.5))),
  claim(
    "exp",
    fc.oneof(fc.integer({ min: now - 900, max: now + 99_999 }), fc.constantFrom(undefined, null, "1", 1e300)),
  ),
  claim("nbf", fc.integer({ min: now - 900, max: now + 900 })),
  fc.constant({}),
);

const headerChanges: fc.Arbitrary<Any> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Any>(
    { alg: "none" },
    { alg: "HS256" },
    { alg: "RS512" },
    { kid: undefined },
    { kid: signer.kid },
    { typ: "JWT" },
    { crit: ["x"] },
  ),
);

const tokens: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(signer, signer, stranger, ec), headerChanges, fc.array(claimChanges, { maxLength: 2 }))
    .map(([by, header, changes]) => tokenOf(by as Signer, azureClaims(Object.assign({}, ...changes)), header)),
  fc
    .tuple(fc.nat(usual.token.length - 1), fc.constantFrom(..."AZaz09-_.=+"))
    .map(([index, one]) => usual.token.slice(0, index) + one + usual.token.slice(index + 1)),
  fc.nat(usual.token.length).map((length) => usual.token.slice(0, length)),
  fc.constantFrom({ exp: now + 9999 }, { jti: "x" }).map((changes) => {
    const [head, , signature] = usual.token.split(".");
    return `${head}.${base64url(azureClaims(changes))}.${signature}`;
  }),
  fc.constant(usual.token),
);

const credential: fc.Arbitrary<Any> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(azureCredential()) },
  nearTo(azureIssuer).map((issuer) => azureCredential({ issuer })),
  nearTo(azureSubject).map((subject) => azureCredential({ subject })),
  nearTo("openshift").map((audience) => azureCredential({ audiences: [audience] })),
  fc.constantFrom(
    azureCredential({ audiences: [] }),
    azureCredential({ audiences: ["openshift", "x"] }),
    azureCredential({ subject: azureSubject.toUpperCase() }),
    azureCredential({ subject: undefined, claimsMatchingExpression: {} }),
  ),
);
const credentialLists = fc.oneof(
  { weight: 2, arbitrary: fc.constant(usual.credentials) },
  fc.array(credential, { maxLength: 3 }),
);

const showns = fc.oneof(
  { weight: 5, arbitrary: fc.constant(usual.shown) },
  nearTo(azureClient).map((clientId) => azureShown({ clientId })),
  nearTo(azureTenant).map((tenantId) => azureShown({ tenantId })),
);

const keyLists = fc.oneof(
  { weight: 4, arbitrary: fc.constant(usual.keys) },
  fc.constantFrom<readonly Any[]>(
    [],
    [stranger.jwk],
    [{ ...stranger.jwk, kid: signer.kid }],
    [signer.jwk, { ...stranger.jwk, kid: signer.kid }],
    [signer.jwk, ec.jwk],
    [{ ...signer.jwk, use: "enc" }],
    [...Array.from({ length: 100 }, (_, index) => ({ ...stranger.jwk, kid: `k${index}` })), signer.jwk],
  ),
);

describe("the predicted answer", () => {
  it("of the oracle and of the code is to accept the usual token", async () => {
    expect(mayAccept(usual)).toBe(true);
    expect((await azureAnswer(usual.token, worldOf(usual))).verdict).toBe("accepted");
  });

  it("is never to accept what Microsoft Entra refuses, whatever changes in token, credentials, keys and time", async () => {
    const times = fc.oneof({ weight: 3, arbitrary: fc.constant(now) }, fc.integer({ min: now - 900, max: now + 7300 }));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ token: tokens, credentials: credentialLists, shown: showns, keys: keyLists, time: times }),
        async (one) => {
          const { verdict, checks, deciding } = await azureAnswer(one.token, worldOf(one), one.time);
          if (verdict === "accepted") expect(mayAccept(one)).toBe(true);
          // A refusal is one check's. Nothing shows the signature.
          expect(deciding).toHaveLength(verdict === "refused" ? 1 : 0);
          const signature = one.token.split(".")[2] ?? "";
          if (signature.length > 30) expect(JSON.stringify(checks)).not.toContain(signature.slice(0, 30));
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("is to accept what the oracle accepts, if only one thing changes", async () => {
    const change = fc.oneof(
      tokens.map((token) => ({ ...usual, token })),
      credentialLists.map((credentials) => ({ ...usual, credentials })),
      showns.map((shown) => ({ ...usual, shown })),
      keyLists.map((keys) => ({ ...usual, keys })),
    );
    await fc.assert(
      fc.asyncProperty(change, async (one) => {
        const { verdict } = await azureAnswer(one.token, worldOf(one), one.time);
        if (mayAccept(one)) expect(verdict).not.toBe("refused");
        else expect(verdict).not.toBe("accepted");
      }),
      { numRuns: runs(300) },
    );
  });
});
