import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { generators } from "../../../functions/generators.ts";
import {
  azureConfig,
  azureRequest,
  azureSubscription,
  clientIds,
  withAzureIssuer,
} from "../../helpers/azure-cluster.ts";
import { type Any, expectClean, expectFinding, identity, type Made, make, request } from "../../helpers/cluster.ts";

const both = [generateOidcIssuer, generateCloudCredentials];
const requests = [azureRequest("one"), azureRequest("two")];
const known = clientIds(["ns-one/credentials", "ns-two/credentials"]);
const base = "spec.platform.azure";
const issuer = "https://democ95a992232.blob.core.windows.net/demo";

/** What a first run generated. */
function rendered(config: Any, of: readonly Any[] = [...requests, known]): Any[] {
  const made = make(both, config, of);
  expect(made.exitCode, made.stderr).toBe(0);
  return JSON.parse(made.stdout).items.slice(of.length);
}

function allowing(list: string, config: Any): Any {
  return { ...config, metadata: { ...config.metadata, annotations: { "fn.cloudcredential.dev/allow": list } } };
}

const again = (config: Any, items: readonly Any[], of: readonly Any[] = requests) =>
  make(both, config, [...of, ...items]);
const paths = ({ stdout }: Made) =>
  JSON.parse(stdout)
    .items.flatMap(({ metadata }: Any) => metadata.annotations?.["config.kubernetes.io/path"] ?? [])
    .sort();
const pathsOf = (items: readonly Any[]) => paths({ stdout: JSON.stringify({ items }) } as Made);
const problems = ({ results }: Made) =>
  results.filter(({ severity }) => severity !== "info").map(({ severity, tags }) => [severity, tags.code]);
const without = (items: readonly Any[], ...names: string[]) =>
  items.filter(({ metadata }) => !names.includes(metadata.name));

const before = rendered(azureConfig());
const id = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";

/** The issuer as it was, so that only the named field changes. */
const kept = { issuerHosting: { storageAccount: "democ95a992232" } };
const changes: readonly (readonly [
  azure: Any,
  code: string,
  field: string,
  now: string,
  former: string,
  loss: string,
])[] = [
  [
    { ...kept, subscriptionID: id },
    "subscription-changed",
    "subscriptionID",
    id,
    azureSubscription.subscriptionID,
    "The managed identities that the cluster uses would be orphaned but still trusted.",
  ],
  [
    { tenantID: id },
    "subscription-changed",
    "tenantID",
    id,
    azureSubscription.tenantID,
    "The managed identities that the cluster uses would be orphaned but still trusted.",
  ],
  [
    { oidcResourceGroup: "other" },
    "subscription-changed",
    "oidcResourceGroup",
    "other",
    "demo-oidc",
    "The managed identities that the cluster uses would be orphaned but still trusted.",
  ],
  [
    { region: "westeurope" },
    "region-changed",
    "region",
    "westeurope",
    "eastus",
    "Azure cannot move managed identities and storage accounts to another region.",
  ],
];

describe("a package that was rendered for another subscription, tenant, group or region", () => {
  it.each(changes)("%j is an error", (azure, code, field, now, former, loss) => {
    const made = again(azureConfig({ azure }), before);
    expect(expectFinding(made, "error", code)).toContain(
      `"${base}.${field}" is "${now}", but the package was rendered with "${former}". ${loss} Set "${base}.${field}" to "${former}", or create a new package for another cluster. If this is intended, add "--allow removal"`,
    );
    // The list is unchanged.
    expect(paths(made)).toEqual(pathsOf(before));
  });

  it.each(changes)("%j is an error in each function alone", (azure, code) => {
    for (const fn of both) expectFinding(make([fn], azureConfig({ azure }), [...requests, ...before]), "error", code);
  });

  it.each(changes)("%j is a warning if it is allowed", (azure, code, field, now) => {
    const made = again(allowing("removal,replace-issuer", azureConfig({ azure })), before);
    expect(made.exitCode, made.stderr).toBe(0);
    expectFinding(made, "warning", code);
    const cluster = JSON.parse(made.stdout).items.find(({ metadata }: Any) => metadata.name === "azure-cluster");
    expect(JSON.parse(cluster.data["cluster.json"])[field]).toBe(now);
  });

  it.each(changes)("%j is an error even if azure/cluster.yaml was deleted", (azure, code) => {
    expectFinding(again(azureConfig({ azure }), without(before, "azure-cluster")), "error", code);
  });

  it.each<[string, Any, Any]>([
    ["is set", {}, { identityRegion: "westeurope" }],
    ["is removed", { identityRegion: "westeurope" }, {}],
  ])("another region of the managed identities is an error if it %s", (_name, former, now) => {
    const at = (azure: Any) => azure.identityRegion ?? "eastus";
    const made = again(azureConfig({ azure: now }), rendered(azureConfig({ azure: former })));
    expect(expectFinding(made, "error", "region-changed")).toContain(
      `"${base}.identityRegion" is "${at(now)}", but the package was rendered with "${at(former)}". Azure cannot move managed identities to another region. Set "${base}.identityRegion" to "${at(former)}", or`,
    );
    const isAllowed = again(allowing("removal", azureConfig({ azure: now })), rendered(azureConfig({ azure: former })));
    expect(isAllowed.exitCode, isAllowed.stderr).toBe(0);
    expectFinding(isAllowed, "warning", "region-changed");
  });

  it("the region of the managed identities is not that of the cluster if both are set", () => {
    const azure = { identityRegion: "westeurope" };
    const items = rendered(azureConfig({ azure }));
    const of = [...requests, known];
    expect(problems(again(azureConfig({ azure }), items, of))).toEqual([]);
    expect(problems(again(azureConfig({ azure }), without(items, "azure-cluster"), of))).toEqual([]);
  });

  it("a tenant is an error also if only a Secret with encoded values is left of it", () => {
    const config = (azure: Any) => azureConfig({ azure, spec: { secret: { encoding: "data" } } });
    const items = without(rendered(config({})), "azure-cluster", "azure-credentials");
    expectFinding(again(config({ tenantID: id }), items, [...requests]), "error", "subscription-changed");
  });

  it("another cloud is an error, in both directions", () => {
    const url = "https://oidc.example.com";
    const external = (azure: Any) => withAzureIssuer({ url }, { issuerHosting: { type: "External" }, ...azure });
    const china = { cloud: "AzureChinaCloud", region: "chinanorth3" };
    expect(expectFinding(again(external(china), rendered(external({}))), "error", "subscription-changed")).toContain(
      `"${base}.cloud" is "AzureChinaCloud", but the package was rendered with "AzurePublicCloud".`,
    );
    expectFinding(again(external({}), rendered(external(china))), "error", "subscription-changed");
  });

  it("the same values in another case are none", () => {
    const azure = { oidcResourceGroup: "Demo-OIDC", subscriptionID: azureSubscription.subscriptionID.toUpperCase() };
    expect(problems(again(azureConfig({ azure }), before, [...requests, known]))).toEqual([]);
  });
});

describe("a changed prefix", () => {
  const azure = {
    oidcResourceGroup: "demo-oidc",
    issuerHosting: { storageAccount: "democ95a992232", container: "demo" },
  };
  const config = azureConfig({ spec: { resourcePrefix: "other" }, azure });

  it("is an error, with and without azure/cluster.yaml, and cannot be allowed", () => {
    for (const items of [before, without(before, "azure-cluster"), without(before, "azure-cluster", "azure-issuer")])
      for (const one of [config, allowing("removal", config)])
        expect(expectFinding(again(one, items), "error", "prefix-changed")).toBe(
          'the resource prefix is "other", but the package was rendered with "demo". Cloud resources cannot be renamed, so those with the old prefix would be orphaned. Set "spec.resourcePrefix" to "demo", or create a new package for a new set of resources.',
        );
  });

  it("is reported as a rename if it is the name", () => {
    expectFinding(again(azureConfig({ metadata: { name: "renamed" } }), before), "error", "identity-renamed");
  });
});

describe("a changed issuer", () => {
  const moved = { issuerHosting: { type: "External" } };
  const url = "https://oidc.example.com";

  it.each([
    ["another host", withAzureIssuer({ url }, moved)],
    ["another storage account", azureConfig({ azure: { issuerHosting: { storageAccount: "other" } } })],
    ["another container", azureConfig({ azure: { issuerHosting: { container: "other" } } })],
  ])("to %s is an error that says how to keep it, and a warning if it is allowed", (_, config) => {
    const items = [known, ...before];
    expect(expectFinding(again(config, items), "error", "issuer-changed")).toContain(
      `the package was rendered with the issuer "${issuer}", and component identities would no longer trust that issuer. Add it to "spec.issuer.previous" while the cluster moves.`,
    );
    const made = again(allowing("replace-issuer", config), items);
    expect(made.exitCode).toBe(0);
    expectFinding(made, "warning", "issuer-changed");
  });

  it("is a migration if the old one is kept: every identity trusts both, and then only the new one", () => {
    const during = withAzureIssuer({ url, previous: [issuer] }, moved);
    const between = again(during, before, [...requests, known]);
    // That of the Authentication.
    expect(problems(between)).toEqual([["warning", "issuer-replaced"]]);
    const items = JSON.parse(between.stdout).items.slice(requests.length + 1);
    const issuersOf = (items: readonly Any[]) =>
      Object.entries<string>(items.find(({ metadata }) => metadata.name === "azure-identity-ns-one-credentials").data)
        .flatMap(([name, text]) => (name.startsWith("federated-") ? [JSON.parse(text).body.properties.issuer] : []))
        .sort();
    expect(issuersOf(items)).toEqual([issuer, url]);
    const after = again(withAzureIssuer({ url }, moved), items, [...requests, known]);
    expect(problems(after)).toEqual([]);
    expect(issuersOf(JSON.parse(after.stdout).items)).toEqual([url]);
  });

  it("is not what a change of the hosting is, if the issuer stays", () => {
    const external = allowing("removal:ConfigMap/azure-issuer", withAzureIssuer({ url: issuer }, moved));
    expect(problems(again(external, before, [...requests, known]))).toEqual([["warning", "documents-lost"]]);
    expect(problems(again(azureConfig(), rendered(external), [...requests, known]))).toEqual([]);
  });
});

describe("a package that was rendered for another cloud", () => {
  const awsItems = (() => {
    const made = make(both, identity(), [request("one")]);
    expect(made.exitCode).toBe(0);
    return JSON.parse(made.stdout).items.slice(1);
  })();
  const mixed = [azureRequest("one"), request("one"), known];

  it("is an error, in both directions; nothing is removed", () => {
    const made = again(azureConfig(), awsItems, mixed);
    expect(expectFinding(made, "error", "platform-changed")).toContain(
      'the package was rendered for AWS, but "spec.platform" is now "azure".',
    );
    expect(paths(made)).toEqual(pathsOf(awsItems));
    expect(expectFinding(again(identity(), before, mixed), "error", "platform-changed")).toContain(
      'the package was rendered for Azure, but "spec.platform" is now "aws".',
    );
  });

  it("is rendered for the new one if that is allowed, and nothing of the old one stays", () => {
    const made = again(allowing("removal", azureConfig()), awsItems, [azureRequest("one"), known]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(paths(made)).toEqual([
      "azure/cluster.yaml",
      "azure/identities/ns-one-credentials.yaml",
      "azure/issuer.yaml",
      "manifests/azure-ad-pod-identity-webhook-config.yaml",
      "manifests/cluster-authentication-02-config.yaml",
      "manifests/ns-one-credentials-credentials.yaml",
    ]);
    const back = again(allowing("removal", identity()), before, [request("one")]);
    expect(paths(back).filter((path: string) => /azure/.test(path))).toEqual([]);
  });
});

describe("a package without paths, as kustomize passes it", () => {
  const bare = (items: readonly Any[]) =>
    items.map((item) => {
      const kept = Object.entries(item.metadata.annotations ?? {}).filter(
        ([key]) => !key.includes("kubernetes.io/path"),
      );
      return { ...item, metadata: { ...item.metadata, annotations: Object.fromEntries(kept) } };
    });
  const names = (items: readonly Any[]) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

  it("renders the same objects again, none twice", () => {
    const made = make(generators, azureConfig(), [...requests, known, ...bare(before)]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(names(JSON.parse(made.stdout).items)).toEqual(names([...requests, known, ...before]));
    expect(problems(made)).toEqual([]);
  });

  it("removes the identity of a request that is gone only if that is allowed by its name", () => {
    const items = [azureRequest("one"), known, ...bare(before)];
    const refused = make(generators, azureConfig(), items);
    expect(refused.exitCode).toBe(1);
    expect(refused.results.find(({ tags }) => tags.code === "identities-lost")?.message).toMatch(
      /"ns-two\/credentials" \(component "ns-two\/[a-z-]+", managed identity "[^"]+", Secret\)\. .*"--allow removal:ns-two\/credentials"/,
    );
    const annotations = { "fn.cloudcredential.dev/allow": "removal:ns-two/credentials" };
    const made = make(generators, azureConfig({ metadata: { annotations } }), items);
    expect(names(JSON.parse(made.stdout).items)).not.toContain("ConfigMap azure-identity-ns-two-credentials");
    expect(names(JSON.parse(made.stdout).items)).toContain("ConfigMap azure-identity-ns-one-credentials");
  });
});

describe("a package with files that were changed", () => {
  const edited = (name: string, data: Any) =>
    before.map((item) => (item.metadata.name === name ? { ...item, data: { ...item.data, ...data } } : item));

  it.each([
    ["azure-cluster", { "cluster.json": "{" }],
    ["azure-cluster", { "cluster.json": "[]" }],
    ["azure-cluster", { "cluster.json": '{"subscriptionID":7,"resourcePrefix":[],"region":null}' }],
    ["azure-issuer", { "storage-account.json": "null", "keys.json": '{"keys":[1,null,{"kid":7}]}' }],
    ["azure-identity-ns-one-credentials", { "managed-identity.json": '"x"', "role-definition.json": "[1]" }],
    ["azure-identity-ns-one-credentials", { "managed-identity.json": '{"url":"/x","body":{"tags":[],"location":1}}' }],
  ])("%s with %j is rendered again, and not trusted", (name, data) => {
    const made = again(azureConfig(), edited(name, data), [...requests, known]);
    expect(made.exitCode, made.stderr).toBe(0);
    const restored = JSON.parse(made.stdout).items.find(({ metadata }: Any) => metadata.name === name);
    expect(restored.data).toEqual(before.find(({ metadata }) => metadata.name === name).data);
  });

  it("a webhook Secret that was removed or changed is generated again", () => {
    const tampered = before.map((item) =>
      item.metadata.name === "azure-credentials" ? { ...item, stringData: { azure_tenant_id: "x" } } : item,
    );
    for (const items of [without(before, "azure-credentials"), tampered]) {
      const made = again(azureConfig(), items, [...requests, known]);
      expectClean(made);
      const secret = JSON.parse(made.stdout).items.find(({ metadata }: Any) => metadata.name === "azure-credentials");
      expect(secret.stringData).toEqual({ azure_tenant_id: azureSubscription.tenantID });
    }
  });
});
