import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { azureConfig, withAzureIssuer } from "../../helpers/azure-cluster.ts";
import { type Any, expectFinding, identity, make } from "../../helpers/cluster.ts";
import { gcpConfig, withGcpIssuer } from "../../helpers/gcp-cluster.ts";

/** The items that a first run generated for a config. */
function rendered(config: Any): Any[] {
  const made = make([generateOidcIssuer], config);
  expect(made.exitCode, made.stderr).toBe(0);
  return JSON.parse(made.stdout).items;
}

const issuerOf = (config: Any): Any => config.spec.issuer;
const allowing = (list: string, config: Any): Any => ({
  ...config,
  metadata: { ...config.metadata, annotations: { "fn.cloudcredential.dev/allow": list } },
});
const codes = ({ results }: { results: readonly Any[] }) =>
  results.filter(({ severity }) => severity === "error").map(({ tags }) => tags.code);

const awsUrl = "https://demo-oidc.s3.us-east-2.amazonaws.com";
const gcpUrl = "https://storage.googleapis.com/demo-oidc";
const azureUrl = "https://democ95a992232.blob.core.windows.net/demo";
const withAws = (url: string, aws: Any) => identity({ spec: { issuer: { ...issuerOf(identity()), url } }, aws });
const external = { issuerHosting: { type: "External" } };
const provider = `arn:aws:iam::123456789012:oidc-provider/${awsUrl.slice("https://".length)}`;
const distribution = { type: "S3CloudFront", distributionDomain: "d111111abcdef8.cloudfront.net" };
const distributionUrl = "https://d111111abcdef8.cloudfront.net";

const inBucket = ["bucket-policy.json", "create-bucket.json"];
const puts = [
  "put-bucket-policy.json",
  "put-bucket-tagging.json",
  "put-object-keys.json",
  "put-object-openid-configuration.json",
  "put-public-access-block.json",
];
const distributed = ["create-distribution-with-tags.json", "create-origin-access-control.json", ...puts.slice(1)];

/** Where the issuer stays, what the package would no longer contain. */
const losses: readonly (readonly [what: string, cloud: string, before: Any, now: Any, lost: readonly string[]])[] = [
  ["S3Public to External", "aws", identity(), withAws(awsUrl, external), [...inBucket, ...puts]],
  [
    "S3CloudFront to External",
    "aws",
    identity({ aws: { issuerHosting: distribution } }),
    withAws(distributionUrl, external),
    [...inBucket, ...distributed],
  ],
  [
    "a provider that is created elsewhere",
    "aws",
    identity(),
    identity({ aws: { identityProviderARN: provider } }),
    ["create-open-id-connect-provider.json"],
  ],
  [
    "Bucket to PoolJWKFile",
    "gcp",
    gcpConfig({ gcp: { keyStorage: "Bucket" } }),
    gcpConfig(),
    ["bucket-policy.json", "bucket.json", "openid-configuration"],
  ],
  [
    "Bucket to External",
    "gcp",
    gcpConfig({ gcp: { keyStorage: "Bucket" } }),
    withGcpIssuer({ url: gcpUrl }, { keyStorage: "External" }),
    ["bucket-policy.json", "bucket.json"],
  ],
  [
    "External to PoolJWKFile",
    "gcp",
    withGcpIssuer({ url: gcpUrl }, { keyStorage: "External" }),
    gcpConfig(),
    ["openid-configuration"],
  ],
  [
    "BlobPublic to External",
    "azure",
    azureConfig(),
    withAzureIssuer({ url: azureUrl }, external),
    ["container.json", "storage-account.json"],
  ],
];

describe("documents of the issuer that a configuration no longer contains", () => {
  it.each(losses)("%s is an error that names them, or a warning by name", (_what, cloud, before, now, lost) => {
    const items = rendered(before);
    const issuer = items.find(({ kind }) => kind === "Authentication").spec.serviceAccountIssuer;
    const cause = `with "spec.platform.${cloud}" as it is now, ConfigMap "${cloud}-issuer" would lose rendered documents, although the issuer is still "${issuer}": ${lost.map((file) => `"${file}"`).join(", ")}. The package would no longer publish or maintain what they describe, and a running cluster may depend on it. Undo the change of "spec.platform.${cloud}". If something else now does this for the cluster, check that it works first.`;
    const refused = make([generateOidcIssuer], now, items);
    expect(codes(refused)).toEqual(["documents-lost"]);
    expect(expectFinding(refused, "error", "documents-lost")).toBe(
      `${cause} If this is intended, add "--allow removal:ConfigMap/${cloud}-issuer" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: removal:ConfigMap/${cloud}-issuer" on the ClusterIdentity.`,
    );
    expect(refused.exitCode).toBe(1);
    expect(JSON.parse(refused.stdout).items).toEqual(items);
    const allowed = make([generateOidcIssuer], allowing(`removal:ConfigMap/${cloud}-issuer`, now), items);
    expect(allowed.exitCode, allowed.stderr).toBe(0);
    expect(expectFinding(allowed, "warning", "documents-lost")).toBe(`${cause} This run allows it by name.`);
    const again = make([generateOidcIssuer], now, JSON.parse(allowed.stdout).items);
    expect(codes(again)).toEqual([]);
  });

  it("are the keys in the provider, too, of which no file says that they leave", () => {
    const now = withGcpIssuer({ url: gcpUrl }, { keyStorage: "External" });
    for (const items of [
      rendered(gcpConfig()),
      rendered(gcpConfig()).filter((item) => item.metadata.name !== "gcp-cluster"),
    ])
      for (const fn of [generateOidcIssuer, generateCloudCredentials])
        expect(expectFinding(make([fn], now, items), "error", "documents-lost")).toBe(
          `"spec.platform.gcp.keyStorage" is "External", but the package was rendered with "PoolJWKFile". The provider would lose its keys, and Google would read those at "${gcpUrl}", which the package does not publish. Set "spec.platform.gcp.keyStorage" to "PoolJWKFile". If that URL is to take over, publish the discovery document and the keys there first. If this is intended, add "--allow removal:ConfigMap/gcp-issuer" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: removal:ConfigMap/gcp-issuer" on the ClusterIdentity.`,
        );
    const allowed = make([generateOidcIssuer], allowing("removal:ConfigMap/gcp-issuer", now), rendered(gcpConfig()));
    expect(allowed.exitCode, allowed.stderr).toBe(0);
    expectFinding(allowed, "warning", "documents-lost");
  });

  it.each<readonly [string, Any, Any]>([
    ["a package that gets a bucket", gcpConfig(), gcpConfig({ gcp: { keyStorage: "Bucket" } })],
    ["a package that hosts again on AWS", withAws(awsUrl, external), identity()],
    ["a package that hosts again on Azure", withAzureIssuer({ url: azureUrl }, external), azureConfig()],
    [
      "a migration that keeps the old issuer",
      identity(),
      identity({
        spec: { issuer: { ...issuerOf(identity()), previous: [awsUrl], url: "https://oidc.example.com" } },
        aws: external,
      }),
    ],
  ])("%s loses none", (_what, before, now) => {
    expect(codes(make([generateOidcIssuer], now, rendered(before)))).toEqual([]);
  });

  it.each<readonly [string, Any, Any]>([
    ["AWS", identity(), withAws("https://oidc.example.com", external)],
    ["GCP", gcpConfig(), withGcpIssuer({ url: "https://oidc.example.com" }, { keyStorage: "External" })],
    ["Azure", azureConfig(), withAzureIssuer({ url: "https://oidc.example.com" }, external)],
  ])("are not reported apart from another issuer on %s", (_what, before, now) => {
    expect(codes(make([generateOidcIssuer], now, rendered(before)))).toEqual(["issuer-changed"]);
  });
});
