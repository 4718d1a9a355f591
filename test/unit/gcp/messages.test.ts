import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Any, identity, type Made, makeCredentials, makeIssuer } from "../../helpers/cluster.ts";
import { gcpConfig, gcpRequest, withGcpIssuer } from "../../helpers/gcp-cluster.ts";

const value = gcpRequest("one");
const base = "spec.platform.gcp";

function live(gcp: Any): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { platformStatus: { type: "GCP", gcp } },
  };
}

/** Every error and warning of a run: code, field and message. */
const said = ({ results }: Made) =>
  results.filter((each) => each.severity !== "info").map((each) => [each.tags.code, each.field?.path, each.message]);

type Case = readonly [config: Any, items: readonly Any[], code: string, field: string, message: string];

const projectIdForm =
  "must be a project ID: 6 to 30 lowercase letters, digits, and '-', starting with a letter, or '<domain>:<id>'";
const poolIdForm = "must be 4 to 32 lowercase letters, digits, and '-', and not begin with 'gcp-'";
const bucketForm = "must contain only lowercase letters, digits, '-' and '_', and start and end with a letter or digit";

const invalid = (field: string, wrong: unknown, must: string): Case => [
  gcpConfig({ gcp: { [field]: wrong } }),
  [],
  "config-invalid-field",
  `${base}.${field}`,
  `"${base}.${field}" is ${typeof wrong === "string" ? JSON.stringify(wrong) : wrong}, but ${must}.`,
];

const badBucket = (bucket: string, problem: string): Case => [
  gcpConfig({ gcp: { keyStorage: "Bucket", bucket } }),
  [],
  "bucket-name-invalid",
  `${base}.bucket`,
  `the bucket's name "${bucket}" ${problem}; set "${base}.bucket" to another name.`,
];

const badPool = (prefix: string): Case => [
  gcpConfig({ spec: { resourcePrefix: prefix } }),
  [],
  "pool-id-invalid",
  `${base}.pool`,
  `the resource prefix "${prefix}" is the default ID of the workload identity pool, but a pool's ID must have 4 to 32 characters and not begin with "gcp-". Set "${base}.pool" to another ID.`,
];

const contradiction = (field: string, given: string, found: string, gcp: Any = {}): Case => [
  gcpConfig({ gcp }),
  [live({ [field]: found })],
  "project-contradiction",
  `${base}.${field}`,
  `"${base}.${field}" is "${given}", but the Infrastructure "cluster" says "${found}"; correct the wrong one.`,
];

const ofConfig: readonly Case[] = [
  ...[
    "short",
    "a".repeat(31),
    "My-project",
    "1my-project",
    "my-project-",
    "my_project",
    "a:b:my-project",
    ":my-project",
  ].map((id) => invalid("projectID", id, projectIdForm)),
  ...["a..b:my-project", "-a:my-project", "a.:my-project"].map((id) => invalid("projectID", id, projectIdForm)),
  invalid("projectNumber", 123456789012, "must be the project's number (1 to 19 digits) in quotes"),
  ...["my-project", "012345", "0", "1".repeat(20)].map((number) =>
    invalid("projectNumber", number, "must be the project's number (1 to 19 digits) in quotes"),
  ),
  ...["Apis.example", "https://apis.example", "apis", "apis.example/"].map((domain) =>
    invalid("universeDomain", domain, "must be a lowercase domain name, such as 'oidc.example.com'"),
  ),
  ...["EU", "us east1", ""].map((region) =>
    invalid("region", region, "must be a location of Cloud Storage in lowercase, such as 'us' or 'europe-west3'"),
  ),
  ...["abc", "a".repeat(33), "gcp-demo", "a_bc", "Demo"].map((id) => invalid("pool", id, poolIdForm)),
  ...["abc", "gcp-demo"].map((id) => invalid("provider", id, poolIdForm)),
  [
    gcpConfig({ gcp: { attributeCondition: "a\u0001" } }),
    [],
    "config-invalid-field",
    `${base}.attributeCondition`,
    `"${base}.attributeCondition" is "a\\u0001", but must be a CEL expression of at most 4096 characters.`,
  ],
  badPool("abc"),
  badPool("a".repeat(33)),
  badPool("gcp-one"),
  badBucket("ab", "has 2 characters, but must have 3 to 63"),
  badBucket("a".repeat(64), "has 64 characters, but must have 3 to 63"),
  badBucket("keys.example", bucketForm),
  badBucket("Keys", bucketForm),
  badBucket("keys-", bucketForm),
  badBucket("_keys", bucketForm),
  badBucket("goog-keys", 'must not start with "goog"'),
  badBucket("my-google-keys", 'must not contain "google"'),
  [
    gcpConfig({ spec: { resourcePrefix: "google-one" } }),
    [],
    "bucket-name-invalid",
    "spec.resourcePrefix",
    `the issuer's URL contains the name of a bucket, although the package creates none, and that name "google-one-oidc" must not start with "goog"; set "${base}.bucket" to another name ("ccf init" sets it with --bucket).`,
  ],
  [
    withGcpIssuer({ audiences: Array.from({ length: 11 }, (_, index) => `a${index}`) }),
    [],
    "config-invalid-field",
    "spec.issuer.audiences",
    `"spec.issuer.audiences" contains 11 audiences, but a provider of Google Cloud accepts at most 10; remove some.`,
  ],
  [
    withGcpIssuer({ previous: ["https://oidc.example.com/before"] }),
    [],
    "previous-issuer-unsupported",
    "spec.issuer.previous",
    `"spec.issuer.previous" is set, but a provider of Google Cloud trusts exactly one issuer. Remove the field, and set "spec.issuer.url" to the issuer that the cluster uses now.`,
  ],
  [
    withGcpIssuer({ url: "https://storage.googleapis.com/other" }, { keyStorage: "Bucket" }),
    [],
    "issuer-contradiction",
    "spec.issuer.url",
    `"spec.issuer.url" is "https://storage.googleapis.com/other", but with the key storage "Bucket" the issuer is "https://storage.googleapis.com/demo-oidc". Remove the URL, or set "${base}.keyStorage" to "PoolJWKFile" or "External".`,
  ],
  [
    gcpConfig({ gcp: { keyStorage: "External" } }),
    [],
    "config-missing-field",
    "spec.issuer.url",
    `"spec.issuer.url" is required for the key storage "External": the URL from which Google Cloud reads the discovery document and the keys.`,
  ],
  [
    withGcpIssuer({ url: "https://oidc.example.com" }, { keyStorage: "External", bucket: "keys" }),
    [],
    "hosting-contradiction",
    `${base}.bucket`,
    `"${base}.bucket" is set, but the key storage "External" has no bucket; remove the field or change "${base}.keyStorage".`,
  ],
  contradiction("projectID", "my-project", "other-project"),
  contradiction("universeDomain", "googleapis.com", "apis-example.goog"),
  contradiction("universeDomain", "apis-example.goog", "googleapis.com", { universeDomain: "apis-example.goog" }),
];

describe("a problem in a config is reported in full, at its field, by each function that reads it", () => {
  it.each(ofConfig)("%#", (config, items, code, field, message) => {
    for (const made of [makeIssuer(config, items), makeCredentials(config, [value, ...items])]) {
      expect(said(made)).toEqual([[code, field, message]]);
      expect(made.exitCode).toBe(1);
      expect(made.objects).toEqual({});
    }
  });

  it("a missing field", () => {
    const made = makeIssuer(gcpConfig({ gcp: { projectID: undefined, projectNumber: undefined } }));
    expect(said(made).map(([code, field]) => [code, field])).toEqual([
      ["config-missing-field", `${base}.projectID`],
      ["config-missing-field", `${base}.projectNumber`],
    ]);
  });

  it.each(["http://oidc.example.com", "https://oidc.example.com/", "https://user@oidc.example.com"])(
    "the issuer %s, for every key storage that accepts another issuer",
    (url) => {
      for (const keyStorage of ["PoolJWKFile", "External"]) {
        const made = makeIssuer(withGcpIssuer({ url }, { keyStorage }));
        expect(said(made).map(([code, field]) => [code, field])).toEqual([["config-invalid-field", "spec.issuer.url"]]);
      }
    },
  );

  it("every problem of a config at once", () => {
    const config = withGcpIssuer(
      { previous: ["https://oidc.example.com/before"] },
      { keyStorage: "Bucket", bucket: "goog-keys" },
    );
    const made = makeIssuer({ ...config, spec: { ...config.spec, resourcePrefix: "abc" } }, [
      live({ projectID: "other-x" }),
    ]);
    expect(
      said(made)
        .map(([code]) => code)
        .sort(),
    ).toEqual(["bucket-name-invalid", "pool-id-invalid", "previous-issuer-unsupported", "project-contradiction"]);
  });
});

describe("a config that nothing contradicts", () => {
  it.each([
    live({ projectID: "my-project", region: "us-east1" }),
    live({ projectID: "", universeDomain: "" }),
    live(undefined),
  ])(
    "%#: the Infrastructure is compared only in what it says, and its region is not the bucket's",
    (infrastructure) => {
      const made = makeIssuer(gcpConfig({ gcp: { keyStorage: "Bucket" } }), [infrastructure]);
      expect(said(made)).toEqual([]);
      expect(made.bundle("gcp/issuer.yaml")["bucket.json"].location).toBe("US");
    },
  );

  it("with the issuer of a bucket that does not exist has a note, and with its own URL has none", () => {
    const notes = (config: Any) => makeIssuer(config).results.filter(({ tags }) => tags.code === "issuer-unclaimed");
    expect(notes(gcpConfig())).toMatchObject([
      {
        severity: "info",
        field: { path: "spec.issuer.url" },
        message:
          'Google Cloud reads the keys from the provider, but the issuer "https://storage.googleapis.com/demo-oidc" is a bucket that does not belong to the cluster. If someone else creates that bucket, they can impersonate the cluster to other services that read the keys from the issuer\'s URL. If you use the tokens for such services, set "spec.issuer.url" to a URL that you own.',
      },
    ]);
    expect(notes(gcpConfig({ gcp: { keyStorage: "Bucket" } }))).toEqual([]);
    expect(notes(withGcpIssuer({ url: "https://oidc.example.com" }))).toEqual([]);
  });
});

describe("a signing key", () => {
  const pem = (namedCurve: string) =>
    generateKeyPairSync("ec", { namedCurve }).publicKey.export({ type: "spki", format: "pem" }).toString();
  const withKey = (publicKey: string) => withGcpIssuer({ signingKeys: [{ publicKey }] });

  it.each([
    ["P-384", "ES384"],
    ["P-521", "ES512"],
  ])("on %s is refused, because Google Cloud accepts no %s", (curve, algorithm) => {
    const made = makeIssuer(withKey(pem(curve)));
    expect(said(made)).toEqual([
      [
        "signing-key-unsupported",
        "spec.issuer.signingKeys[0]",
        `"spec.issuer.signingKeys[0]" is a key for ${algorithm} (ECDSA, ${curve}), and Google Cloud accepts only RS256 and ES256. Create an RSA key, for example with "ccf create-key-pair".`,
      ],
    ]);
  });

  it("on P-256 is accepted, and published with its two coordinates", () => {
    const made = makeIssuer(withKey(pem("P-256")));
    expect(said(made)).toEqual([]);
    const [key] = made.bundle("gcp/issuer.yaml")["keys.json"].keys;
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    expect(key).toMatchObject({ alg: "ES256", crv: "P-256", kty: "EC" });
  });

  it("on P-384 is accepted for AWS, as before", () => {
    const { issuer } = withKey(pem("P-384")).spec;
    expect(makeIssuer(identity({ spec: { issuer } })).results.map(({ tags }) => tags.code)).not.toContain(
      "signing-key-unsupported",
    );
  });
});

const rolesField = "spec.providerSpec.predefinedRoles";
const permissionsField = "spec.providerSpec.permissions";
const permission = "must be a permission, such as 'compute.disks.create'";
const role = "must be a role, such as 'roles/compute.viewer'";

const invalidPermission = (text: string): RequestCase => [
  { permissions: [text] },
  "request-invalid-field",
  `${permissionsField}[0]`,
  `"${permissionsField}[0]" is ${JSON.stringify(text)}, but ${permission}.`,
];
const invalidRole = (text: string): RequestCase => [
  { predefinedRoles: [text] },
  "request-invalid-field",
  `${rolesField}[0]`,
  `"${rolesField}[0]" is ${JSON.stringify(text)}, but ${role}.`,
];
const neither = (providerSpec: Any): RequestCase => [
  providerSpec,
  "request-without-permissions",
  "spec.providerSpec",
  `requests neither a role nor a permission, so its service account could do nothing. Name roles in "${rolesField}" or permissions in "${permissionsField}".`,
];

type RequestCase = readonly [providerSpec: Any, code: string, field: string, message: string];

const ofRequest: readonly RequestCase[] = [
  ...[
    "*",
    "compute.*",
    "compute.disks",
    "Compute.disks.get",
    "compute..get",
    "compute.disks.get.",
    "a/b/c.d.e",
    "1.b.c",
    "a.b.*",
    "",
  ].map(invalidPermission),
  ...["dns.admin", "roles/", "roles/dns admin", "folders/1/roles/x", "projects/p/x"].map(invalidRole),
  ...["roles/owner", "roles/editor", "roles/viewer"].map(
    (basic): RequestCase => [
      { predefinedRoles: [basic] },
      "basic-role",
      rolesField,
      `requests the basic role "${basic}", which applies to every resource of the project. Name predefined roles in "${rolesField}", or individual permissions in "${permissionsField}".`,
    ],
  ),
  neither({ predefinedRoles: [] }),
  neither({ predefinedRoles: null, permissions: null }),
  neither({ predefinedRoles: undefined }),
];

describe("a problem in a request is reported in full, at its field, and only once", () => {
  it.each(ofRequest)("%#: %j", (providerSpec, code, field, message) => {
    const made = makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec })]);
    expect(said(made)).toEqual([[code, field, message]]);
    expect(made.exitCode).toBe(1);
    expect(made.objects).toEqual({});
  });

  it("a custom role of a project or an organization is a warning, and is bound", () => {
    const roles = ["organizations/123/roles/x.y", "projects/other-project/roles/own_role"];
    const made = makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec: { predefinedRoles: roles } })]);
    expect(said(made)).toEqual(
      roles.map((one) => [
        "foreign-custom-role",
        rolesField,
        `requests "${one}", a custom role that this package does not define. Check that it exists and what it allows, or name its permissions in "${permissionsField}".`,
      ]),
    );
    expect(made.bundle("gcp/identities/ns-one-credentials.yaml")["bindings.json"].project).toEqual(roles);
  });

  it("placeholders of this cloud are named as such", () => {
    const providerSpec = { predefinedRoles: ["PROJECT_ID", "roles/dns.admin"], permissions: ["${PERMISSION}"] };
    const made = makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec })]);
    expect(said(made).map(([code, field]) => [code, field])).toEqual([
      ["request-placeholder", `${permissionsField}[0]`],
      ["request-placeholder", `${rolesField}[0]`],
    ]);
  });
});
