import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import {
  accountPolicy,
  describedProvider,
  gcpAnswer,
  gcpClaims,
  gcpExport,
  gcpIdentity,
  gcpIssuer,
  gcpPool,
  gcpProvider,
  gcpSubject,
  principalOf,
} from "../../helpers/gcp-exchange.ts";
import { base64url, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import "../../helpers/seed.ts";

const [signer, rsa, other] = [ecSigner(), rsaSigner(), ecSigner()];
const { files } = gcpExport(gcpIdentity([signer, rsa]));

/** An exchange: what the component sends, and what Google has. */
interface Case {
  readonly token: string;
  readonly provider: Any;
  readonly policy: Any;
  readonly time: number;
}

const usual: Case = {
  token: tokenOf(signer, gcpClaims()),
  provider: describedProvider([signer, rsa]),
  policy: accountPolicy([principalOf()]),
  time: now,
};

/**
 * Google's rules once more, written plainly and without the code under test. It refuses more than is certain: everything
 * that is not known to be accepted.
 */
function mayAccept({ token, provider, policy, time }: Case): boolean {
  try {
    const [head = "", body = "", signature = "", ...more] = token.split(".");
    if (more.length > 0 || [head, body, signature].some((part) => !/^[\w-]+$/.test(part))) return false;
    const [header, claims] = [head, body].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    const key = JSON.parse(provider.oidc.jwksJson).keys.find(({ kid }: Any) => kid === header.kid);
    const algorithm = key.kty === "EC" ? "ES256" : "RS256";
    const publicKey = createPublicKey({ key, format: "jwk" });
    const options = key.kty === "EC" ? ({ key: publicKey, dsaEncoding: "ieee-p1363" } as const) : publicKey;
    const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), options, Buffer.from(signature, "base64url"));
    const audiences = [claims.aud].flat();
    const accepted = provider.oidc.allowedAudiences ?? [`//iam.googleapis.com/${provider.name}`];
    const pool = provider.name.split("/providers/")[0];
    const member = `principal://iam.googleapis.com/${pool}/subject/${claims.sub}`;
    const isBound = policy.bindings.some(
      ({ role, members, condition }: Any) =>
        condition === undefined && role === "roles/iam.workloadIdentityUser" && members.includes(member),
    );
    return [
      provider.state === "ACTIVE" && provider.disabled !== true,
      header.alg === algorithm && isSigned,
      claims.iss === provider.oidc.issuerUri,
      Number.isInteger(claims.iat) && claims.iat < time + 120,
      Number.isInteger(claims.exp) && claims.exp >= time - 60,
      audiences.length === 1 && accepted.includes(audiences[0]),
      typeof claims.sub === "string" && Buffer.byteLength(claims.sub) <= 127,
      provider.attributeMapping["google.subject"] === "assertion.sub",
      (provider.attributeCondition || `assertion.sub == '${claims.sub}'`) === `assertion.sub == '${claims.sub}'`,
      isBound,
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

const signers = fc.constantFrom(signer, rsa, other);
const claim = (name: string, values: fc.Arbitrary<Any>) => values.map((value) => ({ [name]: value }));

/** Changes of claims; some of them leave the token valid. */
const claimChanges: fc.Arbitrary<Any> = fc.oneof(
  claim("iss", fc.oneof(nearTo(gcpIssuer), fc.constantFrom(undefined, 5, gcpIssuer.toUpperCase()))),
  claim("sub", fc.oneof(nearTo(gcpSubject), fc.constantFrom(undefined, "", "é".repeat(64), `${gcpSubject}\u0000`))),
  claim(
    "aud",
    fc.oneof(
      nearTo("openshift"),
      fc.constantFrom("openshift", [], ["openshift", "x"], [5], `//iam.googleapis.com/${gcpProvider}`),
    ),
  ),
  claim("iat", fc.oneof(fc.integer({ min: now - 9000, max: now + 300 }), fc.constantFrom(undefined, "1", now - 0.5))),
  claim(
    "exp",
    fc.oneof(fc.integer({ min: now - 300, max: now + 99_999 }), fc.constantFrom(undefined, null, "1", 1e300)),
  ),
  claim("nbf", fc.integer({ min: now - 9, max: now + 9 })),
  fc.constant({}),
);

const headerChanges: fc.Arbitrary<Any> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Any>(
    { alg: "none" },
    { alg: "HS256" },
    { alg: "PS256" },
    { alg: "ES384" },
    { kid: undefined },
    { kid: signer.kid },
    { kid: rsa.kid },
    { typ: "JWT" },
    { crit: ["x"] },
  ),
);

const tokens: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(signers, headerChanges, fc.array(claimChanges, { maxLength: 2 }))
    .map(([by, header, changes]) => tokenOf(by as Signer, gcpClaims(Object.assign({}, ...changes)), header)),
  fc
    .tuple(fc.nat(usual.token.length - 1), fc.constantFrom(..."AZaz09-_.=+"))
    .map(([index, one]) => usual.token.slice(0, index) + one + usual.token.slice(index + 1)),
  fc.nat(usual.token.length).map((end) => usual.token.slice(0, end)),
  fc.constantFrom({ exp: now + 9999 }, { jti: "x" }).map((changes) => {
    const [head, , signature] = usual.token.split(".");
    return `${head}.${base64url(gcpClaims(changes))}.${signature}`;
  }),
  fc.constant(usual.token),
);

const jwks = (keys: readonly Any[]) => ({ oidc: { jwksJson: JSON.stringify({ keys }) } });
const providers: fc.Arbitrary<Any> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constantFrom<Any>(
      { disabled: true },
      { disabled: "no" },
      { state: "DELETED" },
      { state: undefined },
      { name: gcpProvider.replace("Pools/demo", "Pools/other") },
      { name: gcpProvider.replace("providers/demo", "providers/other") },
      { name: gcpProvider.replace("123456789012", "210987654321") },
      { attributeMapping: {} },
      { attributeMapping: { "google.subject": "assertion.jti" } },
      { attributeMapping: { "google.subject": "'x'" } },
      { attributeCondition: "assertion.sub == 'x'" },
      { attributeCondition: "" },
      { attributeCondition: `assertion.sub == '${gcpSubject}'` },
      { attributeCondition: "assertion.sub.matches('.*')" },
      { oidc: { allowedAudiences: undefined } },
      { oidc: { allowedAudiences: ["x"] } },
      jwks([]),
      jwks([other.jwk]),
      jwks([{ ...other.jwk, kid: signer.kid }]),
      jwks([{ ...rsa.jwk, kid: signer.kid }]),
      jwks([signer.jwk, { ...other.jwk, kid: signer.kid }]),
    ),
    nearTo(gcpIssuer).map((issuerUri) => ({ oidc: { issuerUri } })),
  )
  .map((changes) => describedProvider([signer, rsa], changes));

const policies: fc.Arbitrary<Any> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(usual.policy) },
  nearTo(principalOf()).map((member) => accountPolicy([member])),
  nearTo(gcpPool).map((pool) => accountPolicy([principalOf(gcpSubject, pool)])),
  fc.constantFrom<Any>(
    accountPolicy([]),
    accountPolicy(["user:a@example.com"]),
    accountPolicy(["allUsers"]),
    accountPolicy([principalOf()], { condition: { expression: "false" } }),
    accountPolicy([principalOf()], { role: "roles/iam.serviceAccountUser" }),
    accountPolicy([principalOf()], { role: "roles/owner" }),
    { etag: "x" },
  ),
);

describe("the predicted answer", () => {
  it("of the oracle and of the code is to accept the usual token", async () => {
    expect(mayAccept(usual)).toBe(true);
    expect((await gcpAnswer(usual.token, { files, ...usual })).verdict).toBe("accepted");
  });

  it("is never to accept what Google refuses, whatever changes in token, provider, policy and time", async () => {
    const times = fc.oneof({ weight: 3, arbitrary: fc.constant(now) }, fc.integer({ min: now - 300, max: now + 7300 }));
    await fc.assert(
      fc.asyncProperty(tokens, providers, policies, times, async (token, provider, policy, time) => {
        const one = { token, provider, policy, time };
        const { verdict, checks, deciding } = await gcpAnswer(token, { files, provider, policy }, time);
        if (verdict === "accepted") expect(mayAccept(one)).toBe(true);
        // A refusal has an error, or a check with an undocumented one. Nothing shows the signature.
        expect(deciding.length > 0).toBe(verdict === "refused");
        const signature = token.split(".")[2] ?? "";
        if (signature.length > 30) expect(JSON.stringify(checks)).not.toContain(signature.slice(0, 30));
      }),
      { numRuns: runs(400) },
    );
  });

  it("is to accept what the oracle accepts, if only one thing changes", async () => {
    const change = fc.oneof(
      tokens.map((token) => ({ ...usual, token })),
      providers.map((provider) => ({ ...usual, provider })),
      policies.map((policy) => ({ ...usual, policy })),
    );
    await fc.assert(
      fc.asyncProperty(change, async (one) => {
        const { verdict } = await gcpAnswer(one.token, { files, ...one }, one.time);
        if (mayAccept(one)) expect(verdict).not.toBe("refused");
        else expect(verdict).not.toBe("accepted");
      }),
      { numRuns: runs(300) },
    );
  });
});
