import { expect } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { exportFiles } from "../../../src/cli/package/export-files.ts";
import type { TerraformModule } from "../../../src/clouds/terraform.ts";
import { terraformFiles } from "../../../src/clouds/terraform-files.ts";
import { terraformMappings } from "../../../src/clouds/terraform-mappings.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { azureIdentity, azureRequest, azureSubscription, azureTenant } from "../azure-requests.ts";
import { type Any, identity, make, publicKey, request } from "../cluster.ts";
import { gcpIdentity, gcpRequest } from "../gcp-requests.ts";
import type { Account } from "./assigned.ts";

/** The module of a package, and the files of its export. */
export interface Made {
  readonly cloud: string;
  readonly account: Account;
  readonly module: TerraformModule;
  /** With those of the module. */
  readonly files: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

const accounts: Readonly<Record<string, Account>> = {
  aws: { id: "123456789012", partition: "aws" },
  azure: { id: azureSubscription, tenant: azureTenant, blobDomain: "blob.core.windows.net" },
  gcp: { id: "123456789012" },
};

/** Renders a package, and maps it. */
export function moduleOf(config: Any, requests: readonly Any[], imported?: string): Made {
  const {
    objects,
    clusterFiles = {},
    results,
  } = make([generateOidcIssuer, generateCloudCredentials], config, requests);
  expect(results.filter(({ severity }: Any) => severity === "error")).toEqual([]);
  const generated = Object.entries(objects).map(([path, object]) => ({ path, object, text: "" }));
  const ofCluster = Object.entries(clusterFiles).map(([name, text]): [string, string] => [`aws/${name}`, text]);
  const plain = new Map([
    ...exportFiles({ generated, kept: [] } as Any).map(({ path, text }): [string, string] => [path, text]),
    ...ofCluster,
  ]);
  const [cloud = ""] = Object.keys(config.spec.platform);
  const module = terraformMappings[cloud]?.(plain);
  if (module === undefined) throw new Error(`no mapping for ${cloud}`);
  const { files, findings } = terraformFiles(module, { imported });
  const project = config.spec.platform.gcp?.projectID;
  const account = { ...(accounts[cloud] as Account), ...(project === undefined ? {} : { project }) };
  return { cloud, account, module, files: new Map([...plain, ...files]), findings };
}

const aws = (fields: Any = {}) => identity({ aws: fields });
const azure = (fields: Any = {}) => azureIdentity({ azure: fields });
const gcp = (fields: Any = {}) => gcpIdentity({ gcp: fields });
const policy = (name: string) => `arn:aws:iam::123456789012:policy/${name}`;

const awsRequests = [request("one", { spec: { serviceAccountNames: ["operator", "node"] } }), request("two")];
const azureRequests = [
  azureRequest("one", {
    provider: { permissions: ["Microsoft.Compute/disks/read"], dataPermissions: ["Microsoft.Storage/*/read"] },
    spec: { serviceAccountNames: ["operator", "node", "third"] },
  }),
  azureRequest("two", { provider: { roleBindings: [{ role: "Contributor" }, { role: "Reader" }] } }),
];
const gcpRequests = [
  gcpRequest("one", {
    provider: { permissions: ["compute.disks.get", "compute.disks.list"] },
    spec: { serviceAccountNames: ["operator", "node"] },
  }),
  gcpRequest("two", { provider: { predefinedRoles: ["roles/dns.admin", "roles/storage.admin"] } }),
];

/** The configurations in which the resources of a package differ. */
export const configurations: Readonly<Record<string, () => Made>> = {
  "aws: a public bucket": () => moduleOf(aws(), awsRequests),
  "aws: a public bucket in us-east-1": () => moduleOf(aws({ region: "us-east-1" }), awsRequests),
  "aws: CloudFront before it has a domain": () =>
    moduleOf(aws({ issuerHosting: { type: "S3CloudFront" } }), awsRequests),
  "aws: CloudFront": () =>
    moduleOf(
      aws({ issuerHosting: { type: "S3CloudFront", distributionDomain: "d111111abcdef8.cloudfront.net" } }),
      awsRequests,
    ),
  "aws: CloudFront with a domain": () =>
    moduleOf(
      aws({
        issuerHosting: {
          ...{ type: "S3CloudFront", domain: "oidc.example.com" },
          certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/one",
        },
      }),
      awsRequests,
    ),
  "aws: roles with everything": () =>
    moduleOf(
      aws({
        roles: { path: "/openshift/", permissionsBoundaryARN: policy("boundary"), maxSessionDuration: 7200 },
        overrides: { "ns-one/credentials": { managedPolicyARNs: [policy("extra"), policy("path/other")] } },
        tags: { "cost-center": "1234" },
      }),
      awsRequests,
    ),
  "azure: blobs": () => moduleOf(azure(), azureRequests),
  "azure: blobs with a key, and scopes in two subscriptions": () =>
    moduleOf(
      azure({
        issuerHosting: { type: "BlobPublic", uploadAuth: "key" },
        overrides: {
          "ns-two/credentials": {
            scopes: ["images", "/subscriptions/33333333-3333-4333-8333-333333333333/resourceGroups/images"],
          },
        },
        tags: { "cost-center": "1234" },
      }),
      azureRequests,
    ),
  "azure: an issuer elsewhere": () =>
    moduleOf(
      azureIdentity({
        azure: { issuerHosting: { type: "External" } },
        spec: {
          issuer: {
            ...{ url: "https://oidc.example.com/demo", previous: ["https://old.example.com"] },
            signingKeys: [{ publicKey }],
          },
        },
      }),
      azureRequests,
    ),
  "gcp: keys in the pool": () => moduleOf(gcp(), gcpRequests),
  "gcp: a bucket": () => moduleOf(gcp({ keyStorage: "Bucket" }), gcpRequests),
  "gcp: a project of a domain, and a condition": () =>
    moduleOf(
      gcp({ projectID: "example.com:demo-project", attributeCondition: "'openshift' in assertion.aud" }),
      gcpRequests,
    ),
};

export function configured(name: string): Made {
  const module = configurations[name];
  if (module === undefined) throw new Error(`no configuration ${name}`);
  return module();
}

/** A configuration with the import blocks of a module that is called "demo". */
export function imported(name: string): Made {
  const made = configured(name);
  const { files, findings } = terraformFiles(made.module, { imported: "demo" });
  return { ...made, files: new Map([...made.files, ...files]), findings };
}
