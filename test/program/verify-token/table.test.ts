import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTime } from "../../../src/cli/terminal/read-time.ts";
import { answerOf } from "../../../src/cli/verify-token/verify-token.ts";
import { verifyTokenText } from "../../../src/cli/verify-token/verify-token-output.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { expectFits } from "../../helpers/schema.ts";
import { base64url, claimsOf, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import {
  exportedCluster,
  exportedJson,
  fileOf,
  getRole,
  host,
  type Made,
  providerArn,
  roleArn,
  roleName,
  subject,
  trust,
} from "./exported.ts";

const rsa = rsaSigner();
const [p256, p384, p521] = [ecSigner("P-256"), ecSigner("P-384"), ecSigner("P-521")];
const stranger = ecSigner();

let made: Made;
beforeAll(() => {
  made = exportedCluster([rsa, p256, p384, p521]);
});
afterAll(() => made.remove());

interface Case {
  readonly token?: string;
  /** The documents, in the place of those of the export. */
  readonly discovery?: Any;
  readonly jwks?: Any;
  readonly provider?: Any;
  readonly role?: Any;
  readonly time?: string;
}

/** What must come of it: the first check that did not pass, and parts of its cause and its cure. */
type Expected = readonly [
  verdict: "accepted" | "refused" | "unknown",
  check?: string,
  code?: string | undefined,
  cause?: string,
  cure?: string,
];

const exits = { accepted: 0, refused: 2, unknown: 1 } as const;
const [invalid, expired, denied] = ["InvalidIdentityToken", "ExpiredTokenException", "AccessDenied"];
const sentences: Readonly<Record<string, string>> = {
  shape: "The ID Token provided is not a valid JWT",
  discovery: "Couldn't retrieve verification key from your identity provider",
  signature: "Couldn't retrieve verification key from your identity provider",
  audience: "Incorrect token audience",
  "trust policy": "Not authorized to perform sts:AssumeRoleWithWebIdentity",
};

const accepted: Expected = ["accepted"];
const claims = (changes: Any, signer: Signer = rsa) => ({ token: tokenOf(signer, claimsOf(changes)) });
const header = (changes: Any, signer: Signer = rsa) => ({ token: tokenOf(signer, claimsOf(), changes) });
const policy = (...statements: Any[]) => ({ role: getRole(trust(...statements)) });
const condition = (Condition: Any) => policy({ Condition });
const jwks = (...keys: Any[]) => ({ jwks: { keys } });
const { alg: _, ...bare } = rsa.jwk;
const assume = "sts:AssumeRoleWithWebIdentity";
const tags = "https://aws.amazon.com/tags";
const sourceIdentity = "https://aws.amazon.com/source_identity";
const issuer = `https://${host}`;
const discovery = { issuer, jwks_uri: `${issuer}/keys.json` };
const whole = tokenOf(rsa);
const parts = whole.split(".") as [string, string, string];

/** The same bytes for a reader that passes over the bits that the last character does not need. */
function rewritten(part: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const other = part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1) ?? "") + 1];
  expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(part, "base64url"));
  return other;
}

const cases: readonly [name: string, what: Case, expected: Expected][] = [
  // Accepted.
  ["a token of the RSA key", {}, accepted],
  ["a token of a key on P-256", { token: tokenOf(p256) }, accepted],
  ["a token of a key on P-384", { token: tokenOf(p384) }, accepted],
  ["a token of a key on P-521", { token: tokenOf(p521) }, accepted],
  ["RS512, with a key that is for any algorithm", { ...header({ alg: "RS512" }), ...jwks(bare) }, accepted],
  ["the audience as a text", claims({ aud: "openshift" }), accepted],
  ["the end of a line behind the token", { token: `${whole} \t\r\n\n` }, accepted],
  ...(
    [
      ["tags, nested", { [tags]: { principal_tags: { Team: ["a"] }, transitive_tag_keys: ["Team"] } }],
      ["a tag, flat", { [`${tags}/principal_tags/Team`]: "a", [`${tags}/transitive_tag_keys`]: ["Team"] }],
      ["tags, half flat", { [`${tags}/principal_tags`]: { Team: ["a"] } }],
      ["a source identity", { [sourceIdentity]: "someone" }],
    ] as const
  ).flatMap(([name, more]): [string, Case, Expected][] => {
    const [claim = ""] = Object.keys(more);
    const action = claim === sourceIdentity ? "sts:SetSourceIdentity" : "sts:TagSession";
    const cure = "let the issuer leave the claim out";
    const needs = `the token's claim "${claim}" needs ${action}, and `;
    const both = [assume, action.toUpperCase()];
    const unknowable = { Condition: { StringEquals: { "aws:RequestTag/Team": "a" } } };
    return [
      [`${name}, allowed`, { ...claims(more), ...policy({ Action: both }) }, accepted],
      [`${name}, allowed elsewhere`, { ...claims(more), ...policy({}, { Action: action }) }, accepted],
      [
        `${name}, not allowed`,
        claims(more),
        ["refused", "trust policy", denied, `${needs}the trust policy does not allow the action ${action}`, cure],
      ],
      [
        `${name}, allowed to others`,
        { ...claims(more), ...policy({}, { Action: action, Principal: { Federated: `${providerArn}/x` } }) },
        ["refused", "trust policy", denied, `${needs}the trust policy does not allow the action ${action}`, cure],
      ],
      [
        `${name}, allowed on a condition that fails`,
        { ...claims(more), ...policy({}, { Action: action, Condition: { StringEquals: { [`${host}:sub`]: "x" } } }) },
        ["refused", "trust policy", denied, `${needs}StringEquals on "${host}:sub" wants "x"`, cure],
      ],
      [
        `${name}, denied`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: "sts:*", Condition: {} }) },
        ["refused", "trust policy", denied, "a statement denies it", "take the statement out"],
      ],
      [
        `${name}, denied by name`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: action, Condition: {} }) },
        ["refused", "trust policy", denied, `${needs}a statement denies it`, cure],
      ],
      [
        `${name}, allowed on a condition that cannot be told`,
        { ...claims(more), ...policy({}, { Action: action, ...unknowable }) },
        ["unknown", "trust policy", undefined, `${needs}it cannot be told: what AWS has for the key`, cure],
      ],
    ];
  }),
  ...(
    [
      [tags, { principal_tags: {} }],
      [tags, "Team"],
      [tags, { principal_tags: { Team: ["a", "b"] } }],
      [tags, { principal_tags: { Team: ["a"] }, more: 1 }],
      [`${tags}/principal_tags`, Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, ["a"]]))],
      [`${tags}/principal_tags/${"k".repeat(129)}`, "a"],
      [`${tags}/principal_tags/Team`, "a".repeat(257)],
      [`${tags}/transitive_tag_keys`, "Team"],
      [`${tags}/other`, "a"],
      [sourceIdentity, "a b"],
      [sourceIdentity, "a".repeat(65)],
      ["https://aws.amazon.com/Tags", {}],
    ] as const
  ).map(([claim, value], at): [string, Case, Expected] => [
    `a claim for AWS of a form that is not known (${at})`,
    { ...claims({ [claim]: value }), ...policy({ Action: "sts:*" }) },
    [
      "unknown",
      "trust policy",
      undefined,
      `what AWS makes of the token's claim "${claim.slice(0, 72)}`,
      "let the issuer leave the claim out",
    ],
  ]),
  ["claims of Kubernetes' own", claims({ "kubernetes.io": { namespace: "x", exp: "none" } }), accepted],
  ["StringLike", condition({ StringLike: { [`${host}:sub`]: "system:serviceaccount:openshift-*:*" } }), accepted],
  ["several subjects", condition({ StringEquals: { [`${host}:sub`]: ["x", subject] } }), accepted],
  [
    "ForAllValues on a claim that is missing",
    condition({ "ForAllValues:StringEquals": { [`${host}:amr`]: "mfa" } }),
    accepted,
  ],
  [
    "ForAnyValue on a claim of several values",
    { ...claims({ amr: ["pwd", "mfa"] }), ...condition({ "ForAnyValue:StringEquals": { [`${host}:amr`]: "mfa" } }) },
    accepted,
  ],
  ["IfExists on a claim that is missing", condition({ StringEqualsIfExists: { [`${host}:amr`]: "mfa" } }), accepted],
  [
    "a key of the condition in another case",
    condition({ StringEquals: { [`${host.toUpperCase()}:SUB`]: subject } }),
    accepted,
  ],
  [
    "a denial of others",
    policy({}, { Effect: "Deny", Condition: { StringNotLike: { [`${host}:sub`]: "system:*" } } }),
    accepted,
  ],
  [
    "one statement of two",
    policy({ Principal: { Federated: "arn:aws:iam::123456789012:oidc-provider/old" } }, {}),
    accepted,
  ],
  [
    "an action with a wildcard, the statement not in a list",
    { role: getRole({ Statement: trust({ Action: ["sts:assumerole*"] }).Statement[0] }) },
    accepted,
  ],
  [
    "the policy URL-encoded, as the API gives it",
    { role: getRole(encodeURIComponent(JSON.stringify(trust({})))) },
    accepted,
  ],
  ["a role of a path", { role: getRole(trust({}), `arn:aws:iam::123456789012:role/a/b/${roleName}`) }, accepted],
  ["a provider that is given", { provider: { Url: host, ClientIDList: ["openshift"] } }, accepted],
  [
    "a claim's name written with an escape, and one of the name nested",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1.5 } })).replace('"exp":2', '"\\u0065xp" : 2')) },
    accepted,
  ],
  ["the last second", { time: String(now + 3599) }, accepted],

  // Shape.
  ["three characters", { token: "a.b" }, ["refused", "shape", invalid, "has 3 characters", "take the token anew"]],
  [
    "too long",
    { token: `${whole}${"A".repeat(20_001 - whole.length)}` },
    ["refused", "shape", invalid, "has 20001 characters, and must have 4 to 20000", "oc create token"],
  ],
  [
    "one part",
    { token: "abcdefgh" },
    ["refused", "shape", invalid, "has 1 part between its dots, and must have 3", "whole"],
  ],
  ["two parts", { token: `${parts[0]}.${parts[1]}` }, ["refused", "shape", invalid, "has 2 parts", "whole"]],
  ["four parts", { token: `${whole}.x` }, ["refused", "shape", invalid, "has 4 parts", "whole"]],
  ["no signature", { token: `${parts[0]}.${parts[1]}.` }, ["refused", "shape", invalid, "has no signature", "whole"]],
  [
    "a signature that is no base64url",
    { token: `${parts[0]}.${parts[1]}.a+b/` },
    ["refused", "shape", invalid, "signature is not base64url", "whole"],
  ],
  [
    "base64 with padding",
    { token: `${parts[0]}.${parts[1]}.${parts[2]}==` },
    ["refused", "shape", invalid, "signature is not base64url", "whole"],
  ],
  [
    "a signature of the same bytes, written otherwise",
    { token: `${parts[0]}.${parts[1]}.${rewritten(parts[2])}` },
    ["refused", "shape", invalid, "signature is not whole base64url, as when a token is cut short", "whole"],
  ],
  [
    "a header that is no base64url",
    { token: `!${whole}` },
    ["refused", "shape", invalid, "header is not base64url", "whole"],
  ],
  [
    "a payload that is no JSON",
    { token: tokenOf(rsa, "{iss:1}") },
    ["refused", "shape", invalid, "payload is not JSON", "whole"],
  ],
  [
    "a payload that is a list",
    { token: tokenOf(rsa, "[]") },
    ["refused", "shape", invalid, "payload is no JSON object", "whole"],
  ],
  [
    "a payload that is no UTF-8",
    { token: `${parts[0]}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${parts[2]}` },
    ["refused", "shape", invalid, "payload is not UTF-8", "whole"],
  ],
  [
    "a claim that stands twice",
    { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("{", '{"sub":"x",')) },
    ["refused", "shape", invalid, "payload has a key twice in one mapping", "whole"],
  ],
  [
    "alg none",
    header({ alg: "none" }),
    [
      "refused",
      "shape",
      invalid,
      '"alg" is "none", and AWS takes RS256, RS384, RS512, ES256, ES384, ES512 alone',
      "the cluster's service account signer",
    ],
  ],
  [
    "HS256 with the public key as its secret",
    header({ alg: "HS256" }),
    ["refused", "shape", invalid, '"alg" is "HS256"', "service account signer"],
  ],
  ["PS256", header({ alg: "PS256" }), ["refused", "shape", invalid, '"alg" is "PS256"', "service account signer"]],
  ["no alg", header({ alg: 5 }), ["refused", "shape", invalid, '"alg" is 5', "service account signer"]],
  [
    "exp as a text",
    claims({ exp: "2000003600" }),
    [
      "refused",
      "shape",
      invalid,
      '"exp" must be an integer, seconds since the epoch, and is "2000003600"',
      "oc create token",
    ],
  ],
  [
    "exp with a fraction",
    claims({ exp: now + 3600.5 }),
    ["refused", "shape", invalid, '"exp" must be an integer', "oc create token"],
  ],
  [
    "exp in another form of an integer",
    { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("2000003600", "2.0000036e9")) },
    ["refused", "shape", invalid, '"exp" must be an integer', "oc create token"],
  ],
  [
    "exp in another form of an integer, and as one elsewhere",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1 } })).replace("2000003600", "2.0000036e9")) },
    ["refused", "shape", invalid, '"exp" must be an integer', "oc create token"],
  ],
  [
    "iat in another form of an integer, and as one in a text",
    {
      token: tokenOf(
        rsa,
        JSON.stringify(claimsOf({ x: '"iat":1,' })).replace(`"iat":${now - 10}`, '"iat":1999999990.0'),
      ),
    },
    ["refused", "shape", invalid, '"iat" must be an integer', "oc create token"],
  ],
  [
    "a byte order mark before the token",
    { token: `\ufeff${whole}` },
    ["refused", "shape", invalid, "white space before the token", "tr -cd"],
  ],
  [
    "a space before the token",
    { token: ` ${whole}` },
    ["refused", "shape", invalid, "white space before the token", "tr -cd"],
  ],
  [
    "a no-break space behind the token",
    { token: `${whole}\u00a0\n` },
    ["refused", "shape", invalid, "white space in the token, after", "tr -cd"],
  ],
  [
    "a line separator behind the token",
    { token: `${whole}\u2028` },
    ["refused", "shape", invalid, "white space in the token, after", "tr -cd"],
  ],
  [
    "no exp",
    claims({ exp: undefined }),
    [
      "refused",
      "shape",
      invalid,
      '"exp" must be an integer, seconds since the epoch, and is missing',
      "tokens of Secrets lack claims",
    ],
  ],
  [
    "no iat",
    claims({ iat: undefined }),
    ["refused", "shape", invalid, '"iat" must be an integer', "tokens of Secrets"],
  ],
  [
    "nbf as a text",
    claims({ nbf: "now" }),
    ["refused", "shape", invalid, '"nbf" must be an integer', "tokens of Secrets"],
  ],
  [
    "no issuer",
    claims({ iss: undefined }),
    ["refused", "shape", invalid, '"iss" must be a text, and is missing', "tokens of Secrets"],
  ],
  [
    "no subject",
    claims({ sub: undefined }),
    ["refused", "shape", invalid, '"sub" must be a text, and is missing', "tokens of Secrets"],
  ],
  [
    "no audience",
    claims({ aud: undefined }),
    ["refused", "shape", invalid, '"aud" must be a text or a list of texts, and is missing', "tokens of Secrets"],
  ],
  [
    "an audience that is no text",
    claims({ aud: ["openshift", 1] }),
    ["refused", "shape", invalid, '"aud" must be a text or a list of texts, and is a list of 2', "tokens of Secrets"],
  ],

  // Provider.
  [
    "a slash at the end of the issuer",
    claims({ iss: `${issuer}/` }),
    ["refused", "provider", invalid, "they differ by a slash at the end, which counts", `to "${issuer}"`],
  ],
  [
    "a port in the issuer",
    claims({ iss: `${issuer}:443` }),
    ["refused", "provider", invalid, "by a port, and no provider has one", `to "${issuer}"`],
  ],
  [
    "upper case in the issuer",
    claims({ iss: issuer.replace("demo", "Demo") }),
    ["refused", "provider", invalid, "they differ in case, which counts", `to "${issuer}"`],
  ],
  [
    "the issuer over http",
    claims({ iss: `http://${host}` }),
    ["refused", "provider", invalid, 'does not begin with "https://"', "an https URL that has a provider"],
  ],
  [
    "the issuer without a scheme",
    claims({ iss: host }),
    ["refused", "provider", invalid, 'does not begin with "https://"', "an https URL"],
  ],
  [
    "another issuer",
    claims({ iss: "https://kubernetes.default.svc" }),
    [
      "refused",
      "provider",
      invalid,
      `is "https://kubernetes.default.svc", and the account's providers are for "${issuer}"`,
      `to "${issuer}"`,
    ],
  ],
  [
    "a token of a Secret",
    claims({ iss: "kubernetes/serviceaccount" }),
    ["refused", "provider", invalid, 'does not begin with "https://"', "use the projected one"],
  ],
  [
    "a role of another account",
    { role: getRole(trust({}), roleArn.replace("123456789012", "210987654321")) },
    [
      "refused",
      "provider",
      invalid,
      'of the account 123456789012 in the partition "aws", and the role of 210987654321',
      "a role of the provider's account",
    ],
  ],
  [
    "a role of another partition",
    { role: getRole(trust({}), roleArn.replace(":aws:", ":aws-us-gov:")) },
    [
      "refused",
      "provider",
      invalid,
      'and the role of 123456789012 in "aws-us-gov"',
      "a role of the provider's account",
    ],
  ],
  [
    "a provider of another URL",
    { provider: { Url: "oidc.example.com", ClientIDList: ["openshift"] } },
    ["refused", "provider", invalid, 'providers are for "https://oidc.example.com"', 'to "https://oidc.example.com"'],
  ],

  // Discovery.
  [
    "a document of another issuer",
    { discovery: { ...discovery, issuer: `${issuer}/` } },
    ["refused", "discovery", invalid, `"issuer" is "${issuer}/", and the token's "${issuer}"`, "aws/apply.sh"],
  ],
  [
    "a document without an issuer",
    { discovery: { jwks_uri: discovery.jwks_uri } },
    ["refused", "discovery", invalid, '"issuer" is missing', "check-issuer"],
  ],
  [
    "keys over http",
    { discovery: { ...discovery, jwks_uri: `http://${host}/keys.json` } },
    ["refused", "discovery", invalid, "and must be an https URL", "aws/apply.sh"],
  ],
  [
    "a document that is an error page",
    { discovery: "<Error>AccessDenied</Error>" },
    ["refused", "discovery", invalid, "the discovery document is not JSON", "aws/apply.sh"],
  ],

  [
    "keys at a URL that a parser repairs",
    { discovery: { ...discovery, jwks_uri: `https:///${host}/keys.json` } },
    ["refused", "discovery", invalid, 'which does not begin with "https://" and a host', "aws/apply.sh"],
  ],
  [
    "keys at a port",
    { discovery: { ...discovery, jwks_uri: `https://${host}:8443/keys.json` } },
    ["unknown", "discovery", undefined, "the URL has the port 8443, and what AWS does then", "host and path alone"],
  ],
  ["keys on another host", { discovery: { ...discovery, jwks_uri: "https://keys.example.com/keys.json" } }, accepted],
  // Keys and signature.
  [
    "a key that is not published",
    { token: tokenOf(stranger) },
    [
      "refused",
      "signature",
      invalid,
      `the token's key "${stranger.kid}" is not in the JWKS, which has "${rsa.kid}"`,
      "put it into `spec.issuer.signingKeys`",
    ],
  ],
  [
    "the right key ID and the wrong key",
    { token: tokenOf(p256), ...jwks({ ...stranger.jwk, kid: p256.kid }) },
    [
      "refused",
      "signature",
      invalid,
      `has a key "${p256.kid}", and it is not the one that signed the token`,
      "compare its key ID",
    ],
  ],
  [
    "no key ID",
    header({ kid: undefined }),
    ["refused", "signature", invalid, 'has no "kid"', "publish the public key"],
  ],
  [
    "a private key beside it",
    jwks(rsa.jwk, { ...p256.jwk, d: "AAAA" }),
    ["refused", "signature", invalid, "is published with numbers of its private half", "create a new key pair"],
  ],
  [
    "a malformed key beside it",
    jwks(rsa.jwk, { kty: "RSA", kid: "x" }),
    ["unknown", "signature", undefined, 'the key "x" has no modulus ("n")', "aws/apply.sh"],
  ],
  ["no keys", jwks(), ["refused", "signature", invalid, "is not in the JWKS, which has no keys", "publish"]],
  [
    "a JWKS without a list",
    { jwks: {} },
    ["refused", "signature", invalid, 'the JWKS has no list "keys"', "aws/apply.sh"],
  ],
  [
    "a JWKS of something else",
    { jwks: { keys: [1] } },
    ["refused", "signature", invalid, 'has something in "keys" that is no key', "aws/apply.sh"],
  ],
  ["a JWKS that is no JSON", { jwks: "x" }, ["refused", "signature", invalid, "the JWKS is not JSON", "aws/apply.sh"]],
  [
    "a key that is for encryption",
    jwks({ ...rsa.jwk, use: "enc" }),
    ["refused", "signature", invalid, "it is not for signatures", "publish"],
  ],
  [
    "a key that may not verify",
    jwks({ ...rsa.jwk, use: undefined, key_ops: ["sign"] }),
    ["refused", "signature", invalid, "it is not for signatures", "publish"],
  ],
  [
    "a key of another kind",
    { token: tokenOf(p256, claimsOf(), { kid: rsa.kid }) },
    ["refused", "signature", invalid, 'it is of the kind "RSA", and ES256 needs EC', "publish"],
  ],
  [
    "a key on another curve",
    { token: tokenOf(p256, claimsOf(), { kid: p384.kid }) },
    ["refused", "signature", invalid, 'it is on the curve "P-384", and ES256 needs P-256', "publish"],
  ],
  [
    "a key for another algorithm",
    header({ alg: "RS384" }),
    ["refused", "signature", invalid, 'its "alg" is "RS256", and the token\'s is RS384', "publish"],
  ],
  [
    "claims that were changed",
    { token: `${parts[0]}.${base64url(claimsOf({ exp: now + 9999 }))}.${parts[2]}` },
    ["refused", "signature", invalid, "the token was changed", "take the token anew"],
  ],
  [
    "two keys of one ID",
    jwks(rsa.jwk, rsa.jwk),
    ["unknown", "signature", undefined, "2 keys of the JWKS are called", "publish each key once"],
  ],
  [
    "a key that cannot be read",
    jwks({ ...rsa.jwk, n: "" }),
    ["refused", "signature", invalid, 'cannot be used with the token: it has an empty modulus ("n")', "publish"],
  ],
  [
    "an extension that must be understood",
    header({ crit: ["b64"], b64: false }),
    ["unknown", "signature", undefined, '"crit"', "without it"],
  ],
  [
    "more keys than IAM reads",
    jwks(rsa.jwk, ...Array.from({ length: 100 }, (_, at) => ({ ...rsa.jwk, kid: `k${at}` }))),
    ["unknown", "signature", undefined, "more than 100 RSA keys", "fewer keys"],
  ],

  // Time.
  [
    "expired this second",
    { time: String(now + 3600) },
    [
      "unknown",
      "time",
      undefined,
      "0 seconds before the time of the check; IAM may go on with it for 5 minutes",
      "take a new token",
    ],
  ],
  [
    "expired by a second",
    { time: "2033-05-18T04:33:21Z" },
    ["unknown", "time", undefined, "1 second before the time of the check", "take a new token"],
  ],
  [
    "expired by more than IAM's five minutes",
    { time: String(now + 3901) },
    ["refused", "time", expired, "the token expired 2033-05-18T04:33:20Z, 5 minutes before", "take a new token"],
  ],
  [
    "not yet valid, by a second",
    claims({ nbf: now + 1 }),
    ["refused", "time", invalid, '"nbf" is 2033-05-18T03:33:21Z, 1 second after', "correct the clock"],
  ],
  [
    "issued in the future",
    claims({ iat: now + 7200 }),
    ["refused", "time", invalid, '"iat" is 2033-05-18T05:33:20Z, 2 hours after', "correct the clock"],
  ],

  // Audience.
  [
    "another audience",
    claims({ aud: ["https://kubernetes.default.svc"] }),
    [
      "refused",
      "audience",
      invalid,
      'is for "https://kubernetes.default.svc", and the provider\'s client IDs are "openshift", "sts.amazonaws.com"',
      "take a token for one audience of the provider",
    ],
  ],
  [
    "two audiences, one of the provider",
    claims({ aud: ["openshift", "vault"] }),
    ["unknown", "audience", undefined, "has 2 audiences", "take a token for one audience"],
  ],
  [
    "two audiences of the provider",
    claims({ aud: ["openshift", "sts.amazonaws.com"] }),
    ["unknown", "audience", undefined, "what AWS does then is not documented", "one audience"],
  ],
  [
    "two audiences of others",
    claims({ aud: ["a", "b"] }),
    ["refused", "audience", invalid, 'is for "a", "b"', "spec.issuer.audiences"],
  ],
  ["an authorized party", claims({ azp: "client" }), ["unknown", "audience", undefined, '"azp"', "take a token"]],
  [
    "a provider without client IDs",
    { provider: { Url: host } },
    ["refused", "audience", invalid, "client IDs are none", "take a token"],
  ],

  // Trust policy.
  [
    "another service account",
    claims({ sub: "system:serviceaccount:openshift-ingress-operator:default" }),
    [
      "refused",
      "trust policy",
      denied,
      `wants "${subject}", and the token has "system:serviceaccount:openshift-ingress-operator:default"`,
      "serviceAccountNames",
    ],
  ],
  [
    "the subject in another case",
    claims({ sub: subject.toUpperCase() }),
    ["refused", "trust policy", denied, "StringEquals", "serviceAccountNames"],
  ],
  [
    "a wildcard with StringEquals",
    condition({ StringEquals: { [`${host}:sub`]: "system:*" } }),
    ["refused", "trust policy", denied, 'wants "system:*"', "serviceAccountNames"],
  ],
  [
    "https:// in the key",
    condition({ StringEquals: { [`${issuer}:sub`]: subject } }),
    ["refused", "trust policy", denied, 'no key has "https://" in it', `take "https://" out of the key: "${host}:sub"`],
  ],
  [
    "another issuer's key",
    condition({ StringEquals: { "oidc.example.com:sub": subject } }),
    ["refused", "trust policy", denied, "the request has no such key", "aws/status.sh"],
  ],
  [
    "one of two keys",
    condition({ StringEquals: { [`${host}:sub`]: subject, [`${host}:aud`]: "sts.amazonaws.com" } }),
    [
      "refused",
      "trust policy",
      denied,
      `on "${host}:aud" wants "sts.amazonaws.com", and the token has "openshift"`,
      "take a token for one of these audiences",
    ],
  ],
  [
    "ForAnyValue on a claim that is missing",
    condition({ "ForAnyValue:StringEquals": { [`${host}:amr`]: "mfa" } }),
    ["refused", "trust policy", denied, "the request has no such key", "aws/status.sh"],
  ],
  [
    "another provider",
    policy({ Principal: { Federated: providerArn.replace("demo", "other") } }),
    ["refused", "trust policy", denied, `and the token is of "${providerArn}"`, "aws/status.sh"],
  ],
  [
    "a provider of another account",
    policy({ Principal: { Federated: providerArn.replace("123456789012", "210987654321") } }),
    ["refused", "trust policy", denied, "and the token is of", "aws/status.sh"],
  ],
  [
    "no provider at all",
    policy({ Principal: { Service: "ec2.amazonaws.com" } }),
    ["refused", "trust policy", denied, "names no provider", "aws/status.sh"],
  ],
  [
    "another action",
    policy({ Action: "sts:AssumeRole" }),
    ["refused", "trust policy", denied, "does not allow the action sts:AssumeRoleWithWebIdentity", "aws/status.sh"],
  ],
  [
    "a denial",
    policy({}, { Effect: "Deny", Principal: "*", Condition: { StringLike: { [`${host}:sub`]: "system:*" } } }),
    ["refused", "trust policy", denied, "a statement denies it: StringLike", "take the statement out"],
  ],
  [
    "a denial alone",
    policy({ Effect: "Deny", Condition: {} }),
    ["refused", "trust policy", denied, "a statement denies it", "take the statement out"],
  ],
  [
    "no statements",
    { role: getRole({ Version: "2012-10-17", Statement: [] }) },
    ["refused", "trust policy", denied, "no statement of the trust policy allows anything", "aws/status.sh"],
  ],
  [
    "an operator that is not known",
    condition({ StringMatches: { [`${host}:sub`]: subject } }),
    ["unknown", "trust policy", undefined, 'the operator "StringMatches" is not known here', "look at the statement"],
  ],
  [
    "a denial that cannot be told",
    policy({}, { Effect: "Deny", Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }),
    ["unknown", "trust policy", undefined, 'the operator "IpAddress" is not known here', "look at the statement"],
  ],
  [
    "a key that only AWS knows",
    condition({ StringEquals: { "aws:SourceVpc": "vpc-1" } }),
    ["unknown", "trust policy", undefined, 'for the key "aws:SourceVpc" is not known here', "look"],
  ],
  [
    "a claim that AWS may not pass on",
    condition({ StringNotEquals: { [`${host}:email`]: "x" } }),
    ["unknown", "trust policy", undefined, `for the key "${host}:email" is not known here`, "look"],
  ],
  [
    "oaud without an authorized party",
    condition({ StringEquals: { [`${host}:oaud`]: "openshift" } }),
    ["unknown", "trust policy", undefined, ":oaud", "look"],
  ],
  [
    "a policy variable",
    condition({ StringEquals: { [`${host}:sub`]: "${aws:username}" } }),
    ["unknown", "trust policy", undefined, "cannot be compared", "look"],
  ],
  [
    "NotPrincipal",
    policy({ Principal: undefined, NotPrincipal: { AWS: "x" } }),
    ["unknown", "trust policy", undefined, 'a statement has "NotPrincipal"', "look"],
  ],
  [
    "everybody",
    policy({ Principal: "*" }),
    ["unknown", "trust policy", undefined, "has a form that is not known", "look"],
  ],
  [
    "an effect that is none",
    policy({ Effect: "allow" }),
    ["unknown", "trust policy", undefined, "neither Allow nor Deny", "look"],
  ],
  [
    "a policy that is no JSON",
    { role: getRole("%7Bx") },
    ["unknown", "trust policy", undefined, "the trust policy is not JSON", "aws/status.sh"],
  ],
  [
    "several values without ForAnyValue",
    { ...claims({ amr: ["a", "b"] }), ...condition({ StringEquals: { [`${host}:amr`]: "a" } }) },
    ["unknown", "trust policy", undefined, "the token has several values", "look"],
  ],

  // Several at once: the first one is AWS's answer.
  [
    "everything wrong",
    {
      token: tokenOf(
        stranger,
        claimsOf({ iss: "https://x.example", aud: "x", exp: now - 9999, iat: now - 99999, sub: "x" }),
      ),
    },
    ["refused", "provider", invalid, "https://x.example", issuer],
  ],
  [
    "expired, and for others",
    { ...claims({ aud: "x" }), time: String(now + 99999) },
    ["refused", "time", expired, "expired", "take a new token"],
  ],
  [
    "what is not known, and then what is wrong",
    { ...claims({ sub: "x" }), ...jwks(rsa.jwk, rsa.jwk) },
    ["refused", "signature", undefined, "2 keys", "once"],
  ],
];

/** The flags that ask of a case. */
function flagsOf(what: Case): Readonly<Record<string, string>> {
  const files = { discovery: what.discovery, jwks: what.jwks, "provider-file": what.provider, "role-file": what.role };
  const given = Object.entries(files).filter(([, value]) => value !== undefined);
  return {
    package: made.out,
    ...(what.role === undefined ? { role: roleName } : {}),
    ...Object.fromEntries(given.map(([flag, value]) => [flag, fileOf(value)])),
  };
}

/** Says that a check is the one that is expected, with AWS's error where it failed. */
function expectCheck(found: Any, [, check, code, cause = "", cure = ""]: Expected): void {
  expect([found?.name, found?.awsError?.code]).toEqual([check, code]);
  if (found === undefined) return;
  expect(found.detail).toContain(cause);
  expect(found.cure).toContain(cure);
  expect(found.awsError?.httpStatus).toBe(code === undefined ? undefined : code === denied ? 403 : 400);
  expect(found.awsError?.message ?? "").toContain(code === undefined ? "" : (sentences[found.name] ?? ""));
}

/** Says that a text has a part where it should, and not where it should not. */
function expectPart(text: string, part: string, isThere: boolean): void {
  if (isThere) expect(text).toContain(part);
  else expect(text).not.toContain(part);
}

describe("what AWS would answer to", () => {
  it.each(cases)("%s", async (_name, what, expected) => {
    const [verdict, , code] = expected;
    const [token, time] = [what.token ?? whole, what.time ?? String(now)];
    const flags = flagsOf(what);
    const args = Object.entries({ token: fileOf(token), time, ...flags }).flatMap(([flag, value]) => [
      `--${flag}`,
      value,
    ]);
    const json = run(["verify-token", ...args, "-o", "json"]);
    expect({ stderr: json.stderr, status: json.status }).toEqual({ stderr: "", status: exits[verdict] });
    expectFits("verify-token", json.stdout);
    const { "role-file": roleFile, ...rest } = flags;
    const sources = { ...rest, ...(roleFile === undefined ? {} : { "role-file": [roleFile] }) };
    const text = verifyTokenText(
      await answerOf(sources, "token", token.replace(/[ \t\r\n]+$/, ""), readTime(time)),
      readTime(time),
    ).join("\n");
    const answer = JSON.parse(json.stdout);
    expect([answer.verdict, answer.roles.map((role: Any) => role.verdict)]).toEqual([verdict, [verdict]]);
    const [role] = answer.roles;
    const first = role.checks.find(({ status }: Any) => status === "failed" || status === "unknown");
    expectCheck(first, expected);
    if (code !== undefined) expect(role.awsError).toEqual(first.awsError);
    const { httpStatus = 0, message = "" } = role.awsError ?? {};
    expectPart(text, `AWS: ${role.awsError?.code} (${httpStatus}): ${message}\n`, role.awsError !== null);
    expectPart(text, "\nAccepted.\n", verdict === "accepted");
    const signature = (what.token ?? whole).split(".")[2]?.trim() ?? "";
    if (signature.length > 8)
      for (const stdout of [json.stdout, text]) expectPart(stdout, signature.slice(0, 24), false);
  });
});

describe("the sentence of AWS", () => {
  it("names the issuer that has no provider, and both times of a token that expired", () => {
    const ask = (token: string, time: number) =>
      JSON.parse(
        run(
          [
            "verify-token",
            "--token",
            "-",
            "--package",
            made.pkg,
            "--role",
            roleArn,
            "--time",
            String(time),
            "-o",
            "json",
          ],
          { input: token },
        ).stdout,
      ).roles[0].awsError;
    expect(ask(tokenOf(rsa, claimsOf({ iss: `${issuer}/` })), now)).toEqual({
      code: invalid,
      httpStatus: 400,
      message: `No OpenIDConnect provider found in your account for ${issuer}/`,
    });
    expect(ask(whole, now + 5000)).toEqual({
      code: expired,
      httpStatus: 400,
      message: `Token expired: current date/time ${now + 5000} must be before the expiration date/time ${now + 3600}`,
    });
  });

  it("is the same for what the export holds and for what the package holds", () => {
    const args = ["verify-token", "--token", fileOf(whole), "--time", String(now), "--role", roleName];
    const [fromOut, fromPackage] = [made.out, made.pkg].map(
      (directory) => run([...args, "--package", directory]).stdout,
    );
    expect(fromOut).toBe(fromPackage);
    expect(exportedJson(made.out, "aws/issuer/keys.json").keys).toHaveLength(4);
  });
});
