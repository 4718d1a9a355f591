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
import { answerParagraph, expectAnswers } from "../../helpers/token-answers.ts";

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

const provider = (changes: Any, signers: readonly Signer[] = [signer]) => ({
  provider: describedProvider(signers, changes),
});
const policy = (members: readonly string[], binding: Any = {}) => ({ policy: accountPolicy(members, binding) });
const when = (attributeCondition: string) => ({ world: provider({ attributeCondition }) });
const longName = `system:serviceaccount:${"n".repeat(63)}:${"a".repeat(41)}`;
const bound = (sub: string) => policy([principalOf(sub)]);

const cases: readonly [name: string, what: Case][] = [
  // Accepted.
  ["a token of the EC key", {}],
  ["a token of the RSA key", { token: claims({}, rsa) }],
  ["a token for the documents in a bucket", { world: { files: bucket } }],
  ["the audience as a text", { token: claims({ aud: "openshift" }) }],
  ["a provider and a policy from gcloud", { world: { ...provider({}), ...policy([principalOf()]) } }],
  ["every principal of the pool", { world: policy([`principalSet://iam.googleapis.com/${gcpPool}/*`]) }],
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
  ],
  ["a provider with `disabled: false`", { world: provider({ disabled: false }) }],
  [
    "the default audience of a provider without any",
    {
      token: claims({ aud: `//iam.googleapis.com/${gcpProvider}` }),
      world: provider({ oidc: { allowedAudiences: [] } }),
    },
  ],
  [
    "the default audience with https",
    {
      token: claims({ aud: [`https://iam.googleapis.com/${gcpProvider}`] }),
      world: provider({ oidc: { allowedAudiences: undefined } }),
    },
  ],
  // Time.
  ["iat 59 seconds ahead", { token: claims({ iat: now + 59 }) }],
  ["iat 60 seconds ahead", { token: claims({ iat: now + 60 }) }],
  ["iat 119 seconds ahead", { token: claims({ iat: now + 119 }) }],
  ["iat 120 seconds ahead", { token: claims({ iat: now + 120 }) }],
  ["exp 60 seconds ago", { token: claims({ exp: now - 60, iat: now - 3000 }) }],
  ["exp 61 seconds ago", { token: claims({ exp: now - 61, iat: now - 3000 }) }],
  ["an exp in eleven years", { token: claims({ exp: now + 11 * 31_536_000 }) }],
  ["iat an hour ago", { token: claims({ iat: now - 3600 }) }],
  ["iat more than an hour ago", { token: claims({ iat: now - 3601 }) }],
  ["a life of just under 48 hours", { token: claims({ iat: now - 10, exp: now - 11 + 172_800 }) }],
  ["a life of 48 hours", { token: claims({ iat: now - 10, exp: now - 10 + 172_800 }) }],
  ["exp before iat", { token: claims({ exp: now - 20 }) }],
  ["nbf in the future", { token: claims({ nbf: now + 1 }) }],
  ["nbf as a text", { token: claims({ nbf: "soon" }) }],
  ["no iat", { token: claims({ iat: undefined }) }],
  ["no exp", { token: claims({ exp: null }) }],
  ["iat as a text", { token: claims({ iat: String(now) }) }],
  ["exp with a fraction", { token: claims({ exp: now + 0.5 }) }],
  [
    "iat in another form of an integer",
    { token: tokenOf(signer, JSON.stringify(gcpClaims()).replace(String(now - 10), "1.99999999e9")) },
  ],
  // Shape.
  ["no kid", { token: header({ kid: undefined }) }],
  ["alg none", { token: header({ alg: "none" }) }],
  ["HS256 with the public key as its secret", { token: header({ alg: "HS256" }) }],
  ["PS256", { token: header({ alg: "PS256" }) }],
  ["RS512", { token: header({ alg: "RS512" }, rsa) }],
  ["ES384", { token: claims({}, p384) }],
  ["no sub", { token: claims({ sub: undefined }) }],
  ["sub as a number", { token: claims({ sub: 5 }) }],
  ["two parts", { token: `${headerPart}.${claimsPart}` }],
  ["no signature", { token: `${headerPart}.${claimsPart}.` }],
  ["a payload that is not JSON", { token: tokenOf(signer, "{iss:1}") }],
  ["a token in quotes", { token: `"${usual}"` }],
  ["a duplicate claim", { token: tokenOf(signer, JSON.stringify(gcpClaims()).replace("{", '{"sub":"x",')) }],
  ["padding at the end", { token: `${usual}==` }],
  ["more than Kubernetes writes", { token: claims({ x: "a".repeat(16_000) }) }],
  // Issuer.
  ["no iss", { token: claims({ iss: undefined }) }],
  ["iss as a number", { token: claims({ iss: 5 }) }],
  ["a slash at the end", { token: claims({ iss: `${gcpIssuer}/` }) }],
  ["another cluster", { token: claims({ iss: "https://x.example" }) }],
  ["a token from a Secret", { token: claims({ iss: "kubernetes/serviceaccount" }) }],
  // Keys.
  ["a key that the provider does not have", { token: claims({}, stranger) }],
  ["another key with the kid", { token: header({ kid: signer.kid }, stranger) }],
  ["a signature of other claims", { token: `${headerPart}.${base64url(gcpClaims({ jti: "x" }))}.${signaturePart}` }],
  [
    "a wrong key in jwksJson with the right kid",
    { world: provider({ oidc: { jwksJson: JSON.stringify({ keys: [{ ...stranger.jwk, kid: signer.kid }] }) } }) },
  ],
  ["a wrong key in jwksJson", { world: provider({}, [stranger]) }],
  ["jwksJson that is not JSON", { world: provider({ oidc: { jwksJson: "{" } }) }],
  ["a key on P-384 beside the good one", { world: provider({}, [signer, p384]) }],
  ["no uploaded keys, although the package has some", { world: provider({ oidc: { jwksJson: "" } }) }],
  ["published keys beside uploaded ones", { world: { jwks: { keys: [stranger.jwk] }, ...provider({}) } }],
  ["other published keys", { world: { files: bucket, jwks: { keys: [stranger.jwk] } } }],
  [
    "a document of another issuer",
    { world: { files: bucket, discovery: { issuer: "https://x.example", jwks_uri: `${gcpIssuer}/keys.json` } } },
  ],
  ["a document without the keys' URL", { world: { files: bucket, discovery: { issuer: gcpIssuer } } }],
  // Audience.
  ["another audience", { token: claims({ aud: ["sts.amazonaws.com"] }) }],
  ["no audience", { token: claims({ aud: undefined }) }],
  ["an empty list of audiences", { token: claims({ aud: [] }) }],
  ["several audiences, one of them right", { token: claims({ aud: ["x", "openshift"] }) }],
  ["several audiences, all wrong", { token: claims({ aud: ["x", "y"] }) }],
  ["a number beside the audience", { token: claims({ aud: ["openshift", 5] }) }],
  ["an authorized party", { token: claims({ azp: "x" }) }],
  ["our audience at a provider with the default one", { world: provider({ oidc: { allowedAudiences: [] } }) }],
  // Provider.
  ["a disabled provider", { world: provider({ disabled: true }) }],
  ["a deleted provider", { world: provider({ state: "DELETED" }) }],
  ["a provider in another state", { world: provider({ state: "STATE_UNSPECIFIED" }) }],
  [
    "a disabled pool",
    { world: { files: edited(uploaded, "gcp/issuer/pool.json", (pool) => Object.assign(pool, { disabled: true })) } },
  ],
  // Subject.
  ["a subject of 127 bytes", { token: claims({ sub: longName }), world: bound(longName) }],
  ["a subject of 128 bytes", { token: claims({ sub: `${longName}a` }), world: bound(`${longName}a`) }],
  [
    "another mapping",
    { world: provider({ attributeMapping: { "google.subject": "assertion['kubernetes.io']['namespace']" } }) },
  ],
  ["an empty subject", { world: provider({ attributeMapping: { "google.subject": "''" } }) }],
  ["a subject that is not a text", { world: provider({ attributeMapping: { "google.subject": "true" } }) }],
  [
    "another attribute",
    { world: provider({ attributeMapping: { "google.subject": "assertion.sub", "attribute.x": "assertion.x" } }) },
  ],
  // Condition.
  ["a true condition", when(`assertion.sub == '${gcpSubject}'`)],
  ["a false condition", when("google.subject == 'x'")],
  ["a condition on the subject", when(`assertion.sub in ['a', '${gcpSubject}']`)],
  ["a condition on a part of the subject", when("assertion.sub.startsWith('system:')")],
  ["a condition that needs more", when("assertion.sub.matches('.*')")],
  ["a condition on a missing claim", when("assertion.email == 'x'")],
  // Binding.
  ["no principal", { world: policy([]) }],
  ["another principal", { world: policy([principalOf(`${gcpSubject}2`)]) }],
  ["the principal of another pool", { world: policy([principalOf(gcpSubject, gcpPool.replace("demo", "other"))]) }],
  ["a provider of another pool", { world: provider({ name: gcpProvider.replace("Pools/demo", "Pools/other") }) }],
  ["another subject", { token: claims({ sub: "system:serviceaccount:ns-one:x" }) }],
  ["a binding with a condition", { world: policy([principalOf()], { condition: { title: "x", expression: "true" } }) }],
  ["a role without the permission", { world: policy([principalOf()], { role: "roles/iam.serviceAccountUser" }) }],
  ["a role for ID tokens", { world: policy([principalOf()], { role: "roles/iam.serviceAccountOpenIdTokenCreator" }) }],
  ["a custom role", { world: policy([principalOf()], { role: "projects/my-project/roles/x" }) }],
  ["everyone", { world: policy(["allUsers"]) }],
  [
    "a set of another pool",
    { world: policy([`principalSet://iam.googleapis.com/${gcpPool.replace("demo", "other")}/*`]) },
  ],
  ["a group of this pool", { world: policy([`principalSet://iam.googleapis.com/${gcpPool}/group/x`]) }],
  // Combinations: Google names one of several errors, but only of the first stage that fails.
  [
    "expired, for another issuer and another audience",
    { token: claims({ iss: "https://x.example", aud: "x", exp: now - 99, iat: now - 3000 }) },
  ],
  ["of another cluster altogether", { token: claims({ iss: "https://x.example" }, stranger) }],
  [
    "expired, at a disabled provider",
    { token: claims({ exp: now - 99, iat: now - 3000 }), world: provider({ disabled: true }) },
  ],
  ["for another audience, and not bound", { token: claims({ aud: "x" }), world: policy([]) }],
  [
    "not bound, and the condition is false",
    { world: { ...provider({ attributeCondition: "assertion.sub == 'x'" }), ...policy([]) } },
  ],
  [
    "expired, without a kid",
    { token: tokenOf(signer, gcpClaims({ exp: now - 99, iat: now - 3000 }), { kid: undefined }) },
  ],
  ["not known, and then wrong", { token: claims({ aud: ["x", "openshift"] }), world: policy([]) }],
];

/** Changes a JSON file of an export. */
function edited(files: ReadonlyMap<string, string>, path: string, change: (value: Any) => void): Map<string, string> {
  const value = JSON.parse(files.get(path) ?? "null");
  change(value);
  return new Map([...files, [path, JSON.stringify(value)]]);
}

describe("what Google would answer to", () => {
  const paragraphs = new Map<string, string>();

  it.each(cases)("%s", async (name, { token = usual, world = {}, time = now }) => {
    paragraphs.set(name, answerParagraph(await gcpAnswer(token, { files: uploaded, ...world }, time)));
  });

  it("all of them is in the golden file", () => {
    expect(paragraphs.size).toBe(cases.length);
    expectAnswers("gcp", paragraphs, { signer, rsa, stranger, p384 });
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
