import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCcoctlDirectory } from "../../../src/cli/import/ccoctl-directory.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import { azureRequest } from "../../helpers/azure-cluster.ts";
import { type Any, request } from "../../helpers/cluster.ts";
import { gcpRequest } from "../../helpers/gcp-cluster.ts";
import { answerOf } from "../../helpers/in-process.ts";
import {
  configOf,
  dumpFile,
  type LiveParts,
  listText,
  liveObjects,
  objectsOf,
  secretObject,
} from "../../helpers/live-cluster.ts";
import { sample } from "../../helpers/sample.ts";
import { expectFits } from "../../helpers/schema.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const keyFile = `${sample}/serviceaccount-signer.public`;
const pem = readFileSync(keyFile, "utf8");
const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";

/** A key that someone put where the name of an identity should be. */
const misplaced = "Wq7hunter2Zr9kLmNopQ";

/** The Secret that ccoctl writes for a role. */
const credentials = (arn: string, token = tokenPath) => ({
  credentials: `[default]\nsts_regional_endpoints = regional\nrole_arn = ${arn}\nweb_identity_token_file = ${token}`,
});
const role = (name: string) => credentials(`arn:aws:iam::123456789012:role/${name}`);
const released = { annotations: { "include.release.openshift.io/self-managed-high-availability": "true" } };

/** A cluster on AWS with one request, `disks`, and its role. */
const onAws = (changes: Partial<LiveParts> = {}): LiveParts => ({
  platform: "AWS",
  issuer: "https://demo-oidc.s3.us-east-2.amazonaws.com",
  requests: [request("disks", released)],
  secrets: { "ns-disks/credentials": role("demo-ns-disks-credentials") },
  status: { region: "us-east-2" },
  ...changes,
});

/** What is said if no list of roles tells how the role of {@link onAws} is. */
const unread = [
  'The input does not contain the permissions boundary of 1 role (assumed: none), the maximum session duration of 1 role (assumed: 3600), the audience condition of 1 role (assumed: none). The first "ccf apply" changes a role that differs. Pass the lists of roles with "--from", as "docs/guides/import.md" describes, or review "ccf apply --dry-run".',
  "The input does not contain the tags of 1 role. Tags that the package does not have stay in the cloud, but new resources do not get them.",
]
  .map((text) => `warning: ${text} [import-assumed]\n`)
  .join("");

/** A configuration for Google's libraries, in the form that ccoctl writes. */
const configuration = (email: string, more: Any = {}) => ({
  "service_account.json": JSON.stringify(
    {
      type: "external_account",
      audience: "//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/providers/demo",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: "https://sts.googleapis.com/v1/token",
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
      credential_source: { file: tokenPath, format: { type: "text" } },
      ...more,
    },
    undefined,
    "\t",
  ),
});

const onGcp = (changes: Partial<LiveParts> = {}): LiveParts => ({
  platform: "GCP",
  issuer: "https://storage.googleapis.com/demo-oidc",
  requests: [gcpRequest("disks", released)],
  secrets: { "ns-disks/credentials": configuration("demo-disks-x7k2p@my-project.iam.gserviceaccount.com") },
  status: { projectID: "my-project", region: "us-central1" },
  ...changes,
});

const clientId = "c11e4701-0000-4000-8000-000000000001";
const azureTexts = {
  azure_client_id: clientId,
  azure_federated_token_file: tokenPath,
  azure_region: "eastus",
  azure_subscription_id: "00000000-1111-2222-3333-444444444444",
  azure_tenant_id: "55555555-6666-7777-8888-999999999999",
};

const onAzure = (changes: Partial<LiveParts> = {}): LiveParts => ({
  platform: "Azure",
  issuer: "https://demo.blob.core.windows.net/demo",
  requests: [azureRequest("disks", released)],
  secrets: { "ns-disks/credentials": azureTexts },
  status: { cloudName: "AzurePublicCloud", resourceGroupName: "demo", networkResourceGroupName: "demo" },
  ...changes,
});

/** Imports the objects of a cluster. */
async function imported(parts: LiveParts, flags: readonly string[] = [], objects = liveObjects(parts)) {
  const root = temporary();
  const directory = join(root, "package");
  const from = dumpFile(root, objects);
  const key = flags.some((flag) => flag.startsWith("--jwks") || flag === "--no-key")
    ? []
    : ["--public-key-file", keyFile];
  const given = flags.filter((flag) => flag !== "--no-key");
  const answer = await answerOf(["import", directory, "--from", from, ...key, ...given]);
  return { ...answer, directory, root, files: () => Object.keys(readTree(root)) };
}

/** Expects an error with a code, and that nothing is written. */
async function expectRefused(
  parts: LiveParts,
  code: string,
  message: string,
  flags: readonly string[] = [],
  objects?: Any[],
) {
  const { status, stdout, stderr, files } = await imported(parts, flags, objects);
  expect({ status, stdout, files: files() }).toEqual({ status: 1, stdout: "", files: ["dump.yaml"] });
  expect(stderr).toContain(message);
  if (code !== "") expect(stderr).toContain(`[${code}]`);
}

describe("ccf import writes a package", () => {
  it("with requests as a release contains them, and says that the first render changes nothing", async () => {
    const { status, stdout, stderr, directory } = await imported(
      onAws({ requests: [request("disks", released), gcpRequest("other")] }),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: unread });
    expect(
      stdout.replaceAll(directory, "DIR"),
    ).toBe(`Created DIR: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and 1 file with 1 CredentialsRequest for AWS.
The first render, compared with the cluster:
  same          issuer: https://demo-oidc.s3.us-east-2.amazonaws.com
  same          Secret ns-disks/credentials: arn:aws:iam::123456789012:role/demo-ns-disks-credentials
The first render changes nothing in the cluster.
Next: ccf render DIR
`);
    const files = readTree(directory);
    expect(Object.keys(files)).toEqual([
      ".gitattributes",
      ".krmignore",
      "Kptfile",
      "cluster-identity.yaml",
      "credentials-requests/disks.yaml",
    ]);
    expect(files["credentials-requests/disks.yaml"]).toBe(`apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: disks
  namespace: openshift-cloud-credential-operator
  annotations:
    include.release.openshift.io/self-managed-high-availability: "true"
spec:
  secretRef:
    namespace: ns-disks
    name: credentials
  serviceAccountNames:
  - disks-operator
  providerSpec:
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action:
      - ec2:DescribeVolumes
      resource: "*"
`);
    expect(configOf(directory)).toEqual({
      apiVersion: "fn.cloudcredential.dev/v1alpha1",
      kind: "ClusterIdentity",
      metadata: { name: "demo", annotations: { "config.kubernetes.io/local-config": "true" } },
      spec: {
        release: { version: "4.21" },
        issuer: { signingKeys: [{ publicKey: pem }] },
        platform: { aws: { accountID: "123456789012", region: "us-east-2" } },
      },
    });
    expect(await answerOf(["render", directory])).toMatchObject({ status: 0 });
  });

  it("and describes the comparison in JSON", async () => {
    const { status, stdout, directory } = await imported(onAws(), ["-o", "json"]);
    expect(status).toBe(0);
    expectFits("import", stdout);
    expect(JSON.parse(stdout)).toEqual({
      package: directory,
      identity: "demo",
      platform: "aws",
      compared: [
        { what: "issuer", state: "same", id: "https://demo-oidc.s3.us-east-2.amazonaws.com", differences: [] },
        {
          what: "Secret ns-disks/credentials",
          state: "same",
          id: "arn:aws:iam::123456789012:role/demo-ns-disks-credentials",
          differences: [],
        },
      ],
      findings: Array(2).fill(expect.objectContaining({ tags: { code: "import-assumed" } })),
    });
  });

  it("with client IDs that Azure assigned", async () => {
    const { status, directory } = await imported(onAzure());
    expect(status).toBe(0);
    const ids = objectsOf(directory).find(({ kind }) => kind === "ConfigMap");
    expect(ids).toMatchObject({ metadata: { name: "azure-identities" }, data: { "ns-disks_credentials": clientId } });
  });

  describe("with the requests of a release instead of those of the cluster", () => {
    const text = listText([request("disks", released)])
      .replace(/^[\s\S]*items:\n {2}- /, "")
      .replace(/^ {4}/gm, "")
      .replace(/metadata:\n {2}resourceVersion.*\n$/m, "");
    const versionFile = (version: string) => ({
      "release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version }),
    });
    const gates = JSON.stringify({
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "Default" } },
      spec: {},
      status: { featureGates: [{ version: "", enabled: [{ name: "New" }], disabled: [] }] },
    });
    const from = (files: Readonly<Record<string, string>>) => {
      const root = temporary();
      writeTree(root, files);
      return imported(onAws({ requests: [] }), ["--credentials-requests", root]);
    };

    it("alone", async () => {
      const { status, stderr, directory } = await from({ "10-disks.yaml": text });
      expect({ status, stderr }).toEqual({ status: 0, stderr: unread });
      const paths = Object.keys(readTree(directory));
      expect(paths).toContain("credentials-requests/10-disks.yaml");
      expect(paths).not.toContain("credentials-requests/feature-gates.yaml");
    });

    it("and its feature gates", async () => {
      const files = { "10-disks.yaml": text, "50-gates.yaml": gates, ...versionFile("4.21.9") };
      const { status, stderr, directory } = await from(files);
      expect({ status, stderr }).toEqual({ status: 0, stderr: unread });
      const made = readTree(directory);
      expect(made["credentials-requests/feature-gates.yaml"]).toContain("name: New");
      expect(Object.keys(made)).not.toContain("credentials-requests/50-gates.yaml");
    });

    it("but not those of another release, or in a file that a package needs", async () => {
      const other = await from({ "10-disks.yaml": text, ...versionFile("4.20.3") });
      expect(other.status).toBe(1);
      expect(other.stderr).toContain(
        'contains the release "4.20.3", but the cluster runs "4.21.3". Pass the requests of the release that the cluster runs. [import-contradiction]',
      );
      const taken = await from({ "feature-gates.yaml": text });
      expect(taken.status).toBe(1);
      expect(taken.stderr).toContain('something else, "credentials-requests/feature-gates.yaml"; rename the file');
    });
  });

  it("never over another one", async () => {
    const root = temporary();
    writeTree(root, { "package/file": "" });
    const answer = await answerOf(["import", join(root, "package"), "--from", dumpFile(root, liveObjects(onAws()))]);
    expect(answer).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("because import overwrites nothing"),
    });
  });
});

describe("the configuration follows from the cluster:", () => {
  const long = "a-name-that-is-so-long-that-ccoctl-cuts-it";
  const requestOf = (name: string, secret = "credentials") =>
    request(name, { ...released, spec: { secretRef: { namespace: `ns-${name}`, name: secret } } });

  it.each<[string, LiveParts, Any]>([
    [
      "a prefix in the names of roles that were cut",
      onAws({
        issuer: "https://oidc.example.com/demo",
        requests: [requestOf(long)],
        secrets: { [`ns-${long}/credentials`]: role(`east-ns-${long}-credentials`.slice(0, 64)) },
      }),
      {
        metadata: { name: "east" },
        spec: {
          issuer: { url: "https://oidc.example.com/demo" },
          platform: { aws: { issuerHosting: { type: "External" } } },
        },
      },
    ],
    [
      "the prefix of most roles, and overrides for the others",
      onAws({
        requests: ["a", "b", "c"].map((name) => requestOf(name)),
        secrets: {
          "ns-a/credentials": role("east-ns-a-credentials"),
          "ns-b/credentials": role("east-ns-b-credentials"),
          "ns-c/credentials": role("Team-C"),
        },
      }),
      {
        metadata: { name: "east" },
        spec: {
          platform: {
            aws: { issuerHosting: { bucket: "demo-oidc" }, overrides: { "ns-c/credentials": { roleName: "Team-C" } } },
          },
        },
      },
    ],
    [
      "the name that the installer chose, if nothing else has a prefix",
      onAws({ issuer: "https://oidc.example.com", secrets: { "ns-disks/credentials": role("Team") } }),
      { metadata: { name: "demo-x7k2p" } },
    ],
    [
      "the path of roles",
      onAws({ secrets: { "ns-disks/credentials": role("openshift/demo-ns-disks-credentials") } }),
      { spec: { platform: { aws: { roles: { path: "/openshift/" } } } } },
    ],
    [
      "the token path of every Secret",
      onAws({
        secrets: {
          "ns-disks/credentials": credentials("arn:aws:iam::123456789012:role/demo-ns-disks-credentials", "/token"),
        },
      }),
      { spec: { tokenPath: "/token" } },
    ],
    [
      "a bucket in another region, which the package would not find",
      onAws({ issuer: "https://demo-oidc.s3.us-west-2.amazonaws.com" }),
      { spec: { platform: { aws: { issuerHosting: { type: "External" } } } } },
    ],
    [
      "the storage account, the container, and resource groups",
      onAzure({
        issuer: "https://account.blob.core.windows.net/east",
        status: { resourceGroupName: "cluster", networkResourceGroupName: "network" },
      }),
      {
        metadata: { name: "east" },
        spec: {
          platform: {
            azure: {
              installResourceGroup: "cluster",
              networkResourceGroup: "network",
              issuerHosting: { storageAccount: "account" },
            },
          },
        },
      },
    ],
    [
      "the feature set, the gates that requests name, and capabilities",
      onAws({
        requests: [
          request("disks", { annotations: { ...released.annotations, "release.openshift.io/feature-gate": "New" } }),
        ],
        featureGate: {
          spec: { featureSet: "TechPreviewNoUpgrade" },
          status: {
            featureGates: [
              { version: "4.21.3", enabled: [{ name: "New" }, { name: "Unused" }], disabled: [{ name: "Other" }] },
              { version: "4.22.0", enabled: [], disabled: [{ name: "New" }] },
            ],
          },
        },
        clusterVersion: {
          capabilities: {
            enabledCapabilities: ["Storage", "Ingress"],
            knownCapabilities: ["Storage", "Ingress", "Console"],
          },
        },
      }),
      {
        spec: {
          release: {
            version: "4.21",
            featureSet: "TechPreviewNoUpgrade",
            featureGates: ["New"],
            capabilities: ["Ingress", "Storage"],
          },
        },
      },
    ],
    [
      "the cluster profile that every request of the release names",
      onAws({
        requests: [request("disks", { annotations: { "include.release.openshift.io/single-node-developer": "true" } })],
      }),
      { spec: { release: { profile: "single-node-developer" } } },
    ],
  ])("%s", async (_, parts, expected) => {
    const { status, stdout, stderr, directory } = await imported(parts);
    expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" });
    expect(configOf(directory)).toMatchObject(expected);
  });

  it("a distribution of CloudFront, which stays as it is", async () => {
    const issuer = "https://d111111abcdef8.cloudfront.net";
    const { status, stderr, directory } = await imported(onAws({ issuer }));
    expect(status).toBe(0);
    expect(stderr).toContain("The package does not manage the distribution and its bucket");
    expect(configOf(directory).spec).toMatchObject({
      issuer: { url: issuer },
      platform: { aws: { issuerHosting: { type: "External" } } },
    });
  });

  it.each([
    ["00000000-1111-2222-3333-444444444444", "dns"],
    ["99999999-1111-2222-3333-444444444444", "/subscriptions/99999999-1111-2222-3333-444444444444/resourceGroups/dns"],
  ])("the resource group of a DNS zone in the subscription %s", async (subscription, group) => {
    const zone = `/subscriptions/${subscription}/resourceGroups/dns/providers/Microsoft.Network/dnszones/example.com`;
    const dns = {
      apiVersion: "config.openshift.io/v1",
      kind: "DNS",
      metadata: { name: "cluster" },
      spec: { publicZone: { id: zone } },
    };
    const { status, stderr, directory } = await imported(onAzure(), [], [...liveObjects(onAzure()), dns]);
    expect(status).toBe(0);
    expect(stderr).not.toContain("DNS zone");
    expect(configOf(directory).spec.platform.azure.dnsZoneResourceGroup).toBe(group);
  });

  it("the project, the pool, and the emails of service accounts", async () => {
    const { status, stderr, directory } = await imported(onGcp(), ["--key-storage", "Bucket"]);
    expect(status).toBe(0);
    expect(stderr).toContain('The location of the bucket "demo-oidc" is assumed to be "us-central1".');
    expect(stderr).toContain("The provider is assumed to have no attribute condition.");
    expect(stderr).toContain("[import-assumed]");
    expect(configOf(directory).spec.platform.gcp).toEqual({
      projectID: "my-project",
      projectNumber: "123456789012",
      region: "us-central1",
      keyStorage: "Bucket",
      pool: "demo",
      overrides: { "ns-disks/credentials": { serviceAccountID: "demo-disks-x7k2p" } },
    });
  });

  it("the name and the prefix that options set", async () => {
    const { directory } = await imported(onAws(), ["--name", "c07"]);
    expect(configOf(directory)).toMatchObject({ metadata: { name: "c07" }, spec: { resourcePrefix: "demo" } });
    const other = await imported(onAws(), ["--resource-prefix", "west"]);
    expect(configOf(other.directory)).toMatchObject({
      metadata: { name: "west" },
      spec: { platform: { aws: { overrides: { "ns-disks/credentials": { roleName: "demo-ns-disks-credentials" } } } } },
    });
  });
});

describe("the roles on AWS", () => {
  const two = onAws({
    requests: [request("disks", released), request("logs", released)],
    secrets: {
      "ns-disks/credentials": role("demo-ns-disks-credentials"),
      "ns-logs/credentials": role("demo-ns-logs-credentials"),
    },
  });
  const boundary = "arn:aws:iam::123456789012:policy/boundary";
  const mark = { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" };
  const trust = (audiences?: Any) => ({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            "demo-oidc.s3.us-east-2.amazonaws.com:sub": "system:serviceaccount:ns-disks:disks-operator",
            ...(audiences === undefined ? {} : { "demo-oidc.s3.us-east-2.amazonaws.com:aud": audiences }),
          },
        },
      },
    ],
  });
  const detail = (name: string, changes: Any = {}) => ({
    RoleName: `demo-ns-${name}-credentials`,
    Arn: `arn:aws:iam::123456789012:role/demo-ns-${name}-credentials`,
    AssumeRolePolicyDocument: trust(["openshift", "sts.amazonaws.com"]),
    PermissionsBoundary: { PermissionsBoundaryType: "Policy", PermissionsBoundaryArn: boundary },
    Tags: [mark, { Key: "Name", Value: "demo" }, { Key: "aws:x", Value: "y" }, { Key: "team", Value: "platform" }],
    ...changes,
  });
  const sessions = (duration: number) =>
    ["disks", "logs"].map((name) => ({ Arn: detail(name).Arn, MaxSessionDuration: duration }));

  async function withLists(details: readonly Any[], durations: readonly Any[] = sessions(7200)) {
    const root = temporary();
    const lists = { "a.json": { RoleDetailList: details }, "b.json": { Roles: durations } };
    writeTree(root, Object.fromEntries(Object.entries(lists).map(([path, list]) => [path, JSON.stringify(list)])));
    const from = Object.keys(lists).flatMap((path) => ["--from", join(root, path)]);
    const { status, stderr, directory } = await imported(two, from);
    return { status, stderr, aws: configOf(directory).spec.platform.aws };
  }

  it("keep their boundary, session duration, audience condition, and tags", async () => {
    const { status, stderr, aws } = await withLists([detail("disks"), detail("logs"), detail("foreign")]);
    expect({ status, stderr, aws }).toEqual({
      status: 0,
      stderr: "",
      aws: {
        accountID: "123456789012",
        region: "us-east-2",
        roles: { permissionsBoundaryARN: boundary, maxSessionDuration: 7200, requireAudience: true },
        tags: { team: "platform" },
      },
    });
  });

  it("have none of these if the lists say so, without a warning", async () => {
    const plain = { AssumeRolePolicyDocument: trust(), PermissionsBoundary: undefined, Tags: [mark] };
    const { stderr, aws } = await withLists([detail("disks", plain), detail("logs", plain)], sessions(3600));
    expect({ stderr, aws }).toEqual({ stderr: "", aws: { accountID: "123456789012", region: "us-east-2" } });
  });

  it("are as get-role prints them, one after the other", async () => {
    const root = temporary();
    const roles = ["disks", "logs"].map((name) => JSON.stringify({ Role: detail(name, { MaxSessionDuration: 3600 }) }));
    writeTree(root, { "roles.yaml": roles.join("\n---\n") });
    const { stderr, directory } = await imported(two, ["--from", join(root, "roles.yaml")]);
    expect([stderr, configOf(directory).spec.platform.aws.roles]).toEqual([
      "",
      { permissionsBoundaryARN: boundary, requireAudience: true },
    ]);
  });

  it("that differ from the others, or are in no list, are named", async () => {
    const other = { PermissionsBoundary: undefined, AssumeRolePolicyDocument: trust("openshift") };
    const differing = await withLists([detail("disks"), detail("logs", other)]);
    expect(differing.stderr).toContain(
      `A package has one permissions boundary for all roles: ${boundary}. The first "ccf apply" changes the others: demo-ns-logs-credentials has none.`,
    );
    expect(differing.stderr).toContain("A package has one audience condition for all roles");
    expect(differing.aws.roles.permissionsBoundaryARN).toBe(boundary);
    const partial = await withLists([detail("disks")]);
    expect(partial.stderr).toContain(
      `does not contain the permissions boundary of 1 role (assumed: ${boundary}), the audience condition of 1 role`,
    );
    expect(partial.stderr).not.toContain("maximum session duration");
    const audiences = { AssumeRolePolicyDocument: trust("vault") };
    const { stderr } = await withLists([detail("disks", audiences), detail("logs", audiences)]);
    expect(stderr).toContain(
      'The trust policies require the audiences "vault", but the package has "openshift", "sts.',
    );
  });

  it("require an audience only if each of their statements does", async () => {
    const { Statement } = trust("openshift");
    const mixed = { AssumeRolePolicyDocument: { Statement: [...Statement, ...trust().Statement] } };
    const { aws } = await withLists([detail("disks", mixed), detail("logs", mixed)]);
    expect(aws.roles.requireAudience).toBeUndefined();
  });
});

describe("the region of managed identities", () => {
  const there = onAzure({ secrets: { "ns-disks/credentials": { ...azureTexts, azure_region: "malaysiasouth" } } });
  const assumed = 'The managed identities are assumed to be in the region "malaysiasouth"';

  it("is assumed to be that of the cluster, with a warning where it probably is not", async () => {
    expect((await imported(there)).stderr).toContain(assumed);
    expect((await imported(onAzure())).stderr).not.toContain("assumed to be in the region");
  });

  it("follows the option", async () => {
    const { status, stderr, directory } = await imported(there, ["--identity-region", "southeastasia"]);
    expect([status, stderr.includes(assumed)]).toEqual([0, false]);
    expect(configOf(directory).spec.platform.azure).toMatchObject({
      region: "malaysiasouth",
      identityRegion: "southeastasia",
    });
  });
});

describe("ccf import exits with 2", () => {
  it("if the render would change a Secret, and shows the fields", async () => {
    const parts = onAws({
      requests: [request("disks", { ...released, spec: { cloudTokenPath: "/other" } })],
      secrets: {
        "ns-disks/credentials": {
          credentials: `${role("demo-ns-disks-credentials").credentials}\nextra = not shown`,
        },
      },
    });
    const { status, stdout } = await imported(parts);
    expect(status).toBe(2);
    expect(
      stdout,
    ).toContain(`  changes       Secret ns-disks/credentials: arn:aws:iam::123456789012:role/demo-ns-disks-credentials
                "extra" is only in the cluster
                "web_identity_token_file"
                  cluster  "${tokenPath}"
                  package  "/other"
The first render would change 1, and 0 could not be compared.
`);
    expect(stdout).not.toContain("not shown");
  });

  it.each<[string, LiveParts, readonly string[]]>([
    [
      "AWS",
      onAws({
        secrets: {
          "ns-disks/credentials": {
            credentials: `[default]\nrole_arn = ${misplaced}\nweb_identity_token_file = ${misplaced}\nregion = ${misplaced}\n${misplaced}=1`,
            ...{ sts_regional_endpoints: misplaced },
          },
        },
      }),
      ["--account-id", "123456789012"],
    ],
    [
      "GCP",
      onGcp({
        secrets: {
          "ns-disks/credentials": configuration(misplaced, {
            audience: misplaced,
            subject_token_type: misplaced,
            token_url: `https://${misplaced}/`,
            credential_source: { file: misplaced, format: { type: misplaced } },
            universe_domain: misplaced,
          }),
        },
      }),
      ["--project-number", "123456789012", "--key-storage", "Bucket"],
    ],
    [
      "Azure",
      onAzure({
        secrets: {
          "ns-disks/credentials": {
            ...Object.fromEntries(Object.keys(azureTexts).map((key) => [key, misplaced])),
            azure_client_id: clientId,
          },
        },
      }),
      [
        ...["--subscription-id", azureTexts.azure_subscription_id, "--tenant-id", azureTexts.azure_tenant_id],
        ...["--region", "eastus"],
      ],
    ],
  ])(
    "on %s, if a Secret has a key where an ID or a path must be, which is never shown",
    async (_cloud, parts, flags) => {
      for (const output of ["text", "json"]) {
        const { status, stdout, stderr, directory } = await imported(parts, [...flags, "--output", output]);
        expect(status).toBe(2);
        const all = stdout + stderr + Object.values(readTree(directory)).join("");
        expect(all.toLowerCase()).not.toContain(misplaced.toLowerCase());
        expect(stdout).toContain("(a value that is not shown)");
      }
    },
  );

  it("not with a key where a client ID must be, because nothing is rendered without it; it is never shown", async () => {
    const secrets = { "ns-disks/credentials": { ...azureTexts, azure_client_id: misplaced } };
    const { status, stdout, stderr } = await imported(onAzure({ secrets }));
    expect(status).toBe(0);
    expect(stderr).toContain("[import-secret-unread]");
    expect(stdout + stderr).not.toContain(misplaced);
  });

  it("if the input lacks a Secret", async () => {
    const { status, stdout } = await imported(onAws({ secrets: {} }), ["--account-id", "123456789012"]);
    expect(status).toBe(2);
    expect(stdout).toContain(
      "  unknown       Secret ns-disks/credentials\n                The input does not contain it.",
    );
  });

  it("if a Secret contains a long-lived key, which is never shown", async () => {
    const key = { aws_access_key_id: "AKIAABCDEFGHIJKLMNOP", aws_secret_access_key: "c2VjcmV0IG9mIHRoZSBrZXk" };
    const { status, stdout, stderr, directory } = await imported(onAws({ secrets: { "ns-disks/credentials": key } }), [
      "--account-id",
      "123456789012",
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain("Secret ns-disks/credentials: contains a long-lived credential");
    expect(stderr).toContain("[import-long-lived-key]");
    const all = stdout + stderr + Object.values(readTree(directory)).join("");
    for (const text of Object.values(key)) expect(all).not.toContain(text);
  });

  it("if a Secret names no identity", async () => {
    const { status, stderr } = await imported(onAws({ secrets: { "ns-disks/credentials": credentials("") } }), [
      "--account-id",
      "123456789012",
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain("[import-secret-unread]");
  });

  it("if the first render fails", async () => {
    const { status, stdout, stderr } = await imported(
      onAws({ requests: [request("disks", { ...released, spec: { serviceAccountNames: [] } })] }),
    );
    expect(status).toBe(2);
    expect(stderr).toContain("[no-service-account]");
    expect(stdout).toContain("The first render fails, so it was not compared with the cluster.");
  });
});

it("requests of OLM operators stay with the cloud-credential-operator", async () => {
  const arn = "arn:aws:iam::123456789012:role/operator";
  const operator = request("operator");
  operator.spec.providerSpec.stsIAMRoleARN = arn;
  const parts = onAws({
    requests: [request("disks", released), operator],
    secrets: { ...onAws().secrets, "ns-operator/credentials": credentials(arn) },
  });
  const { status, stderr, directory } = await imported(parts, ["--verbose"]);
  expect(status).toBe(0);
  expect(stderr).toContain(
    "CredentialsRequest openshift-cloud-credential-operator/operator: belongs to an OLM operator",
  );
  expect(stderr).toContain("[import-operator-request]");
  expect(Object.keys(readTree(directory))).not.toContain("credentials-requests/operator.yaml");
});

describe("ccf import refuses", () => {
  const objects = (change: (all: Any[]) => Any[]) => change(liveObjects(onAws()));
  const without = (kind: string) => objects((all) => all.filter((object) => object.kind !== kind));

  it.each(["Authentication", "Infrastructure", "FeatureGate", "ClusterVersion", "CredentialsRequest"])(
    "input without %s",
    (kind) =>
      expectRefused(
        onAws(),
        "import-incomplete",
        `the input contains no ${kind}. Run this command, and pass its output with "--from"${kind === "CredentialsRequest" ? ', or "--credentials-requests" with the requests of the release' : ""}: oc get authentications.config.openshift.io,infrastructures,featuregates,clusterversions,credentialsrequests -A -o yaml`,
        [],
        without(kind),
      ),
  );

  it.each<[string, LiveParts, string, string, readonly string[]]>([
    [
      "a cluster with long-lived keys",
      onAws({ issuer: undefined }),
      "import-not-short-term",
      'has no "spec.serviceAccountIssuer"',
      [],
    ],
    [
      "another platform",
      onAws({ platform: "VSphere" }),
      "import-platform-unsupported",
      'runs on the platform "VSphere". Only clusters on AWS, Azure',
      [],
    ],
    [
      "requests of another cloud alone",
      onAws({ requests: [gcpRequest("disks")] }),
      "import-incomplete",
      "but none for AWS",
      [],
    ],
    [
      "roles of two accounts",
      onAws({
        requests: [request("a", released), request("b", released)],
        secrets: {
          "ns-a/credentials": role("demo-ns-a-credentials"),
          "ns-b/credentials": credentials("arn:aws:iam::210987654321:role/demo-ns-b-credentials"),
        },
      }),
      "import-contradiction",
      'the Secrets name more than one account: "123456789012", "210987654321"',
      [],
    ],
    [
      "an option that contradicts the cluster",
      onAws(),
      "import-contradiction",
      '--region is "us-west-2", but the cluster says "us-east-2"',
      ["--region", "us-west-2"],
    ],
    [
      "another platform than the cluster's",
      onAws(),
      "import-contradiction",
      '--platform is "gcp", but the cluster runs on AWS',
      ["--platform", "gcp"],
    ],
    ["an option of another cloud", onAws(), "", "--project-id is an option for GCP", ["--project-id", "my-project"]],
    ["missing values without a terminal", onGcp(), "", "error: --key-storage is required.", []],
    ["a missing account", onAws({ secrets: {} }), "", "error: --account-id is required.", []],
    ["a missing key", onAws(), "", "error: --public-key-file is required.", ["--no-key"]],
    [
      "an invalid answer",
      onGcp(),
      "config-invalid-field",
      '"spec.platform.gcp.region"',
      ["--key-storage", "Bucket", "--region", "NO"],
    ],
    [
      "a name that is not a file name",
      onAws({ requests: [request("../../disks", released)] }),
      "",
      'a CredentialsRequest with the name "../../disks"',
      [],
    ],
  ])("%s", (_, parts, code, message, flags) => expectRefused(parts, code, message, flags));

  it.each<[string, (all: Any[]) => Any[]]>([
    ["Authentication", (all) => [...all, ...liveObjects(onAws({ issuer: "https://other.example.com" }))]],
    ["Infrastructure", (all) => [...all, { ...all[1], status: { ...all[1].status, infrastructureName: "other" } }]],
    ["ClusterVersion", (all) => [...all, { ...all[3], spec: { clusterID: "other" } }]],
    ["Secret", (all) => [...all, secretObject("ns-disks/credentials", role("other"))]],
    [
      "CredentialsRequest",
      (all) => [...all, request("disks", { ...released, spec: { serviceAccountNames: ["other"] } })],
    ],
  ])("objects of two clusters: %s", (kind, change) =>
    expectRefused(onAws(), "import-contradiction", `${kind} "`, [], objects(change)),
  );

  it("no input, standard input twice, and files that are not YAML", async () => {
    const root = temporary();
    writeTree(root, { "tabs.yaml": "a:\n\t- b: [\n" });
    const answer = (flags: readonly string[]) => answerOf(["import", join(root, "package"), ...flags]);
    expect((await answer([])).stderr).toContain("--from FILE or --from-ccoctl OUT is required");
    expect((await answer(["--from", "-", "--from", "-"])).stderr).toContain('--from "-" may appear only once');
    expect((await answer(["--from", join(root, "tabs.yaml")])).stderr).toContain("is not YAML: ");
    expect((await answer(["--from", join(root, "none.yaml")])).stderr).toContain(
      "does not exist. [input-file-invalid]",
    );
    expect((await answer(["--from-ccoctl", join(root, "none")])).stderr).toContain(
      "is not a directory. [input-file-invalid]",
    );
  });
});

describe("public keys", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const other = publicKey.export({ type: "spki", format: "pem" }).toString();
  const jwkOf = (change: Any = {}) => ({
    keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig", alg: "ES256", ...change }],
  });
  const configMap = (data: Any) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "bound-sa-token-signing-certs", namespace: "openshift-kube-apiserver" },
    data,
  });
  const keysOf = (directory: string) =>
    configOf(directory).spec.issuer.signingKeys.map(({ publicKey }: Any) => publicKey);

  it("of the cluster are in their order, each once", async () => {
    const data = { "service-account-002.pub": other, "service-account-001.pub": pem, "service-account-003.pub": pem };
    const { status, directory } = await imported(onAws(), ["--no-key"], [...liveObjects(onAws()), configMap(data)]);
    expect(status).toBe(0);
    expect(keysOf(directory)).toEqual([pem, other]);
  });

  it("that an issuer publishes are the same keys", async () => {
    const root = temporary();
    writeTree(root, { "keys.json": JSON.stringify(jwkOf()) });
    const { status, directory } = await imported(onAws(), ["--jwks-file", join(root, "keys.json")]);
    expect(status).toBe(0);
    expect(keysOf(directory)).toEqual([other]);
  });

  it.each<[string, Any, string]>([
    ["private", { keys: [privateKey.export({ format: "jwk" })] }, "is private; treat it as compromised"],
    [
      "with another ID than Kubernetes computes",
      jwkOf({ kid: "other" }),
      "has another ID than Kubernetes computes for it",
    ],
    ["without its numbers", { keys: [{ kty: "EC" }] }, "contains a key (number 1) that cannot be read"],
    ["missing", { keys: [] }, "contains no keys"],
  ])("are refused if they are %s", async (_, jwks, message) => {
    const root = temporary();
    writeTree(root, { "keys.json": JSON.stringify(jwks) });
    await expectRefused(onAws(), "import-key-invalid", message, ["--jwks-file", join(root, "keys.json")]);
  });

  it("in the cluster's ConfigMap that are not keys are refused", () =>
    expectRefused(
      onAws(),
      "import-key-invalid",
      '"service-account-001.pub" in ConfigMap',
      ["--no-key"],
      [...liveObjects(onAws()), configMap({ "service-account-001.pub": "text" })],
    ));
});

describe("the directory that ccoctl wrote", () => {
  const yaml = (object: Any) => JSON.stringify(object);
  const out = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    "manifests/ns-disks-credentials-credentials.yaml": yaml(
      secretObject("ns-disks/credentials", role("demo-ns-disks-credentials")),
    ),
    "manifests/cluster-authentication-02-config.yaml": yaml(liveObjects(onAws())[0]),
    "serviceaccount-signer.public": pem,
    ...changes,
  });
  const run = async (files: Readonly<Record<string, string>>, flags: readonly string[] = []) => {
    const root = temporary();
    writeTree(root, Object.fromEntries(Object.entries(files).map(([path, text]) => [`out/${path}`, text])));
    writeTree(root, { "requests/disks.yaml": yaml(request("disks", released)) });
    const requests = ["--credentials-requests", join(root, "requests")];
    const answer = await answerOf([
      "import",
      join(root, "package"),
      "--from-ccoctl",
      join(root, "out"),
      ...requests,
      ...flags,
    ]);
    return { ...answer, directory: join(root, "package") };
  };

  it("is enough, with the requests of the release", async () => {
    const { status, stdout, stderr, directory } = await run(out());
    expect(status).toBe(0);
    expect(stdout).toContain("The first render changes nothing in the cluster.");
    expect(stderr).toContain("All capabilities are assumed to be enabled.");
    expect(configOf(directory).spec.platform).toEqual({ aws: { accountID: "123456789012", region: "us-east-2" } });
  });

  it("may contain only the documents of the issuer, numbered", async () => {
    const {
      "serviceaccount-signer.public": _,
      "manifests/cluster-authentication-02-config.yaml": __,
      ...files
    } = out({
      "03-openid-configuration": JSON.stringify({ issuer: "https://demo-oidc.s3.us-east-2.amazonaws.com" }),
      "04-keys.json": JSON.stringify({
        keys: [{ ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }) }],
      }),
    });
    expect(await run(files)).toMatchObject({ status: 0 });
  });

  it("has private keys, which are not read", async () => {
    const unread = "not read, although not a key";
    const { status, stderr } = await run(
      out({ "serviceaccount-signer.private": unread, "tls/bound-service-account-signing-key.key": unread }),
    );
    expect(status).toBe(0);
    expect(
      stderr.match(/is a private key\. It was not read\. Never add it to Git\. \[import-private-key\]/g),
    ).toHaveLength(2);
  });

  it.each(["manifests/a.yaml", "04-keys.json", "openid-configuration", "serviceaccount-signer.public"])(
    "is refused if %s is a pipe or a link to nothing",
    (path) => {
      for (const make of [
        (file: string) => execFileSync("mkfifo", [file]),
        (file: string) => symlinkSync("none", file),
      ]) {
        const root = temporary();
        mkdirSync(join(root, "manifests"));
        make(join(root, path));
        expect(() => readCcoctlDirectory(root)).toThrow(FindingsError);
      }
    },
  );

  it("must be of the same cluster", async () => {
    const { status, stderr } = await run(
      out({ "openid-configuration": JSON.stringify({ issuer: "https://other.example.com" }) }),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('ccoctl published the issuer "https://other.example.com", but the cluster has');
  });

  describe("without the FeatureGate of the cluster", () => {
    const gated = (annotations: Any) =>
      request("preview", { annotations: { ...released.annotations, ...annotations } });
    const techPreview = { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" };
    const both = { ...onAws().secrets, "ns-preview/credentials": role("demo-ns-preview-credentials") };

    async function answer(
      annotations: Any | undefined,
      flags: readonly string[],
      secrets: LiveParts["secrets"] = both,
    ) {
      const root = temporary();
      const objects = liveObjects(onAws({ secrets }));
      const manifests = objects.filter(({ kind }) => kind === "Authentication" || kind === "Secret");
      const requests = [request("disks", released), ...(annotations === undefined ? [] : [gated(annotations)])];
      writeTree(root, {
        ...Object.fromEntries(manifests.map((object, index) => [`out/manifests/${index}.yaml`, yaml(object)])),
        "out/serviceaccount-signer.public": pem,
        ...Object.fromEntries(requests.map((one, index) => [`requests/${index}.yaml`, yaml(one)])),
      });
      const directory = join(root, "package");
      const { status, stderr, stdout } = await answerOf([
        ...["import", directory, "--from-ccoctl", join(root, "out")],
        ...["--credentials-requests", join(root, "requests"), "--region", "us-east-2", ...flags],
      ]);
      return { status, stderr, stdout, directory, isWritten: Object.keys(readTree(root)).includes("package/Kptfile") };
    }

    it.each<[string, Any, readonly string[], string]>([
      ["a feature set", techPreview, [], 'Pass "--feature-set=TechPreviewNoUpgrade", or the FeatureGate'],
      [
        "one of several feature sets",
        { "release.openshift.io/feature-set": "DevPreviewNoUpgrade, TechPreviewNoUpgrade" },
        [],
        'Pass "--feature-set=DevPreviewNoUpgrade" or "--feature-set=TechPreviewNoUpgrade", or',
      ],
      [
        "a gate",
        { "release.openshift.io/feature-gate": "Disks" },
        [],
        'Pass "--feature-gate=Disks", or the FeatureGate',
      ],
      [
        "a gate to be disabled that an option enables",
        { "release.openshift.io/feature-gate": "-Disks" },
        ["--feature-gate", "Disks"],
        'Pass "--feature-gate=-Disks", or the FeatureGate',
      ],
      ["another feature set", techPreview, ["--feature-set", "OKD"], 'Pass "--feature-set=TechPreviewNoUpgrade", or'],
    ])("refuses a Secret of a request that requires %s", async (_what, annotations, flags, cure) => {
      const { status, stderr, stdout, isWritten } = await answer(annotations, flags);
      expect({ status, stdout, isWritten }).toEqual({ status: 1, stdout: "", isWritten: false });
      expect(stderr).toContain(
        'the input contains its Secret "ns-preview/credentials", so the cluster includes the request',
      );
      expect(stderr).toContain(cure);
      expect(stderr).toContain("[import-contradiction]");
    });

    it.each<[string, Any, readonly string[], Any]>([
      ["set", techPreview, ["--feature-set=TechPreviewNoUpgrade"], { featureSet: "TechPreviewNoUpgrade" }],
      ["gate", { "release.openshift.io/feature-gate": "Disks" }, ["--feature-gate=Disks"], { featureGates: ["Disks"] }],
    ])("has the component whose feature %s an option names", async (_what, annotations, flags, release) => {
      const { status, stderr, stdout, directory } = await answer(annotations, flags);
      expect(status).toBe(0);
      expect(stdout).toContain("  same          Secret ns-preview/credentials");
      expect(configOf(directory).spec.release).toEqual(release);
      expect(stderr.includes("The feature set is assumed")).toBe(flags[0]?.startsWith("--feature-gate"));
    });

    it("excludes a request of another feature set if the directory has no Secret of it", async () => {
      const { status, stdout } = await answer(techPreview, [], onAws().secrets);
      expect(status).toBe(0);
      expect(stdout).not.toContain("ns-preview");
    });

    it("warns about a Secret without a request", async () => {
      const { status, stderr } = await answer(undefined, []);
      expect(status).toBe(0);
      expect(stderr).toContain('Secret ns-preview/credentials: names "arn:aws:iam::123456789012:role/demo-ns-preview-');
      expect(stderr).toContain("[import-secret-unrequested]");
    });
  });

  it("agrees with options about the FeatureGate of the cluster", async () => {
    await expectRefused(
      onAws(),
      "import-contradiction",
      '--feature-set is "OKD", but the FeatureGate of the cluster says "Default"',
      ["--feature-set", "OKD"],
    );
    await expectRefused(onAws(), "import-contradiction", "--feature-gate cannot be combined with the FeatureGate", [
      "--feature-gate",
      "Disks",
    ]);
    expect((await imported(onAws(), ["--feature-set", "Default"])).status).toBe(0);
  });

  it("of a dry run is not YAML, and the line that ccoctl left is named", async () => {
    const line = "POPULATE ROLE ARN AND DELETE THIS LINE";
    const { status, stderr } = await run(
      out({ "manifests/dry.yaml": `apiVersion: v1\nkind: Secret\ntype: Opaque\n${line}` }),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /dry\.yaml" of --from-ccoctl is not YAML: ccoctl wrote it with --dry-run, so it ends with the line "POPULATE ROLE ARN AND DELETE THIS LINE", line 4\. Write the missing values into the file and delete that line, or get the Secret from the cluster\. \[input-file-invalid\]/,
    );
  });
});
