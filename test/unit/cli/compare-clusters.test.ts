import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareClusters } from "../../../src/cli/fleet/compare-clusters.ts";
import type { Place } from "../../../src/cli/fleet/select-packages.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { azureConfig, clientIds } from "../../helpers/azure-cluster.ts";
import { type Any, identity, publicKey } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { gcpConfig } from "../../helpers/gcp-cluster.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const keyless = { issuer: {} };
const aws = (name: string, aws: Any = {}, spec: Any = {}) =>
  identity({ metadata: { name }, spec: { ...keyless, ...spec }, aws });
const gcp = (name: string, gcp: Any = {}, spec: Any = {}) =>
  gcpConfig({ metadata: { name }, spec: { ...keyless, ...spec }, gcp });
const azure = (name: string, azure: Any = {}, spec: Any = {}) =>
  azureConfig({ metadata: { name }, spec: { ...keyless, ...spec }, azure });
const issuer = (url: string) => ({ issuer: { url } });

/** Writes packages, each with these files or this ClusterIdentity. */
function places(packages: readonly Any[]): Place[] {
  const root = temporary();
  return packages.map((one, at) => {
    const path = `c${String(at).padStart(3, "0")}`;
    writeTree(join(root, path), one.kind === undefined ? one : { "cluster-identity.yaml": JSON.stringify(one) });
    return { directory: join(root, path), path, inside: [] };
  });
}

/** The findings about each package. */
function findings(packages: readonly Any[], today?: string): (readonly Finding[])[] {
  const all = places(packages);
  const { of } = compareClusters({ places: all, all, limits: [], uncheckedFindings: [] }, today);
  return all.map((place) => of(place).map((one) => withoutRoot(one, all)));
}

function withoutRoot(one: Finding, [first]: readonly Place[]): Finding {
  return { ...one, message: one.message.replaceAll(join(first?.directory ?? "", "../"), "") };
}

const fields = (packages: readonly Any[]) => findings(packages).map((some) => some.map(({ field }) => field));

const awsHosting = "spec.platform.aws.issuerHosting";
const role = (roleName: string, more: Any = {}) => ({ overrides: { "ns-one/credentials": { roleName, ...more } } });
const cdn = (distributionDomain: string, more: Any = {}) => ({
  issuerHosting: { type: "S3CloudFront", distributionDomain, ...more },
});
const own = (domain: string) => ({
  domain,
  certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000",
});
const external = { issuerHosting: { type: "External" } };
const overrides = (one: Any) => ({ overrides: { "ns-one/credentials": one } });
const otherAccount = { accountID: "210987654321" };
const otherProject = { projectID: "other-project", projectNumber: "210987654321" };
const otherSubscription = { subscriptionID: "99999999-1111-2222-3333-444444444444" };
const otherTenant = { tenantID: "99999999-6666-7777-8888-999999999999" };
const url = "https://oidc.example.com/one";
const guid = "0b0e4701-0000-4000-8000-00000000000a";

/** Two packages, and the fields of the findings about each. */
const conflicts: readonly [string, Any, Any, string | readonly [string, string]][] = [
  ["AWS: a copy", aws("demo"), aws("demo"), "metadata.name"],
  ["AWS: one name", aws("demo"), aws("demo", {}, { resourcePrefix: "other" }), "metadata.name"],
  ["AWS: one prefix", aws("demo"), aws("other", {}, { resourcePrefix: "demo" }), "spec.resourcePrefix"],
  ["AWS: one bucket in two accounts", aws("demo"), aws("demo", otherAccount), `${awsHosting}.bucket`],
  ["AWS: one bucket", aws("one"), aws("two", { issuerHosting: { bucket: "one-oidc" } }), `${awsHosting}.bucket`],
  ["AWS: one issuer", aws("one", external, issuer(url)), aws("two", external, issuer(url)), "spec.issuer.url"],
  [
    "AWS: one distribution",
    aws("one", cdn("d111111abcdef8.cloudfront.net")),
    aws("two", cdn("d111111abcdef8.cloudfront.net")),
    `${awsHosting}.distributionDomain`,
  ],
  [
    "AWS: one custom domain",
    aws("one", cdn("d111111abcdef8.cloudfront.net", own("oidc.example.com"))),
    aws("two", cdn("d222222abcdef8.cloudfront.net", own("oidc.example.com"))),
    `${awsHosting}.domain`,
  ],
  ["AWS: one role, in any case", aws("one", role("Mine")), aws("two", role("mine")), "spec.platform.aws.overrides"],
  [
    "AWS: a role with another's computed name, whatever its path",
    aws("one", { roles: { path: "/a/" } }),
    aws("two", role("one-ns-one-credentials")),
    "spec.platform.aws.overrides",
  ],
  ["GCP: a copy", gcp("demo"), gcp("demo"), "metadata.name"],
  ["GCP: one prefix", gcp("demo"), gcp("other", {}, { resourcePrefix: "demo" }), "spec.resourcePrefix"],
  ["GCP: one pool", gcp("demo"), gcp("other", { pool: "demo" }), "spec.platform.gcp.pool"],
  [
    "GCP: one bucket in two projects",
    gcp("demo", { keyStorage: "Bucket" }),
    gcp("demo", { keyStorage: "Bucket", ...otherProject }),
    "spec.platform.gcp.bucket",
  ],
  ["GCP: one issuer", gcp("first", {}, issuer(url)), gcp("second", otherProject, issuer(url)), "spec.issuer.url"],
  [
    "GCP: one computed issuer",
    gcp("first", { bucket: "mine" }),
    gcp("second", { bucket: "mine" }),
    "spec.platform.gcp.bucket",
  ],
  ["GCP: one computed issuer in two projects", gcp("demo"), gcp("demo", otherProject), "spec.resourcePrefix"],
  [
    "GCP: one given bucket in two projects",
    gcp("first", { bucket: "mine" }),
    gcp("second", { bucket: "mine", ...otherProject }),
    "spec.platform.gcp.bucket",
  ],
  [
    "GCP: one issuer, published by one of them",
    gcp("demo", { keyStorage: "Bucket" }),
    gcp("demo", otherProject),
    ["spec.platform.gcp.bucket", "spec.resourcePrefix"],
  ],
  [
    "GCP: one service account",
    gcp("first", overrides({ serviceAccountID: "registry" })),
    gcp("second", overrides({ serviceAccountID: "registry" })),
    "spec.platform.gcp.overrides",
  ],
  [
    "GCP: one custom role",
    gcp("first", overrides({ customRoleID: "registry" })),
    gcp("second", overrides({ customRoleID: "registry" })),
    "spec.platform.gcp.overrides",
  ],
  ["Azure: a copy", azure("demo"), azure("demo"), "metadata.name"],
  [
    "Azure: a copy, with the subscription in another case",
    azure("demo", { subscriptionID: "AAAAAAAA-1111-2222-3333-444444444444" }),
    azure("demo", { subscriptionID: "aaaaaaaa-1111-2222-3333-444444444444" }),
    "metadata.name",
  ],
  ["Azure: one prefix", azure("demo"), azure("other", {}, { resourcePrefix: "demo" }), "spec.resourcePrefix"],
  [
    "Azure: one storage account, with two containers",
    azure("one", { issuerHosting: { storageAccount: "mine" } }),
    azure("two", { issuerHosting: { storageAccount: "mine" }, ...otherSubscription }),
    "spec.platform.azure.issuerHosting.storageAccount",
  ],
  [
    "Azure: one managed identity, in any case",
    azure("one", overrides({ identityName: "Registry" })),
    azure("two", overrides({ identityName: "registry" })),
    "spec.platform.azure.overrides",
  ],
  [
    "Azure: a managed identity with another's computed name",
    azure("one"),
    azure("two", overrides({ identityName: "one-ns-one-credentials" })),
    "spec.platform.azure.overrides",
  ],
  [
    "Azure: one prefix in two subscriptions of a tenant",
    azure("demo"),
    azure("demo", otherSubscription),
    "spec.resourcePrefix",
  ],
  [
    "Azure: one prefix in two subscriptions of a tenant, with an identity that has a name of its own",
    azure("demo"),
    azure("demo", { ...otherSubscription, ...overrides({ identityName: "registry" }) }),
    "spec.resourcePrefix",
  ],
  [
    "Azure: one name of a custom role in two subscriptions of a tenant",
    azure("one", overrides({ identityName: "Registry" })),
    azure("two", { ...otherSubscription, ...overrides({ identityName: "registry" }) }),
    "spec.platform.azure.overrides",
  ],
  [
    "Azure: one custom role, in any case",
    azure("one", overrides({ roleDefinitionID: guid })),
    azure("two", overrides({ roleDefinitionID: guid.toUpperCase() })),
    "spec.platform.azure.overrides",
  ],
  [
    "Azure: one client ID, in any case, of two Secrets in two subscriptions",
    azure("one", overrides({ clientID: guid })),
    azure("two", { overrides: { "ns-two/credentials": { clientID: guid.toUpperCase() } }, ...otherSubscription }),
    "spec.platform.azure.overrides",
  ],
  [
    "one issuer on two clouds",
    aws("one", external, issuer(url)),
    azure("two", external, issuer(url)),
    "spec.issuer.url",
  ],
];

/** Two packages that share what they may share. */
const allowed: readonly [string, Any, Any][] = [
  ["two names in one account", aws("one"), aws("two")],
  ["the name, in two accounts", aws("demo"), aws("demo", { ...otherAccount, issuerHosting: { bucket: "other" } })],
  ["the bucket, in two partitions", aws("demo"), aws("demo", { accountID: "210987654321", region: "us-gov-west-1" })],
  ["the role, in two accounts", aws("one", role("mine")), aws("two", { ...otherAccount, ...role("mine") })],
  [
    "the name of a role that is skipped",
    aws("one", role("mine")),
    aws("two", role("mine"), {
      overrides: { "ns-one/credentials": { skip: true } },
    }),
  ],
  [
    "tags, a boundary, and the path of roles",
    ...(["one", "two"].map((name) =>
      aws(name, {
        tags: { team: "a" },
        roles: { path: "/a/", permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/a" },
      }),
    ) as [Any, Any]),
  ],
  [
    "the previous issuer",
    aws("one", {}, { issuer: { previous: [url] } }),
    aws("two", {}, { issuer: { previous: [url] } }),
  ],
  ["the name, in two projects with two issuers", gcp("demo"), gcp("demo", otherProject, issuer(url))],
  ["the name, in two projects with two buckets", gcp("demo"), gcp("demo", { ...otherProject, bucket: "other" })],
  ["the pool, in two projects", gcp("first", { pool: "mine" }), gcp("second", { pool: "mine", ...otherProject })],
  ["the name, in two tenants", azure("demo"), azure("demo", { ...otherSubscription, ...otherTenant })],
  [
    "a managed identity, in two tenants",
    azure("one", overrides({ identityName: "registry" })),
    azure("two", { ...overrides({ identityName: "registry" }), ...otherSubscription, ...otherTenant }),
  ],
  [
    "resource groups",
    ...(["one", "two"].map((name) =>
      azure(name, { oidcResourceGroup: "mine", installResourceGroup: "ours", networkResourceGroup: "net" }),
    ) as [Any, Any]),
  ],
  [
    "the client ID of an identity that is skipped",
    azure("one", overrides({ clientID: guid })),
    azure("two", overrides({ clientID: guid }), { overrides: { "ns-one/credentials": { skip: true } } }),
  ],
  ["the name, on two clouds", aws("demo"), azure("demo")],
];

describe("two packages", () => {
  it.each(conflicts)("are not one cluster: %s", (_, one, other, field) => {
    const [first, second] = findings([one, other]);
    const [ofFirst, ofSecond] = typeof field === "string" ? [field, field] : field;
    expect([first, second].map((some) => some?.map(({ code, field }) => ({ code, field })))).toEqual([
      [{ code: "cluster-not-unique", field: ofFirst }],
      [{ code: "cluster-not-unique", field: ofSecond }],
    ]);
    expect(first?.[0]?.message).toContain('in the package of "c001/cluster-identity.yaml"');
    expect(second?.[0]?.message).toContain('in the package of "c000/cluster-identity.yaml"');
  });

  it.each(allowed)("may share %s", (_, one, other) => {
    expect(findings([one, other])).toEqual([[], []]);
  });

  it("have a finding that says what one issuer means, and what to set", () => {
    const [first] = findings([gcp("demo"), gcp("demo", otherProject)]);
    expect(first).toMatchObject([
      {
        severity: "error",
        message:
          'the issuer URL "https://storage.googleapis.com/demo-oidc" is also in the package of "c001/cluster-identity.yaml". A service that trusts the issuer cannot tell the tokens of the clusters apart. Set "spec.resourcePrefix" to another value, or "spec.issuer.url" to a URL of its own, in one of the packages, or remove the copy.',
      },
    ]);
  });

  it("have a finding that says that custom roles need other names in a tenant", () => {
    const tenant = "55555555-6666-7777-8888-999999999999";
    const [first] = findings([azure("demo"), azure("demo", otherSubscription)]);
    expect(first).toMatchObject([
      {
        severity: "error",
        message: `the prefix of custom roles "demo" in the tenant "${tenant}" is also in the package of "c001/cluster-identity.yaml". Azure refuses a custom role if another one in the tenant has the same name. Set "spec.resourcePrefix" to another value in one of the packages, or remove the copy.`,
      },
    ]);
    const named = overrides({ identityName: "registry" });
    expect(findings([azure("one", named), azure("two", { ...otherSubscription, ...named })])[0]?.[0]?.message).toBe(
      `the custom role "registry" in the tenant "${tenant}" is also in the package of "c001/cluster-identity.yaml". Azure refuses a custom role if another one in the tenant has the same name. Set "identityName" in "spec.platform.azure.overrides" to another name in one of the packages, or remove the copy.`,
    );
  });

  it("have a finding that says what a client ID of another cluster means", () => {
    const [first] = findings(["one", "two"].map((name) => azure(name, overrides({ clientID: guid }))));
    expect(first).toMatchObject([
      {
        severity: "error",
        message: `the client ID "${guid}" is also in the package of "c001/cluster-identity.yaml". The components of one cluster would ask for tokens of the other one's managed identity. Correct or remove "clientID" in "spec.platform.azure.overrides" in one of the packages, or remove the copy.`,
      },
    ]);
  });

  it("on Azure have no client ID of a ConfigMap in common, wherever it is, and none in an override", () => {
    const withIds = (name: string, path: string, key: string, id: string, spec: Any = {}) => ({
      "cluster-identity.yaml": JSON.stringify(azure(name, {}, spec)),
      [path]: JSON.stringify(
        clientIds([], { annotations: { "fn.cloudcredential.dev/resource-prefix": name }, data: { [key]: id } }),
      ),
    });
    const usual = "azure/identities.yaml";
    const first = withIds("one", usual, "ns-one_credentials", guid);
    const others: [Any, string][] = [
      [withIds("two", usual, "ns-one_credentials", guid.toUpperCase()), "identities"],
      [withIds("two", "ids.yaml", "ns-two_credentials", guid), "identities"],
      [azure("two", overrides({ clientID: guid })), "overrides"],
    ];
    for (const [other, field] of others)
      expect(fields([first, other])).toEqual([["spec.platform.azure.identities"], [`spec.platform.azure.${field}`]]);
    expect(findings([first, others[0]?.[0]])[0]?.[0]?.message).toBe(
      `the client ID "${guid}" is also in the package of "c001/cluster-identity.yaml". The components of one cluster would ask for tokens of the other one's managed identity. Write the ConfigMap "azure-identities" with the cluster's own client IDs ("ccf set-identities") in one of the packages, or remove the copy.`,
    );
    const skipped = { overrides: { "ns-one/credentials": { skip: true } } };
    for (const other of [
      withIds("two", usual, "ns-one_credentials", guid.replace(/.$/, "b")),
      withIds("two", usual, "ns-one_credentials", guid, skipped),
    ])
      expect(findings([first, other])).toEqual([[], []]);
  });

  it("have a finding that says what is the same, what follows from it, and what to change", () => {
    const [first] = findings([aws("demo"), aws("demo")]);
    expect(first?.[0]).toMatchObject({
      severity: "error",
      message:
        'the ClusterIdentity name "demo" in the account "123456789012", and the resource prefix, bucket, issuer URL derived from it, are also in the package of "c001/cluster-identity.yaml". Each cluster would replace what the other one uses. Remove the package that is the copy. Or edit its ClusterIdentity by hand, to make it another cluster: set "metadata.name" to values of its own, all at once. Then delete the files of the copy that contain the annotation "fn.cloudcredential.dev/generated-by" and, if there is one, the file that "ccf set-identities" wrote, and render it.',
      resource: { kind: "ClusterIdentity", name: "demo" },
      file: { path: "cluster-identity.yaml", index: 0 },
    });
  });

  it("have one finding about all role names", () => {
    const roles = Object.fromEntries(["a", "b"].map((name) => [`ns-${name}/credentials`, { roleName: name }]));
    const [first, ...more] = findings([aws("one", { overrides: roles }), aws("two", { overrides: roles })])[0] ?? [];
    expect(more).toEqual([]);
    expect(first?.message).toMatch(
      /^the roles "a", "b" in the account "123456789012" are also in .* Set "roleName" in "spec.platform.aws.overrides" to another name in one/,
    );
  });

  it("of which one is a copy have a finding that names all fields to change at once", () => {
    const copy = (keys: readonly string[]) =>
      aws("demo", external, {
        resourcePrefix: "demo",
        issuer: { url, signingKeys: keys.map((publicKey) => ({ publicKey })) },
      });
    const [first] = findings([copy([publicKey]), copy([publicKey])]);
    expect(first?.[0]?.message).toContain(
      'Or edit its ClusterIdentity by hand, to make it another cluster: set "metadata.name", "spec.resourcePrefix", "spec.issuer.url", "spec.issuer.signingKeys" to values of its own, all at once. "ccf create-key-pair --output-dir DIR" creates keys in a directory. Then delete',
    );
    expect(findings([copy([publicKey]), copy([newKey()])])[0]?.[0]?.message).not.toContain("signingKeys");
  });

  it("with only one name have a finding that says how to edit it", () => {
    const [first] = findings([aws("demo"), aws("demo", {}, { resourcePrefix: "other" })]);
    expect(first?.[0]?.message).toMatch(
      /uses\. Edit one of the ClusterIdentities by hand, and set "metadata\.name" to another value\.$/,
    );
  });

  it("have a finding for each value that does not follow from another", () => {
    const one = aws("demo", external, { ...issuer(url), resourcePrefix: "demo" });
    expect(fields([one, one])).toEqual(Array(2).fill(["metadata.name", "spec.resourcePrefix", "spec.issuer.url"]));
  });
});

describe("what the ClusterIdentity does not say", () => {
  it("is read from the other objects of the package", () => {
    const withoutUrl = (name: string) => ({
      "cluster-identity.yaml": JSON.stringify(aws(name, external)),
      "authentication.yaml": `apiVersion: config.openshift.io/v1\nkind: Authentication\nmetadata: {name: cluster}\nspec: {serviceAccountIssuer: "${url}"}\n`,
    });
    expect(fields([withoutUrl("one"), withoutUrl("two")])).toEqual([["spec.issuer.url"], ["spec.issuer.url"]]);
    const keyIn = (name: string) => ({
      "id.yaml": JSON.stringify(
        aws(name, {}, { issuer: { signingKeys: [{ from: { configMapKeyRef: { name: "keys", key: "pub" } } }] } }),
      ),
      "keys.yaml": JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "keys" },
        data: { pub: publicKey },
      }),
    });
    expect(fields([keyIn("one"), keyIn("two")])).toEqual([["spec.issuer.signingKeys"], []]);
  });

  it("is in the file that the Kptfile names", () => {
    const named = (name: string) => ({
      "config/id.yaml": JSON.stringify(aws(name)),
      Kptfile:
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\npipeline:\n  mutators:\n  - exec: ccf generate-oidc-issuer\n    configPath: config/id.yaml\n",
    });
    expect(fields([named("demo"), aws("demo")])).toEqual([["metadata.name"], ["metadata.name"]]);
  });
});

const newKey = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }).toString();
const withKeys = (name: string, keys: readonly string[], spec: Any = {}) =>
  aws(name, {}, { ...spec, issuer: { signingKeys: keys.map((publicKey) => ({ publicKey })) } });
const accept = (name: string, more: Any = {}) => ({
  accept: [{ rule: "signing-key-shared", object: `ClusterIdentity/${name}`, reason: "one test cluster", ...more }],
});

describe("a signing key of several clusters", () => {
  const other = newKey();

  it("is one warning, which names all of them", () => {
    const keys = [[publicKey], [other], [other, publicKey], [publicKey]];
    const found = findings(keys.map((some, at) => withKeys(`c${at}`, some)));
    expect(found.map((some) => some.map(({ severity, code }) => [severity, code]))).toEqual([
      [["warning", "signing-key-shared"]],
      [["warning", "signing-key-shared"]],
      [],
      [],
    ]);
    expect(found[0]?.[0]?.message).toMatch(
      /^3 clusters sign their tokens with the key "[\w-]{43}": "c000\/cluster-identity.yaml", "c002\/.*", "c003\/[^"]*"\. Create a key pair/,
    );
  });

  it("is about a cluster that does not accept it", () => {
    const one = withKeys("one", [publicKey], accept("one"));
    expect(findings([one, withKeys("two", [publicKey])]).map((some) => some.map(({ severity }) => severity))).toEqual([
      [],
      ["warning"],
    ]);
  });

  it("is a note if all clusters accept it, until that expires", () => {
    const until = { until: "2026-01-31" };
    const both = ["one", "two"].map((name) => withKeys(name, [publicKey], accept(name, until)));
    const severities = (today?: string) => findings(both, today).map((some) => some.map(({ severity }) => severity));
    expect(severities("2026-01-31")).toEqual([["info"], []]);
    expect(severities()).toEqual([["info"], []]);
    expect(severities("2026-02-01")).toEqual([["warning"], []]);
    expect(findings(both)[0]?.[0]?.accepted).toBe('"one test cluster"');
  });
});

describe("a selection", () => {
  const root = () => places([aws("demo"), aws("other"), aws("demo")]) as [Place, Place, Place];

  it("is compared with the packages that it excludes", () => {
    const all = root();
    const [first, second, third] = all;
    const { of } = compareClusters({ places: [second, third], all, limits: ["touched"], uncheckedFindings: [] });
    expect([first, second, third].map((place) => of(place).length)).toEqual([0, 0, 1]);
    expect(compareClusters({ places: [first], all: [first], limits: [], uncheckedFindings: [] }).of(first)).toEqual([]);
  });

  it("says which of them cannot be compared", () => {
    const all = places([
      aws("demo"),
      { "cluster-identity.yaml": "kind: ClusterIdentity\na: [\n" },
      aws("x", { region: 1 }),
    ]);
    const [first, ...broken] = all as [Place, ...Place[]];
    const { unreadFindings } = compareClusters({
      places: [first],
      all,
      limits: ["shard 1/2"],
      uncheckedFindings: [],
    });
    expect(unreadFindings.map(({ severity, code }) => [severity, code])).toEqual([["warning", "cluster-not-compared"]]);
    for (const { directory } of broken) expect(unreadFindings[0]?.message).toContain(directory);
    // A selected package fails by itself.
    expect(compareClusters({ places: all, all, limits: [], uncheckedFindings: [] }).unreadFindings).toEqual([]);
  });
});

const uuid = (of: number, at: number) => `0000000${of}-0000-0000-0000-${String(at).padStart(12, "0")}`;

/** What makes a copy another cluster: each of these differences is enough. */
const differences: readonly ((at: number) => Any)[] = [
  (at) => aws(`demo-${at}`),
  (at) => aws("demo", { accountID: String(100000000000 + at), issuerHosting: { bucket: `demo-${at}` } }),
  (at) => gcp(`demo-${at}`),
  (at) => gcp("demo", { projectID: `project-${at}`, projectNumber: String(1000 + at), bucket: `demo-${at}` }),
  (at) => azure(`demo-${at}`),
  (at) => azure("demo", { subscriptionID: uuid(1, at), tenantID: uuid(2, at) }),
];

describe("many copies", () => {
  it("with an allowed difference are different clusters, and the same difference twice is one", () => {
    const copies = fc.record({
      difference: fc.constantFrom(...differences),
      at: fc.uniqueArray(fc.nat(99), { minLength: 2, maxLength: 8 }),
      twice: fc.nat(7),
    });
    fc.assert(
      fc.property(copies, ({ difference, at, twice }) => {
        const configs = at.map((one) => difference(one));
        expect(findings(configs).flat()).toEqual([]);
        const repeated = twice % at.length;
        const found = findings([...configs, configs[repeated]]);
        const affected = found.flatMap((some, index) => (some.length > 0 ? [index] : []));
        expect(affected).toEqual([repeated, at.length]);
      }),
      { numRuns: runs(100, 15) },
    );
  });

  it("have the same findings in any order", () => {
    const all = places(conflicts.slice(0, 12).flatMap(([, one, other]) => [one, other]));
    const found = (order: readonly Place[]) => {
      const { of } = compareClusters({ places: order, all: order, limits: [], uncheckedFindings: [] });
      return all.map((place) => of(place));
    };
    const expected = found(all);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
        expect(found(order)).toEqual(expected);
      }),
      { numRuns: runs(30, 5) },
    );
  });

  it("have short findings", () => {
    const found = findings(Array.from({ length: 300 }, () => aws("demo")));
    expect(found.map((some) => some.length)).toEqual(Array(300).fill(1));
    expect(found[7]?.[0]?.message).toMatch(/in the package of "c000\/(?:[^"]*", "){4}c004\/[^"]*" and 294 more\./);
  });
});
