import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { type Any, expectClean, type Made, make, makeCredentials, makeIssuer } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { gcpConfig, gcpRequest, withGcpIssuer } from "../../helpers/gcp-cluster.ts";

const kid = "HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk";
const pool = "projects/123456789012/locations/global/workloadIdentityPools/demo";
const both = [generateOidcIssuer, generateCloudCredentials];
const identityOf = (made: Made, name = "ns-one-credentials") => made.bundle(`gcp/identities/${name}.yaml`);
const secretOf = ({ objects }: Made) => objects["manifests/ns-one-credentials-credentials.yaml"];
const issuerFiles = (config: Any) => makeIssuer(config).bundle("gcp/issuer.yaml");
const facts = (config: Any) => makeIssuer(config).bundle("gcp/cluster.yaml")["cluster.json"];

describe("the issuer", () => {
  it("is a pool and a provider that contains the keys, without a discovery document", () => {
    const made = makeIssuer(gcpConfig());
    expect(made.exitCode).toBe(0);
    const files = made.bundle("gcp/issuer.yaml");
    expect(Object.keys(files)).toEqual(["keys.json", "pool.json", "provider.json"]);
    expect(files["pool.json"]).toEqual({
      name: pool,
      displayName: "demo",
      description: "Owned by: demo",
      disabled: false,
    });
    expect(files["provider.json"]).toEqual({
      name: `${pool}/providers/demo`,
      displayName: "demo",
      description: "Owned by: demo",
      disabled: false,
      attributeMapping: { "google.subject": "assertion.sub" },
      oidc: { issuerUri: "https://storage.googleapis.com/demo-oidc", allowedAudiences: ["openshift"] },
    });
    expect(files["keys.json"].keys).toEqual([
      { kty: "RSA", alg: "RS256", use: "sig", kid, n: expect.any(String), e: "AQAB" },
    ]);
    expect(made.objects["manifests/cluster-authentication-02-config.yaml"].spec.serviceAccountIssuer).toBe(
      "https://storage.googleapis.com/demo-oidc",
    );
  });

  it("has the pool, the provider, the audiences and the condition of the config", () => {
    const gcp = { pool: "pool-one", provider: "provider-one", attributeCondition: "assertion.sub != ''" };
    const files = issuerFiles(withGcpIssuer({ audiences: ["one", "two"] }, gcp));
    expect(files["provider.json"]).toMatchObject({
      name: "projects/123456789012/locations/global/workloadIdentityPools/pool-one/providers/provider-one",
      displayName: "provider-one",
      attributeCondition: "assertion.sub != ''",
      oidc: { allowedAudiences: ["one", "two"] },
    });
    expect(issuerFiles(gcpConfig({ gcp: { pool: "pool-one" } }))["provider.json"].name).toMatch(
      /\/pool-one\/providers\/pool-one$/,
    );
    expect(issuerFiles(gcpConfig({ gcp: { attributeCondition: "" } }))["provider.json"]).not.toHaveProperty(
      "attributeCondition",
    );
  });

  it("is a public bucket whose objects can be read, but not listed", () => {
    const files = issuerFiles(gcpConfig({ gcp: { keyStorage: "Bucket", region: "europe-west3" } }));
    expect(Object.keys(files)).toEqual([
      "bucket-policy.json",
      "bucket.json",
      "keys.json",
      "openid-configuration",
      "pool.json",
      "provider.json",
    ]);
    expect(files["bucket.json"]).toEqual({
      name: "demo-oidc",
      location: "EUROPE-WEST3",
      iamConfiguration: { publicAccessPrevention: "inherited", uniformBucketLevelAccess: { enabled: true } },
      labels: { "openshift-cloud-credential-operator": "demo" },
    });
    expect(files["bucket-policy.json"]).toEqual({
      bindings: [{ role: "roles/storage.legacyObjectReader", members: ["allUsers"] }],
    });
    expect(files["openid-configuration"]).toMatchObject({
      issuer: "https://storage.googleapis.com/demo-oidc",
      jwks_uri: "https://storage.googleapis.com/demo-oidc/keys.json",
      id_token_signing_alg_values_supported: ["RS256"],
    });
  });

  it.each([
    [{ keyStorage: "Bucket", bucket: "keys_of-1" }, {}, "https://storage.googleapis.com/keys_of-1", "keys_of-1"],
    [
      { keyStorage: "Bucket", universeDomain: "apis-example.goog" },
      {},
      "https://storage.apis-example.goog/demo-oidc",
      "demo-oidc",
    ],
    [
      { keyStorage: "Bucket" },
      { url: "https://storage.googleapis.com/demo-oidc" },
      "https://storage.googleapis.com/demo-oidc",
      "demo-oidc",
    ],
    [{ bucket: "keys-of-1" }, {}, "https://storage.googleapis.com/keys-of-1", undefined],
    [{ bucket: "bad..name" }, { url: "https://oidc.example.com/demo" }, "https://oidc.example.com/demo", undefined],
    [{ keyStorage: "External" }, { url: "https://oidc.example.com/demo" }, "https://oidc.example.com/demo", undefined],
  ] as const)("of %j with the issuer %j is %s in the bucket %s", (gcp, issuer, url, bucket) => {
    const config = withGcpIssuer(issuer, gcp);
    expectClean(makeIssuer(config));
    expect(issuerFiles(config)["provider.json"].oidc.issuerUri).toBe(url);
    expect(facts(config)).toMatchObject({ issuer: url, keyStorage: (gcp as Any).keyStorage ?? "PoolJWKFile" });
    expect(facts(config).bucket).toBe(bucket);
    expect(issuerFiles(config)["bucket.json"]?.name).toBe(bucket);
  });
});

describe("the cluster's bundle", () => {
  it("contains the facts that ccf apply needs", () => {
    const universeDomain = "apis-example.goog";
    expect(facts(gcpConfig({ gcp: { keyStorage: "Bucket", universeDomain, pool: "pool-one" } }))).toEqual({
      projectID: "my-project",
      projectNumber: "123456789012",
      region: "us",
      universeDomain,
      resourcePrefix: "demo",
      owner: "Owned by: demo",
      keyStorage: "Bucket",
      issuer: "https://storage.apis-example.goog/demo-oidc",
      pool: "pool-one",
      provider: "pool-one",
      bucket: "demo-oidc",
    });
  });

  it("contains the permissions of the administrator, and with the keys in the pool, those to delete a former bucket", () => {
    const role = (gcp: Any) => makeIssuer(gcpConfig({ gcp })).bundle("gcp/cluster.yaml")["admin-role.json"];
    const [provider, bucket] = [role({}), role({ keyStorage: "Bucket" })];
    for (const { includedPermissions, stage, title, description } of [provider, bucket]) {
      expect({ stage, title, description }).toEqual({
        stage: "GA",
        title: "Cluster identity demo",
        description: "Permissions to apply the cloud credentials of the cluster demo",
      });
      expect(includedPermissions).toEqual([...new Set(includedPermissions)].sort());
    }
    const ofStorage = ({ includedPermissions }: Any) =>
      includedPermissions.filter((one: string) => one.startsWith("storage."));
    expect(ofStorage(provider)).toEqual([
      "storage.buckets.delete",
      "storage.buckets.get",
      "storage.buckets.getIamPolicy",
      "storage.multipartUploads.list",
      "storage.objects.delete",
      "storage.objects.list",
    ]);
    expect(bucket.includedPermissions).toEqual(expect.arrayContaining(provider.includedPermissions));
    expect(bucket.includedPermissions).toContain("storage.buckets.setIamPolicy");
  });
});

describe("an identity", () => {
  const providerSpec = {
    predefinedRoles: ["roles/storage.admin", "roles/dns.admin", "roles/storage.admin"],
    permissions: ["storage.buckets.list", "compute.disks.get", "storage.buckets.list", "iam.googleapis.com/x.get"],
  };
  const made = makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec })]);
  const roleId = /^demo_ns_one_credentials_[a-z2-7]{7}$/;

  it("is a service account with a custom role, bound on the project, that its components may impersonate", () => {
    expectClean(made);
    const files = identityOf(made);
    const { email } = files["service-account.json"];
    expect(email).toMatch(/^demo-ns-one-[a-z2-7]{7}@my-project\.iam\.gserviceaccount\.com$/);
    const role = files["role.json"].name;
    expect(role.split("/").at(-1)).toMatch(roleId);
    expect(files).toEqual({
      "bindings.json": {
        project: ["roles/dns.admin", "roles/storage.admin", role],
        serviceAccount: [`principal://iam.googleapis.com/${pool}/subject/system:serviceaccount:ns-one:one-operator`],
      },
      "identity.json": {
        secret: "ns-one/credentials",
        services: ["compute.googleapis.com", "iam.googleapis.com", "storage.googleapis.com"],
      },
      "role.json": {
        name: role,
        title: "demo ns-one/credentials",
        description: "Owned by: demo",
        stage: "GA",
        includedPermissions: ["compute.disks.get", "iam.googleapis.com/x.get", "storage.buckets.list"],
      },
      "service-account.json": {
        name: `projects/my-project/serviceAccounts/${email}`,
        email,
        displayName: "demo ns-one/credentials",
        description: "Owned by: demo",
      },
    });
    expect(role).toMatch(/^projects\/my-project\/roles\//);
  });

  it("has no custom role if the request names roles alone, and no services if it skips their check", () => {
    const roles = identityOf(
      makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec: { permissions: null } })]),
    );
    expect(Object.keys(roles)).toEqual(["bindings.json", "identity.json", "service-account.json"]);
    expect(roles["bindings.json"].project).toEqual(["roles/dns.admin"]);
    expect(roles["identity.json"]).toEqual({ secret: "ns-one/credentials" });
    const permissions = { predefinedRoles: null, permissions: ["compute.disks.get"], skipServiceCheck: true };
    const skipped = identityOf(makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec: permissions })]));
    expect(skipped["identity.json"]).toEqual({ secret: "ns-one/credentials" });
    expect(skipped["bindings.json"].project).toEqual([skipped["role.json"].name]);
  });

  it("names the API of the Resource Manager, whose permissions have another name", () => {
    const spec = { permissions: ["resourcemanager.tagValues.get", "serviceusage.services.list"] };
    const files = identityOf(makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec: spec })]));
    expect(files["identity.json"].services).toEqual([
      "cloudresourcemanager.googleapis.com",
      "serviceusage.googleapis.com",
    ]);
  });

  it("has the IDs of its override, and may be used by the service accounts of its override", () => {
    const key = "ns-one/credentials";
    const config = gcpConfig({
      gcp: { overrides: { [key]: { serviceAccountID: "kept-account", customRoleID: "Kept.role_1" } } },
      spec: { overrides: { [key]: { serviceAccountNames: ["other", "elsewhere/third"] } } },
    });
    const files = identityOf(makeCredentials(config, [gcpRequest("one", { providerSpec })]));
    expect(files["service-account.json"].email).toBe("kept-account@my-project.iam.gserviceaccount.com");
    expect(files["role.json"].name).toBe("projects/my-project/roles/Kept.role_1");
    expect(files["bindings.json"].project.at(-1)).toBe("projects/my-project/roles/Kept.role_1");
    expect(files["bindings.json"].serviceAccount.map((one: string) => one.split("/subject/")[1])).toEqual([
      "system:serviceaccount:ns-one:other",
      "system:serviceaccount:elsewhere:third",
    ]);
  });

  it("has names of at most 100 bytes, however long its Secret's name is", () => {
    const secretRef = { namespace: "n".repeat(60), name: "s".repeat(170) };
    const one = makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec, spec: { secretRef } })]);
    expectClean(one);
    const files = identityOf(one, `${"n".repeat(60)}-${"s".repeat(170)}`);
    expect(files["service-account.json"].displayName).toHaveLength(100);
    expect(files["role.json"].title).toHaveLength(100);
  });
});

describe("the Secret", () => {
  const email = (gcp: Any) => identityOf(makeCredentials(gcpConfig({ gcp }), [gcpRequest("one")]));

  it("has the text of the in-cluster operator, byte for byte, without a final newline", () => {
    const made = makeCredentials(gcpConfig(), [gcpRequest("one")]);
    const address = email({})["service-account.json"].email;
    expect(secretOf(made)).toMatchObject({
      type: "Opaque",
      metadata: { namespace: "ns-one", name: "credentials" },
      stringData: {
        "service_account.json": `{
  "type": "external_account",
  "audience": "//iam.googleapis.com/${pool}/providers/demo",
  "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
  "token_url": "https://sts.googleapis.com/v1/token",
  "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${address}:generateAccessToken",
  "credential_source": {
    "file": "/var/run/secrets/openshift/serviceaccount/token",
    "format": {
      "type": "text"
    }
  }
}`,
      },
    });
  });

  it("names the domain of another universe, and keeps iam.googleapis.com in the audience", () => {
    const gcp = { universeDomain: "apis-example.goog", projectID: "eu0:my-project" };
    const text: string = secretOf(makeCredentials(gcpConfig({ gcp }), [gcpRequest("one")])).stringData[
      "service_account.json"
    ];
    expect(text).toMatch(/\n {4}\}\n {2}\},\n {2}"universe_domain": "apis-example\.goog"\n\}$/);
    expect(JSON.parse(text)).toMatchObject({
      audience: `//iam.googleapis.com/${pool}/providers/demo`,
      token_url: "https://sts.apis-example.goog/v1/token",
      service_account_impersonation_url: `https://iamcredentials.apis-example.goog/v1/projects/-/serviceAccounts/${email(gcp)["service-account.json"].email}:generateAccessToken`,
    });
    expect(email(gcp)["service-account.json"].email).toMatch(/@my-project\.eu0\.iam\.gserviceaccount\.com$/);
    expect(email(gcp)["bindings.json"].serviceAccount[0]).toMatch(/^principal:\/\/iam\.googleapis\.com\//);
  });

  it("names the path of the request's token, or else the config's, and is encoded if asked", () => {
    const config = gcpConfig({ spec: { tokenPath: "/var/run/one", secret: { encoding: "data" } } });
    const pathOf = (spec: Any) => {
      const { data } = secretOf(makeCredentials(config, [gcpRequest("one", { spec })]));
      return JSON.parse(Buffer.from(data["service_account.json"], "base64").toString()).credential_source.file;
    };
    expect(pathOf({})).toBe("/var/run/one");
    expect(pathOf({ cloudTokenPath: "/var/run/two" })).toBe("/var/run/two");
  });
});

it("the output is the same for any order of the requests and of what is in them", () => {
  const names = ["a", "b", "c", "d"];
  const roles = ["roles/dns.admin", "roles/storage.admin", "roles/compute.viewer"];
  const permissions = ["compute.disks.get", "compute.disks.create", "dns.changes.get"];
  const generated = (order: readonly string[], roleOrder: string[], permissionOrder: string[]) => {
    const providerSpec = { predefinedRoles: roleOrder, permissions: permissionOrder };
    const made = make(
      both,
      gcpConfig(),
      order.map((name) => gcpRequest(name, { providerSpec })),
    );
    expect(made.exitCode).toBe(0);
    return JSON.stringify(made.objects);
  };
  const first = generated(names, roles, permissions);
  const shuffled = (list: readonly string[]) =>
    fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
  fc.assert(
    fc.property(shuffled(names), shuffled(roles), shuffled(permissions), (...orders) => {
      expect(generated(...orders)).toBe(first);
    }),
    { numRuns: runs(200) },
  );
});
