import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTime } from "../../../src/cli/terminal/arguments.ts";
import { answerOf } from "../../../src/cli/verify-token/verify-token.ts";
import { verifyTokenJson, verifyTokenText } from "../../../src/cli/verify-token/verify-token-output.ts";
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
  /** The documents, used instead of those of the export. */
  readonly discovery?: Any;
  readonly jwks?: Any;
  readonly provider?: Any;
  readonly role?: Any;
  readonly time?: string;
}

/** The expected result: the first check that did not pass, and parts of its cause and its cure. */
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

/** The same bytes for a reader that ignores the unused bits of the last character. */
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
    const cure = "configure the issuer to omit the claim";
    const needs = `the token's claim "${claim}" requires ${action}, but `;
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
        ["refused", "trust policy", denied, `${needs}StringEquals on "${host}:sub" requires "x"`, cure],
      ],
      [
        `${name}, denied`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: "sts:*", Condition: {} }) },
        ["refused", "trust policy", denied, "a statement denies it", "remove the statement"],
      ],
      [
        `${name}, denied by name`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: action, Condition: {} }) },
        ["refused", "trust policy", denied, `${needs}a statement denies it`, cure],
      ],
      [
        `${name}, allowed on a condition whose answer is not known`,
        { ...claims(more), ...policy({}, { Action: action, ...unknowable }) },
        [
          "unknown",
          "trust policy",
          undefined,
          `${needs}the answer is unknown: the value that AWS uses for the key`,
          cure,
        ],
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
    `a claim for AWS in an unknown form (${at})`,
    { ...claims({ [claim]: value }), ...policy({ Action: "sts:*" }) },
    [
      "unknown",
      "trust policy",
      undefined,
      `how AWS treats the token's claim "${claim.slice(0, 72)}`,
      "configure the issuer to omit the claim",
    ],
  ]),
  ["claims of Kubernetes' own", claims({ "kubernetes.io": { namespace: "x", exp: "none" } }), accepted],
  ["StringLike", condition({ StringLike: { [`${host}:sub`]: "system:serviceaccount:openshift-*:*" } }), accepted],
  ["more than one subject", condition({ StringEquals: { [`${host}:sub`]: ["x", subject] } }), accepted],
  [
    "ForAllValues on a claim that is missing",
    condition({ "ForAllValues:StringEquals": { [`${host}:amr`]: "mfa" } }),
    accepted,
  ],
  [
    "ForAnyValue on a claim with more than one value",
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
  ["a role with a path", { role: getRole(trust({}), `arn:aws:iam::123456789012:role/a/b/${roleName}`) }, accepted],
  ["a provider from a file", { provider: { Url: host, ClientIDList: ["openshift"] } }, accepted],
  [
    "a claim's name written with an escape, and one of the name nested",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1.5 } })).replace('"exp":2', '"\\u0065xp" : 2')) },
    accepted,
  ],
  ["the last second", { time: String(now + 3599) }, accepted],

  // Shape.
  [
    "three characters",
    { token: "a.b" },
    ["refused", "shape", invalid, "has 3 characters", "get the complete token again"],
  ],
  [
    "too long",
    { token: `${whole}${"A".repeat(20_001 - whole.length)}` },
    ["refused", "shape", invalid, "has 20001 characters, but must have 4 to 20000", "oc create token"],
  ],
  [
    "one part",
    { token: "abcdefgh" },
    ["refused", "shape", invalid, "has 1 dot-separated part, but must have 3", "complete token"],
  ],
  [
    "two parts",
    { token: `${parts[0]}.${parts[1]}` },
    ["refused", "shape", invalid, "has 2 dot-separated parts", "complete token"],
  ],
  ["four parts", { token: `${whole}.x` }, ["refused", "shape", invalid, "has 4 dot-separated parts", "complete token"]],
  [
    "no signature",
    { token: `${parts[0]}.${parts[1]}.` },
    ["refused", "shape", invalid, "has no signature", "complete token"],
  ],
  [
    "a signature that is not base64url",
    { token: `${parts[0]}.${parts[1]}.a+b/` },
    ["refused", "shape", invalid, "signature is not base64url", "complete token"],
  ],
  [
    "base64 with padding",
    { token: `${parts[0]}.${parts[1]}.${parts[2]}==` },
    ["refused", "shape", invalid, "signature is not base64url", "complete token"],
  ],
  [
    "a signature of the same bytes in another spelling",
    { token: `${parts[0]}.${parts[1]}.${rewritten(parts[2])}` },
    [
      "refused",
      "shape",
      invalid,
      "signature is not complete base64url, which happens if a token is truncated",
      "complete token",
    ],
  ],
  [
    "a header that is not base64url",
    { token: `!${whole}` },
    ["refused", "shape", invalid, "header is not base64url", "complete token"],
  ],
  [
    "a payload that is not JSON",
    { token: tokenOf(rsa, "{iss:1}") },
    ["refused", "shape", invalid, "payload is not JSON", "complete token"],
  ],
  [
    "a payload that is a list",
    { token: tokenOf(rsa, "[]") },
    ["refused", "shape", invalid, "payload is not a JSON object", "complete token"],
  ],
  [
    "a payload that is not UTF-8",
    { token: `${parts[0]}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${parts[2]}` },
    ["refused", "shape", invalid, "payload is not UTF-8", "complete token"],
  ],
  [
    "a duplicate claim",
    { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("{", '{"sub":"x",')) },
    ["refused", "shape", invalid, "payload has a duplicate key", "complete token"],
  ],
  [
    "alg none",
    header({ alg: "none" }),
    [
      "refused",
      "shape",
      invalid,
      '"alg" is "none", but AWS accepts only RS256, RS384, RS512, ES256, ES384, ES512',
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
      '"exp" must be an integer (seconds since the epoch), but is "2000003600"',
      "oc create token",
    ],
  ],
  [
    "exp with a fraction",
    claims({ exp: now + 3600.5 }),
    ["unknown", "shape", undefined, '"exp" must be an integer', "oc create token"],
  ],
  [
    "exp in another form of an integer",
    { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("2000003600", "2.0000036e9")) },
    ["unknown", "shape", undefined, '"exp" must be an integer', "oc create token"],
  ],
  [
    "exp in another form of an integer, and as one elsewhere",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1 } })).replace("2000003600", "2.0000036e9")) },
    ["unknown", "shape", undefined, '"exp" must be an integer', "oc create token"],
  ],
  [
    "iat in another form of an integer, and as one in a text",
    {
      token: tokenOf(
        rsa,
        JSON.stringify(claimsOf({ x: '"iat":1,' })).replace(`"iat":${now - 10}`, '"iat":1999999990.0'),
      ),
    },
    ["unknown", "shape", undefined, '"iat" must be an integer', "oc create token"],
  ],
  [
    "a byte order mark before the token",
    { token: `\ufeff${whole}` },
    ["refused", "shape", invalid, "white space before the token", "grep -oE"],
  ],
  [
    "a space before the token",
    { token: ` ${whole}` },
    ["refused", "shape", invalid, "white space before the token", "grep -oE"],
  ],
  [
    "a no-break space behind the token",
    { token: `${whole}\u00a0\n` },
    ["refused", "shape", invalid, "white space after the token", "grep -oE"],
  ],
  [
    "a line separator behind the token",
    { token: `${whole}\u2028` },
    ["refused", "shape", invalid, "white space after the token", "grep -oE"],
  ],
  [
    "no exp",
    claims({ exp: undefined }),
    [
      "refused",
      "shape",
      invalid,
      '"exp" must be an integer (seconds since the epoch), but is missing',
      "tokens in Secrets lack claims",
    ],
  ],
  [
    "no iat",
    claims({ iat: undefined }),
    ["refused", "shape", invalid, '"iat" must be an integer', "tokens in Secrets"],
  ],
  [
    "nbf as a text",
    claims({ nbf: "now" }),
    ["refused", "shape", invalid, '"nbf" must be an integer', "tokens in Secrets"],
  ],
  [
    "no issuer",
    claims({ iss: undefined }),
    ["refused", "shape", invalid, '"iss" must be a string, but is missing', "tokens in Secrets"],
  ],
  [
    "no subject",
    claims({ sub: undefined }),
    ["refused", "shape", invalid, '"sub" must be a string, but is missing', "tokens in Secrets"],
  ],
  [
    "no audience",
    claims({ aud: undefined }),
    ["refused", "shape", invalid, '"aud" must be a string or a list of strings, but is missing', "oc create token"],
  ],
  [
    "an audience that is not a string",
    claims({ aud: ["openshift", 1] }),
    ["refused", "shape", invalid, '"aud" must be a string or a list of strings, but is a list of 2', "--audience"],
  ],

  // Provider.
  [
    "a trailing slash in the issuer",
    claims({ iss: `${issuer}/` }),
    ["refused", "provider", invalid, "they differ by a trailing slash, which is significant", `to "${issuer}"`],
  ],
  [
    "a port in the issuer",
    claims({ iss: `${issuer}:443` }),
    ["refused", "provider", invalid, "by a port, which a provider cannot have", `to "${issuer}"`],
  ],
  [
    "upper case in the issuer",
    claims({ iss: issuer.replace("demo", "Demo") }),
    ["refused", "provider", invalid, "they differ in case, which is significant", `to "${issuer}"`],
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
      `is "https://kubernetes.default.svc", but the account's providers are for "${issuer}"`,
      `to "${issuer}"`,
    ],
  ],
  [
    "a token of a Secret",
    claims({ iss: "kubernetes/serviceaccount" }),
    ["refused", "provider", invalid, 'does not begin with "https://"', "use the projected token"],
  ],
  [
    "a role in another account",
    { role: getRole(trust({}), roleArn.replace("123456789012", "210987654321")) },
    [
      "refused",
      "provider",
      invalid,
      'in the account 123456789012 in the partition "aws", but the role is in 210987654321',
      "a role in the provider's account",
    ],
  ],
  [
    "a role in another partition",
    { role: getRole(trust({}), roleArn.replace(":aws:", ":aws-us-gov:")) },
    [
      "refused",
      "provider",
      invalid,
      'but the role is in 123456789012 in "aws-us-gov"',
      "a role in the provider's account",
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
    ["refused", "discovery", invalid, `"issuer" is "${issuer}/", but the token's is "${issuer}"`, "ccf apply"],
  ],
  [
    "a document without an issuer",
    { discovery: { jwks_uri: discovery.jwks_uri } },
    ["refused", "discovery", invalid, '"issuer" is missing', "check-issuer"],
  ],
  [
    "keys over http",
    { discovery: { ...discovery, jwks_uri: `http://${host}/keys.json` } },
    ["refused", "discovery", invalid, "but must be an https URL", "ccf apply"],
  ],
  [
    "a document that is an error page",
    { discovery: "<Error>AccessDenied</Error>" },
    ["refused", "discovery", invalid, "the discovery document is not JSON", "ccf apply"],
  ],

  [
    "keys at a URL that a parser repairs",
    { discovery: { ...discovery, jwks_uri: `https:///${host}/keys.json` } },
    ["refused", "discovery", invalid, 'which does not begin with "https://" and a host', "ccf apply"],
  ],
  [
    "keys at a port",
    { discovery: { ...discovery, jwks_uri: `https://${host}:8443/keys.json` } },
    ["unknown", "discovery", undefined, "the URL has the port 8443; how AWS handles that", "only a host and a path"],
  ],
  [
    "keys on another host",
    {
      discovery: { ...discovery, jwks_uri: "https://keys.example.com/keys.json" },
      ...jwks(...[rsa, p256].map((signer) => signer.jwk)),
    },
    accepted,
  ],
  ...(
    [
      [
        "on another host",
        "https://keys.example.com/keys.json",
        "`curl -fsS https://keys.example.com/keys.json -o jwks.json`",
      ],
      ["at another path", `${issuer}/new/keys.json`, `\`curl -fsS ${issuer}/new/keys.json -o jwks.json\``],
      ["with the path in another case", `${issuer}/Keys.json`, `\`curl -fsS ${issuer}/Keys.json -o jwks.json\``],
    ] as const
  ).map(([where, jwks_uri, command]): [string, Case, Expected] => [
    `keys ${where} that were not given`,
    { discovery: { ...discovery, jwks_uri } },
    [
      "unknown",
      "signature",
      undefined,
      `names the keys at "${jwks_uri}", so those of the package ("${issuer}/keys.json") do not count`,
      `fetch it and pass it as --jwks: ${command}`,
    ],
  ]),
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
      `has a key "${p256.kid}", but another key signed the token`,
      "compare its key ID",
    ],
  ],
  [
    "no key ID",
    header({ kid: undefined }),
    ["refused", "signature", invalid, 'has no "kid"', "use a token that the cluster signed"],
  ],
  ...(
    [
      ["a missing", undefined],
      ["an empty", ""],
    ] as const
  ).flatMap(([what, kid]): [string, Case, Expected][] => [
    [`${what} key ID, and a key with an empty one`, { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: "" }) }, accepted],
    [
      `${what} key ID, and one key without one`,
      { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: undefined }) },
      [
        "unknown",
        "signature",
        undefined,
        "if the only key of the JWKS has none either",
        "use a token that the cluster",
      ],
    ],
    [
      `${what} key ID, and one key without one that did not sign`,
      { token: tokenOf(stranger, claimsOf(), { kid }), ...jwks({ ...p256.jwk, kid: undefined }) },
      ["refused", "signature", invalid, "the only key of the JWKS did not sign it", "compare its key ID"],
    ],
    [
      `${what} key ID, and two keys without one`,
      { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: undefined }, { ...p256.jwk, kid: undefined }) },
      ["refused", "signature", invalid, 'has no "kid"', "use a token that the cluster signed"],
    ],
  ]),
  [
    "a key ID that is not a string",
    { ...header({ kid: 5 }), ...jwks({ ...rsa.jwk, kid: "" }) },
    ["refused", "signature", invalid, 'has no "kid"', "use a token that the cluster signed"],
  ],
  [
    "a private key beside it",
    jwks(rsa.jwk, { ...p256.jwk, d: "AAAA" }),
    ["refused", "signature", invalid, "is published with parts of its private key", "treat this key as compromised"],
  ],
  [
    "a malformed key beside it",
    jwks(rsa.jwk, { kty: "RSA", kid: "x" }),
    ["unknown", "signature", undefined, 'the key "x" has no modulus ("n")', "ccf apply"],
  ],
  ["no keys", jwks(), ["refused", "signature", invalid, "is not in the JWKS, which has no keys", "publish"]],
  [
    "a JWKS without a list",
    { jwks: {} },
    ["refused", "signature", invalid, 'the JWKS has no list "keys"', "ccf apply"],
  ],
  [
    "a JWKS of something else",
    { jwks: { keys: [1] } },
    ["refused", "signature", invalid, 'has an entry in "keys" that is not a key', "ccf apply"],
  ],
  ["a JWKS that is not JSON", { jwks: "x" }, ["refused", "signature", invalid, "the JWKS is not JSON", "ccf apply"]],
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
    ["refused", "signature", invalid, 'it has the type "RSA", but ES256 requires EC', "publish"],
  ],
  [
    "a key on another curve",
    { token: tokenOf(p256, claimsOf(), { kid: p384.kid }) },
    ["refused", "signature", invalid, 'it is on the curve "P-384", but ES256 requires P-256', "publish"],
  ],
  [
    "a key for another algorithm",
    header({ alg: "RS384" }),
    ["refused", "signature", invalid, 'its "alg" is "RS256", but the token\'s is RS384', "publish"],
  ],
  [
    "claims that were changed",
    { token: `${parts[0]}.${base64url(claimsOf({ exp: now + 9999 }))}.${parts[2]}` },
    ["refused", "signature", invalid, "the token was changed", "get the complete token again"],
  ],
  [
    "two keys of one ID",
    jwks(rsa.jwk, rsa.jwk),
    ["unknown", "signature", undefined, "2 keys of the JWKS have the ID", "publish each key once"],
  ],
  [
    "a key that cannot be read",
    jwks({ ...rsa.jwk, n: "" }),
    ["refused", "signature", invalid, 'cannot be used with the token: it has an empty modulus ("n")', "publish"],
  ],
  [
    "an extension that must be understood",
    header({ crit: ["b64"], b64: false }),
    ["unknown", "signature", undefined, '"crit"', 'without "crit"'],
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
      "0 seconds before the time of the check; IAM may accept a token for up to 5 minutes after it expires",
      "get a new token",
    ],
  ],
  [
    "expired by a second",
    { time: "2033-05-18T04:33:21Z" },
    ["unknown", "time", undefined, "1 second before the time of the check", "get a new token"],
  ],
  [
    "expired by more than IAM's five minutes",
    { time: String(now + 3901) },
    ["refused", "time", expired, "the token expired 2033-05-18T04:33:20Z, 5 minutes before", "get a new token"],
  ],
  [
    "not yet valid, by a second",
    claims({ nbf: now + 1 }),
    [
      "unknown",
      "time",
      undefined,
      '"nbf" is 2033-05-18T03:33:21Z, 1 second after the time of the check; AWS does not document whether it refuses',
      "correct the clock",
    ],
  ],
  ["issued in a second", claims({ iat: now + 1 }), ["unknown", "time", undefined, '"iat" is', "correct the clock"]],
  [
    "valid in five minutes",
    claims({ nbf: now + 300 }),
    ["unknown", "time", undefined, '"nbf" is', "correct the clock"],
  ],
  [
    "valid in more than five minutes, and issued in a second",
    claims({ iat: now + 1, nbf: now + 301 }),
    ["refused", "time", invalid, '"nbf" is', "correct the clock"],
  ],
  [
    "expired by a fraction of a second, long ago",
    { ...claims({ exp: now + 3600.5 }), time: String(now + 9999) },
    ["refused", "shape", undefined, '"exp" must be an integer', "oc create token"],
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
      'is for "https://kubernetes.default.svc", but the provider\'s client IDs are "openshift", "sts.amazonaws.com"',
      "request a token for one of the provider's audiences",
    ],
  ],
  [
    "two audiences, one of the provider",
    claims({ aud: ["openshift", "vault"] }),
    ["unknown", "audience", undefined, "has 2 audiences", "request a token for one of the provider's audiences"],
  ],
  [
    "two audiences of the provider",
    claims({ aud: ["openshift", "sts.amazonaws.com"] }),
    ["unknown", "audience", undefined, "AWS does not document this case", "one of the provider's audiences"],
  ],
  [
    "two audiences of others",
    claims({ aud: ["a", "b"] }),
    ["refused", "audience", invalid, 'is for "a", "b"', "spec.issuer.audiences"],
  ],
  ["an authorized party", claims({ azp: "client" }), ["unknown", "audience", undefined, '"azp"', "request a token"]],
  [
    "a provider without client IDs",
    { provider: { Url: host } },
    ["refused", "audience", invalid, "the provider has no client IDs", "add the token's audience to"],
  ],

  // Trust policy.
  [
    "another service account",
    claims({ sub: "system:serviceaccount:openshift-ingress-operator:default" }),
    [
      "refused",
      "trust policy",
      denied,
      `requires "${subject}", but the token has "system:serviceaccount:openshift-ingress-operator:default"`,
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
    [
      "refused",
      "trust policy",
      denied,
      'in StringEquals, "*" and "?" are literal characters',
      "use StringLike instead",
    ],
  ],
  [
    "a wildcard with StringEquals that would not match either",
    condition({ StringEquals: { [`${host}:sub`]: "user:*" } }),
    ["refused", "trust policy", denied, 'requires "user:*"', "serviceAccountNames"],
  ],
  [
    "https:// in the ARN of the provider",
    policy({ Principal: { Federated: providerArn.replace(host, `https://${host}`) } }),
    ["refused", "trust policy", denied, 'the ARN of a provider does not contain "https://"', `"${providerArn}"`],
  ],
  [
    "an address",
    condition({ NotIpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
    [
      "unknown",
      "trust policy",
      undefined,
      'NotIpAddress on "aws:SourceIp" compares values of a kind that `ccf` does not compare',
      "check the statement",
    ],
  ],
  [
    "https:// in the key",
    condition({ StringEquals: { [`${issuer}:sub`]: subject } }),
    [
      "refused",
      "trust policy",
      denied,
      'condition keys do not contain "https://"',
      `remove "https://" from the key: "${host}:sub"`,
    ],
  ],
  [
    "another issuer's key",
    condition({ StringEquals: { "oidc.example.com:sub": subject } }),
    ["refused", "trust policy", denied, "the request does not contain this key", "ccf status"],
  ],
  [
    "one of two keys",
    condition({ StringEquals: { [`${host}:sub`]: subject, [`${host}:aud`]: "sts.amazonaws.com" } }),
    [
      "refused",
      "trust policy",
      denied,
      `on "${host}:aud" requires "sts.amazonaws.com", but the token has "openshift"`,
      "request a token for one of these audiences",
    ],
  ],
  [
    "ForAnyValue on a claim that is missing",
    condition({ "ForAnyValue:StringEquals": { [`${host}:amr`]: "mfa" } }),
    ["refused", "trust policy", denied, "the request does not contain this key", "ccf status"],
  ],
  [
    "another provider",
    policy({ Principal: { Federated: providerArn.replace("demo", "other") } }),
    ["refused", "trust policy", denied, `but the token is from "${providerArn}"`, "ccf status"],
  ],
  [
    "a provider of another account",
    policy({ Principal: { Federated: providerArn.replace("123456789012", "210987654321") } }),
    ["refused", "trust policy", denied, "but the token is from", "ccf status"],
  ],
  [
    "no provider at all",
    policy({ Principal: { Service: "ec2.amazonaws.com" } }),
    ["refused", "trust policy", denied, "names no provider", "ccf status"],
  ],
  [
    "another action",
    policy({ Action: "sts:AssumeRole" }),
    ["refused", "trust policy", denied, "does not allow the action sts:AssumeRoleWithWebIdentity", "ccf status"],
  ],
  [
    "a denial",
    policy({}, { Effect: "Deny", Principal: "*", Condition: { StringLike: { [`${host}:sub`]: "system:*" } } }),
    ["refused", "trust policy", denied, "a statement denies it: StringLike", "remove the statement"],
  ],
  [
    "a denial alone",
    policy({ Effect: "Deny", Condition: {} }),
    ["refused", "trust policy", denied, "a statement denies it", "remove the statement"],
  ],
  [
    "no statements",
    { role: getRole({ Version: "2012-10-17", Statement: [] }) },
    ["refused", "trust policy", denied, "no statement of the trust policy allows anything", "ccf status"],
  ],
  [
    "an unknown operator",
    condition({ StringMatches: { [`${host}:sub`]: subject } }),
    ["unknown", "trust policy", undefined, 'unknown operator "StringMatches"', "check the statement"],
  ],
  [
    "a denial whose answer is not known",
    policy({}, { Effect: "Deny", Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }),
    ["unknown", "trust policy", undefined, 'IpAddress on "aws:SourceIp" compares values', "check the statement"],
  ],
  [
    "a key that only AWS knows",
    condition({ StringEquals: { "aws:SourceVpc": "vpc-1" } }),
    ["unknown", "trust policy", undefined, 'for the key "aws:SourceVpc" is unknown', "check the statement"],
  ],
  [
    "a claim that AWS may not pass on",
    condition({ StringNotEquals: { [`${host}:email`]: "x" } }),
    ["unknown", "trust policy", undefined, `for the key "${host}:email" is unknown`, "check the statement"],
  ],
  [
    "oaud without an authorized party",
    condition({ StringEquals: { [`${host}:oaud`]: "openshift" } }),
    ["unknown", "trust policy", undefined, ":oaud", "check the statement"],
  ],
  [
    "a policy variable",
    condition({ StringEquals: { [`${host}:sub`]: "${aws:username}" } }),
    ["unknown", "trust policy", undefined, "cannot be compared", "check the statement"],
  ],
  [
    "NotPrincipal",
    policy({ Principal: undefined, NotPrincipal: { AWS: "x" } }),
    ["unknown", "trust policy", undefined, 'a statement has "NotPrincipal"', "check the statement"],
  ],
  [
    "any principal",
    policy({ Principal: "*" }),
    ["unknown", "trust policy", undefined, "has an unknown form", "check the statement"],
  ],
  [
    "an invalid effect",
    policy({ Effect: "allow" }),
    ["unknown", "trust policy", undefined, "neither Allow nor Deny", "check the statement"],
  ],
  [
    "a policy that is not JSON",
    { role: getRole("%7Bx") },
    ["unknown", "trust policy", undefined, "the trust policy is not JSON", "ccf status"],
  ],
  [
    "more than one value without ForAnyValue",
    { ...claims({ amr: ["a", "b"] }), ...condition({ StringEquals: { [`${host}:amr`]: "a" } }) },
    ["unknown", "trust policy", undefined, "the token has more than one value", "check the statement"],
  ],

  // More than one failure: the first one determines AWS's answer.
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
    ["refused", "time", expired, "expired", "get a new token"],
  ],
  [
    "what is not known, and then what is wrong",
    { ...claims({ sub: "x" }), ...jwks(rsa.jwk, rsa.jwk) },
    ["refused", "signature", undefined, "2 keys", "once"],
  ],
];

/** The flags for a case. */
function flagsOf(what: Case): Readonly<Record<string, string>> {
  const files = {
    discovery: what.discovery,
    jwks: what.jwks,
    "provider-file": what.provider,
    "identity-file": what.role,
  };
  const given = Object.entries(files).filter(([, value]) => value !== undefined);
  return {
    package: made.out,
    ...(what.role === undefined ? { identity: roleName } : {}),
    ...Object.fromEntries(given.map(([flag, value]) => [flag, fileOf(value)])),
  };
}

/** The cure of a check if only live files are given: with a package that fits the token, the cure is to apply it. */
async function cureWithoutPackage(name: string, what: Case, token: string, time: number): Promise<string> {
  const whole = {
    discovery,
    jwks: exportedJson(made.out, "aws/issuer/keys.json"),
    provider: { Url: host, ClientIDList: ["openshift"] },
    role: getRole(trust({})),
    ...what,
  };
  const { package: _package, identity: _identity, "identity-file": role = "", ...files } = flagsOf(whole);
  const { identities } = await answerOf({ ...files, "identity-file": [role] }, "token", token, time);
  const { cure = "" } = identities[0]?.checks.find((check) => check.name === name) ?? {};
  const start = "pass the package as --package, too: if it fits the token, apply it (`ccf apply`); otherwise, ";
  expect(cure.startsWith(start)).toBe(true);
  return cure.slice(start.length);
}

/** The check with the cure that is specific to it. */
async function withSpecificCure(check: Any, what: Case, token: string, time: number): Promise<Any> {
  if (check?.cure !== applied) return check;
  expect(Object.keys(what).some((key) => key !== "token" && key !== "time")).toBe(true);
  return { ...check, cure: await cureWithoutPackage(check.name, what, token, time) };
}

const applied = "run `ccf apply` with the package of this export: the package fits the token";

/** Expects a check, with AWS's error if it failed. */
function expectCheck(found: Any, [, check, code, cause = "", cure = ""]: Expected): void {
  expect([found?.name, found?.error?.code]).toEqual([check, code]);
  if (found === undefined) return;
  expect(found.detail).toContain(cause);
  expect(found.cure).toContain(cure);
  expect(found.error?.httpStatus).toBe(code === undefined ? undefined : code === denied ? 403 : 400);
  expect(found.error?.message ?? "").toContain(code === undefined ? "" : (sentences[found.name] ?? ""));
}

/** Expects that a text contains a part, or that it does not. */
function expectPart(text: string, part: string, isThere: boolean): void {
  if (isThere) expect(text).toContain(part);
  else expect(text).not.toContain(part);
}

/** Expects that the last sentence says that a token is accepted, and whether the package differs. */
function expectConclusion(text: string, isAccepted: boolean, beside: readonly Any[]): void {
  const isWhole = beside.every(({ fits }) => fits);
  expectPart(text, "\nAccepted.\n", isAccepted && isWhole);
  expectPart(text, "\nAccepted; but the package differs (", isAccepted && !isWhole);
}

/** An answer without the commands, which name the file with the token. */
function withoutCommands(answer: Any): Any {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === "command" ? undefined : value)));
}

describe("what AWS would answer to", () => {
  const numbered = cases.map(([name, what, expected], index) => [name, what, expected, index] as const);
  it.each(numbered)("%s", async (_name, what, expected, index) => {
    const [verdict, , code] = expected;
    const [token, time] = [what.token ?? whole, what.time ?? String(now)];
    const trimmed = token.replace(/[ \t\r\n]+$/, "");
    const flags = flagsOf(what);
    const { "identity-file": roleFile, ...rest } = flags;
    const sources = { ...rest, ...(roleFile === undefined ? {} : { "identity-file": [roleFile] }) };
    const shown = await answerOf(sources, "token", trimmed, readTime(time));
    const json = JSON.stringify(verifyTokenJson(shown, readTime(time)));
    const text = verifyTokenText(shown, readTime(time)).join("\n");
    expectFits("verify-token", json);
    const answer = JSON.parse(json);
    // The program prints this answer: that takes longer than the answer, so not every row asks it.
    if (index % 8 === 0 || token !== trimmed) {
      const given = Object.entries({ token: fileOf(token), time, ...flags });
      const args = given.flatMap(([flag, value]) => [`--${flag}`, value]);
      const { status, stdout, stderr } = run(["verify-token", ...args, "-o", "json"]);
      expect({ stderr, status }).toEqual({ stderr: "", status: exits[verdict] });
      expect(withoutCommands(JSON.parse(stdout))).toEqual(withoutCommands(answer));
    }
    expect([answer.verdict, answer.identities.map((role: Any) => role.verdict)]).toEqual([verdict, [verdict]]);
    const [role] = answer.identities;
    const [error] = role.errors;
    expect(role.errors).toHaveLength(error === undefined ? 0 : 1);
    const first = role.checks.find(({ status }: Any) => status === "failed" || status === "unknown");
    expectCheck(await withSpecificCure(first, what, trimmed, readTime(time)), expected);
    if (code !== undefined) expect(error).toEqual(first.error);
    const { httpStatus = 0, message = "" } = error ?? {};
    expectPart(text, `AWS: ${error?.code} (${httpStatus}): ${message}\n`, error !== undefined);
    expectConclusion(text, verdict === "accepted", role.beside);
    const signature = (what.token ?? whole).split(".")[2]?.trim() ?? "";
    if (signature.length > 8) for (const stdout of [json, text]) expectPart(stdout, signature.slice(0, 24), false);
  });
});

describe("the message of AWS", () => {
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
            "--identity",
            roleArn,
            "--time",
            String(time),
            "-o",
            "json",
          ],
          { input: token },
        ).stdout,
      ).identities[0].errors[0];
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

  it("is the same for the export and for the package", () => {
    const args = ["verify-token", "--token", fileOf(whole), "--time", String(now), "--identity", roleName];
    const [fromOut, fromPackage] = [made.out, made.pkg].map(
      (directory) => run([...args, "--package", directory]).stdout,
    );
    expect(fromOut).toBe(fromPackage);
    expect(exportedJson(made.out, "aws/issuer/keys.json").keys).toHaveLength(4);
  });
});
