import { it } from "vitest";
import {
  azureConfig,
  azureRequest,
  azureSubscription,
  clientId,
  clientIds,
  withAzureIssuer,
} from "../../helpers/azure-cluster.ts";
import { type Any, expectClean, makeCredentials, makeIssuer } from "../../helpers/cluster.ts";
import { expectFindings } from "../../helpers/golden.ts";

/** What a package has beside the required fields and one request. */
interface Change {
  readonly spec?: Any;
  readonly issuer?: Any;
  readonly azure?: Any;
  /** What the status of the Infrastructure says of the platform. */
  readonly live?: Any;
  /** The client IDs. A package with a change of its request has that of the request. */
  readonly ids?: Any;
  readonly providerSpec?: Any;
}

const known = { "ns-one_credentials": clientId(1) };

const infrastructure = (azure: Any): Any => ({
  apiVersion: "config.openshift.io/v1",
  kind: "Infrastructure",
  metadata: { name: "cluster" },
  status: { platformStatus: { type: "Azure", azure } },
});

/** Each function that reads what is changed. */
function runsOf({ spec, issuer, azure, live, providerSpec, ids = providerSpec && known }: Change) {
  const config = withAzureIssuer(issuer, azure, spec);
  const items = [
    ...(live === undefined ? [] : [infrastructure(live)]),
    ...(ids === undefined ? [] : [clientIds([], { data: ids })]),
  ];
  const credentials = makeCredentials(config, [azureRequest("one", { providerSpec }), ...items]);
  return {
    ...(providerSpec === undefined && { "generate-oidc-issuer": makeIssuer(config, items) }),
    "generate-cloud-credentials": credentials,
  };
}

const { subscriptionID, tenantID } = azureSubscription;
const zeros = "00000000-0000-0000-0000-000000000000";
const subscription = `/subscriptions/${subscriptionID}`;
const groupIDs = [
  "a.",
  "/subscriptions/x/resourceGroups/y",
  subscription,
  `${subscription}/resourceGroups/${"r".repeat(91)}`,
  `${subscription}/resourceGroups/a/providers/b`,
];
const containers = ["ab", "a".repeat(64), "Keys", "$web", "keys_1", "keys-", "-keys", "a--b"];
const url = "https://oidc.example.com";
const ofExternal = [{ storageAccount: "keys" }, { container: "keys" }, { sku: "Standard_LRS" }, { uploadAuth: "key" }];
const badIssuers = ["http://oidc.example.com", "https://oidc.example.com/", "https://user@oidc.example.com"];

/** Names of tags, and a value. */
const tags = [
  ["", "x"],
  ["k".repeat(129), "x"],
  ["k", "v".repeat(257)],
  ...[..."<>%&\\?/"].map((character) => [`a${character}b`, "x"]),
  ...["microsoft", "Azure-one", "WINDOWS_", "OpenShift.io_cloud-credential-operator_demo"].map((key) => [key, "x"]),
] as const;
const fiftyTags = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, "x"]));

const ofConfig: readonly Change[] = [
  ...["", "demo", "0000000011112222333344444444", `${tenantID}0`, zeros, undefined].flatMap((id) => [
    { azure: { subscriptionID: id } },
    { azure: { tenantID: id } },
  ]),
  { azure: { tenantID: subscriptionID } },
  ...["East US", "EastUS", "", "east-us", "e".repeat(65)].flatMap((region) => [
    { azure: { region } },
    { azure: { identityRegion: region } },
  ]),
  { azure: { subscriptionID: undefined, tenantID: undefined, region: undefined } },
  ...["a.", "", "a b", "ä", "r".repeat(91), "a/b"].flatMap((group) => [
    { azure: { oidcResourceGroup: group } },
    { azure: { installResourceGroup: group } },
  ]),
  ...groupIDs.flatMap((id) => [{ azure: { dnsZoneResourceGroup: id } }, { azure: { networkResourceGroup: id } }]),
  ...["ab", "a".repeat(25), "Demo", "my-keys", ""].map((storageAccount) => ({
    azure: { issuerHosting: { storageAccount } },
  })),
  ...["-ids", "A", ""].map((identities) => ({ azure: { identities } })),
  { azure: { cloud: "AzureCloud" } },
  { azure: { issuerHosting: { type: "Blob" } } },
  ...containers.map((container) => ({ azure: { issuerHosting: { container } } })),
  ...["ab", "a--b"].map((resourcePrefix) => ({ spec: { resourcePrefix } })),
  ...ofExternal.map((field) => ({ issuer: { url }, azure: { issuerHosting: { type: "External", ...field } } })),
  { azure: { issuerHosting: { type: "External" } } },
  ...[`${url}/demo`, "https://democ95a992232.blob.core.windows.net/demox"].map((other) => ({ issuer: { url: other } })),
  ...[["sts.amazonaws.com"], ["Openshift", "api://AzureADTokenExchange"]].map((audiences) => ({
    issuer: { audiences },
  })),
  { azure: { oidcResourceGroup: "Demo" } },
  { azure: { installResourceGroup: "demo-oidc" } },
  { live: { resourceGroupName: "demo-oidc" } },
  { azure: { cloud: "AzurePublicCloud" }, live: { cloudName: "AzureUSGovernmentCloud" } },
  { azure: { installResourceGroup: "one" }, live: { resourceGroupName: "two" } },
  { live: { cloudName: "AzureStackCloud" } },
  { azure: { cloud: "AzurePublicCloud", region: "usgovvirginia" } },
  { azure: { cloud: "AzureChinaCloud", region: "usdodeast" } },
  { azure: { cloud: "AzurePublicCloud", region: "eastus", identityRegion: "chinaeast" } },
  { azure: { cloud: "AzureUSGovernmentCloud", region: "eastus" } },
  ...tags.map(([key, value]) => ({ azure: { tags: { [key]: value } } })),
  { azure: { tags: { Key: "a", key: "b" } } },
  { azure: { tags: fiftyTags } },
  // Managed identities take no federated credentials in two of these regions.
  ...[
    { region: "malaysiasouth" },
    { region: "newzealandnorth" },
    { region: "newzealandnorth", identityRegion: "malaysiasouth" },
    { region: "malaysiasouth", identityRegion: "southeastasia" },
    { region: "malaysiasouth", identityRegion: "malaysiasouth" },
  ].map((azure) => ({ azure, ids: known })),
  ...[...badIssuers, "https://a..b"].flatMap((bad) => [
    { issuer: { url: bad }, azure: { issuerHosting: { type: "External" } } },
    { issuer: { previous: ["https://a.example", bad] } },
  ]),
  {
    issuer: { audiences: ["one"] },
    azure: { issuerHosting: { container: "a--b" }, oidcResourceGroup: "demo", tags: { azure: "" } },
    ids: { one: "two" },
  },
];

const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const other = "76199698-9eea-4c19-bc75-cec21354c6b6";
const owner = "8E3AF657-A8FF-443C-A75C-2FE8C4BCB635";
const roleBindings = (role: string) => ({ providerSpec: { roleBindings: [{ role }] } });
const unknownRoles = ["Contributer", "DNS Zone Contributors", "Key Vault Administrator", "", "${ROLE}"];
const actions = ["Microsoft.Network", "", "a//b", "/a/b", "a/b/", "a b/c", "**", "<ACTION>"];

const ofRequest: readonly Change[] = [
  ...unknownRoles.map(roleBindings),
  { azure: { roles: { "Storage Table Data Reader": other } }, ...roleBindings("Storage Table Data Raeder") },
  ...["permissions", "notActions", "dataPermissions", "notDataActions"].flatMap((list) =>
    actions.map((action) => ({ providerSpec: { [list]: [action] } })),
  ),
  { providerSpec: { roleBindings: [{ role: "${ROLE}" }], permissions: ["<ACTION>"] } },
  ...[
    {},
    { roleBindings: null, permissions: null, dataPermissions: null },
    { roleBindings: undefined, permissions: [] },
  ].map((nothing) => ({ providerSpec: { roleBindings: [], ...nothing } })),
  { providerSpec: { notActions: ["a/b"] } },
  { providerSpec: { notActions: ["a/b"], dataPermissions: ["a/b"] } },
  { providerSpec: { notDataActions: ["a/b"], permissions: ["a/b"] } },
  { providerSpec: { roleBindings: [{ role: "Reader", scope: "/" }] } },
  // A role that can give every other.
  ...["Owner", "user access administrator", "Own Role"].map((role) => ({
    azure: { roles: { "Own Role": owner } },
    ...roleBindings(role),
  })),
  // A role of the config that contradicts the table, or itself.
  ...[{ reader: contributor }, { One: other, one: contributor }].map((roles) => ({
    azure: { roles },
    providerSpec: {},
  })),
];

it("each problem is reported in full, at its field, and only once, by each function that reads it", () => {
  expectFindings("azure.txt", [...ofConfig, ...ofRequest], runsOf);
});

it("an Infrastructure is compared only in what it says, and without case in the name of a group", () => {
  for (const [azure, live] of [
    [{}, { cloudName: "", resourceGroupName: "" }],
    [{ installResourceGroup: "Demo-RG" }, { cloudName: "AzurePublicCloud", resourceGroupName: "demo-rg" }],
    [{}, undefined],
  ])
    expectClean(makeIssuer(azureConfig({ azure }), [infrastructure(live)]));
});
