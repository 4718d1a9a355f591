import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { factsBefore as awsFacts } from "../../../src/clouds/aws/rendered/facts.ts";
import { factsBefore as azureFacts } from "../../../src/clouds/azure/rendered/facts.ts";
import { factsBefore as gcpFacts } from "../../../src/clouds/gcp/rendered/facts.ts";
import { readRendered } from "../../../src/clouds/inspectors.ts";
import { bundlesAmong, bundlesOfFiles } from "../../../src/clouds/rendered.ts";
import type { Resource } from "../../../src/core/resource.ts";
import { azureConfig, azureRequest, azureSubscription, clientIds } from "../../helpers/azure-cluster.ts";
import { type Any, identity, make, request } from "../../helpers/cluster.ts";
import { gcpConfig, gcpRequest } from "../../helpers/gcp-cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const ids = clientIds(["ns-one/credentials", "ns-two/credentials"]);
const clouds = [
  ["aws", identity(), [request("one"), request("two")], awsFacts, "123456789012"],
  [
    "azure",
    azureConfig(),
    [azureRequest("one"), azureRequest("two"), ids],
    azureFacts,
    azureSubscription.subscriptionID,
  ],
  ["gcp", gcpConfig(), [gcpRequest("one"), gcpRequest("two")], gcpFacts, "my-project"],
] as const;

describe.each(clouds)("the facts about a cluster on %s", (cloud, config, requests, factsBefore, account) => {
  const made = make([generateOidcIssuer, generateCloudCredentials], config, [...requests]);
  const items: Resource[] = JSON.parse(made.stdout)
    .items.slice(requests.length)
    .map((object: Any) => resourceOf(object, { path: object.metadata.annotations["config.kubernetes.io/path"] }));
  const without = (...names: string[]) => items.filter(({ name }) => !names.includes(name));
  const identities = without(`${cloud}-cluster`, `${cloud}-issuer`);
  const exported = (some: readonly Resource[]) =>
    bundlesOfFiles(
      new Map(
        bundlesAmong(some).flatMap(({ directory, files }) =>
          Array.from(files, ([name, text]) => [`${directory}/${name}`, text] as const),
        ),
      ),
    );
  const known = { account, resourcePrefix: "demo" };

  it("are the same in a package, in an export, and before a render", () => {
    expect(factsBefore(items)).toMatchObject({ ...known, name: "demo" });
    expect(readRendered(bundlesAmong(items))?.cluster).toMatchObject(known);
    expect(readRendered(exported(items))?.cluster).toMatchObject(known);
  });

  it.each([
    ["the files about the cluster", without(`${cloud}-cluster`)],
    ["the files about the cluster and the issuer", identities],
  ])("are read from an identity without %s", (_, some) => {
    expect(factsBefore(some)).toMatchObject({ ...known, name: "demo" });
    expect(readRendered(bundlesAmong(some))?.cluster).toMatchObject(known);
    expect(readRendered(exported(some))?.cluster).toMatchObject(known);
  });

  it("are unknown without any file", () => {
    expect(factsBefore([])).toMatchObject({ account: undefined, resourcePrefix: undefined, name: undefined });
    expect(readRendered([])).toBeUndefined();
  });

  it("are those of the files about the cluster, if an identity contradicts them", () => {
    const edited = items.map((item) => {
      if (item.name !== `${cloud}-cluster`) return item;
      const value = item.value() as Any;
      const facts = { ...JSON.parse(value.data["cluster.json"]), resourcePrefix: "other" };
      return resourceOf({ ...value, data: { "cluster.json": JSON.stringify(facts) } }, { path: item.path ?? "" });
    });
    expect(factsBefore(edited)).toMatchObject({ account, resourcePrefix: "other" });
    expect(readRendered(bundlesAmong(edited))?.cluster).toMatchObject({ account, resourcePrefix: "other" });
  });
});

it("the account on AWS is unknown if the roles trust providers in two accounts, or something else", () => {
  const trusting = (...providers: Any[]) => {
    const Statement = providers.map((Federated) => ({ Effect: "Allow", Principal: { Federated } }));
    const files = { "trust-policy.json": JSON.stringify({ Statement }) };
    return readRendered(
      bundlesOfFiles(new Map(Object.entries(files).map(([name, text]) => [`aws/roles/a/${name}`, text]))),
    );
  };
  const provider = (account: string, url = "a") => `arn:aws:iam::${account}:oidc-provider/${url}`;
  expect(trusting(provider("123456789012"), provider("123456789012", "b/c"))?.cluster).toMatchObject({
    account: "123456789012",
    issuers: [{ url: "a" }, { url: "b/c", id: provider("123456789012", "b/c") }],
  });
  for (const other of [provider("210987654321"), "cognito-identity.amazonaws.com", undefined])
    expect(trusting(provider("123456789012"), other)?.cluster.account).toBeUndefined();
});
