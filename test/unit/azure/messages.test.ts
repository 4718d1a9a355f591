import { describe, expect, it } from "vitest";
import { quote } from "../../../src/core/text.ts";
import {
  azureConfig,
  azureRequest,
  azureSubscription,
  clientIds,
  withAzureIssuer,
} from "../../helpers/azure-cluster.ts";
import { type Any, type Made, makeCredentials, makeIssuer } from "../../helpers/cluster.ts";

const known = clientIds(["ns-one/credentials"]);
const base = "spec.platform.azure";
const hosting = `${base}.issuerHosting`;

function live(azure: Any): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { platformStatus: { type: "Azure", azure } },
  };
}

/** Every error and warning of a run: code, field and message. */
const said = ({ results }: Made) =>
  results.filter((each) => each.severity !== "info").map((each) => [each.tags.code, each.field?.path, each.message]);

type Case = readonly [config: Any, items: readonly Any[], code: string, field: string, message: string];

const uuidForm = "must be a UUID, such as '01234567-89ab-cdef-0123-456789abcdef'";
const regionForm = "must be an Azure region in lowercase without spaces, such as 'eastus'";
const groupForm =
  "must be the name of a resource group: up to 90 letters, digits, '-', '_', '(', ')', and '.', not ending with '.'";
const referenceForm = "must be the name of a resource group, or '/subscriptions/<ID>/resourceGroups/<name>'";
const accountForm = "must be 3 to 24 lowercase letters and digits";
const containerForm = "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";

const invalid = (field: string, azure: Any, wrong: string, must: string): Case => [
  azureConfig({ azure }),
  [],
  "config-invalid-field",
  `${base}.${field}`,
  `"${base}.${field}" is ${quote(wrong)}, but ${must}.`,
];
const invalidField = (field: string, wrong: string, must: string) => invalid(field, { [field]: wrong }, wrong, must);

const badContainer = (container: string, problem: string): Case => [
  azureConfig({ azure: { issuerHosting: { container } } }),
  [],
  "container-name-invalid",
  `${hosting}.container`,
  `the container's name ${quote(container)} ${problem}; set "${hosting}.container" to another name.`,
];

const badPrefix = (resourcePrefix: string, problem: string): Case => [
  azureConfig({ spec: { resourcePrefix } }),
  [],
  "container-name-invalid",
  "spec.resourcePrefix",
  `the container's name "${resourcePrefix}" ${problem}; set "${hosting}.container" to another name.`,
];

const otherCloud = (name: string, region: string, own: string, cloud: string, azure: Any = {}): Case => [
  azureConfig({ azure: { cloud, ...azure, [name]: region } }),
  [],
  "environment-contradiction",
  `${base}.${name}`,
  `"${base}.${name}" is "${region}", a region of "${own}", but the package is for "${cloud}"; correct the region or "${base}.cloud".`,
];
const contradiction = (field: string, given: string, found: Any, azure: Any = {}): Case => [
  azureConfig({ azure }),
  [live(found)],
  "environment-contradiction",
  `${base}.${field}`,
  `"${base}.${field}" is "${given}", but the Infrastructure "cluster" says "${Object.values(found)[0]}"; correct the wrong one.`,
];

const badTag = (key: string, value: string, problem: string): Case => [
  azureConfig({ azure: { tags: { [key]: value } } }),
  [],
  "tag-invalid",
  `${base}.tags`,
  `the tag ${quote(key)} ${problem}.`,
];

const shared = (azure: Any, items: readonly Any[], name: string): Case => [
  azureConfig({ azure }),
  items,
  "resource-group-shared",
  `${base}.oidcResourceGroup`,
  `"${name}" is the resource group of both the cluster and its identities. The installer requires an empty group, and deletes it with the cluster. Set "${base}.oidcResourceGroup" to another name.`,
];

const ofExternal = (field: string, value: string): Case => [
  withAzureIssuer({ url: "https://oidc.example.com" }, { issuerHosting: { type: "External", [field]: value } }),
  [],
  "hosting-contradiction",
  `${hosting}.${field}`,
  `"${hosting}.${field}" is set, but the type "External" has no storage account; remove the field or change the type.`,
];

const issuer = "https://democ95a992232.blob.core.windows.net/demo";

const ofConfig: readonly Case[] = [
  ...["", "demo", "0000000011112222333344444444", `${azureSubscription.tenantID}0`].flatMap((id) => [
    invalidField("subscriptionID", id, uuidForm),
    invalidField("tenantID", id, uuidForm),
  ]),
  ...["East US", "EastUS", "", "east-us", "e".repeat(65)].flatMap((region) => [
    invalidField("region", region, regionForm),
    invalidField("identityRegion", region, regionForm),
  ]),
  ...["a.", "", "a b", "ä", "r".repeat(91), "a/b"].flatMap((name) => [
    invalidField("oidcResourceGroup", name, groupForm),
    invalidField("installResourceGroup", name, groupForm),
  ]),
  ...[
    "a.",
    "/subscriptions/x/resourceGroups/y",
    `/subscriptions/${azureSubscription.subscriptionID}`,
    `/subscriptions/${azureSubscription.subscriptionID}/resourceGroups/${"r".repeat(91)}`,
    `/subscriptions/${azureSubscription.subscriptionID}/resourceGroups/a/providers/b`,
  ].flatMap((id) => [
    invalidField("dnsZoneResourceGroup", id, referenceForm),
    invalidField("networkResourceGroup", id, referenceForm),
  ]),
  ...["ab", "a".repeat(25), "Demo", "my-keys", ""].map((storageAccount) =>
    invalid("issuerHosting.storageAccount", { issuerHosting: { storageAccount } }, storageAccount, accountForm),
  ),
  ...["-ids", "A", ""].map((name) => invalidField("identities", name, "must be the name of a ConfigMap")),
  invalid(
    "cloud",
    { cloud: "AzureCloud" },
    "AzureCloud",
    'must be one of "AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"',
  ),
  invalid(
    "issuerHosting.type",
    { issuerHosting: { type: "Blob" } },
    "Blob",
    'must be one of "BlobPublic", "External" (did you mean "BlobPublic"?)',
  ),
  badContainer("ab", "has 2 characters, but must have 3 to 63"),
  badContainer("a".repeat(64), "has 64 characters, but must have 3 to 63"),
  badContainer("Keys", containerForm),
  badContainer("$web", containerForm),
  badContainer("keys_1", containerForm),
  badContainer("keys-", containerForm),
  badContainer("-keys", containerForm),
  badContainer("a--b", 'must not contain "--"'),
  badPrefix("ab", "has 2 characters, but must have 3 to 63"),
  badPrefix("a--b", 'must not contain "--"'),
  ofExternal("storageAccount", "keys"),
  ofExternal("container", "keys"),
  ofExternal("sku", "Standard_LRS"),
  ofExternal("uploadAuth", "key"),
  [
    azureConfig({ azure: { issuerHosting: { type: "External" } } }),
    [],
    "config-missing-field",
    "spec.issuer.url",
    `"spec.issuer.url" is required for the hosting type "External": the URL from which Microsoft Entra reads the discovery document and the keys.`,
  ],
  ...["https://oidc.example.com/demo", `${issuer}x`].map(
    (url): Case => [
      withAzureIssuer({ url }),
      [],
      "issuer-contradiction",
      "spec.issuer.url",
      `"spec.issuer.url" is "${url}", but with this hosting the issuer is "${issuer}". Remove the URL, or set "${hosting}.type" to "External".`,
    ],
  ),
  ...[["sts.amazonaws.com"], ["Openshift", "api://AzureADTokenExchange"]].map(
    (audiences): Case => [
      withAzureIssuer({ audiences }),
      [],
      "config-invalid-field",
      "spec.issuer.audiences",
      `"spec.issuer.audiences" must contain "openshift": a federated credential accepts exactly one audience, and the tokens of OpenShift's components have this one.`,
    ],
  ),
  shared({ oidcResourceGroup: "Demo" }, [], "Demo"),
  shared({ installResourceGroup: "demo-oidc" }, [], "demo-oidc"),
  shared({}, [live({ resourceGroupName: "demo-oidc" })], "demo-oidc"),
  contradiction("cloud", "AzurePublicCloud", { cloudName: "AzureUSGovernmentCloud" }, { cloud: "AzurePublicCloud" }),
  contradiction("installResourceGroup", "one", { resourceGroupName: "two" }, { installResourceGroup: "one" }),
  [
    azureConfig(),
    [live({ cloudName: "AzureStackCloud" })],
    "environment-contradiction",
    `${base}.cloud`,
    `the Infrastructure "cluster" names the cloud "AzureStackCloud", which is not supported. Supported are "AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud".`,
  ],
  otherCloud("region", "usgovvirginia", "AzureUSGovernmentCloud", "AzurePublicCloud"),
  otherCloud("region", "usdodeast", "AzureUSGovernmentCloud", "AzureChinaCloud"),
  otherCloud("identityRegion", "chinaeast", "AzureChinaCloud", "AzurePublicCloud", { region: "eastus" }),
  otherCloud("region", "eastus", "AzurePublicCloud", "AzureUSGovernmentCloud"),
  ...(["subscriptionID", "tenantID"] as const).map(
    (name): Case => [
      azureConfig({ azure: { [name]: "00000000-0000-0000-0000-000000000000" } }),
      [],
      "config-invalid-field",
      `${base}.${name}`,
      `"${base}.${name}" contains only zeros; write the ID that Azure shows.`,
    ],
  ),
  [
    azureConfig({ azure: { tenantID: azureSubscription.subscriptionID } }),
    [],
    "config-invalid-field",
    `${base}.tenantID`,
    `"${base}.tenantID" and "${base}.subscriptionID" are both "${azureSubscription.subscriptionID}", but a tenant and a subscription have different IDs; "az account show" prints the tenant as "tenantId" and the subscription as "id".`,
  ],
  badTag("", "x", "must have a name of 1 to 128 characters"),
  badTag("k".repeat(129), "x", "must have a name of 1 to 128 characters"),
  badTag("k", "v".repeat(257), "must have a value of at most 256 characters"),
  ...[..."<>%&\\?/"].map((character) => badTag(`a${character}b`, "x", "must not contain any of <>%&\\?/ in its name")),
  ...["microsoft", "Azure-one", "WINDOWS_"].map((key) =>
    badTag(key, "x", 'must not begin with "microsoft", "azure" or "windows"'),
  ),
  badTag("OpenShift.io_cloud-credential-operator_demo", "x", "is already set; tag names are not case-sensitive"),
  [
    azureConfig({ azure: { tags: { Key: "a", key: "b" } } }),
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "key" is already set; tag names are not case-sensitive.',
  ],
  [
    azureConfig({ azure: { tags: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, "x"])) } }),
    [],
    "tag-invalid",
    `${base}.tags`,
    "there are 50 tags, but at most 49 are allowed: Azure allows 50, and ccf sets one itself. Remove some.",
  ],
];

describe("a problem in a config is reported in full, at its field, by each function that reads it", () => {
  it.each(ofConfig)("%#", (config, items, code, field, message) => {
    for (const made of [makeIssuer(config, items), makeCredentials(config, [azureRequest("one"), ...items])]) {
      expect(said(made)).toEqual([[code, field, message]]);
      expect(made.exitCode).toBe(1);
      expect(made.objects).toEqual({});
    }
  });

  it.each<[field: string, region: string, azure: Any]>([
    ["region", "malaysiasouth", { region: "malaysiasouth" }],
    ["region", "newzealandnorth", { region: "newzealandnorth" }],
    ["identityRegion", "malaysiasouth", { region: "newzealandnorth", identityRegion: "malaysiasouth" }],
  ])("%s %s, where managed identities take no federated credentials", (field, region, azure) => {
    const still = field === "region" ? ` If Azure supports it now, set "${base}.identityRegion" to "${region}".` : "";
    const message = `managed identities in the region "${region}" take no federated credentials, according to Microsoft's list of 2024-02-28: Azure answers 405, and no component gets credentials. Set "${base}.identityRegion" to another region, such as "southeastasia"; the identities work in all regions.${still}`;
    const config = azureConfig({ azure });
    for (const made of [makeIssuer(config), makeCredentials(config, [azureRequest("one"), known])]) {
      expect(said(made)).toEqual([["identity-region-unsupported", `${base}.${field}`, message]]);
      expect(made.exitCode).toBe(0);
    }
  });

  it.each([{ identityRegion: "southeastasia" }, { identityRegion: "malaysiasouth" }])(
    "but not with %j in malaysiasouth",
    (azure) => {
      expect(said(makeIssuer(azureConfig({ azure: { region: "malaysiasouth", ...azure } })))).toEqual([]);
    },
  );

  it("a missing field", () => {
    const nothing = { subscriptionID: undefined, tenantID: undefined, region: undefined };
    const made = makeIssuer(azureConfig({ azure: nothing }));
    expect(said(made).map(([code, field]) => [code, field])).toEqual(
      ["region", "subscriptionID", "tenantID"].map((name) => ["config-missing-field", `${base}.${name}`]),
    );
  });

  it.each(["http://oidc.example.com", "https://oidc.example.com/", "https://user@oidc.example.com", "https://a..b"])(
    "the issuer %s, for the hosting that accepts another issuer, and as a previous one",
    (url) => {
      const codes = (config: Any) => said(makeIssuer(config)).map(([code, field]) => [code, field]);
      expect(codes(withAzureIssuer({ url }, { issuerHosting: { type: "External" } }))).toEqual([
        ["config-invalid-field", "spec.issuer.url"],
      ]);
      expect(codes(withAzureIssuer({ previous: ["https://a.example", url] }))).toEqual([
        ["config-invalid-field", "spec.issuer.previous[1]"],
      ]);
    },
  );

  it("every problem of a config at once", () => {
    const issuerHosting = { container: "a--b" };
    const config = withAzureIssuer(
      { audiences: ["one"] },
      { issuerHosting, oidcResourceGroup: "demo", tags: { azure: "" } },
    );
    const ids = clientIds([], { data: { one: "two" } });
    expect(
      said(makeIssuer(config, [ids]))
        .map(([code]) => code)
        .sort(),
    ).toEqual([
      "client-ids-invalid",
      "config-invalid-field",
      "container-name-invalid",
      "resource-group-shared",
      "tag-invalid",
    ]);
  });
});

it("an Infrastructure is compared only in what it says, and without case in the name of a group", () => {
  for (const [azure, found] of [
    [{}, { cloudName: "", resourceGroupName: "" }],
    [{ installResourceGroup: "Demo-RG" }, { cloudName: "AzurePublicCloud", resourceGroupName: "demo-rg" }],
    [{}, undefined],
  ])
    expect(said(makeIssuer(azureConfig({ azure }), [live(found)]))).toEqual([]);
});

const spec = "spec.providerSpec";
const roleForm = "must be the name of a built-in role, such as 'Network Contributor'";
const actionForm = "must be an Azure action, such as 'Microsoft.Network/dnsZones/read'";

type RequestCase = readonly [providerSpec: Any, code: string, field: string, message: string];

const unknownRole = (role: string, near: string): RequestCase => [
  { roleBindings: [{ role }] },
  "role-unknown",
  `${spec}.roleBindings`,
  `requests the role "${role}", whose ID is not known${near}. If it is a built-in role, add its name and ID to "${base}.roles".`,
];
const invalidAction = (list: string, text: string): RequestCase => [
  { [list]: [text] },
  "request-invalid-field",
  `${spec}.${list}[0]`,
  `"${spec}.${list}[0]" is ${JSON.stringify(text)}, but ${actionForm}.`,
];
const neither = (providerSpec: Any): RequestCase => [
  { roleBindings: [], ...providerSpec },
  "request-without-permissions",
  spec,
  `requests neither a role nor a permission, so its managed identity could do nothing. Name roles in "${spec}.roleBindings" or actions in "${spec}.permissions" or "${spec}.dataPermissions".`,
];
const withoutLimited = (exceptions: string, allowed: string, more: Any = {}): RequestCase => [
  { [exceptions]: ["a/b"], ...more },
  "request-invalid-field",
  `${spec}.${exceptions}`,
  `"${spec}.${exceptions}" lists exceptions, but "${spec}.${allowed}" lists nothing that they could limit: they do not limit roles. List the permissions instead of the roles, or remove the exceptions.`,
];

const ofRequest: readonly RequestCase[] = [
  unknownRole("Contributer", ' (did you mean "Contributor"?)'),
  unknownRole("DNS Zone Contributors", ' (did you mean "DNS Zone Contributor"?)'),
  unknownRole("Key Vault Administrator", ""),
  [
    { roleBindings: [{ role: "" }] },
    "request-invalid-field",
    `${spec}.roleBindings[0].role`,
    `"${spec}.roleBindings[0].role" is "", but ${roleForm}.`,
  ],
  ...["permissions", "notActions", "dataPermissions", "notDataActions"].flatMap((list) =>
    ["Microsoft.Network", "", "a//b", "/a/b", "a/b/", "a b/c", "**"].map((text) => invalidAction(list, text)),
  ),
  neither({}),
  neither({ roleBindings: null, permissions: null, dataPermissions: null }),
  neither({ roleBindings: undefined, permissions: [] }),
  withoutLimited("notActions", "permissions"),
  withoutLimited("notActions", "permissions", { dataPermissions: ["a/b"] }),
  withoutLimited("notDataActions", "dataPermissions", { permissions: ["a/b"] }),
  [
    { roleBindings: [{ role: "Reader", scope: "/" }] },
    "request-unknown-field",
    `${spec}.roleBindings[0].scope`,
    `unknown field "${spec}.roleBindings[0].scope".`,
  ],
];

describe("a problem in a request is reported in full, at its field, and only once", () => {
  it.each(ofRequest)("%#: %j", (providerSpec, code, field, message) => {
    const made = makeCredentials(azureConfig(), [azureRequest("one", { providerSpec }), known]);
    expect(said(made)).toEqual([[code, field, message]]);
    expect(made.exitCode).toBe(1);
    expect(made.objects).toEqual({});
  });

  it("the nearest role may be one of the config", () => {
    const roles = { "Storage Table Data Reader": "76199698-9eea-4c19-bc75-cec21354c6b6" };
    const providerSpec = { roleBindings: [{ role: "Storage Table Data Raeder" }] };
    const made = makeCredentials(azureConfig({ azure: { roles } }), [azureRequest("one", { providerSpec }), known]);
    expect(said(made)[0]?.[2]).toContain('(did you mean "storage table data reader"?)');
  });

  it("a role that reaches every other is a warning, also under another name", () => {
    const roles = { "Own Role": "8E3AF657-A8FF-443C-A75C-2FE8C4BCB635" };
    for (const role of ["Owner", "user access administrator", "Own Role"]) {
      const made = makeCredentials(azureConfig({ azure: { roles } }), [
        azureRequest("one", { providerSpec: { roleBindings: [{ role }] } }),
        known,
      ]);
      expect(made.exitCode).toBe(0);
      expect(said(made)).toEqual([
        [
          "unbounded-role",
          `${spec}.roleBindings`,
          `requests the role "${role}", with which a component can give itself every other role. Check that this is intended.`,
        ],
      ]);
    }
  });

  it("a role of the config that contradicts the table, or itself, is an error", () => {
    const [contributor, other] = ["b24988ac-6180-42a0-ab88-20f7382dd24c", "76199698-9eea-4c19-bc75-cec21354c6b6"];
    for (const [roles, name, id, right] of [
      [{ reader: contributor }, "reader", contributor, "acdd72a7-3385-48ef-bd42-f606fba81ae7"],
      [{ One: other, one: contributor }, "one", contributor, other],
    ] as const) {
      const made = makeCredentials(azureConfig({ azure: { roles } }), [azureRequest("one"), known]);
      expect(said(made)).toEqual([
        [
          "config-invalid-field",
          `${base}.roles`,
          `"${base}.roles" gives the role "${name}" the ID "${id}", but its ID is "${right}"; remove the wrong one. Azure compares names of roles without case.`,
        ],
      ]);
    }
  });

  it("placeholders are named as such", () => {
    const providerSpec = { roleBindings: [{ role: "${ROLE}" }], permissions: ["<ACTION>"] };
    const made = makeCredentials(azureConfig(), [azureRequest("one", { providerSpec }), known]);
    expect(said(made).map(([code, field]) => [code, field])).toEqual([
      ["request-placeholder", `${spec}.permissions[0]`],
      ["request-placeholder", `${spec}.roleBindings[0].role`],
    ]);
  });
});
