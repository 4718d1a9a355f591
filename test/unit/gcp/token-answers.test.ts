import { describe, expect, it } from "vitest";
import type { Any } from "../../helpers/cluster.ts";
import {
  accountPolicy,
  describedProvider,
  type GcpWorld,
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

const [signer, rsa, stranger, p384] = [ecSigner(), rsaSigner(), ecSigner(), ecSigner("P-384")];
const uploaded = gcpExport(gcpIdentity([signer, rsa])).files;
const bucket = gcpExport(gcpIdentity([signer, rsa], { keyStorage: "Bucket" })).files;

const claims = (changes: Any, by: Signer = signer) => tokenOf(by, gcpClaims(changes));
const header = (changes: Any, by: Signer = signer) => tokenOf(by, gcpClaims(), changes);
const usual = claims({});
const [headerPart = "", claimsPart = "", signaturePart = ""] = usual.split(".");

interface Case {
  readonly token?: string;
  readonly world?: Partial<GcpWorld>;
  readonly time?: number;
}

interface Expected {
  readonly verdict: string;
  readonly failed: readonly string[];
  readonly unknown: readonly string[];
  readonly errors: readonly string[];
}

const accepted: Expected = { verdict: "accepted", failed: [], unknown: [], errors: [] };

/** The expected verdict, the failed and the unknown checks, and the messages of the possible errors. */
function refused(failed: string, ...errors: string[]): Expected {
  return { verdict: "refused", failed: failed.split(" "), unknown: [], errors };
}
function open(unknown: string): Expected {
  return { verdict: "unknown", failed: [], unknown: unknown.split(" "), errors: [] };
}

const target = 'invalid_target 400 The target service indicated by the "audience" parameters is invalid.';
const issuerError = (iss: string) =>
  `invalid_grant 400 The issuer in ID Token ${iss} does not match the expected one in config: ${gcpIssuer}`;
const connecting = "invalid_grant 400 Error connecting to the given credential's issuer.";
const signature = "invalid_grant 400 Unable to verify the ID Token signature.";
const otherIssuer =
  "invalid_grant 400 `issuer` claim in OIDC discovery document does not match the issuer specified in the request.";
const stale = (iat: number | null = now - 10) => `invalid_grant 400 ID Token issued at ${iat} is stale to sign-in.`;
const audience = (aud: string) =>
  `invalid_grant 400 The audience in ID Token [${aud}] does not match the expected audience.`;
const tooLong = "invalid_request 400 The size of mapped attribute google.subject exceeds the 127 bytes limit.";
const condition = "unauthorized_client 400 The given credential is rejected by the attribute condition.";
const denied =
  "PERMISSION_DENIED 403 Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).";

const provider = (changes: Any, signers: readonly Signer[] = [signer]) => ({
  provider: describedProvider(signers, changes),
});
const policy = (members: readonly string[], binding: Any = {}) => ({ policy: accountPolicy(members, binding) });
const when = (attributeCondition: string) => ({ world: provider({ attributeCondition }) });
const longName = `system:serviceaccount:${"n".repeat(63)}:${"a".repeat(41)}`;
const bound = (sub: string) => policy([principalOf(sub)]);

const cases: readonly [name: string, what: Case, expected: Expected][] = [
  // Accepted.
  ["a token of the EC key", {}, accepted],
  ["a token of the RSA key", { token: claims({}, rsa) }, accepted],
  ["a token for the documents in a bucket", { world: { files: bucket } }, accepted],
  ["the audience as a text", { token: claims({ aud: "openshift" }) }, accepted],
  ["a provider and a policy from gcloud", { world: { ...provider({}), ...policy([principalOf()]) } }, accepted],
  ["every principal of the pool", { world: policy([`principalSet://iam.googleapis.com/${gcpPool}/*`]) }, accepted],
  [
    "the token creator, beside other bindings",
    {
      world: {
        policy: {
          etag: "x",
          bindings: [
            { role: "roles/iam.serviceAccountUser", members: ["user:a@example.com"] },
            { role: "roles/iam.serviceAccountTokenCreator", members: ["user:b@example.com", principalOf()] },
          ],
        },
      },
    },
    accepted,
  ],
  ["a provider with `disabled: false`", { world: provider({ disabled: false }) }, accepted],
  [
    "the default audience of a provider without any",
    {
      token: claims({ aud: `//iam.googleapis.com/${gcpProvider}` }),
      world: provider({ oidc: { allowedAudiences: [] } }),
    },
    accepted,
  ],
  [
    "the default audience with https",
    {
      token: claims({ aud: [`https://iam.googleapis.com/${gcpProvider}`] }),
      world: provider({ oidc: { allowedAudiences: undefined } }),
    },
    accepted,
  ],
  // Time.
  ["iat 59 seconds ahead", { token: claims({ iat: now + 59 }) }, accepted],
  ["iat 60 seconds ahead", { token: claims({ iat: now + 60 }) }, open("time")],
  ["iat 119 seconds ahead", { token: claims({ iat: now + 119 }) }, open("time")],
  ["iat 120 seconds ahead", { token: claims({ iat: now + 120 }) }, refused("time", stale(now + 120))],
  ["exp 60 seconds ago", { token: claims({ exp: now - 60, iat: now - 3000 }) }, accepted],
  ["exp 61 seconds ago", { token: claims({ exp: now - 61, iat: now - 3000 }) }, refused("time", stale(now - 3000))],
  ["an exp in eleven years", { token: claims({ exp: now + 11 * 31_536_000 }) }, open("time")],
  ["iat an hour ago", { token: claims({ iat: now - 3600 }) }, accepted],
  ["iat more than an hour ago", { token: claims({ iat: now - 3601 }) }, open("time")],
  ["a life of just under 48 hours", { token: claims({ iat: now - 10, exp: now - 11 + 172_800 }) }, accepted],
  ["a life of 48 hours", { token: claims({ iat: now - 10, exp: now - 10 + 172_800 }) }, open("time")],
  ["exp before iat", { token: claims({ exp: now - 20 }) }, open("time")],
  ["nbf in the future", { token: claims({ nbf: now + 1 }) }, open("time")],
  ["nbf as a text", { token: claims({ nbf: "soon" }) }, open("shape")],
  ["no iat", { token: claims({ iat: undefined }) }, refused("time", stale(null))],
  ["no exp", { token: claims({ exp: null }) }, refused("time", stale())],
  ["iat as a text", { token: claims({ iat: String(now) }) }, open("time")],
  ["exp with a fraction", { token: claims({ exp: now + 0.5 }) }, open("time")],
  [
    "iat in another form of an integer",
    { token: tokenOf(signer, JSON.stringify(gcpClaims()).replace(String(now - 10), "1.99999999e9")) },
    open("time"),
  ],
  // Shape.
  ["no kid", { token: header({ kid: undefined }) }, refused("shape")],
  ["alg none", { token: header({ alg: "none" }) }, refused("shape")],
  ["HS256 with the public key as its secret", { token: header({ alg: "HS256" }) }, refused("shape")],
  ["PS256", { token: header({ alg: "PS256" }) }, refused("shape")],
  ["RS512", { token: header({ alg: "RS512" }, rsa) }, refused("shape")],
  ["ES384", { token: claims({}, p384) }, refused("shape")],
  ["no sub", { token: claims({ sub: undefined }) }, refused("shape")],
  ["sub as a number", { token: claims({ sub: 5 }) }, refused("shape")],
  ["two parts", { token: `${headerPart}.${claimsPart}` }, refused("shape")],
  ["no signature", { token: `${headerPart}.${claimsPart}.` }, refused("shape")],
  ["a payload that is not JSON", { token: tokenOf(signer, "{iss:1}") }, refused("shape")],
  ["a token in quotes", { token: `"${usual}"` }, refused("shape")],
  [
    "a duplicate claim",
    { token: tokenOf(signer, JSON.stringify(gcpClaims()).replace("{", '{"sub":"x",')) },
    open("shape"),
  ],
  ["padding at the end", { token: `${usual}==` }, open("shape")],
  ["more than Kubernetes writes", { token: claims({ x: "a".repeat(16_000) }) }, open("shape")],
  // Issuer.
  ["no iss", { token: claims({ iss: undefined }) }, refused("issuer", issuerError("null"))],
  ["iss as a number", { token: claims({ iss: 5 }) }, refused("issuer")],
  ["a slash at the end", { token: claims({ iss: `${gcpIssuer}/` }) }, refused("issuer", issuerError(`${gcpIssuer}/`))],
  [
    "another cluster",
    { token: claims({ iss: "https://x.example" }) },
    refused("issuer", issuerError("https://x.example")),
  ],
  [
    "a token from a Secret",
    { token: claims({ iss: "kubernetes/serviceaccount" }) },
    refused("issuer", issuerError("kubernetes/serviceaccount")),
  ],
  // Keys.
  ["a key that the provider does not have", { token: claims({}, stranger) }, refused("signature", connecting)],
  ["another key with the kid", { token: header({ kid: signer.kid }, stranger) }, refused("signature", signature)],
  [
    "a signature of other claims",
    { token: `${headerPart}.${base64url(gcpClaims({ jti: "x" }))}.${signaturePart}` },
    refused("signature", signature),
  ],
  [
    "a wrong key in jwksJson with the right kid",
    { world: provider({ oidc: { jwksJson: JSON.stringify({ keys: [{ ...stranger.jwk, kid: signer.kid }] }) } }) },
    refused("signature", signature),
  ],
  ["a wrong key in jwksJson", { world: provider({}, [stranger]) }, refused("signature", connecting)],
  ["jwksJson that is not JSON", { world: provider({ oidc: { jwksJson: "{" } }) }, refused("signature", connecting)],
  ["a key on P-384 beside the good one", { world: provider({}, [signer, p384]) }, open("signature")],
  [
    "no uploaded keys, although the package has some",
    { world: provider({ oidc: { jwksJson: "" } }) },
    open("discovery"),
  ],
  ["published keys beside uploaded ones", { world: { jwks: { keys: [stranger.jwk] }, ...provider({}) } }, accepted],
  [
    "other published keys",
    { world: { files: bucket, jwks: { keys: [stranger.jwk] } } },
    refused("signature", connecting),
  ],
  [
    "a document of another issuer",
    { world: { files: bucket, discovery: { issuer: "https://x.example", jwks_uri: `${gcpIssuer}/keys.json` } } },
    refused("discovery", otherIssuer),
  ],
  [
    "a document without the keys' URL",
    { world: { files: bucket, discovery: { issuer: gcpIssuer } } },
    refused("discovery", connecting),
  ],
  // Audience.
  [
    "another audience",
    { token: claims({ aud: ["sts.amazonaws.com"] }) },
    refused("audience", audience("sts.amazonaws.com")),
  ],
  ["no audience", { token: claims({ aud: undefined }) }, refused("audience", audience(""))],
  ["an empty list of audiences", { token: claims({ aud: [] }) }, refused("audience", audience(""))],
  ["several audiences, one of them right", { token: claims({ aud: ["x", "openshift"] }) }, open("audience")],
  ["several audiences, all wrong", { token: claims({ aud: ["x", "y"] }) }, refused("audience", audience("x, y"))],
  ["a number beside the audience", { token: claims({ aud: ["openshift", 5] }) }, open("audience")],
  ["an authorized party", { token: claims({ azp: "x" }) }, open("audience")],
  [
    "our audience at a provider with the default one",
    { world: provider({ oidc: { allowedAudiences: [] } }) },
    refused("audience", audience("openshift")),
  ],
  // Provider.
  ["a disabled provider", { world: provider({ disabled: true }) }, refused("provider", target)],
  ["a deleted provider", { world: provider({ state: "DELETED" }) }, refused("provider", target)],
  ["a provider in another state", { world: provider({ state: "STATE_UNSPECIFIED" }) }, open("provider")],
  [
    "a disabled pool",
    { world: { files: edited(uploaded, "gcp/issuer/pool.json", (pool) => Object.assign(pool, { disabled: true })) } },
    refused("provider", target),
  ],
  // Subject.
  ["a subject of 127 bytes", { token: claims({ sub: longName }), world: bound(longName) }, accepted],
  [
    "a subject of 128 bytes",
    { token: claims({ sub: `${longName}a` }), world: bound(`${longName}a`) },
    refused("subject", tooLong),
  ],
  [
    "another mapping",
    { world: provider({ attributeMapping: { "google.subject": "assertion['kubernetes.io']['namespace']" } }) },
    open("subject binding"),
  ],
  ["an empty subject", { world: provider({ attributeMapping: { "google.subject": "''" } }) }, open("subject binding")],
  [
    "a subject that is not a text",
    { world: provider({ attributeMapping: { "google.subject": "true" } }) },
    open("subject binding"),
  ],
  [
    "another attribute",
    { world: provider({ attributeMapping: { "google.subject": "assertion.sub", "attribute.x": "assertion.x" } }) },
    open("subject binding"),
  ],
  // Condition.
  ["a true condition", when(`assertion.sub == '${gcpSubject}'`), accepted],
  ["a false condition", when("google.subject == 'x'"), refused("condition", condition)],
  ["a condition on the subject", when(`assertion.sub in ['a', '${gcpSubject}']`), accepted],
  ["a condition on a part of the subject", when("assertion.sub.startsWith('system:')"), open("condition")],
  ["a condition that needs more", when("assertion.sub.matches('.*')"), open("condition")],
  ["a condition on a missing claim", when("assertion.email == 'x'"), open("condition")],
  // Binding.
  ["no principal", { world: policy([]) }, refused("binding", denied)],
  ["another principal", { world: policy([principalOf(`${gcpSubject}2`)]) }, refused("binding", denied)],
  [
    "the principal of another pool",
    { world: policy([principalOf(gcpSubject, gcpPool.replace("demo", "other"))]) },
    refused("binding", denied),
  ],
  [
    "a provider of another pool",
    { world: provider({ name: gcpProvider.replace("Pools/demo", "Pools/other") }) },
    refused("binding", denied),
  ],
  ["another subject", { token: claims({ sub: "system:serviceaccount:ns-one:x" }) }, refused("binding", denied)],
  [
    "a binding with a condition",
    { world: policy([principalOf()], { condition: { title: "x", expression: "true" } }) },
    open("binding"),
  ],
  [
    "a role without the permission",
    { world: policy([principalOf()], { role: "roles/iam.serviceAccountUser" }) },
    refused("binding", denied),
  ],
  [
    "a role for ID tokens",
    { world: policy([principalOf()], { role: "roles/iam.serviceAccountOpenIdTokenCreator" }) },
    refused("binding", denied),
  ],
  ["a custom role", { world: policy([principalOf()], { role: "projects/my-project/roles/x" }) }, open("binding")],
  ["everyone", { world: policy(["allUsers"]) }, open("binding")],
  [
    "a set of another pool",
    { world: policy([`principalSet://iam.googleapis.com/${gcpPool.replace("demo", "other")}/*`]) },
    refused("binding", denied),
  ],
  [
    "a group of this pool",
    { world: policy([`principalSet://iam.googleapis.com/${gcpPool}/group/x`]) },
    open("binding"),
  ],
  // Combinations: Google names one of several errors, but only of the first stage that fails.
  [
    "expired, for another issuer and another audience",
    { token: claims({ iss: "https://x.example", aud: "x", exp: now - 99, iat: now - 3000 }) },
    refused("issuer time audience", issuerError("https://x.example"), stale(now - 3000), audience("x")),
  ],
  [
    "of another cluster altogether",
    { token: claims({ iss: "https://x.example" }, stranger) },
    refused("issuer signature", issuerError("https://x.example"), connecting),
  ],
  [
    "expired, at a disabled provider",
    { token: claims({ exp: now - 99, iat: now - 3000 }), world: provider({ disabled: true }) },
    refused("provider time", target),
  ],
  [
    "for another audience, and not bound",
    { token: claims({ aud: "x" }), world: policy([]) },
    refused("audience binding", audience("x")),
  ],
  [
    "not bound, and the condition is false",
    { world: { ...provider({ attributeCondition: "assertion.sub == 'x'" }), ...policy([]) } },
    refused("condition binding", condition),
  ],
  [
    "expired, without a kid",
    { token: tokenOf(signer, gcpClaims({ exp: now - 99, iat: now - 3000 }), { kid: undefined }) },
    refused("shape time"),
  ],
  [
    "not known, and then wrong",
    { token: claims({ aud: ["x", "openshift"] }), world: policy([]) },
    { verdict: "refused", failed: ["binding"], unknown: ["audience"], errors: [denied] },
  ],
];

/** Changes a JSON file of an export. */
function edited(files: ReadonlyMap<string, string>, path: string, change: (value: Any) => void): Map<string, string> {
  const value = JSON.parse(files.get(path) ?? "null");
  change(value);
  return new Map([...files, [path, JSON.stringify(value)]]);
}

describe("what Google would answer to", () => {
  it.each(cases)("%s", async (_name, { token = usual, world = {}, time = now }, expected) => {
    const { verdict, checks, deciding } = await gcpAnswer(token, { files: uploaded, ...world }, time);
    const named = (status: string) => checks.filter((check) => check.status === status).map(({ name }) => name);
    const errors = checks.flatMap(({ name, error }) =>
      error !== undefined && deciding.includes(name) ? `${error.code} ${error.httpStatus} ${error.message}` : [],
    );
    expect({ verdict, failed: named("failed"), unknown: named("unknown"), errors }).toEqual(expected);
    for (const check of checks) {
      if (check.status === "failed" || check.status === "unknown")
        expect(check.cure ?? check.followsFrom).toMatch(/^[^.]*[^\s.]/);
      expect(check.detail).not.toContain("(a value that is not shown)");
    }
  });
});

describe("the causes", () => {
  const checkOf = async (name: string, token: string, world: Partial<GcpWorld> = {}) => {
    const { checks } = await gcpAnswer(token, { files: uploaded, ...world });
    return checks.find((check) => check.name === name);
  };

  it("names what may use the account, and the pool of a foreign provider", async () => {
    expect((await checkOf("binding", claims({ sub: "system:serviceaccount:ns-one:x" })))?.detail).toMatch(
      /^"demo-ns-one-\w{7}@my-project\.iam\.gserviceaccount\.com" may be used by "system:serviceaccount:ns-one:one-operator", but google\.subject is "system:serviceaccount:ns-one:x"$/,
    );
    const other = provider({ name: gcpProvider.replace("Pools/demo", "Pools/other") });
    expect((await checkOf("binding", usual, other))?.detail).toContain(
      `no principal of the pool "${gcpPool.replace("demo", "other")}" may use "demo-ns-one-`,
    );
    expect((await checkOf("binding", usual, other))?.detail).toContain(`but only "${principalOf()}"`);
  });

  it.each<[string, readonly string[], Any, string]>([
    [
      "a role without the permission",
      [principalOf()],
      { role: "roles/iam.serviceAccountUser" },
      'has "roles/iam.serviceAccountUser" on',
    ],
    [
      "a member of GKE's form",
      ["serviceAccount:my-project.svc.id.goog[ns-one/one-operator]"],
      {},
      'may be used by "serviceAccount:my-project.svc.id.goog[ns-one/one-operator]", which names a service account of a GKE cluster',
    ],
    [
      "a project ID in a principal",
      [principalOf().replace(/projects\/\d+/, "projects/my-project")],
      {},
      "which names the project by its ID, but a principal contains its number",
    ],
  ])("names %s, and the right binding", async (_name, members, binding, cause) => {
    const check = await checkOf("binding", usual, policy(members, binding));
    expect(check?.status).toBe("failed");
    expect(check?.detail).toContain(cause);
    expect(check?.cure).toBe(`bind roles/iam.workloadIdentityUser on the service account to "${principalOf()}"`);
  });

  it("marks what follows from another issuer, and keeps one cure", async () => {
    const check = await checkOf("signature", claims({ iss: "https://x.example" }, stranger));
    expect([check?.followsFrom, check?.cure]).toEqual(["issuer", undefined]);
    const near = await checkOf("signature", claims({ iss: `${gcpIssuer}/` }, stranger));
    expect(near?.followsFrom).toBeUndefined();
    expect((await checkOf("issuer", claims({ iss: `${gcpIssuer}/` })))?.detail).toContain("a trailing slash");
  });

  it("says what is not known without a provider, or with a package that cannot be read", async () => {
    const without = new Map([...uploaded].filter(([path]) => !path.endsWith("provider.json")));
    const { verdict, checks } = await gcpAnswer(usual, { files: without });
    expect(verdict).toBe("unknown");
    expect(checks.filter(({ status }) => status === "unknown").map(({ name }) => name)).toEqual([
      "provider",
      "audience",
      "subject",
      "condition",
      "binding",
    ]);
    const broken = [...uploaded].map(([path, text]) => [path, path.endsWith("bindings.json") ? "{" : text] as const);
    const answer = await gcpAnswer(usual, { files: new Map(broken) });
    expect([answer.verdict, answer.checks.at(-1)?.detail]).toEqual([
      "unknown",
      expect.stringContaining("cannot be read"),
    ]);
  });
});
