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

interface Expected {
  readonly verdict: string;
  readonly failed: readonly string[];
  readonly unknown: readonly string[];
  readonly errors: readonly string[];
}

const accepted: Expected = { verdict: "accepted", failed: [], unknown: [], errors: [] };

/** The expected verdict, the failed checks and the error of the first of them; "" if its text is not documented. */
function refused(failed: string, error: string, unknown = ""): Expected {
  const names = (text: string) => text.split(", ").filter((name) => name !== "");
  return { verdict: "refused", failed: names(failed), unknown: names(unknown), errors: error === "" ? [] : [error] };
}
function open(unknown: string): Expected {
  return { verdict: "unknown", failed: [], unknown: unknown.split(", "), errors: [] };
}

const end =
  "Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.";
const tenantError = (tenant: string) =>
  `AADSTS90002 400 Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`;
const clientError = (client: string) =>
  `AADSTS700016 400 Application with identifier '${client}' was not found in the directory '${azureTenant}'.`;
const none = "AADSTS70025 401 The client 'demo-ns-one-credentials' has no configured federated identity credentials.";
const noIssuer = (iss: string) =>
  `AADSTS700211 401 No matching federated identity record found for presented assertion issuer '${iss}'. ${end}`;
const noSubject = (sub: string) =>
  `AADSTS700213 401 No matching federated identity record found for presented assertion subject '${sub}'. ${end}`;
const otherCase = (sub: string) =>
  `AADSTS7002138 401 No matching federated identity record found for presented assertion subject '${sub}'. The subject matches with case-insensitive comparison, but not with case-sensitive comparison. ${end}`;
const noAudience = (aud: string) =>
  `AADSTS700212 401 No matching federated identity record found for presented assertion audience '${aud}'. ${end}`;
const documents = "AADSTS50166 400 Request to External OIDC endpoint failed.";
const noKey = (kid: string, iss = azureIssuer) =>
  `AADSTS7000272 401 The certificate with identifier ${kid} used to sign the federated credential could not be found in the metadata of identity provider ${iss}.`;
const outOfTime = "AADSTS700024 401 Client assertion is not within its valid time range.";

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

const cases: readonly [name: string, what: Case, expected: Expected][] = [
  // Accepted.
  ["a token of the key", {}, accepted],
  ["the audience as a text", { token: claims({ aud: "openshift" }) }, accepted],
  ["credentials as the Azure CLI lists them", { world: credentials(azureCredential()) }, accepted],
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
    accepted,
  ],
  [
    "the second of two credentials",
    { world: credentials(azureCredential({ subject: "x", issuer: previous }), azureCredential()) },
    accepted,
  ],
  ["the identity as the Azure CLI shows it", { world: shown({}) }, accepted],
  [
    "the identity as the API shows it",
    { world: { shown: { id: azureShown().id, properties: { clientId: azureClient, tenantId: azureTenant } } } },
    accepted,
  ],
  ["a client ID in another case", { world: shown({ clientId: azureClient.toUpperCase() }) }, accepted],
  ["the Secret alone, as in an export", { world: { items: rendered.manifests } }, accepted],
  ["another type in the header", { token: header({ typ: "JWT" }) }, accepted],
  ["a hundred keys, ours the last one", { world: many(100, 99) }, accepted],
  // Shape.
  ["RS512", { token: header({ alg: "RS512" }) }, open("shape")],
  ["ES256", { token: claims({}, ec) }, open("shape")],
  ["PS256", { token: header({ alg: "PS256" }) }, open("shape")],
  ["alg none", { token: header({ alg: "none" }) }, refused("shape", "")],
  ["HS256 with the public key as its secret", { token: header({ alg: "HS256" }) }, refused("shape", "")],
  ["no kid", { token: header({ kid: undefined }) }, refused("shape", "")],
  ["no iss", { token: claims({ iss: undefined }) }, refused("shape", "")],
  ["no sub", { token: claims({ sub: undefined }) }, refused("shape", "")],
  ["no aud", { token: claims({ aud: [] }) }, refused("shape", "")],
  ["no exp", { token: claims({ exp: undefined }) }, refused("shape", "")],
  ["exp with a fraction", { token: claims({ exp: now + 0.5 }) }, open("shape")],
  ["no iat", { token: claims({ iat: undefined }) }, open("shape")],
  ["nbf as a text", { token: claims({ nbf: "soon" }) }, open("shape")],
  ["two parts", { token: `${headerPart}.${claimsPart}` }, refused("shape", "")],
  ["a token in quotes", { token: `"${usual}"` }, refused("shape", "")],
  ["padding at the end", { token: `${usual}==` }, open("shape")],
  ["more than Kubernetes writes", { token: claims({ x: "a".repeat(16_000) }) }, open("shape")],
  // Tenant and client ID.
  [
    "a tenant that is not a UUID",
    { world: withSecret({ azure_tenant_id: "x" }) },
    refused("tenant", tenantError("(a value that is not shown)")),
  ],
  ["the domain of a tenant", { world: withSecret({ azure_tenant_id: "example.onmicrosoft.com" }) }, open("tenant")],
  ["another tenant", { world: withSecret({ azure_tenant_id: other }) }, refused("tenant", tenantError(other))],
  ["an identity in another tenant", { world: shown({ tenantId: other }) }, refused("tenant", tenantError(azureTenant))],
  [
    "an identity that was created again",
    { world: shown({ clientId: other }) },
    refused("client ID", clientError(azureClient)),
  ],
  [
    "a Secret with another client ID",
    { world: withSecret({ azure_client_id: other }) },
    refused("client ID", clientError(other)),
  ],
  [
    "a client ID that is not a UUID",
    { world: withSecret({ azure_client_id: "demo" }) },
    refused("client ID", clientError("(a value that is not shown)")),
  ],
  ["no client ID yet", { world: { items: [] } }, open("client ID")],
  [
    "no client ID yet, and another audience",
    { world: { items: [] }, token: claims({ aud: "x" }) },
    refused("audience", noAudience("x"), "client ID"),
  ],
  // Credentials.
  ["no credential at all", { world: credentials() }, refused("credentials", none)],
  ["a credential with an expression", { world: credentials(withExpression()) }, open("subject")],
  [
    "a credential with an expression, without a subject",
    { world: credentials(withExpression({ subject: undefined })) },
    open("subject"),
  ],
  [
    "a credential with an expression beside the right one",
    { world: credentials(withExpression(), azureCredential()) },
    accepted,
  ],
  [
    "a credential with an expression beside one for another subject",
    { world: credentials(azureCredential({ subject: "system:serviceaccount:x:y" }), withExpression()) },
    open("subject"),
  ],
  [
    "a credential with an expression for another issuer beside one for another subject",
    {
      world: credentials(
        azureCredential({ subject: "system:serviceaccount:x:y" }),
        withExpression({ issuer: "https://x.example" }),
      ),
    },
    refused("subject", noSubject(azureSubject)),
  ],
  [
    "a credential with an expression and a subject",
    { world: credentials(withExpression({ subject: azureSubject })) },
    open("credentials"),
  ],
  // Issuer.
  [
    "another cluster",
    { token: claims({ iss: "https://x.example" }) },
    refused("issuer, discovery", noIssuer("https://x.example")),
  ],
  [
    "a slash at the end",
    { token: claims({ iss: `${azureIssuer}/` }) },
    refused("issuer, discovery", noIssuer(`${azureIssuer}/`)),
  ],
  [
    "the issuer in another case",
    { token: claims({ iss: azureIssuer.replace("demoissuer", "DemoIssuer") }) },
    refused("issuer, discovery", noIssuer(azureIssuer.replace("demoissuer", "DemoIssuer"))),
  ],
  [
    "a token from a Secret",
    { token: claims({ iss: "kubernetes/serviceaccount" }) },
    refused("issuer, discovery", noIssuer("kubernetes/serviceaccount")),
  ],
  [
    "credentials of the previous issuer only",
    { world: credentials(azureCredential({ issuer: previous })) },
    refused("issuer", noIssuer(azureIssuer)),
  ],
  // The package does not contain the documents of the previous issuer.
  ["the previous issuer", { token: claims({ iss: previous }) }, open("discovery, signature")],
  [
    "the previous issuer, with its documents",
    {
      token: claims({ iss: previous }),
      world: { discovery: document({ issuer: previous, jwks_uri: `${previous}/keys` }), ...jwks(signer.jwk) },
    },
    accepted,
  ],
  // Subject.
  [
    "another service account",
    { token: claims({ sub: "system:serviceaccount:ns-one:x" }) },
    refused("subject", noSubject("system:serviceaccount:ns-one:x")),
  ],
  [
    "a subject in another case",
    { token: claims({ sub: azureSubject.replace("ns-one", "NS-one") }) },
    refused("subject", otherCase(azureSubject.replace("ns-one", "NS-one"))),
  ],
  [
    "a subject of another issuer's credential",
    { world: credentials(azureCredential({ subject: "x" }), azureCredential({ issuer: previous })) },
    refused("subject", noSubject(azureSubject)),
  ],
  // Audience.
  [
    "another audience",
    { token: claims({ aud: ["sts.amazonaws.com"] }) },
    refused("audience", noAudience("sts.amazonaws.com")),
  ],
  [
    "the audience in another case",
    { token: claims({ aud: "OpenShift" }) },
    refused("audience", noAudience("OpenShift")),
  ],
  ["several audiences, one of them right", { token: claims({ aud: ["x", "openshift"] }) }, open("audience")],
  ["several audiences, all wrong", { token: claims({ aud: ["x", "y"] }) }, refused("audience", noAudience("x, y"))],
  [
    "the default audience of Azure",
    { world: credentials(azureCredential({ audiences: ["api://AzureADTokenExchange"] })) },
    refused("audience", noAudience("openshift")),
  ],
  [
    "a credential with two audiences",
    { world: credentials(azureCredential({ audiences: ["x", "openshift"] })) },
    open("audience"),
  ],
  // Documents.
  [
    "a document of another issuer",
    { world: { discovery: { issuer: "https://x.example", jwks_uri: `${azureIssuer}/openid/v1/jwks` } } },
    refused("discovery", documents),
  ],
  [
    "a document without the keys' URL",
    { world: { discovery: { issuer: azureIssuer } } },
    refused("discovery", documents),
  ],
  [
    "keys over http",
    { world: { discovery: { issuer: azureIssuer, jwks_uri: "http://x.example/keys" } } },
    refused("discovery", documents),
  ],
  [
    "a document without types of subjects",
    { world: { discovery: document({ subject_types_supported: [] }) } },
    open("discovery"),
  ],
  ["a JWKS without keys", { world: { jwks: {} } }, refused("signature", documents)],
  // Keys.
  ["a key that is not published", { token: claims({}, stranger) }, refused("signature", noKey(stranger.kid))],
  ["a hundred keys before ours", { world: many(101, 100) }, refused("signature", noKey(signer.kid))],
  ["a hundred and one keys, ours the first one", { world: many(101, 0) }, open("signature")],
  ["another key with the kid", { token: header({ kid: signer.kid }, stranger) }, refused("signature", "")],
  [
    "a signature of other claims",
    { token: `${headerPart}.${base64url(azureClaims({ jti: "x" }))}.${signaturePart}` },
    refused("signature", ""),
  ],
  ["an EC key beside the good one", { world: jwks(signer.jwk, ec.jwk) }, open("signature")],
  // Time.
  ["a second before exp", { time: now + 3599 }, accepted],
  ["exp now", { time: now + 3600 }, open("time")],
  ["exp 300 seconds ago", { time: now + 3900 }, open("time")],
  ["exp 301 seconds ago", { time: now + 3901 }, refused("time", outOfTime)],
  ["nbf in the future", { token: claims({ nbf: now + 300 }) }, open("time")],
  ["nbf 301 seconds ahead", { token: claims({ nbf: now + 301 }) }, refused("time", outOfTime)],
  ["iat in the future", { token: claims({ iat: now + 1, nbf: undefined }) }, open("time")],
  // Combinations: the first failure decides, and all are listed.
  [
    "expired, for another issuer, subject and audience",
    { token: claims({ iss: "https://x.example", sub: "s:x", aud: "x" }), time: now + 9999 },
    refused("issuer, subject, audience, discovery, time", noIssuer("https://x.example")),
  ],
  [
    "of another cluster altogether",
    { token: claims({ iss: "https://x.example" }, stranger) },
    refused("issuer, discovery, signature", noIssuer("https://x.example")),
  ],
  [
    "expired, for another subject",
    { token: claims({ sub: "s:x" }), time: now + 9999 },
    refused("subject, time", noSubject("s:x")),
  ],
  [
    "not known, and then wrong",
    { token: claims({ aud: ["x", "openshift"] }, stranger) },
    refused("signature", noKey(stranger.kid), "audience"),
  ],
];

describe("what Microsoft Entra would answer to", () => {
  it.each(cases)("%s", async (_name, { token = usual, world = {}, time = now }, expected) => {
    const { verdict, checks, deciding } = await azureAnswer(token, { ...usualWorld, ...world }, time);
    const named = (status: string) => checks.filter((check) => check.status === status).map(({ name }) => name);
    const errors = checks.flatMap(({ name, error }) =>
      error !== undefined && deciding.includes(name) ? `${error.code} ${error.httpStatus} ${error.message}` : [],
    );
    expect({ verdict, failed: named("failed"), unknown: named("unknown"), errors }).toEqual(expected);
    expect(deciding).toEqual(named("failed").slice(0, 1));
    expect(checks.map(({ name }) => name)).toEqual([
      ...["shape", "tenant", "client ID", "credentials", "issuer", "subject"],
      ...["audience", "discovery", "signature", "time"],
    ]);
    for (const check of checks) {
      if (check.status === "failed" || check.status === "unknown")
        expect(check.cure ?? check.followsFrom).toMatch(/^[^.]*[^\s.]/);
      expect(check.detail).not.toContain("(a value that is not shown)");
    }
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
