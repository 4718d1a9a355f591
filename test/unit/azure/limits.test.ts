import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { azure } from "../../../src/clouds/azure/cloud.ts";
import { quotaFindings } from "../../../src/clouds/azure/identities/identities.ts";
import { roleDefinitionGuid } from "../../../src/clouds/azure/identities/identity.ts";
import { readSigningKeys } from "../../../src/oidc/signing-keys.ts";
import {
  azureConfig,
  azureRequest,
  azureSubscription,
  clientIds,
  withAzureIssuer,
} from "../../helpers/azure-cluster.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  make,
  makeCredentials,
  makeIssuer,
  publicKey,
  subscription,
} from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const known = clientIds(["ns-one/credentials", "ns-two/credentials"]);
const tagsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, "x"]));

describe("a value exactly at a limit is accepted", () => {
  it.each<Any>([
    { tenantID: "ABCDEF01-2345-6789-ABCD-EF0123456789" },
    { region: "e" },
    { region: "usgovvirginia", cloud: "AzureUSGovernmentCloud" },
    { region: "chinanorth3", identityRegion: "chinaeast2", cloud: "AzureChinaCloud" },
    { oidcResourceGroup: "a" },
    { oidcResourceGroup: `${"-_.()".repeat(17)}A1(9)` },
    { installResourceGroup: "r".repeat(90) },
    { dnsZoneResourceGroup: "d" },
    { networkResourceGroup: `/subscriptions/ABCDEF01-2345-6789-abcd-ef0123456789/resourceGroups/${"n".repeat(90)}` },
    { issuerHosting: { storageAccount: "abc" } },
    { issuerHosting: { storageAccount: "0".repeat(24) } },
    { issuerHosting: { container: "abc" } },
    { issuerHosting: { container: `0${"-a".repeat(31)}` } },
    { identities: "a" },
    { identities: `a.${"b".repeat(251)}` },
    { tags: tagsOf(49) },
    { tags: { ["k".repeat(128)]: "v".repeat(256), "Ä ö": "<>%&\\?/", "my-azure": "", "": undefined } },
    {
      roles: {
        "Storage Table Data Reader": "76199698-9eea-4c19-bc75-cec21354c6b6",
        owner: "8E3AF657-A8FF-443C-A75C-2FE8C4BCB635",
      },
    },
  ])("%j", (azure) => {
    expectClean(makeIssuer(azureConfig({ azure })));
    const { identities, tenantID } = { ...azureSubscription, ...azure };
    const annotations = { "fn.cloudcredential.dev/azure-tenant": tenantID };
    const ids = clientIds(["ns-one/credentials"], { name: identities, annotations });
    expectClean(makeCredentials(azureConfig({ azure }), [azureRequest("one"), ids]));
  });

  it("a prefix of 3 and of 63 characters is the name of the container", () => {
    for (const resourcePrefix of ["a-1", "p".repeat(63)]) {
      const made = makeIssuer(azureConfig({ spec: { resourcePrefix } }));
      expectClean(made);
      expect(made.bundle("azure/issuer.yaml")["container.json"].url).toContain(`/containers/${resourcePrefix}?`);
    }
  });

  it.each(["Microsoft.Network/dnsZones/read", "*", "*/read", "Microsoft.Storage/*/write", "a.b-c/d_e.f/*"])(
    "the action %s",
    (action) => {
      const providerSpec = { roleBindings: [], permissions: [action], dataPermissions: [action] };
      expectClean(makeCredentials(azureConfig(), [azureRequest("one", { providerSpec }), known]));
    },
  );
});

describe("an issuer and a subject", () => {
  const longest = `https://oidc.example.com/${"x".repeat(230)}`;

  it("of any length that other rules allow have fewer than the 600 characters of a federated credential", () => {
    expect(longest).toHaveLength(255);
    const issuerHosting = { type: "External" };
    const [namespace, name] = ["n".repeat(63), "s".repeat(253)];
    const spec = { secretRef: { namespace, name: "credentials" }, serviceAccountNames: [name] };
    const made = makeCredentials(withAzureIssuer({ url: longest }, { issuerHosting }), [azureRequest("one", { spec })]);
    expect(made.exitCode, made.stderr).toBe(0);
    const files = Object.entries(made.bundle(`azure/identities/${namespace}-credentials.yaml`));
    const [, { body }] = files.find(([name]) => name.startsWith("federated-credential-")) ?? ["", {}];
    expect(body.properties.subject).toBe(`system:serviceaccount:${namespace}:${name}`);
    expect(Math.max(body.properties.subject.length, body.properties.issuer.length)).toBeLessThan(600);
  });

  it("that are longer are refused before", () => {
    const issuerHosting = { type: "External" };
    expectFinding(
      makeIssuer(withAzureIssuer({ url: `${longest}x` }, { issuerHosting })),
      "error",
      "config-invalid-field",
    );
    expectFinding(makeIssuer(withAzureIssuer({ previous: [`${longest}x`] })), "error", "config-invalid-field");
    const spec = { serviceAccountNames: ["s".repeat(254)] };
    expectFinding(
      makeCredentials(azureConfig(), [azureRequest("one", { spec }), known]),
      "error",
      "request-invalid-field",
    );
  });
});

describe("the federated credentials of an identity", () => {
  const accounts = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
  const credentialsOf = (count: number, previous: readonly string[] = []) =>
    makeCredentials(withAzureIssuer({ previous }), [
      azureRequest("one", { spec: { serviceAccountNames: accounts(count) } }),
      known,
    ]);

  it("are at most 20: one for each service account and issuer", () => {
    expectClean(credentialsOf(20));
    expectClean(credentialsOf(10, ["https://old.example"]));
    expect(expectFinding(credentialsOf(21), "error", "too-many-credentials")).toBe(
      'needs 21 federated credentials (service accounts: 21, issuers: 1), but a managed identity may have at most 20. Name fewer service accounts in "spec.serviceAccountNames" of the request, or in "serviceAccountNames" in "spec.overrides" for "ns-one/credentials", or end the move from a previous issuer.',
    );
    const made = credentialsOf(11, ["https://old.example"]);
    expect(expectFinding(made, "error", "too-many-credentials")).toContain("(service accounts: 11, issuers: 2)");
    expect(made.results.find(({ tags }) => tags.code === "too-many-credentials").field.path).toBe(
      "spec.serviceAccountNames",
    );
    expect(made.objects).toEqual({});
  });

  it("differ, or are an error", () => {
    const spec = { serviceAccountNames: ["a.b", "a-b"] };
    expect(
      expectFinding(
        makeCredentials(azureConfig(), [azureRequest("one", { spec }), known]),
        "error",
        "identity-id-collision",
      ),
    ).toMatch(
      /^names two service accounts that would get the same federated credential "a-b-[0-9a-f]{8}"\. Rename one of them\.$/,
    );
  });
});

describe("the signing keys", () => {
  const keys = (count: number) => Array.from({ length: count }, () => ({ publicKey }));
  const limits = azure.renderer.keys;
  const codes = (count: number) =>
    readSigningKeys(keys(count), resourceOf(azureConfig()), [], [], limits).findings.map(({ code }) => code);

  it("are at most 100", () => {
    expect(codes(100)).not.toContain("too-many-signing-keys");
    const made = makeIssuer(withAzureIssuer({ signingKeys: keys(101) }));
    expect(expectFinding(made, "error", "too-many-signing-keys")).toBe(
      '"spec.issuer.signingKeys" contains 101 keys, but Microsoft Entra reads only the first 100 of an issuer; remove those that the cluster no longer signs with.',
    );
  });

  it.each([
    ["P-256", "ES256"],
    ["P-384", "ES384"],
    ["P-521", "ES512"],
  ])("on %s are refused", (namedCurve, algorithm) => {
    const publicKey = generateKeyPairSync("ec", { namedCurve }).publicKey.export({ type: "spki", format: "pem" });
    expect(
      expectFinding(makeIssuer(withAzureIssuer({ signingKeys: [{ publicKey }] })), "error", "signing-key-unsupported"),
    ).toBe(
      `"spec.issuer.signingKeys[0]" is a key for ${algorithm} (ECDSA, ${namedCurve}), and Microsoft Entra accepts only RS256. Create an RSA key, for example with "ccf create-key-pair".`,
    );
  });
});

describe("two requests", () => {
  const requests = [azureRequest("one"), azureRequest("two")];
  const collide = (overrides: Any, items: readonly Any[] = requests) =>
    makeCredentials(azureConfig({ azure: { overrides } }), [...items, known]);
  const both =
    'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two"';

  it("with the same managed identity, but for case, are an error", () => {
    const made = collide({
      "ns-one/credentials": { identityName: "the-same" },
      "ns-two/credentials": { identityName: "The-Same" },
    });
    expect(expectFinding(made, "error", "identity-id-collision")).toBe(
      `${both} would get the same managed identity "The-Same". Set "identityName" in "spec.platform.azure.overrides" for "ns-two/credentials" to another name.`,
    );
    expect(made.objects).toEqual({});
  });

  it("whose computed names are equal after dots and truncation are an error", () => {
    const named = (name: string, namespace: string, secret: string) =>
      azureRequest(name, { spec: { secretRef: { namespace, name: secret } } });
    for (const [one, two] of [
      ["a.b", "a-b"],
      [`${"s".repeat(150)}1`, `${"s".repeat(150)}2`],
    ] as const) {
      const made = makeCredentials(azureConfig(), [named("one", "ns", one), named("two", "ns", two)]);
      expect(expectFinding(made, "error", "identity-id-collision")).toContain(
        'would get the same managed identity "demo-ns-',
      );
    }
  });

  it("with the same custom role are an error, also if one ID is computed", () => {
    const roleDefinitionID = roleDefinitionGuid(
      azureSubscription.subscriptionID,
      "demo-ns-two-credentials",
    ).toUpperCase();
    const made = collide({ "ns-one/credentials": { roleDefinitionID } });
    expect(expectFinding(made, "error", "identity-id-collision")).toBe(
      `${both} would get the same custom role "${roleDefinitionID.toLowerCase()}". Set "roleDefinitionID" in "spec.platform.azure.overrides" for "ns-two/credentials" to another ID.`,
    );
  });

  it("with the same managed identity are an error if another function generates one of the two, and accepted if one is excluded", () => {
    const overrides = {
      "ns-one/credentials": { identityName: "the-same" },
      "ns-two/credentials": { identityName: "the-same" },
    };
    const items = [...requests, subscription("any", "ns-two"), known];
    for (const generator of [generateCloudCredentials, configureOperators])
      expectFinding(make([generator], azureConfig({ azure: { overrides } }), items), "error", "identity-id-collision");
    const spec = { overrides: { "ns-two/credentials": { skip: true } } };
    expectClean(makeCredentials(azureConfig({ azure: { overrides }, spec }), [...requests, known]));
  });
});

describe("the limits for roles", () => {
  const own = "/subscriptions/00000000-1111-2222-3333-444444444444";
  const other = "/subscriptions/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
  const put = (url: string) => ({ url, body: {} });
  const messages = (cloud: string, roles: number, assignments: number) => {
    const assigned = [...Array(assignments).keys()].map((index) => [`${index}`, put(`${own}/resourceGroups/${index}`)]);
    const roleAssignments = Object.fromEntries([...assigned, ["x", put(`${other}/resourceGroups/x`)]]);
    const identities = [
      ...Array.from({ length: roles }, () => ({ roleDefinition: put(own), roleAssignments: {} })),
      { roleDefinition: undefined, roleAssignments },
    ];
    return quotaFindings(identities, cloud, resourceOf({})).map(({ message }) => message);
  };

  it.each([
    ["AzurePublicCloud", 5000, 4000],
    ["AzureUSGovernmentCloud", 5000, 2000],
    ["AzureChinaCloud", 2000, 2000],
  ])("are in %s %d custom roles of a tenant, and %d assignments of a subscription", (cloud, roles, assignments) => {
    expect(messages(cloud, roles, assignments)).toEqual([]);
    const cure = "Request fewer roles, or name fewer scopes in the overrides.";
    expect(messages(cloud, roles + 1, assignments + 1)).toEqual([
      `the package needs ${roles + 1} custom roles; Azure allows ${roles} in a tenant. ${cure}`,
      `the package needs ${assignments + 1} role assignments in "${own}"; Azure allows ${assignments} there. ${cure}`,
    ]);
  });

  it("are a warning", () => {
    const scopes = Array.from({ length: 1001 }, (_, index) => `group-${index}`);
    const overrides = { "ns-one/credentials": { scopes } };
    const providerSpec = { roleBindings: [{ role: "Reader" }, { role: "Contributor" }] };
    const config = azureConfig({ azure: { cloud: "AzureChinaCloud", region: "chinanorth3", overrides } });
    const made = makeCredentials(config, [azureRequest("one", { providerSpec }), known]);
    expect(made.exitCode).toBe(0);
    expect(expectFinding(made, "warning", "role-limit")).toContain("the package needs 2002 role assignments");
  });
});

describe("an override", () => {
  const overridden = (override: Any, key = "ns-one/credentials") =>
    makeCredentials(azureConfig({ azure: { overrides: { [key]: override } } }), [azureRequest("one"), known]);

  it("that matches no request is an error", () => {
    expect(overridden({ identityName: "one" }, "ns-won/credentials").results.map(({ tags }) => tags.code)).toContain(
      "override-unmatched",
    );
  });

  it.each([
    { identityName: "ab" },
    { identityName: "-ab" },
    { identityName: "_ab" },
    { identityName: "a.b" },
    { identityName: "a".repeat(129) },
    { scopes: [] },
    { scopes: ["demo", "demo"] },
    { scopes: ["ends."] },
    { scopes: ["a".repeat(91)] },
    { scopes: ["/subscriptions/x/resourceGroups/y"] },
    { scopes: ["/"] },
    { scopes: ["/providers/Microsoft.Management/managementGroups/x"] },
    { scopes: [`/subscriptions/00000000-1111-2222-3333-444444444444/${"x".repeat(1000)}`] },
    { scopes: ["/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/a?b=c"] },
    { clientID: "demo" },
    { roleDefinitionID: "0123" },
    {},
  ])("%j is refused", (override) => {
    expect(overridden(override).results.map(({ tags }) => tags.code)).toEqual(["config-invalid-field"]);
  });

  it.each([
    { identityName: "abc" },
    { identityName: "0".repeat(128) },
    { scopes: ["a".repeat(90)] },
    { scopes: ["/subscriptions/00000000-1111-2222-3333-444444444444"] },
    { roleDefinitionID: "ABCDEF01-2345-6789-ABCD-EF0123456789" },
  ])("%j is accepted", (override) => expectClean(overridden(override)));

  it("gives a request its service accounts, and the other lines that a request may lack", () => {
    const bare = azureRequest("one", { spec: { serviceAccountNames: undefined } });
    const message = expectFinding(makeCredentials(azureConfig(), [bare, known]), "error", "no-service-account");
    expect(message).toContain('"ns-one/credentials": {"serviceAccountNames": ["NAME"]} to "spec.overrides"');
    const overrides = { "ns-one/credentials": { serviceAccountNames: ["given"] } };
    expectClean(makeCredentials(azureConfig({ spec: { overrides } }), [bare, known]));
  });
});
