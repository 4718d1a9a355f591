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
  azureRequest,
  azureShown,
  azureSubject,
  azureTenant,
} from "../../helpers/azure-exchange.ts";
import type { Any } from "../../helpers/cluster.ts";
import { base64url, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import { answerParagraph, expectAnswers } from "../../helpers/token-answers.ts";

const [signer, stranger, ec] = [rsaSigner(), rsaSigner(), ecSigner()];
const previous = "https://old.example.com/x";
const rendered = azureExport(azureIdentity([signer], {}, { previous: [previous] }));
const usualWorld: AzureWorld = { files: rendered.files, items: [...rendered.manifests, azureIdentities()] };

const claims = (changes: Any, by: Signer = signer) => tokenOf(by, azureClaims(changes));
const header = (changes: Any, by: Signer = signer) => tokenOf(by, azureClaims(), changes);
const usual = claims({});
const [headerPart = "", claimsPart = "", signaturePart = ""] = usual.split(".");

interface Case {
  readonly token?: string;
  readonly world?: Partial<AzureWorld>;
  readonly time?: number;
}

const credentials = (...list: Any[]) => ({ credentials: list });
const shown = (changes: Any) => ({ shown: azureShown(changes) });
const withExpression = (changes: Any = {}) =>
  azureCredential({
    subject: null,
    claimsMatchingExpression: { value: "claims['sub'] matches 'system:serviceaccount:ns-*'", languageVersion: 1 },
    ...changes,
  });
const jwks = (...keys: Any[]) => ({ jwks: { keys } });
const other = "55555555-5555-4555-8555-555555555555";

/** The discovery document of the issuer; the changes are merged into it. */
function document(changes: Any): Any {
  const usual = { issuer: azureIssuer, jwks_uri: `${azureIssuer}/openid/v1/jwks`, subject_types_supported: ["public"] };
  return { ...usual, ...changes };
}

/** The package with values of the component's Secret replaced, or removed (undefined). */
function withSecret(changes: Any): Partial<AzureWorld> {
  return {
    items: usualWorld.items.map((item) =>
      item.metadata.name === "credentials" ? { ...item, stringData: { ...item.stringData, ...changes } } : item,
    ),
  };
}
const many = (count: number, at: number) =>
  jwks(
    ...Array.from({ length: count }, (_, index) => (index === at ? signer.jwk : { ...stranger.jwk, kid: `k${index}` })),
  );

const cases: readonly [name: string, what: Case][] = [
  // Accepted.
  ["a token of the key", {}],
  ["the audience as a text", { token: claims({ aud: "openshift" }) }],
  ["credentials as the Azure CLI lists them", { world: credentials(azureCredential()) }],
  [
    "credentials as the API lists them",
    {
      world: {
        credentials: {
          value: [
            {
              id: azureCredential().id,
              properties: { issuer: azureIssuer, subject: azureSubject, audiences: ["openshift"] },
            },
          ],
        },
      },
    },
  ],
  [
    "the second of two credentials",
    { world: credentials(azureCredential({ subject: "x", issuer: previous }), azureCredential()) },
  ],
  ["the identity as the Azure CLI shows it", { world: shown({}) }],
  [
    "the identity as the API shows it",
    { world: { shown: { id: azureShown().id, properties: { clientId: azureClient, tenantId: azureTenant } } } },
  ],
  ["a client ID in another case", { world: shown({ clientId: azureClient.toUpperCase() }) }],
  ["the Secret alone, as in an export", { world: { items: rendered.manifests } }],
  ["another type in the header", { token: header({ typ: "JWT" }) }],
  ["a hundred keys, ours the last one", { world: many(100, 99) }],
  // Shape.
  ["RS512", { token: header({ alg: "RS512" }) }],
  ["ES256", { token: claims({}, ec) }],
  ["PS256", { token: header({ alg: "PS256" }) }],
  ["alg none", { token: header({ alg: "none" }) }],
  ["HS256 with the public key as its secret", { token: header({ alg: "HS256" }) }],
  ["no kid", { token: header({ kid: undefined }) }],
  ["no iss", { token: claims({ iss: undefined }) }],
  ["no sub", { token: claims({ sub: undefined }) }],
  ["no aud", { token: claims({ aud: [] }) }],
  ["no exp", { token: claims({ exp: undefined }) }],
  ["exp with a fraction", { token: claims({ exp: now + 0.5 }) }],
  ["no iat", { token: claims({ iat: undefined }) }],
  ["nbf as a text", { token: claims({ nbf: "soon" }) }],
  ["two parts", { token: `${headerPart}.${claimsPart}` }],
  ["a token in quotes", { token: `"${usual}"` }],
  ["padding at the end", { token: `${usual}==` }],
  ["more than Kubernetes writes", { token: claims({ x: "a".repeat(16_000) }) }],
  // Tenant and client ID.
  ["a tenant that is not a UUID", { world: withSecret({ azure_tenant_id: "x" }) }],
  ["the domain of a tenant", { world: withSecret({ azure_tenant_id: "example.onmicrosoft.com" }) }],
  ["another tenant", { world: withSecret({ azure_tenant_id: other }) }],
  ["an identity in another tenant", { world: shown({ tenantId: other }) }],
  ["an identity that was created again", { world: shown({ clientId: other }) }],
  ["a Secret with another client ID", { world: withSecret({ azure_client_id: other }) }],
  ["a client ID that is not a UUID", { world: withSecret({ azure_client_id: "demo" }) }],
  ["no client ID yet", { world: { items: [] } }],
  ["no client ID yet, and another audience", { world: { items: [] }, token: claims({ aud: "x" }) }],
  // Credentials.
  ["no credential at all", { world: credentials() }],
  ["a credential with an expression", { world: credentials(withExpression()) }],
  [
    "a credential with an expression, without a subject",
    { world: credentials(withExpression({ subject: undefined })) },
  ],
  ["a credential with an expression beside the right one", { world: credentials(withExpression(), azureCredential()) }],
  [
    "a credential with an expression beside one for another subject",
    { world: credentials(azureCredential({ subject: "system:serviceaccount:x:y" }), withExpression()) },
  ],
  [
    "a credential with an expression for another issuer beside one for another subject",
    {
      world: credentials(
        azureCredential({ subject: "system:serviceaccount:x:y" }),
        withExpression({ issuer: "https://x.example" }),
      ),
    },
  ],
  ["a credential with an expression and a subject", { world: credentials(withExpression({ subject: azureSubject })) }],
  // Issuer.
  ["another cluster", { token: claims({ iss: "https://x.example" }) }],
  ["a slash at the end", { token: claims({ iss: `${azureIssuer}/` }) }],
  ["the issuer in another case", { token: claims({ iss: azureIssuer.replace("demoissuer", "DemoIssuer") }) }],
  ["a token from a Secret", { token: claims({ iss: "kubernetes/serviceaccount" }) }],
  ["credentials of the previous issuer only", { world: credentials(azureCredential({ issuer: previous })) }],
  // The package does not contain the documents of the previous issuer.
  ["the previous issuer", { token: claims({ iss: previous }) }],
  [
    "the previous issuer, with its documents",
    {
      token: claims({ iss: previous }),
      world: { discovery: document({ issuer: previous, jwks_uri: `${previous}/keys` }), ...jwks(signer.jwk) },
    },
  ],
  // Subject.
  ["another service account", { token: claims({ sub: "system:serviceaccount:ns-one:x" }) }],
  ["a subject in another case", { token: claims({ sub: azureSubject.replace("ns-one", "NS-one") }) }],
  [
    "a subject of another issuer's credential",
    { world: credentials(azureCredential({ subject: "x" }), azureCredential({ issuer: previous })) },
  ],
  // Audience.
  ["another audience", { token: claims({ aud: ["sts.amazonaws.com"] }) }],
  ["the audience in another case", { token: claims({ aud: "OpenShift" }) }],
  ["several audiences, one of them right", { token: claims({ aud: ["x", "openshift"] }) }],
  ["several audiences, all wrong", { token: claims({ aud: ["x", "y"] }) }],
  [
    "the default audience of Azure",
    { world: credentials(azureCredential({ audiences: ["api://AzureADTokenExchange"] })) },
  ],
  ["a credential with two audiences", { world: credentials(azureCredential({ audiences: ["x", "openshift"] })) }],
  // Documents.
  [
    "a document of another issuer",
    { world: { discovery: { issuer: "https://x.example", jwks_uri: `${azureIssuer}/openid/v1/jwks` } } },
  ],
  ["a document without the keys' URL", { world: { discovery: { issuer: azureIssuer } } }],
  ["keys over http", { world: { discovery: { issuer: azureIssuer, jwks_uri: "http://x.example/keys" } } }],
  ["a document without types of subjects", { world: { discovery: document({ subject_types_supported: [] }) } }],
  ["a JWKS without keys", { world: { jwks: {} } }],
  // Keys.
  ["a key that is not published", { token: claims({}, stranger) }],
  ["a hundred keys before ours", { world: many(101, 100) }],
  ["a hundred and one keys, ours the first one", { world: many(101, 0) }],
  ["another key with the kid", { token: header({ kid: signer.kid }, stranger) }],
  ["a signature of other claims", { token: `${headerPart}.${base64url(azureClaims({ jti: "x" }))}.${signaturePart}` }],
  ["an EC key beside the good one", { world: jwks(signer.jwk, ec.jwk) }],
  // Time.
  ["a second before exp", { time: now + 3599 }],
  ["exp now", { time: now + 3600 }],
  ["exp 300 seconds ago", { time: now + 3900 }],
  ["exp 301 seconds ago", { time: now + 3901 }],
  ["nbf in the future", { token: claims({ nbf: now + 300 }) }],
  ["nbf 301 seconds ahead", { token: claims({ nbf: now + 301 }) }],
  ["iat in the future", { token: claims({ iat: now + 1, nbf: undefined }) }],
  // Combinations: the first failure decides, and all are listed.
  [
    "expired, for another issuer, subject and audience",
    { token: claims({ iss: "https://x.example", sub: "s:x", aud: "x" }), time: now + 9999 },
  ],
  ["of another cluster altogether", { token: claims({ iss: "https://x.example" }, stranger) }],
  ["expired, for another subject", { token: claims({ sub: "s:x" }), time: now + 9999 }],
  ["not known, and then wrong", { token: claims({ aud: ["x", "openshift"] }, stranger) }],
];

describe("what Microsoft Entra would answer to", () => {
  const paragraphs = new Map<string, string>();

  it.each(cases)("%s", async (name, { token = usual, world = {}, time = now }) => {
    const { verdict, checks, deciding } = await azureAnswer(token, { ...usualWorld, ...world }, time);
    expect(deciding).toEqual(checks.flatMap(({ name, status }) => (status === "failed" ? [name] : [])).slice(0, 1));
    expect(checks.map((check) => check.name)).toEqual([
      ...["shape", "tenant", "client ID", "credentials", "issuer", "subject"],
      ...["audience", "discovery", "signature", "time"],
    ]);
    paragraphs.set(name, answerParagraph({ verdict, checks, deciding }));
  });

  it("all of them is in the golden file", () => {
    expect(paragraphs.size).toBe(cases.length);
    expectAnswers("azure", paragraphs, { signer, stranger, ec });
  });
});

describe("the causes", () => {
  const checkOf = async (name: string, token: string, world: Partial<AzureWorld> = {}) => {
    const { checks } = await azureAnswer(token, { ...usualWorld, ...world });
    return checks.find((check) => check.name === name);
  };

  it.each([
    [`${azureIssuer}/`, "they differ by a trailing slash, which is significant"],
    [azureIssuer.toUpperCase().replace("HTTPS", "https"), "they differ in case, which is significant"],
    [azureIssuer.replace("https", "http"), "they differ in case, scheme, or a trailing slash, which is significant"],
  ])("name what differs in the issuer %s", async (iss, cause) => {
    const check = await checkOf("issuer", claims({ iss }));
    expect(check?.detail).toBe(
      `the token's issuer is "${iss}", but a federated credential is for "${azureIssuer}": ${cause}`,
    );
    expect(check?.cure).toContain("ccf apply");
  });

  it("mark what follows from another issuer, and keep one cure", async () => {
    const foreign = await checkOf("signature", claims({ iss: "https://x.example" }, stranger));
    expect([foreign?.followsFrom, foreign?.cure]).toEqual(["issuer", undefined]);
    const near = await checkOf("signature", claims({ iss: `${azureIssuer}/` }, stranger));
    expect(near?.followsFrom).toBeUndefined();
  });

  it("name the identity to which the client ID in the Secret belongs", async () => {
    const two = azureIdentities({ "ns-one_credentials": azureClient, "ns-two_credentials": other });
    const { files, manifests } = azureExport(azureIdentity([signer]), [azureRequest(), azureRequest("two"), two]);
    const items = [...manifests, two].map((item) =>
      item.metadata.namespace === "ns-one"
        ? { ...item, stringData: { ...item.stringData, azure_client_id: other } }
        : item,
    );
    const { verdict, checks } = await azureAnswer(usual, { files, items });
    expect(verdict).toBe("unknown");
    expect(checks.find(({ name }) => name === "client ID")).toMatchObject({
      status: "unknown",
      detail: `the component asks for the client ID "${other}", but "demo-ns-one-credentials" has "${azureClient}"; it belongs to "demo-ns-two-credentials", whose credentials decide`,
    });
  });

  it("say what is not known without a package", async () => {
    const world = { files: new Map(), items: [], credentials: [azureCredential()] };
    const { verdict, checks } = await azureAnswer(usual, world);
    expect(verdict).toBe("unknown");
    const names = (some: typeof checks) => some.map(({ name }) => name);
    expect(names(checks.filter(({ status }) => status === "unknown"))).toEqual([
      "tenant",
      "client ID",
      "discovery",
      "signature",
    ]);
    const both = await azureAnswer(usual, { ...world, shown: azureShown() });
    expect(names(both.checks.filter(({ status }) => status === "unknown"))).toEqual(["discovery", "signature"]);
  });

  it("say that the form of a credential is not known", async () => {
    const path = [...usualWorld.files.keys()].find((name) => name.includes("federated-credential-")) ?? "";
    const { verdict, checks } = await azureAnswer(usual, {
      ...usualWorld,
      files: new Map([...usualWorld.files, [path, "{"]]),
    });
    expect(verdict).toBe("unknown");
    expect(checks.find(({ name }) => name === "credentials")?.detail).toBe(
      'the federated credentials of "demo-ns-one-credentials" are unknown, or have an unknown form',
    );
  });
});
