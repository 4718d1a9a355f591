import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { azureConfig, azureRequest, clientIds } from "../../helpers/azure-cluster.ts";
import { type Any, identity, make, request } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { gcpConfig, gcpRequest } from "../../helpers/gcp-cluster.ts";
import { answerOf } from "../../helpers/in-process.ts";
import { configOf, dumpFile, liveObjects, objectsOf, textsOfSecrets } from "../../helpers/live-cluster.ts";
import { sample } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";

/** A package, what its cloud tells about the cluster, and what only a user knows. */
interface Case {
  readonly platform: "AWS" | "GCP" | "Azure";
  readonly config: Any;
  readonly items: readonly Any[];
  readonly status: Any;
  readonly flags: readonly string[];
}

/** What a render emits for the cluster. */
function emitted(config: Any, items: readonly Any[]) {
  const { exitCode, stderr, objects } = make([generateOidcIssuer, generateCloudCredentials], config, items);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const all = Object.values(objects);
  const authentication = all.find(({ kind }) => kind === "Authentication");
  return { issuer: String(authentication.spec.serviceAccountIssuer), secrets: textsOfSecrets(all) };
}

async function expectRoundTrip({ platform, config, items, status, flags }: Case): Promise<void> {
  const before = emitted(config, items);
  const requests = items.filter(({ kind }) => kind === "CredentialsRequest");
  const directory = temporary();
  const from = dumpFile(directory, liveObjects({ platform, requests, status, ...before }));
  const pkg = join(directory, "package");
  const key = ["--public-key-file", `${sample}/serviceaccount-signer.public`];
  const { status: exitCode, stdout, stderr } = await answerOf(["import", pkg, "--from", from, ...key, ...flags]);
  expect({ exitCode, output: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, output: "" });
  const imported = objectsOf(pkg).filter(({ kind }) => kind !== "ClusterIdentity");
  expect(emitted(configOf(pkg), imported)).toEqual(before);
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
const prefix = fc.tuple(word, word).map((words) => words.join("-"));
const tokenPath = fc.constantFrom(undefined, "/var/run/secrets/tokens/token");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** Requests with different Secrets, of which some have their own token path. */
const requests = (make: (name: string, more: Any) => Any) =>
  fc
    .uniqueArray(fc.record({ name: prefix, namespace: prefix, long: fc.boolean(), tokenPath }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ name }) => name,
    })
    .map((all) =>
      all.map(({ name, namespace, long, tokenPath }) => {
        const secretRef = {
          namespace: `openshift-${namespace}`,
          name: `${name}${long ? "-cloud-credentials".repeat(3) : ""}`,
        };
        const spec = { secretRef, ...(tokenPath === undefined ? {} : { cloudTokenPath: tokenPath }) };
        const annotations = { "include.release.openshift.io/self-managed-high-availability": "true" };
        return make(name, { spec, metadata: { annotations, namespace: "openshift-cloud-credential-operator" } });
      }),
    );

const keyOf = ({ spec: { secretRef } }: Any) => `${secretRef.namespace}/${secretRef.name}`;
const defined = (fields: Any): Any =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
/** An override for every second request. */
const overrides = (items: readonly Any[], override: (index: number) => Any) =>
  Object.fromEntries(items.flatMap((item, index) => (index % 2 === 0 ? [[keyOf(item), override(index)]] : [])));

const externalIssuer = "https://oidc.example.com/some/cluster";

const ofAws: fc.Arbitrary<Case> = fc
  .record({
    items: requests((name, more) => request(name, more)),
    prefix,
    region: fc.constantFrom("us-east-2", "cn-north-1", "us-gov-west-1"),
    hosting: fc.constantFrom("public", "bucket", "external"),
    path: optional(fc.constant("/openshift/demo/")),
    nameOverflow: optional(fc.constant("Hash")),
    includeRegionInSecret: optional(fc.constant(true)),
    renamed: fc.boolean(),
    tokenPath,
    encoding: fc.constantFrom("data", "stringData"),
  })
  .map(
    ({ items, prefix, region, hosting, path, nameOverflow, includeRegionInSecret, renamed, tokenPath, encoding }) => {
      const issuerHosting = { public: undefined, bucket: { bucket: "other-bucket" }, external: { type: "External" } }[
        hosting
      ];
      const aws = {
        region,
        includeRegionInSecret,
        issuerHosting,
        roles: defined({ path, nameOverflow }),
        overrides: renamed ? overrides(items, (index) => ({ roleName: `Role_${index}@team` })) : undefined,
      };
      const config = identity({
        aws: defined(aws),
        spec: defined({ resourcePrefix: prefix, tokenPath, secret: { encoding } }),
      });
      if (hosting === "external") config.spec.issuer = { ...config.spec.issuer, url: externalIssuer };
      return { platform: "AWS", config, items, status: { region }, flags: [] };
    },
  );

const ofGcp: fc.Arbitrary<Case> = fc
  .record({
    items: requests((name, more) => gcpRequest(name, more)),
    prefix,
    projectID: fc.constantFrom("my-project", "example.com:my-project"),
    keyStorage: fc.constantFrom("Bucket", "PoolJWKFile", "External"),
    bucket: optional(fc.constant("other-bucket")),
    pool: optional(fc.constant("other-pool")),
    provider: optional(fc.constant("other-provider")),
    universeDomain: optional(fc.constant("apis-example.goog")),
    renamed: fc.boolean(),
    tokenPath,
  })
  .map(({ items, prefix, keyStorage, bucket, renamed, tokenPath, ...fields }) => {
    const gcp = {
      ...fields,
      keyStorage,
      bucket: keyStorage === "External" ? undefined : bucket,
      overrides: renamed ? overrides(items, (index) => ({ serviceAccountID: `random-${index}x7k2p` })) : undefined,
    };
    const config = gcpConfig({ gcp: defined(gcp), spec: defined({ resourcePrefix: prefix, tokenPath }) });
    if (keyStorage === "External") config.spec.issuer = { ...config.spec.issuer, url: externalIssuer };
    const { projectID, universeDomain } = fields;
    return {
      platform: "GCP",
      config,
      items,
      status: defined({ projectID, region: "europe-west3", universeDomain }),
      flags: ["--key-storage", keyStorage],
    };
  });

const azureRegions = {
  AzurePublicCloud: "eastus",
  AzureUSGovernmentCloud: "usgovvirginia",
  AzureChinaCloud: "chinanorth3",
} as const;

const ofAzure: fc.Arbitrary<Case> = fc
  .record({
    items: requests((name, more) => azureRequest(name, more)),
    prefix,
    cloud: fc.constantFrom("AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"),
    hosting: fc.constantFrom("default", "named", "external"),
    installResourceGroup: optional(fc.constant("cluster-group")),
    networkResourceGroup: optional(fc.constant("network-group")),
    tokenPath,
  })
  .map(({ items, prefix, cloud, hosting, installResourceGroup, networkResourceGroup, tokenPath }) => {
    const named = { storageAccount: "named", container: "other-container" };
    const issuerHosting = { default: undefined, named, external: { type: "External" } }[hosting];
    const config = azureConfig({
      azure: defined({ cloud, region: azureRegions[cloud], installResourceGroup, networkResourceGroup, issuerHosting }),
      spec: defined({ resourcePrefix: prefix, tokenPath }),
    });
    if (hosting === "external") config.spec.issuer = { ...config.spec.issuer, url: externalIssuer };
    const annotations = { "fn.cloudcredential.dev/resource-prefix": prefix };
    return {
      platform: "Azure",
      config,
      items: [...items, clientIds(items.map(keyOf), { annotations })],
      status: {
        cloudName: cloud,
        resourceGroupName: installResourceGroup ?? prefix,
        networkResourceGroupName: networkResourceGroup ?? installResourceGroup ?? prefix,
      },
      // The container's name is taken for the prefix.
      flags: hosting === "named" ? ["--resource-prefix", prefix] : [],
    };
  });

describe("a package that is imported from the cluster of another package emits the same Secrets and issuer", () => {
  it.each([
    ["AWS", ofAws],
    ["GCP", ofGcp],
    ["Azure", ofAzure],
  ])("%s", async (_, cases) => {
    await fc.assert(fc.asyncProperty(cases, expectRoundTrip), { numRuns: runs(60) / 2 });
  });
});
