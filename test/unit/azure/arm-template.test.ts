import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { exportFiles } from "../../../src/cli/package/export-files.ts";
import { literal } from "../../../src/clouds/azure/template/exported-requests.ts";
import { armTemplate, deploymentName } from "../../../src/clouds/azure/template/template.ts";
import { assignedId, type Deployed, deploy } from "../../helpers/arm-template/deploy.ts";
import { expectTemplate } from "../../helpers/arm-template/schema.ts";
import { azureIdentity, azureRequest, azureSubscription } from "../../helpers/azure-requests.ts";
import { type Any, make } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";

const other = "33333333-3333-4333-8333-333333333333";
const groupOf = (name: string, subscription = azureSubscription) =>
  `/subscriptions/${subscription}/resourceGroups/${name}`;

/** The exported files of a package. */
function filesOf(config: Any, requests: readonly Any[]): Map<string, string> {
  const made = make([generateOidcIssuer, generateCloudCredentials], config, requests);
  expect(made.results.filter(({ severity }: Any) => severity === "error")).toEqual([]);
  const generated = Object.entries(made.objects).map(([path, object]) => ({ path, object, text: "" }));
  const files = exportFiles({ generated, kept: [] } as Any);
  return new Map(files.map(({ path, text }) => [path, text]));
}

const nextTo = (path: string, name: string) => `${path.slice(0, path.lastIndexOf("/"))}/${name}`;
const install = "azure/install-resource-group.json";

/** The requests that an export contains, with the principals of the identities, but for the cluster's resource group. */
function requestsOf(files: ReadonlyMap<string, string>): Any[] {
  const read = (path: string) => JSON.parse(files.get(path) ?? "null");
  const paths = [...files.keys()].filter((path) => path.endsWith(".json") && path !== install);
  return paths.flatMap((path) => {
    const { url, body } = read(path);
    if (url === undefined) return [];
    if (!path.includes("/role-assignment-")) return [{ url, body }];
    const [identity] = read(nextTo(path, "managed-identity.json")).url.split("?");
    const principalId = assignedId(identity, "principalId");
    return [{ url, body: { properties: { ...body.properties, principalId } } }];
  });
}

/** The groups that must exist before a deployment: those of the scopes, but not the one of the identities. */
function groupsBefore(files: ReadonlyMap<string, string>): string[] {
  const scopes = requestsOf(files).flatMap(
    ({ url }) => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(url) ?? [],
  );
  return scopes.filter((id) => !id.toLowerCase().endsWith("/demo-oidc"));
}

function deployed(files: ReadonlyMap<string, string>): Deployed {
  const { text } = armTemplate(files);
  expectTemplate(JSON.parse(text));
  return deploy(JSON.parse(text), azureSubscription, groupsBefore(files));
}

// Azure compares IDs without case.
const sorted = (puts: readonly Any[]) =>
  puts
    .map(({ url, body }) => ({ url: url.toLowerCase(), body }))
    .sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0));

/** Says that a deployment of the template makes the requests of the export, each once, and nothing else. */
function expectSame(files: ReadonlyMap<string, string>): Deployed {
  const made = deployed(files);
  expect(sorted(made.puts)).toEqual(sorted(requestsOf(files)));
  return made;
}

const custom = { permissions: ["Microsoft.Compute/disks/read"], dataPermissions: ["Microsoft.Storage/*/read"] };
const three = [
  azureRequest("one", { provider: custom, spec: { serviceAccountNames: ["operator", "node"] } }),
  azureRequest("two"),
  azureRequest("three", { provider: { roleBindings: [{ role: "Contributor" }, { role: "Reader" }] } }),
];
const templateOf = (files: ReadonlyMap<string, string>) => JSON.parse(armTemplate(files).text);
const nested = (template: Any) => template.resources.map(({ name }: Any) => name);

describe("the ARM template", () => {
  it("makes the requests of the export, in an order that Azure accepts", () => {
    const files = filesOf(azureIdentity(), three);
    const { outputs } = expectSame(files);
    const clientId = (name: string) =>
      assignedId(
        `${groupOf("demo-oidc")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-ns-${name}-credentials`,
        "clientId",
      );
    expect(outputs).toEqual({
      clientIds: {
        type: "object",
        value: {
          "ns-one_credentials": clientId("one"),
          "ns-three_credentials": clientId("three"),
          "ns-two_credentials": clientId("two"),
        },
      },
    });
    const template = templateOf(files);
    expect(nested(template)).toEqual(["demo-subscription", "demo-identities", "demo-roles-demo"]);
  });

  it("does not contain the resource group of the cluster", () => {
    const files = filesOf(azureIdentity(), three);
    expect(JSON.parse(files.get(install) ?? "").url).toBe(`${groupOf("demo")}?api-version=2021-04-01`);
    const { puts } = deployed(files);
    const groups = puts.filter(({ url }) => /\/resourceGroups\/[^/]+$/.test(url));
    expect(groups.map(({ url }) => url)).toEqual([`${groupOf("demo-oidc")}?api-version=2021-04-01`]);
  });

  it("assigns roles in other subscriptions, to a subscription, and to a single resource", () => {
    const network = `${groupOf("network", other)}/providers/Microsoft.Network/virtualNetworks/main`;
    const scopes = [
      "demo",
      groupOf("dns", other),
      network,
      `/subscriptions/${other}`,
      `/subscriptions/${azureSubscription}`,
    ];
    const azure = { overrides: { "ns-one/credentials": { scopes } } };
    const files = filesOf(azureIdentity({ azure }), three);
    const { puts } = expectSame(files);
    expect(puts.filter(({ url }) => url.startsWith(`${network}/providers/Microsoft.Authorization/`))).toHaveLength(2);
    expect(nested(templateOf(files))).toEqual([
      "demo-subscription",
      "demo-identities",
      "demo-roles",
      "demo-roles-demo",
      `demo-roles-${other}`,
      `demo-roles-dns-${other}`,
      `demo-roles-network-${other}`,
    ]);
  });

  it("joins scopes whose names differ in case", () => {
    const azure = {
      overrides: {
        "ns-one/credentials": { scopes: [groupOf("Demo"), `/subscriptions/${other.toUpperCase()}/resourcegroups/Dns`] },
        "ns-two/credentials": { scopes: [groupOf("dns", other)] },
      },
    };
    const files = filesOf(azureIdentity({ azure }), three);
    expectSame(files);
    expect(templateOf(files).resources).toHaveLength(4);
  });

  it("has no storage account if others publish the issuer", () => {
    const config = azureIdentity({
      azure: { issuerHosting: { type: "External" } },
      spec: { issuer: { ...azureIdentity().spec.issuer, url: "https://oidc.example.com/demo" } },
    });
    const files = filesOf(config, three);
    const { puts } = expectSame(files);
    expect(puts.filter(({ url }) => url.includes("Microsoft.Storage"))).toEqual([]);
    expect(armTemplate(files).findings).toEqual([
      {
        severity: "info",
        code: "template-incomplete",
        message:
          'The ARM template does not contain the resource group "demo". Create it before the deployment, if it does not exist.',
      },
    ]);
  });

  it("is the same for Azure Government, but for its values", () => {
    const files = filesOf(
      azureIdentity({ azure: { cloud: "AzureUSGovernmentCloud", region: "usgovvirginia" } }),
      three,
    );
    expectSame(files);
    const { command, findings } = armTemplate(files);
    expect(command("out/azure/template.json")).toBe(
      `az deployment sub create --name demo --subscription ${azureSubscription} --location usgovvirginia --template-file out/azure/template.json`,
    );
    expect(findings.map(({ message }) => message)).toEqual([
      'The ARM template does not contain the resource group "demo". Create it before the deployment, if it does not exist. The template does not contain the documents of the issuer. Upload them after the deployment, with "ccf apply" or "az storage blob upload".',
    ]);
  });

  it("names its subscription in every deployment, so that it creates nothing in another one", () => {
    const files = filesOf(azureIdentity(), three);
    const text = armTemplate(files).text;
    const { puts } = deploy(JSON.parse(text), other, groupsBefore(files));
    expect(sorted(puts)).toEqual(sorted(requestsOf(files)));
  });

  it("trusts a previous issuer too, one credential after the other", () => {
    const spec = { issuer: { ...azureIdentity().spec.issuer, previous: ["https://old.example.com/demo"] } };
    const files = filesOf(azureIdentity({ spec }), three);
    const { puts } = expectSame(files);
    expect(puts.filter(({ url }) => url.includes("/federatedIdentityCredentials/"))).toHaveLength(8);
  });

  it("does not depend on the order of the files", () => {
    const files = filesOf(azureIdentity(), three);
    expect(armTemplate(new Map([...files].reverse())).text).toBe(armTemplate(files).text);
  });

  it("keeps tags that look like expressions", () => {
    const tags = { plain: "[a] b", "[key]": "[concat('a')]", twice: "[[x]", one: "[", pair: "[]" };
    const files = filesOf(azureIdentity({ azure: { tags } }), three);
    const { puts } = expectSame(files);
    expect(puts.find(({ url }) => url.includes("/resourceGroups/demo-oidc?"))?.body.tags).toMatchObject(tags);
  });

  it("is valid and complete for any package", () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const scope = fc.constantFrom(
      "demo",
      "demo-oidc",
      groupOf("dns", other),
      `/subscriptions/${other}`,
      `${groupOf("network")}/providers/Microsoft.Network/virtualNetworks/main/subnets/one`,
    );
    const request = fc.record({
      name,
      accounts: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      roles: fc.subarray(["Reader", "Contributor", "Network Contributor"], { minLength: 1 }),
      permissions: fc.subarray(["Microsoft.Compute/*/read", "Microsoft.Network/*"]),
      scopes: fc.uniqueArray(scope, { minLength: 1 }),
    });
    const requests = fc.uniqueArray(request, { selector: (one) => one.name, maxLength: 6 });
    const tags = fc.dictionary(fc.stringMatching(/^[[\]a-z]{1,4}$/), fc.stringMatching(/^[[\]a-z']{0,4}$/), {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(requests, tags, (list, found) => {
        const overrides = Object.fromEntries(list.map((one) => [`ns-${one.name}/credentials`, { scopes: one.scopes }]));
        const items = list.map((one) =>
          azureRequest(one.name, {
            spec: { serviceAccountNames: one.accounts },
            provider: { roleBindings: one.roles.map((role) => ({ role })), permissions: one.permissions },
          }),
        );
        expectSame(filesOf(azureIdentity({ azure: { overrides, tags: found } }), items));
      }),
      { numRuns: runs(80) },
    );
  });
});

describe("a text in a template", () => {
  it("is escaped only if Azure would evaluate it", () => {
    expect(literal({ "[a]": ["[a]", "[a", "a]", "[[a]", "[]", "[", "", 1, true, null] })).toEqual({
      "[[a]": ["[[a]", "[a", "a]", "[[[a]", "[[]", "[", "", 1, true, null],
    });
  });
});

describe("the name of a deployment", () => {
  it("has at most 64 characters, and stays distinct", () => {
    expect(deploymentName("a".repeat(64))).toBe("a".repeat(64));
    expect(deploymentName("a".repeat(65))).toBe(`${"a".repeat(55)}-635361c4`);
    expect(deploymentName(`${"a".repeat(65)}b`)).not.toBe(deploymentName("a".repeat(65)));
    const group = `g${"x".repeat(89)}`;
    const azure = { networkResourceGroup: group, dnsZoneResourceGroup: groupOf(group, other) };
    const ingress = azureRequest("ingress", {
      spec: { secretRef: { namespace: "openshift-ingress-operator", name: "cloud-credentials" } },
    });
    const files = filesOf(azureIdentity({ azure }), [ingress]);
    expectSame(files);
    const names = nested(templateOf(files));
    expect(new Set(names).size).toBe(5);
    expect(names.filter((one: string) => one.length === 64)).toHaveLength(2);
  });
});

/** The files of a package with this many identities, or with tags that make each one this many bytes longer. */
function copies(count: number, more = ""): Map<string, string> {
  const files = filesOf(azureIdentity(), [azureRequest("one")]);
  for (const [path, text] of [...files]) {
    if (!path.startsWith("azure/identities/")) continue;
    files.delete(path);
    for (let index = 0; index < count; index++) {
      const copy = text.replaceAll("ns-one", `ns-one${index}`).replace('"owned"', `"owned${more}"`);
      files.set(path.replace("ns-one", `ns-one${index}`), copy);
    }
  }
  return files;
}

const errorsOf = (files: ReadonlyMap<string, string>) =>
  armTemplate(files).findings.filter(({ severity }) => severity === "error");
const cure = 'Export without "--arm-template", and apply the package with "ccf apply".';

describe("a template that Azure Resource Manager would refuse", () => {
  it("has more than 800 resources in a nested deployment", () => {
    // A storage account and a container, and for each identity a credential.
    expect(errorsOf(copies(399))).toEqual([]);
    expect(errorsOf(copies(400))).toEqual([
      {
        severity: "error",
        code: "template-too-large",
        message: `The ARM template has, in the nested deployment "demo-identities", 802 resources, but Azure Resource Manager allows at most 800. ${cure}`,
      },
    ]);
  });

  it("has a nested deployment of more than 1 MB, or more than 4 MB in all", () => {
    const [one, ...others] = errorsOf(copies(390, "x".repeat(2000)));
    expect(others).toEqual([]);
    expect(one?.message).toMatch(
      /^The ARM template has, in the nested deployment "demo-identities", 1\d{6} bytes, but Azure Resource Manager allows at most 1000000\. /,
    );
    const messages = errorsOf(copies(390, "x".repeat(12_000))).map(({ message }) => message);
    expect(messages[0]).toMatch(
      /^The ARM template has \d{7} bytes, but Azure Resource Manager allows at most 4000000\. /,
    );
  });

  it("has more than 800 nested deployments", () => {
    const files = filesOf(azureIdentity(), [azureRequest("one")]);
    const [path = "", text = ""] = [...files].find(([one]) => one.includes("/role-assignment-")) ?? [];
    const add = (count: number) => {
      for (let index = 0; index < count; index++)
        files.set(
          path.replace(".json", `${index}.json`),
          text.replace("/resourceGroups/demo/", `/resourceGroups/g${index}/`),
        );
    };
    add(797);
    expect(errorsOf(files)).toEqual([]);
    add(798);
    expect(errorsOf(files).map(({ message }) => message)).toEqual([
      `The ARM template has 801 nested deployments, but Azure Resource Manager allows at most 800. ${cure}`,
    ]);
  });
});
