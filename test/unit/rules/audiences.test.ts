import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import { withAzureIssuer } from "../../helpers/azure-cluster.ts";
import { type Any, identity, make, request, statements } from "../../helpers/cluster.ts";
import { gcpConfig } from "../../helpers/gcp-cluster.ts";
import { validated } from "../../helpers/validated.ts";

const issuer = "https://oidc.example.com";
const own = identity().spec.issuer;
const spec = (audiences: readonly string[]) => ({ issuer: { ...own, url: issuer, audiences } });
const asking = (providerSpec: Any) =>
  request("one", { spec: { secretRef: { namespace: "openshift-one", name: "credentials" }, ...providerSpec } });

const aws = (audiences: readonly string[]) => ({
  config: identity({ spec: spec(audiences), aws: { issuerHosting: { type: "External" } } }),
  asked: asking(statements({ effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" })),
});
const gcp = (audiences: readonly string[]) => ({
  config: gcpConfig({ spec: spec(audiences) }),
  asked: asking({ providerSpec: { kind: "GCPProviderSpec", predefinedRoles: ["roles/dns.admin"] } }),
});
const azure = (audiences: readonly string[]) => ({
  config: withAzureIssuer({ url: issuer, audiences }, { issuerHosting: { type: "External" } }),
  asked: asking({ providerSpec: { kind: "AzureProviderSpec", roleBindings: [{ role: "Reader" }] } }),
});

function found({ config, asked }: { config: Any; asked: Any }) {
  const { objects } = make(generators, config, [asked]);
  return validated([config, asked, ...Object.values<Any>(objects)])
    .filter(({ code }) => code === "audience-of-api-server")
    .map(({ severity, resource, field, message }) => [severity, resource?.kind, field, message]);
}

describe("an audience that the API server accepts", () => {
  it.each([
    ["AWS", aws],
    ["GCP", gcp],
  ])("is a warning on %s: the default token of a pod is then a credential", (_name, packaged) => {
    for (const audience of [issuer, `${issuer}/`, "https://kubernetes.default.svc", "kubernetes.default.svc"])
      expect(found(packaged(["openshift", audience]))).toEqual([
        [
          "warning",
          "ClusterIdentity",
          "spec.issuer.audiences",
          `"spec.issuer.audiences" contains "${audience}", which the cluster's API server also accepts, so the default token of a pod is a credential of the cloud; remove the audience.`,
        ],
      ]);
    expect(found(packaged(["openshift", "sts.amazonaws.com", "https://other.example.com"]))).toEqual([]);
  });

  it("is none on Azure, where credentials never have it", () => {
    expect(found(azure(["openshift", issuer]))).toEqual([]);
  });

  it("is found in a provider that was edited", () => {
    const { config, asked } = gcp(["openshift"]);
    const { objects } = make(generators, config, [asked]);
    const copy = Object.values<Any>(structuredClone(objects));
    const { data } = copy.find(({ metadata }) => metadata.name === "gcp-issuer");
    data["provider.json"] = data["provider.json"].replace('"openshift"', `"openshift", "${issuer}"`);
    const all = validated([config, asked, ...copy]).filter(({ code }) => code === "audience-of-api-server");
    expect(all.map(({ resource, message }) => [resource?.name, message])).toEqual([
      [
        "gcp-identity-openshift-one-credentials",
        `accepts tokens for the audience "${issuer}", which the cluster's API server also accepts, so the default token of a pod is a credential of the cloud; remove the audience.`,
      ],
    ]);
  });
});
