import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRendered } from "../../../src/clouds/aws/rendered/rendered.ts";
import { answerFor } from "../../../src/clouds/aws/tokens/exchange.ts";
import { roleToAssume } from "../../../src/clouds/aws/tokens/identity.ts";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { bundlesOfFiles } from "../../../src/clouds/rendered.ts";
import { readToken } from "../../../src/oidc/token.ts";
import { type Any, identity, makeCredentials, makeIssuer, request } from "../../helpers/cluster.ts";
import { base64url, claimsOf, ecSigner, now, type Signer, tokenOf } from "../../helpers/token.ts";
import { host, providerArn } from "./exported.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

const signer = ecSigner();
const other = ecSigner();
const subject = "system:serviceaccount:ns-one:one-operator";

/** The files of an export for one request. */
const rendered: ReadonlyMap<string, string> = (() => {
  const config = identity({
    spec: { issuer: { signingKeys: [{ publicKey: signer.publicPem }] } },
    aws: { roles: { requireAudience: true } },
  });
  const made = [makeIssuer(config), makeCredentials(config, [request("one")])];
  const files = new Map<string, string>();
  for (const { objects, clusterFiles = {} } of made) {
    for (const [name, text] of Object.entries(clusterFiles)) files.set(`aws/${name}`, text);
    for (const [path, { kind, data }] of Object.entries(objects))
      if (kind === "ConfigMap")
        for (const name of Object.keys(data)) files.set(`${path.replace(/\.yaml$/, "")}/${name}`, data[name]);
  }
  return files;
})();

const discoveryFile = "aws/issuer/openid-configuration";
const keysFile = "aws/issuer/keys.json";
const providerFile = "aws/issuer/create-open-id-connect-provider.json";
const trustFile = "aws/roles/ns-one-credentials/trust-policy.json";

async function verdict(token: string, files: ReadonlyMap<string, string>, time = now, arn?: string): Promise<string> {
  const cluster = readRendered(bundlesOfFiles(files));
  if (cluster === undefined) throw new Error("nothing was rendered");
  const [role, ...more] = cluster.identities.flatMap(({ id = "", trust }) => roleToAssume(arn ?? id, trust) ?? []);
  if (role === undefined || more.length > 0) throw new Error("one role was rendered");
  return (await answerFor(readToken(token, limits), time, cluster.issuers, role)).verdict;
}

const claims = claimsOf({ sub: subject });
const token = tokenOf(signer, claims);

/** An exchange: a token, what AWS knows, and when. */
interface Exchange {
  readonly token: string;
  readonly files: ReadonlyMap<string, string>;
  readonly time: number;
}

const accepted: Exchange = { token, files: rendered, time: now };

/** A text that differs slightly from the given one. */
const nearTo = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom("a", "Z", "/", ":", " ", ".", "*", ""))
    .map(([index, one]) => text.slice(0, index) + one + text.slice(index + 1))
    .filter((changed) => changed !== text);

const withClaims = (changes: Any, by: Signer = signer): Exchange => ({
  ...accepted,
  token: tokenOf(by, { ...claims, ...changes }),
});
const withJson = (path: string, change: (value: Any) => void): Exchange => {
  const value = JSON.parse(rendered.get(path) ?? "null");
  change(value);
  return { ...accepted, files: new Map([...rendered, [path, JSON.stringify(value)]]) };
};
const withTrust = (change: (statement: Any) => void) => withJson(trustFile, (policy) => change(policy.Statement[0]));
const parts = token.split(".") as [string, string, string];

/** Single changes. After each of them AWS would refuse the token. */
const mutations: Readonly<Record<string, fc.Arbitrary<Exchange>>> = {
  "a character of the token": fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(..."AZaz09-_.=+"))
    .filter(([index, one]) => token[index] !== one)
    .map(([index, one]) => ({ ...accepted, token: token.slice(0, index) + one + token.slice(index + 1) })),
  "the token cut off": fc.nat(token.length - 1).map((end) => ({ ...accepted, token: token.slice(0, end) })),
  "unsigned claims": fc
    .constantFrom({ exp: now + 7200 }, { sub: subject, "kubernetes.io": {} }, { jti: "x" })
    .map((changes) => ({ ...accepted, token: `${parts[0]}.${base64url({ ...claims, ...changes })}.${parts[2]}` })),
  "an unsigned header": fc
    .constantFrom({ typ: "JWT" }, { alg: "ES384" }, { alg: "RS256" }, { alg: "none" }, { kid: other.kid })
    .map((changes) => ({
      ...accepted,
      token: `${base64url({ alg: signer.alg, kid: signer.kid, ...changes })}.${parts[1]}.${parts[2]}`,
    })),
  "another signer": fc
    .constantFrom({}, { kid: signer.kid })
    .map((header) => ({ ...accepted, token: tokenOf(other, claims, header) })),
  "an algorithm that is none of AWS's": fc
    .constantFrom("none", "None", "HS256", "HS384", "PS256", "EdDSA", "es256", "")
    .map((alg) => ({ ...accepted, token: tokenOf(signer, claims, { alg }) })),
  issuer: nearTo(`https://${host}`).map((iss) => withClaims({ iss })),
  subject: nearTo(subject).map((sub) => withClaims({ sub })),
  audience: nearTo("openshift").map((aud) => withClaims({ aud: [aud] })),
  "more audiences": nearTo("openshift").map((aud) => withClaims({ aud: [aud, "openshift"] })),
  "the forms of times": fc
    .tuple(fc.constantFrom("exp", "iat", "nbf"), fc.constantFrom("1", 1.5, null, [], true, "2033-05-18"))
    .map(([name, value]) => withClaims({ [name]: value })),
  "an expiry in the past": fc.integer({ min: 0, max: now - 1 }).map((exp) => withClaims({ exp })),
  "a beginning in the future": fc
    .tuple(fc.constantFrom("iat", "nbf"), fc.integer({ min: 1, max: 3000 }))
    .map(([name, more]) => withClaims({ [name]: now + more })),
  "a claim that is missing": fc
    .constantFrom("iss", "sub", "aud", "exp", "iat")
    .map((name) => withClaims({ [name]: undefined })),
  "the time of the exchange": fc
    .oneof(fc.integer({ min: 0, max: now - 11 }), fc.integer({ min: now + 3600, max: now * 2 }))
    .map((time) => ({ ...accepted, time })),
  "the discovery document's issuer": nearTo(`https://${host}`).map((issuer) =>
    withJson(discoveryFile, (document) => Object.assign(document, { issuer })),
  ),
  "the scheme of jwks_uri": fc
    .constantFrom("http://x/keys.json", "keys.json", "", "ftp://x", 5, undefined)
    .map((uri) => withJson(discoveryFile, (document) => Object.assign(document, { jwks_uri: uri }))),
  "a document that is missing or cut": fc
    .tuple(fc.constantFrom(discoveryFile, keysFile), fc.nat(100))
    .map(([path, end]) => ({
      ...accepted,
      files: new Map([...rendered, [path, (rendered.get(path) ?? "").slice(0, end)]]),
    })),
  "a number of the key": fc
    .tuple(
      fc.constantFrom("x", "y", "kid", "crv", "kty", "alg", "use"),
      fc.constantFrom(other.jwk["x"] ?? "", "AAAA", "", "P-384", "RSA", "enc"),
    )
    .filter(([name, value]) => signer.jwk[name] !== value)
    .map(([name, value]) => withJson(keysFile, ({ keys }) => Object.assign(keys[0], { [name]: value }))),
  "the provider's URL": nearTo(host).map((url) =>
    withJson(providerFile, (provider) => Object.assign(provider, { Url: `https://${url}` })),
  ),
  "the client IDs": fc
    .array(nearTo("openshift"), { maxLength: 3 })
    .map((ClientIDList) => withJson(providerFile, (provider) => Object.assign(provider, { ClientIDList }))),
  "the principal": nearTo(providerArn).map((arn) =>
    withTrust((value) => Object.assign(value.Principal, { Federated: arn })),
  ),
  "the kind of principal": fc
    .constantFrom({ AWS: providerArn }, { Service: providerArn }, { Federated: [] }, {}, "x")
    .map((Principal) => withTrust((value) => Object.assign(value, { Principal }))),
  "the action": fc
    .constantFrom("sts:AssumeRole", "sts:AssumeRoleWithSAML", "sts:", "iam:*", "", [])
    .map((Action) => withTrust((value) => Object.assign(value, { Action }))),
  "the effect": fc
    .constantFrom("Deny", "allow", "", undefined)
    .map((Effect) => withTrust((value) => Object.assign(value, { Effect }))),
  "the subject that is trusted": nearTo(subject)
    .filter((sub) => !sub.includes("*"))
    .chain((sub) => fc.constantFrom("StringEquals", "StringLike").map((operator) => [sub, operator] as const))
    .map(([sub, operator]) =>
      withTrust((value) => Object.assign(value, { Condition: { [operator]: { [`${host}:sub`]: sub } } })),
    ),
  "the key of the condition": nearTo(`${host}:sub`)
    .filter((key) => key.toLowerCase() !== `${host}:sub`)
    .map((key) => withTrust((value) => Object.assign(value, { Condition: { StringEquals: { [key]: subject } } }))),
  "the operator": fc
    .constantFrom(
      "StringNotEquals",
      "StringNotLike",
      "Null",
      "Bool",
      "NumericEquals",
      "ArnEquals",
      "IpAddress",
      "StringEqual",
      "ForAnyValue:StringNotEquals",
      "ForAllValues:StringNotLike",
    )
    .map((operator) =>
      withTrust((value) => Object.assign(value, { Condition: { [operator]: { [`${host}:sub`]: subject } } })),
    ),
  "one more condition": fc
    .constantFrom<Any>(
      { [`${host}:amr`]: "mfa" },
      { "other.example:sub": subject },
      { [`https://${host}:sub`]: subject },
      { "aws:SourceVpc": "x" },
    )
    .map((more) => withTrust((value) => Object.assign(value.Condition.StringEquals, more))),
  "a denial beside it": fc
    .constantFrom<Any>(
      {},
      { StringLike: { [`${host}:sub`]: "*" } },
      { StringNotEquals: { [`${host}:sub`]: "x" } },
      { Foo: { bar: "x" } },
      { Null: { [`${host}:amr`]: "true" } },
    )
    .map((Condition) =>
      withJson(trustFile, ({ Statement }) => Statement.push({ ...Statement[0], Effect: "Deny", Condition })),
    ),
};

describe("an exchange that AWS would accept", () => {
  it("is accepted", async () => {
    expect(await verdict(token, rendered)).toBe("accepted");
  });

  it.each(Object.keys(mutations))("changed in one place (%s) is not accepted", async (name) => {
    await fc.assert(
      fc.asyncProperty(mutations[name] as fc.Arbitrary<Exchange>, async (changed) => {
        expect(await verdict(changed.token, changed.files, changed.time)).not.toBe("accepted");
      }),
      { numRuns: runs(40, 12) },
    );
  });

  it("is not accepted for a role in another account or partition", async () => {
    for (const start of ["arn:aws:iam::210987654321", "arn:aws-cn:iam::123456789012"])
      expect(await verdict(token, rendered, now, `${start}:role/demo`)).toBe("refused");
  });
});
