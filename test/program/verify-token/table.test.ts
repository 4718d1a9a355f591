import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTime } from "../../../src/cli/terminal/arguments.ts";
import { answerOf } from "../../../src/cli/verify-token/verify-token.ts";
import { verifyTokenJson, verifyTokenText } from "../../../src/cli/verify-token/verify-token-output.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { expectFits } from "../../helpers/schema.ts";
import { base64url, claimsOf, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import { checkLines, expectAnswers } from "../../helpers/token-answers.ts";
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

const exits = { accepted: 0, refused: 2, unknown: 1 } as const;
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

const cases: readonly [name: string, what: Case][] = [
  // Accepted.
  ["a token of the RSA key", {}],
  ["a token of a key on P-256", { token: tokenOf(p256) }],
  ["a token of a key on P-384", { token: tokenOf(p384) }],
  ["a token of a key on P-521", { token: tokenOf(p521) }],
  ["RS512, with a key that is for any algorithm", { ...header({ alg: "RS512" }), ...jwks(bare) }],
  ["the audience as a text", claims({ aud: "openshift" })],
  ["the end of a line behind the token", { token: `${whole} \t\r\n\n` }],
  ...(
    [
      ["tags, nested", { [tags]: { principal_tags: { Team: ["a"] }, transitive_tag_keys: ["Team"] } }],
      ["a tag, flat", { [`${tags}/principal_tags/Team`]: "a", [`${tags}/transitive_tag_keys`]: ["Team"] }],
      ["tags, half flat", { [`${tags}/principal_tags`]: { Team: ["a"] } }],
      ["a source identity", { [sourceIdentity]: "someone" }],
    ] as const
  ).flatMap(([name, more]): [string, Case][] => {
    const [claim = ""] = Object.keys(more);
    const action = claim === sourceIdentity ? "sts:SetSourceIdentity" : "sts:TagSession";
    const both = [assume, action.toUpperCase()];
    const unknowable = { Condition: { StringEquals: { "aws:RequestTag/Team": "a" } } };
    return [
      [`${name}, allowed`, { ...claims(more), ...policy({ Action: both }) }],
      [`${name}, allowed elsewhere`, { ...claims(more), ...policy({}, { Action: action }) }],
      [`${name}, not allowed`, claims(more)],
      [
        `${name}, allowed to others`,
        { ...claims(more), ...policy({}, { Action: action, Principal: { Federated: `${providerArn}/x` } }) },
      ],
      [
        `${name}, allowed on a condition that fails`,
        { ...claims(more), ...policy({}, { Action: action, Condition: { StringEquals: { [`${host}:sub`]: "x" } } }) },
      ],
      [
        `${name}, denied`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: "sts:*", Condition: {} }) },
      ],
      [
        `${name}, denied by name`,
        { ...claims(more), ...policy({ Action: both }, { Effect: "Deny", Action: action, Condition: {} }) },
      ],
      [
        `${name}, allowed on a condition whose answer is not known`,
        { ...claims(more), ...policy({}, { Action: action, ...unknowable }) },
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
  ).map(([claim, value], at): [string, Case] => [
    `a claim for AWS in an unknown form (${at})`,
    { ...claims({ [claim]: value }), ...policy({ Action: "sts:*" }) },
  ]),
  ["claims of Kubernetes' own", claims({ "kubernetes.io": { namespace: "x", exp: "none" } })],
  ["StringLike", condition({ StringLike: { [`${host}:sub`]: "system:serviceaccount:openshift-*:*" } })],
  ["more than one subject", condition({ StringEquals: { [`${host}:sub`]: ["x", subject] } })],
  ["a key of the condition in another case", condition({ StringEquals: { [`${host.toUpperCase()}:SUB`]: subject } })],
  ["a denial of others", policy({}, { Effect: "Deny", Condition: { StringNotLike: { [`${host}:sub`]: "system:*" } } })],
  ["one statement of two", policy({ Principal: { Federated: "arn:aws:iam::123456789012:oidc-provider/old" } }, {})],
  [
    "an action with a wildcard, the statement not in a list",
    { role: getRole({ Statement: trust({ Action: ["sts:assumerole*"] }).Statement[0] }) },
  ],
  ["the policy URL-encoded, as the API gives it", { role: getRole(encodeURIComponent(JSON.stringify(trust({})))) }],
  ["a role with a path", { role: getRole(trust({}), `arn:aws:iam::123456789012:role/a/b/${roleName}`) }],
  ["a provider from a file", { provider: { Url: host, ClientIDList: ["openshift"] } }],
  [
    "a claim's name written with an escape, and one of the name nested",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1.5 } })).replace('"exp":2', '"\\u0065xp" : 2')) },
  ],
  ["the last second", { time: String(now + 3599) }],

  // Shape.
  ["three characters", { token: "a.b" }],
  ["too long", { token: `${whole}${"A".repeat(20_001 - whole.length)}` }],
  ["one part", { token: "abcdefgh" }],
  ["two parts", { token: `${parts[0]}.${parts[1]}` }],
  ["four parts", { token: `${whole}.x` }],
  ["no signature", { token: `${parts[0]}.${parts[1]}.` }],
  ["a signature that is not base64url", { token: `${parts[0]}.${parts[1]}.a+b/` }],
  ["base64 with padding", { token: `${parts[0]}.${parts[1]}.${parts[2]}==` }],
  ["a signature of the same bytes in another spelling", { token: `${parts[0]}.${parts[1]}.${rewritten(parts[2])}` }],
  ["a header that is not base64url", { token: `!${whole}` }],
  ["a payload that is not JSON", { token: tokenOf(rsa, "{iss:1}") }],
  ["a payload that is a list", { token: tokenOf(rsa, "[]") }],
  [
    "a payload that is not UTF-8",
    { token: `${parts[0]}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${parts[2]}` },
  ],
  ["a duplicate claim", { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("{", '{"sub":"x",')) }],
  ["alg none", header({ alg: "none" })],
  ["HS256 with the public key as its secret", header({ alg: "HS256" })],
  ["PS256", header({ alg: "PS256" })],
  ["no alg", header({ alg: 5 })],
  ["exp as a text", claims({ exp: "2000003600" })],
  ["exp with a fraction", claims({ exp: now + 3600.5 })],
  [
    "exp in another form of an integer",
    { token: tokenOf(rsa, JSON.stringify(claimsOf()).replace("2000003600", "2.0000036e9")) },
  ],
  [
    "exp in another form of an integer, and as one elsewhere",
    { token: tokenOf(rsa, JSON.stringify(claimsOf({ x: { exp: 1 } })).replace("2000003600", "2.0000036e9")) },
  ],
  [
    "iat in another form of an integer, and as one in a text",
    {
      token: tokenOf(
        rsa,
        JSON.stringify(claimsOf({ x: '"iat":1,' })).replace(`"iat":${now - 10}`, '"iat":1999999990.0'),
      ),
    },
  ],
  ["a byte order mark before the token", { token: `\ufeff${whole}` }],
  ["a space before the token", { token: ` ${whole}` }],
  ["a no-break space behind the token", { token: `${whole}\u00a0\n` }],
  ["a line separator behind the token", { token: `${whole}\u2028` }],
  ["no exp", claims({ exp: undefined })],
  ["no iat", claims({ iat: undefined })],
  ["nbf as a text", claims({ nbf: "now" })],
  ["no issuer", claims({ iss: undefined })],
  ["no subject", claims({ sub: undefined })],
  ["no audience", claims({ aud: undefined })],
  ["an audience that is not a string", claims({ aud: ["openshift", 1] })],

  // Provider.
  ["a trailing slash in the issuer", claims({ iss: `${issuer}/` })],
  ["a port in the issuer", claims({ iss: `${issuer}:443` })],
  ["upper case in the issuer", claims({ iss: issuer.replace("demo", "Demo") })],
  ["the issuer over http", claims({ iss: `http://${host}` })],
  ["the issuer without a scheme", claims({ iss: host })],
  ["another issuer", claims({ iss: "https://kubernetes.default.svc" })],
  ["a token of a Secret", claims({ iss: "kubernetes/serviceaccount" })],
  ["a role in another account", { role: getRole(trust({}), roleArn.replace("123456789012", "210987654321")) }],
  ["a role in another partition", { role: getRole(trust({}), roleArn.replace(":aws:", ":aws-us-gov:")) }],
  ["a provider of another URL", { provider: { Url: "oidc.example.com", ClientIDList: ["openshift"] } }],

  // Discovery.
  ["a document of another issuer", { discovery: { ...discovery, issuer: `${issuer}/` } }],
  ["a document without an issuer", { discovery: { jwks_uri: discovery.jwks_uri } }],
  ["keys over http", { discovery: { ...discovery, jwks_uri: `http://${host}/keys.json` } }],
  ["a document that is an error page", { discovery: "<Error>AccessDenied</Error>" }],

  ["keys at a URL that a parser repairs", { discovery: { ...discovery, jwks_uri: `https:///${host}/keys.json` } }],
  ["keys at a port", { discovery: { ...discovery, jwks_uri: `https://${host}:8443/keys.json` } }],
  [
    "keys on another host",
    {
      discovery: { ...discovery, jwks_uri: "https://keys.example.com/keys.json" },
      ...jwks(...[rsa, p256].map((signer) => signer.jwk)),
    },
  ],
  ...["https://keys.example.com/keys.json", `${issuer}/new/keys.json`, `${issuer}/Keys.json`].map(
    (jwks_uri): [string, Case] => [
      `keys at ${jwks_uri} that were not given`,
      { discovery: { ...discovery, jwks_uri } },
    ],
  ),
  // Keys and signature.
  ["a key that is not published", { token: tokenOf(stranger) }],
  ["the right key ID and the wrong key", { token: tokenOf(p256), ...jwks({ ...stranger.jwk, kid: p256.kid }) }],
  ["no key ID", header({ kid: undefined })],
  ...(
    [
      ["a missing", undefined],
      ["an empty", ""],
    ] as const
  ).flatMap(([what, kid]): [string, Case][] => [
    [`${what} key ID, and a key with an empty one`, { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: "" }) }],
    [`${what} key ID, and one key without one`, { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: undefined }) }],
    [
      `${what} key ID, and one key without one that did not sign`,
      { token: tokenOf(stranger, claimsOf(), { kid }), ...jwks({ ...p256.jwk, kid: undefined }) },
    ],
    [
      `${what} key ID, and two keys without one`,
      { ...header({ kid }), ...jwks({ ...rsa.jwk, kid: undefined }, { ...p256.jwk, kid: undefined }) },
    ],
  ]),
  ["a key ID that is not a string", { ...header({ kid: 5 }), ...jwks({ ...rsa.jwk, kid: "" }) }],
  ["a private key beside it", jwks(rsa.jwk, { ...p256.jwk, d: "AAAA" })],
  ["a malformed key beside it", jwks(rsa.jwk, { kty: "RSA", kid: "x" })],
  ["no keys", jwks()],
  ["a JWKS without a list", { jwks: {} }],
  ["a JWKS of something else", { jwks: { keys: [1] } }],
  ["a JWKS that is not JSON", { jwks: "x" }],
  ["a key that is for encryption", jwks({ ...rsa.jwk, use: "enc" })],
  ["a key that may not verify", jwks({ ...rsa.jwk, use: undefined, key_ops: ["sign"] })],
  ["a key of another kind", { token: tokenOf(p256, claimsOf(), { kid: rsa.kid }) }],
  ["a key on another curve", { token: tokenOf(p256, claimsOf(), { kid: p384.kid }) }],
  ["a key for another algorithm", header({ alg: "RS384" })],
  ["claims that were changed", { token: `${parts[0]}.${base64url(claimsOf({ exp: now + 9999 }))}.${parts[2]}` }],
  ["two keys of one ID", jwks(rsa.jwk, rsa.jwk)],
  ["a key that cannot be read", jwks({ ...rsa.jwk, n: "" })],
  ["an extension that must be understood", header({ crit: ["b64"], b64: false })],
  [
    "more keys than IAM reads",
    jwks(rsa.jwk, ...Array.from({ length: 100 }, (_, at) => ({ ...rsa.jwk, kid: `k${at}` }))),
  ],

  // Time.
  ["expired this second", { time: String(now + 3600) }],
  ["expired by a second", { time: "2033-05-18T04:33:21Z" }],
  ["expired by more than IAM's five minutes", { time: String(now + 3901) }],
  ["not yet valid, by a second", claims({ nbf: now + 1 })],
  ["issued in a second", claims({ iat: now + 1 })],
  ["valid in five minutes", claims({ nbf: now + 300 })],
  ["valid in more than five minutes, and issued in a second", claims({ iat: now + 1, nbf: now + 301 })],
  ["expired by a fraction of a second, long ago", { ...claims({ exp: now + 3600.5 }), time: String(now + 9999) }],
  ["issued in the future", claims({ iat: now + 7200 })],

  // Audience.
  ["another audience", claims({ aud: ["https://kubernetes.default.svc"] })],
  ["two audiences, one of the provider", claims({ aud: ["openshift", "vault"] })],
  ["two audiences of the provider", claims({ aud: ["openshift", "sts.amazonaws.com"] })],
  ["two audiences of others", claims({ aud: ["a", "b"] })],
  ["an authorized party", claims({ azp: "client" })],
  ["a provider without client IDs", { provider: { Url: host } }],

  // Trust policy.
  ["another service account", claims({ sub: "system:serviceaccount:openshift-ingress-operator:default" })],
  ["the subject in another case", claims({ sub: subject.toUpperCase() })],
  ["a wildcard with StringEquals", condition({ StringEquals: { [`${host}:sub`]: "system:*" } })],
  [
    "a wildcard with StringEquals that would not match either",
    condition({ StringEquals: { [`${host}:sub`]: "user:*" } }),
  ],
  [
    "https:// in the ARN of the provider",
    policy({ Principal: { Federated: providerArn.replace(host, `https://${host}`) } }),
  ],
  ["an address", condition({ NotIpAddress: { "aws:SourceIp": "10.0.0.0/8" } })],
  ["https:// in the key", condition({ StringEquals: { [`${issuer}:sub`]: subject } })],
  ["another issuer's key", condition({ StringEquals: { "oidc.example.com:sub": subject } })],
  ["one of two keys", condition({ StringEquals: { [`${host}:sub`]: subject, [`${host}:aud`]: "sts.amazonaws.com" } })],
  ["a claim that is missing", condition({ StringEquals: { [`${host}:amr`]: "mfa" } })],
  ["another provider", policy({ Principal: { Federated: providerArn.replace("demo", "other") } })],
  [
    "a provider of another account",
    policy({ Principal: { Federated: providerArn.replace("123456789012", "210987654321") } }),
  ],
  ["no provider at all", policy({ Principal: { Service: "ec2.amazonaws.com" } })],
  ["another action", policy({ Action: "sts:AssumeRole" })],
  [
    "a denial",
    policy({}, { Effect: "Deny", Principal: "*", Condition: { StringLike: { [`${host}:sub`]: "system:*" } } }),
  ],
  ["a denial alone", policy({ Effect: "Deny", Condition: {} })],
  ["no statements", { role: getRole({ Version: "2012-10-17", Statement: [] }) }],
  ["an unknown operator", condition({ StringMatches: { [`${host}:sub`]: subject } })],
  [
    "a denial whose answer is not known",
    policy({}, { Effect: "Deny", Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }),
  ],
  ["a key that only AWS knows", condition({ StringEquals: { "aws:SourceVpc": "vpc-1" } })],
  ["a claim that AWS may not pass on", condition({ StringNotEquals: { [`${host}:email`]: "x" } })],
  ["oaud without an authorized party", condition({ StringEquals: { [`${host}:oaud`]: "openshift" } })],
  ["a policy variable", condition({ StringEquals: { [`${host}:sub`]: "${aws:username}" } })],
  ["NotPrincipal", policy({ Principal: undefined, NotPrincipal: { AWS: "x" } })],
  ["any principal", policy({ Principal: "*" })],
  ["an invalid effect", policy({ Effect: "allow" })],
  ["a policy that is not JSON", { role: getRole("%7Bx") }],
  [
    "an operator for sets",
    { ...claims({ amr: ["a", "b"] }), ...condition({ "ForAnyValue:StringEquals": { [`${host}:amr`]: "a" } }) },
  ],
  ["more than one value", { ...claims({ amr: ["a", "b"] }), ...condition({ StringEquals: { [`${host}:amr`]: "a" } }) }],

  // More than one failure: the first one determines AWS's answer.
  [
    "everything wrong",
    {
      token: tokenOf(
        stranger,
        claimsOf({ iss: "https://x.example", aud: "x", exp: now - 9999, iat: now - 99999, sub: "x" }),
      ),
    },
  ],
  ["expired, and for others", { ...claims({ aud: "x" }), time: String(now + 99999) }],
  ["what is not known, and then what is wrong", { ...claims({ sub: "x" }), ...jwks(rsa.jwk, rsa.jwk) }],
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

const applied = "run `ccf apply` with the package of this export: the package fits the token";

/** What the golden file has of a check: its cures are those with the package, which may fit the token, and without. */
async function linesOf(check: Any, what: Case, token: string, time: number): Promise<string[]> {
  const isApplied = check.cure === applied;
  if (isApplied) expect(Object.keys(what).some((key) => key !== "token" && key !== "time")).toBe(true);
  const cure = isApplied ? [`  without the package: ${await cureWithoutPackage(check.name, what, token, time)}`] : [];
  return [...checkLines(check), ...cure];
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

/** The answer to a token, as JSON, and what the golden file has of it. */
async function answered(what: Case) {
  const [given, time] = [what.token ?? whole, readTime(what.time ?? String(now))];
  const token = given.replace(/[ \t\r\n]+$/, "");
  const { "identity-file": roleFile, ...rest } = flagsOf(what);
  const sources = { ...rest, ...(roleFile === undefined ? {} : { "identity-file": [roleFile] }) };
  const shown = await answerOf(sources, "token", token, time);
  const json = JSON.stringify(verifyTokenJson(shown, time));
  const text = verifyTokenText(shown, time).join("\n");
  expectFits("verify-token", json);
  const answer = JSON.parse(json);
  const [role] = answer.identities;
  expect(answer.identities.map(({ verdict }: Any) => verdict)).toEqual([answer.verdict]);
  const open = role.checks.filter(({ status }: Any) => status === "failed" || status === "unknown");
  const errors = role.errors.map(({ code, httpStatus, message }: Any) => `${code} (${httpStatus}): ${message}`);
  expect(errors.length).toBeLessThan(2);
  if (open[0]?.error !== undefined) expect(role.errors).toEqual([open[0].error]);
  expectPart(text, `AWS: ${errors[0] ?? ""}`, errors.length > 0);
  expectConclusion(text, answer.verdict === "accepted", role.beside);
  const signature = token.split(".")[2] ?? "";
  if (signature.length > 8) for (const output of [json, text]) expectPart(output, signature.slice(0, 24), false);
  const lines = await Promise.all(open.map((check: Any) => linesOf(check, what, token, time)));
  return { answer, paragraph: [answer.verdict, ...errors, ...lines.flat()].join("\n") };
}

describe("what AWS would answer to", () => {
  const paragraphs = new Map<string, string>();

  it.each(cases)("%s", async (name, what) => {
    const { paragraph } = await answered(what);
    paragraphs.set(name, paragraph);
  });

  it("all of them is in the golden file", () => {
    expect(paragraphs.size).toBe(cases.length);
    expectAnswers("aws", paragraphs, { rsa, p256, p384, p521, stranger });
  });

  // The program prints this answer: that takes longer than the answer, so one case asks it for each set of flags.
  const sets = new Map(cases.map((one) => [Object.keys(one[1]).sort().join(), one] as const));
  it.each([...cases.filter(([, { token = whole }]) => token.trimEnd() !== token), ...sets.values()])(
    "%s, as the program prints it",
    async (_name, what) => {
      const { answer } = await answered(what);
      const given = Object.entries({
        token: fileOf(what.token ?? whole),
        time: what.time ?? String(now),
        ...flagsOf(what),
      });
      const args = given.flatMap(([flag, value]) => [`--${flag}`, value]);
      const { status, stdout, stderr } = run(["verify-token", ...args, "-o", "json"]);
      const verdict: keyof typeof exits = answer.verdict;
      expect({ stderr, status }).toEqual({ stderr: "", status: exits[verdict] });
      expect(withoutCommands(JSON.parse(stdout))).toEqual(withoutCommands(answer));
    },
  );
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
      code: "InvalidIdentityToken",
      httpStatus: 400,
      message: `No OpenIDConnect provider found in your account for ${issuer}/`,
    });
    expect(ask(whole, now + 5000)).toEqual({
      code: "ExpiredTokenException",
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
