import { describe, expect, it } from "vitest";
import { readRendered } from "../../../src/clouds/inspectors.ts";
import { bundlesOfFiles } from "../../../src/clouds/rendered.ts";
import {
  azureExport,
  azureIdentity,
  azureIdentityId,
  azureIssuer,
  azureRequest,
  azureSubject,
  azureSubscription,
  azureTenant,
} from "../../helpers/azure-exchange.ts";
import type { Any } from "../../helpers/cluster.ts";
import { rsaSigner } from "../../helpers/token.ts";

const signer = rsaSigner();
const previous = "https://old.example.com/x";
const providerSpec = {
  kind: "AzureProviderSpec",
  roleBindings: [{ role: "Reader" }],
  permissions: ["Microsoft.Compute/disks/read"],
  dataPermissions: ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"],
};
const request = azureRequest("one", { serviceAccountNames: ["one-operator", "b.c"], providerSpec });
const made = azureExport(azureIdentity([signer], {}, { previous: [previous] }), [request]).files;
const one = "azure/identities/ns-one-credentials";

/** The files of an export, with some replaced or removed (undefined). */
function exported(changes: Readonly<Record<string, string | undefined>> = {}): Map<string, string> {
  const files = new Map(made);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
  return files;
}

const read = (files: ReadonlyMap<string, string> = exported()) => readRendered(bundlesOfFiles(files));
const fileLike = (part: string) => [...made.keys()].find((path) => path.startsWith(`${one}/${part}`)) ?? "";

describe("what was rendered for Azure", () => {
  it("is read as it is: the subscription, the issuers, and whose tokens an identity accepts", () => {
    const { inspector, cluster } = read() ?? {};
    expect(inspector?.name).toBe("azure");
    expect(cluster).toMatchObject({
      account: azureSubscription,
      region: "westeurope",
      resourcePrefix: "demo",
      tenantId: azureTenant,
      cliCloud: "AzureCloud",
      documentIssuer: azureIssuer,
      findings: [],
    });
    expect(cluster?.issuers).toMatchObject([
      { url: azureIssuer.slice(8), id: azureIssuer, clientIds: ["openshift"], discovery: { value: {} } },
      { url: previous.slice(8), id: previous, clientIds: ["openshift"], discovery: undefined, keys: undefined },
    ]);
    const [identity] = cluster?.identities ?? [];
    expect(identity).toMatchObject({
      key: "ns-one/credentials",
      id: azureIdentityId,
      name: "demo-ns-one-credentials",
    });
    expect(identity?.trusts.map(({ issuer, subjects }) => [issuer, subjects])).toHaveLength(4);
    expect(identity?.compared).toMatchObject({
      cloud: "Azure",
      noun: "managed identity",
      subjects: ["system:serviceaccount:ns-one:b.c", azureSubject],
      tokenPath: undefined,
    });
    const actions = identity?.compared?.permissions.flatMap((grant) => grant.actions);
    expect(actions).toEqual([
      "permission Microsoft.Compute/disks/read",
      "data permission Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read",
      "role Reader",
    ]);
    const scope = [`/subscriptions/${azureSubscription}/resourceGroups/demo`];
    expect(identity?.permissions.map(({ resources }) => resources)).toEqual([scope, scope, scope]);
  });

  it("has the facts of the identity and the documents, if the cluster's are lost", () => {
    const { cluster } = read(exported({ "azure/cluster.json": undefined })) ?? {};
    expect(cluster).toMatchObject({ account: azureSubscription, resourcePrefix: "demo", region: undefined });
    expect(cluster?.issuers).toMatchObject([{ url: azureIssuer.slice(8) }]);
  });

  it.each<[string, () => Record<string, string | undefined>]>([
    ["with a credential that is not JSON", () => ({ [fileLike("federated-credential-")]: "{" })],
    ["with a credential without a subject", () => ({ [fileLike("federated-credential-")]: '{"body":{}}' })],
    ["with an assignment without a role", () => ({ [fileLike("role-assignment-")]: '{"url":"/x"}' })],
    ["with a role that is not JSON", () => ({ [`${one}/role-definition.json`]: "{" })],
    ["without the identity", () => ({ [`${one}/managed-identity.json`]: undefined })],
    ["without the name of its Secret", () => ({ [`${one}/identity.json`]: "{}" })],
  ])("is unreadable %s, and not skipped", (_, changes) => {
    const { cluster } = read(exported(changes())) ?? {};
    expect(cluster?.identities).toHaveLength(1);
    expect(cluster?.findings.map(({ severity, code, message }) => [severity, code, message])).toEqual([
      [
        "error",
        "managed-identity-unreadable",
        `"${one}" does not contain a rendered managed identity; render the package again and export it.`,
      ],
    ]);
  });

  it("counts permissions in files that cannot be read as undecided", () => {
    const { cluster } = read(exported({ [`${one}/role-definition.json`]: "{" })) ?? {};
    const files = cluster?.identities[0]?.permissionFiles ?? [];
    const role = files.find(({ field }) => field === "data.role-definition.json");
    expect(role?.permissions.map(({ undecided }: Any) => typeof undecided)).toEqual(["string", "string"]);
  });

  it("is nothing in files of another kind", () => {
    expect(read(new Map([["azure/other/text.txt", "x"]]))).toBeUndefined();
  });
});
