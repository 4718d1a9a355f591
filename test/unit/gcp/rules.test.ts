import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { type Any, make, publicKey, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const config = (gcp: Any = {}): Any => ({
  apiVersion: "fn.cloudcredential.dev/v1alpha1",
  kind: "ClusterIdentity",
  metadata: { name: "demo" },
  spec: {
    issuer: { signingKeys: [{ publicKey }] },
    platform: { gcp: { projectID: "my-project", projectNumber: "123456789012", ...gcp } },
  },
});
const asking = (providerSpec: Any, more: Any = {}) =>
  request("one", {
    spec: {
      secretRef: { namespace: "openshift-one", name: "credentials" },
      providerSpec: { kind: "GCPProviderSpec", ...providerSpec },
    },
    ...more,
  });
const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "openshift-one" } };

/** A rendered package, as a list of copies of its objects. */
function rendered(asked = asking({ predefinedRoles: ["roles/dns.admin"], permissions: ["a.b.get"] }), gcp: Any = {}) {
  const fns = [generateOidcIssuer, generateCloudCredentials, configureOperators];
  const { objects, exitCode, stderr } = make(fns, config(gcp), [asked]);
  expect(exitCode, stderr).toBe(0);
  const copy = Object.values<Any>(structuredClone(objects));
  const of = (kind: string, name: string) => copy.find((one) => one.kind === kind && one.metadata.name === name);
  return {
    items: [config(gcp), asked, namespace, ...copy],
    secret: of("Secret", "credentials"),
    bundle: of("ConfigMap", "gcp-identity-openshift-one-credentials"),
  };
}

/** Changes a file of a bundle ConfigMap or the text of a Secret. */
function edit(texts: Any, name: string, change: (value: Any) => void): void {
  const value = JSON.parse(texts[name]);
  change(value);
  texts[name] = JSON.stringify(value);
}

/** The codes of rules, without those that only say that a file was edited. */
const edited = new Set(["role-edited", "secret-edited", "bundle-edited"]);
const rulesOf = (items: readonly Any[]) => codesOf(validated(items)).filter((code) => !edited.has(code));
const found = (providerSpec: Any) => validated([asking(providerSpec)]);

describe("permissions in the whole project", () => {
  it.each<[string, Any, readonly string[]]>([
    ["actAs", { permissions: ["iam.serviceAccounts.actAs"] }, ["act-as-any"]],
    ["a role with actAs", { predefinedRoles: ["roles/iam.serviceAccountUser"] }, ["act-as-any"]],
    ["getAccessToken", { permissions: ["iam.serviceAccounts.getAccessToken"] }, ["impersonate-any"]],
    ["getOpenIdToken", { permissions: ["iam.serviceAccounts.getOpenIdToken"] }, ["impersonate-any"]],
    ["implicitDelegation", { permissions: ["iam.serviceAccounts.implicitDelegation"] }, ["impersonate-any"]],
    ["signBlob", { permissions: ["iam.serviceAccounts.signBlob"] }, ["impersonate-any"]],
    ["signJwt", { permissions: ["iam.serviceAccounts.signJwt"] }, ["impersonate-any"]],
    ["keys", { permissions: ["iam.serviceAccountKeys.create"] }, ["impersonate-any"]],
    ["a role that signs", { predefinedRoles: ["roles/iam.serviceAccountTokenCreator"] }, ["impersonate-any"]],
    ["a role that creates keys", { predefinedRoles: ["roles/iam.serviceAccountKeyAdmin"] }, ["impersonate-any"]],
    ["a role of workloads", { predefinedRoles: ["roles/iam.workloadIdentityUser"] }, ["impersonate-any"]],
    ["setIamPolicy", { permissions: ["resourcemanager.projects.setIamPolicy"] }, ["set-policy-any"]],
    ["roles.update", { permissions: ["iam.roles.update"] }, ["set-policy-any"]],
    ["a role that sets policies", { predefinedRoles: ["roles/resourcemanager.projectIamAdmin"] }, ["set-policy-any"]],
    ["a role that sets some", { predefinedRoles: ["roles/compute.instanceAdmin.v1"] }, ["set-policy-any"]],
    ["nothing of it", { permissions: ["iam.serviceAccounts.get", "iam.roles.get"] }, []],
    ["names that begin so", { permissions: ["iam.serviceAccounts.actAsNobody", "iam.roles.updateX"] }, []],
    ["a role of readers", { predefinedRoles: ["roles/iam.securityReviewer", "roles/resourcemanager.tagUser"] }, []],
  ])("%s", (_name, providerSpec, codes) => {
    expect(codesOf(found(providerSpec))).toEqual(codes);
  });

  it("are named with the role that they come with, at its place", () => {
    expect(found({ predefinedRoles: ["roles/dns.admin", "roles/iam.serviceAccountUser"] })).toMatchObject([
      {
        severity: "warning",
        message:
          'can run workloads as any service account of the project ("iam.serviceAccounts.actAs" through "roles/iam.serviceAccountUser"); remove the permission, or accept the finding with the reason.',
        field: "spec.providerSpec.predefinedRoles[1]",
        resource: { name: "one" },
      },
    ]);
    const [policies] = found({ permissions: ["iam.roles.update"], predefinedRoles: ["roles/compute.admin"] });
    expect(policies?.message).toMatch(
      /^can change policies or roles in the whole project \("compute\.backendBuckets\.setIamPolicy", "[^"]+", "[^"]+" and \d+ more through "roles\/compute\.admin"; "iam\.roles\.update"\);/,
    );
  });

  it("are accepted with a reason", () => {
    const accepted = asking(
      { predefinedRoles: ["roles/iam.serviceAccountUser"] },
      {
        annotations: {
          "fn.cloudcredential.dev/accept": "act-as-any",
          "fn.cloudcredential.dev/accept-reason": "the project has no other service accounts",
        },
      },
    );
    expect(validated([accepted])).toMatchObject([{ severity: "info", code: "act-as-any" }]);
  });

  it("are reported once, at the request, and in the package if a file grants more than the request", () => {
    const asked = asking({ predefinedRoles: ["roles/iam.serviceAccountUser"] });
    expect(rulesOf(rendered(asked).items)).toEqual(["act-as-any"]);
    const { items, bundle } = rendered();
    edit(bundle.data, "role.json", (role) => role.includedPermissions.push("iam.serviceAccounts.signJwt"));
    edit(bundle.data, "bindings.json", ({ project }) => project.push("roles/storage.admin", "roles/writer"));
    expect(validated(items).filter(({ code }) => !edited.has(code))).toMatchObject([
      { code: "basic-role-bound", message: '"data.bindings.json" binds the basic role "roles/writer"; render again.' },
      { code: "impersonate-any", field: "data.role.json", resource: { kind: "ConfigMap" } },
      { code: "set-policy-any", field: "data.bindings.json" },
    ]);
  });

  it("are not looked for in requests for AWS, nor AWS's in those for GCP", () => {
    const statementEntries = [{ effect: "Allow", action: ["iam:PassRole"], resource: "*" }];
    const secretRef = { namespace: "openshift-two", name: "credentials" };
    const aws = request("two", { spec: { secretRef, providerSpec: { kind: "AWSProviderSpec", statementEntries } } });
    expect(codesOf(validated([aws]))).toEqual(["pass-role-any"]);
    expect(codesOf(validated([aws, asking({ permissions: ["iam.roles.update"] })])).sort()).toEqual([
      "pass-role-any",
      "set-policy-any",
    ]);
    const elsewhere = asking({ permissions: ["a.b.get"] });
    elsewhere.spec.secretRef.namespace = "lab";
    const lab = { apiVersion: "v1", kind: "Namespace", metadata: { name: "lab" } };
    expect(codesOf(validated([aws, elsewhere, lab]))).toEqual(["pass-role-any"]);
    expect(codesOf(validated([aws, elsewhere]))).toEqual(["pass-role-any", "namespace-missing"]);
  });

  it("a basic role in a request is refused by the generator, whichever it is", () => {
    for (const role of ["owner", "editor", "viewer", "admin", "writer", "reader"]) {
      const all = found({ predefinedRoles: [`roles/${role}`] });
      expect(all.map(({ severity, code }) => [severity, code])).toEqual([["error", "basic-role"]]);
    }
  });
});

describe("a rendered package", () => {
  it("breaks no rule", () => {
    for (const gcp of [
      {},
      { keyStorage: "Bucket" },
      { universeDomain: "example.goog", pool: "other", provider: "third" },
    ])
      expect(codesOf(validated(rendered(undefined, gcp).items))).toEqual([]);
  });

  it("whose identity was edited differs from a render", () => {
    const { items, bundle } = rendered();
    edit(bundle.data, "bindings.json", ({ project }) => project.push("roles/file.editor"));
    expect(codesOf(validated(items))).toEqual(["role-edited"]);
  });

  const pool = "iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools";
  it.each([
    `principalSet://${pool}/demo/*`,
    `principal://${pool}/other/subject/system:serviceaccount:openshift-one:one-operator`,
    `principal://${pool}/demo/subject/system:serviceaccount:openshift-one:*`,
    "user:person@example.com",
    "allUsers",
  ])("whose account %s may use is open", (member) => {
    const { items, bundle } = rendered();
    edit(bundle.data, "bindings.json", ({ serviceAccount }) => serviceAccount.push(member));
    expect(rulesOf(items)).toEqual(["member-without-subject"]);
  });

  it("without the cluster's files is not judged by its pool", () => {
    const { items, bundle } = rendered();
    const alone = items.filter(({ kind, metadata }) => kind !== "ConfigMap" || metadata.name === bundle.metadata.name);
    expect(rulesOf(alone.slice(1))).toEqual([]);
    edit(bundle.data, "bindings.json", ({ serviceAccount }) => serviceAccount.push("allUsers"));
    expect(rulesOf(alone.slice(1))).toEqual(["member-without-subject"]);
  });
});

describe("the Secret of a component", () => {
  const changed = (change: (value: Any) => void, gcp: Any = {}) => {
    const { items, secret } = rendered(undefined, gcp);
    edit(secret.stringData, "service_account.json", change);
    return validated(items);
  };

  it.each<[string, (value: Any) => void, readonly string[]]>([
    [
      "of another host for the token",
      (it) => (it.token_url = "https://sts.example.com/v1/token"),
      ["external-account-host"],
    ],
    [
      "of a host that only begins so",
      (it) => (it.token_url = "https://sts.googleapis.com.example.com/v1/token"),
      ["external-account-host"],
    ],
    ["of a user at a host", (it) => (it.token_url = "https://sts.googleapis.com@e.com/v1"), ["external-account-host"]],
    ["of another port", (it) => (it.token_url = "https://sts.googleapis.com:444/v1/token"), ["external-account-host"]],
    ["without TLS", (it) => (it.token_url = "http://sts.googleapis.com/v1/token"), ["external-account-host"]],
    [
      "of another service",
      (it) => (it.token_url = "https://storage.googleapis.com/v1/token"),
      ["external-account-host"],
    ],
    ["of a regional host", (it) => (it.token_url = "https://sts.us-east1.rep.googleapis.com/v1/token"), []],
    ["of a private endpoint", (it) => (it.token_url = "https://sts-lab.p.googleapis.com/v1/token"), []],
    ["of another provider", (it) => (it.audience += "x"), ["external-account-provider"]],
    ["without an audience", (it) => delete it.audience, ["external-account-provider"]],
    ["of another token", (it) => (it.credential_source.file = "/tmp/token"), []],
    [
      "with placeholders",
      (it) => (it.audience = "//iam.googleapis.com/projects/PROJECT_NUMBER"),
      ["external-account-copied"],
    ],
  ])("%s", (_name, change, codes) => {
    const all = changed(change);
    expect(codesOf(all).filter((code) => !edited.has(code))).toEqual(codes);
    // Whatever was edited is reported, except where nothing can be compared.
    expect(codesOf(all)).toContain(codes.includes("external-account-copied") ? codes[0] : "secret-edited");
  });

  it("shows another audience only if it has the form of one", () => {
    const found = changed((it) => (it.audience = "hunter2")).find(({ code }) => code === "external-account-provider");
    expect(found?.message).toContain('"audience" is (a value that is not shown), but the cluster\'s provider is');
  });

  it("names its host in the cluster's universe", () => {
    const universe = { universeDomain: "example.goog" };
    const back = (it: Any) => {
      it.token_url = "https://sts.googleapis.com/v1/token";
    };
    expect(codesOf(changed(back, universe))).toEqual(["external-account-host", "secret-edited"]);
    expect(changed(back, universe)[0]?.message).toBe(
      '"token_url" is not a URL of "https://sts.example.goog"; the server there gets the component\'s tokens. Find out who edited the Secret, and render again.',
    );
  });

  it("names its own service account", () => {
    const other = (it: Any) => {
      it.service_account_impersonation_url = it.service_account_impersonation_url.replace("demo-one", "demo-two");
    };
    expect(changed(other)).toMatchObject([
      {
        code: "secret-edited",
        message: expect.stringMatching(
          /^names another "service_account_impersonation_url": its rendered service account is "demo-one-\w+@my-project\.iam\.gserviceaccount\.com"; render again\.$/,
        ),
        field: "stringData.service_account.json",
      },
    ]);
  });

  it("may have other white space and another order", () => {
    const { items, secret } = rendered();
    const value = JSON.parse(secret.stringData["service_account.json"]);
    secret.stringData["service_account.json"] = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
    expect(codesOf(validated(items))).toEqual([]);
  });

  it("that is not JSON, or has a key twice, is not usable", () => {
    for (const text of ["type: external_account", '{"type": "external_account", "type": "x"}', "[]"]) {
      const { items, secret } = rendered();
      secret.stringData["service_account.json"] = text;
      expect(rulesOf(items)).toEqual(["external-account-copied"]);
    }
  });

  it.each<[string, string]>([
    ["a service account key", '{"type": "service_account", "private_key": "x"}'],
    ["such a key in base64", '{ "private_key_id" : "x" }'],
    ["a refresh token", '{"type": "authorized_user", "refresh_token": "x"}'],
    ["a key inside another text", 'key: "{\\"private_key\\": \\"x\\"}"'],
  ])("with %s is one with a long-lived credential, which is never shown", (name, text) => {
    const isEncoded = name.includes("base64");
    const value = isEncoded ? { data: { any: Buffer.from(text).toString("base64") } } : { stringData: { any: text } };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace: "openshift-two", name: "x" }, ...value };
    const all = validated([config(), secret, asking({ permissions: ["a.b.get"] })]);
    expect(all.filter(({ code }) => code === "service-account-key")).toMatchObject([
      { severity: "error", field: isEncoded ? "data.any" : "stringData.any" },
    ]);
    expect(JSON.stringify(all.map(({ message }) => message))).not.toContain(text);
  });

  it("with the key of a certificate is none", () => {
    const tls = { "tls.key": "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace: "a", name: "x" }, stringData: tls };
    expect(codesOf(validated([config(), secret]))).not.toContain("service-account-key");
  });
});

describe("a live cluster", () => {
  const live = (namespace: string, name: string, stringData: Any) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name, uid: "1" },
    stringData,
  });

  it("may name the universe that libraries assume, and no other", () => {
    const { items, secret } = rendered();
    const file = JSON.parse(secret.stringData["service_account.json"]);
    const there = (domain: string) =>
      live("openshift-one", "credentials", {
        "service_account.json": JSON.stringify({ ...file, universe_domain: domain }),
      });
    expect(codesOf(validated([...items, there("googleapis.com")]))).toEqual([]);
    expect(validated([...items, there("example.goog")]).map(({ message }) => message)).toEqual([
      'differs from the one in the cluster in "universe_domain"; apply the rendered Secret.',
    ]);
  });

  it("without the installer's key, and with the rendered Secrets, is right", () => {
    const { items, secret } = rendered();
    const there = live("openshift-one", "credentials", secret.stringData);
    expect(codesOf(validated([...items, there]))).toEqual([]);
    const other = live("openshift-one", "credentials", { "service_account.json": '{"type": "service_account"}' });
    const all = validated([...items, other]).filter(({ code }) => code === "live-secret-differs");
    expect(all.map(({ message }) => message)).toEqual([
      'differs from the one in the cluster in "audience", "credential_source.file", "credential_source.format.type", "service_account_impersonation_url", "subject_token_type", "token_url", "type"; apply the rendered Secret.',
    ]);
    expect(codesOf(validated([...items, live("openshift-one", "x", {})]))).toEqual(["live-secret-missing"]);
    expect(codesOf(validated([...items, live("kube-system", "gcp-credentials", {})]))).toEqual([
      "live-installer-credentials",
    ]);
    expect(codesOf(validated([...items, live("kube-system", "aws-creds", {})]))).toEqual([]);
  });
});

describe("the install-config", () => {
  const findings = (gcp: Any) => {
    const installConfig = resourceOf({
      apiVersion: "v1",
      kind: "InstallConfig",
      metadata: { name: "demo" },
      credentialsMode: "Manual",
      platform: { gcp: { region: "us-central1", ...gcp } },
    });
    return validate({ items: [resourceOf(config())], functionConfig: undefined }, { installConfig })
      .filter(({ code }) => code.startsWith("install-config-"))
      .map(({ severity, code, message }) => [severity, code, message]);
  };

  it.each<[string, Any]>([
    ["the package's project", { projectID: "my-project" }],
    ["no project", {}],
    ["the same project for the network", { projectID: "my-project", networkProjectID: "my-project" }],
    ["a zone without a project", { projectID: "my-project", dns: { privateZone: { name: "zone" } } }],
  ])("with %s is right", (_name, gcp) => {
    expect(findings(gcp)).toEqual([]);
  });

  it("for another project is an error", () => {
    expect(findings({ projectID: "other-project" })).toEqual([
      [
        "error",
        "install-config-project",
        '"platform.gcp.projectID" is "other-project", but the project in the package is "my-project"; use the install-config of this cluster, or correct the project in the package.',
      ],
    ]);
  });

  it("with the network or the zone in other projects needs roles that the package does not grant", () => {
    const privateZone = { name: "zone", projectID: "dns-project" };
    expect(findings({ projectID: "my-project", networkProjectID: "host-project", dns: { privateZone } })).toEqual([
      [
        "warning",
        "install-config-other-project",
        '"platform.gcp.networkProjectID" is "host-project": the network is in another project, but the package grants roles only in "my-project". Grant the service accounts that need them roles in "host-project", and accept the finding with that as the reason.',
      ],
      [
        "warning",
        "install-config-other-project",
        '"platform.gcp.dns.privateZone.projectID" is "dns-project": the private DNS zone is in another project, but the package grants roles only in "my-project". Grant the service accounts that need them roles in "dns-project", and accept the finding with that as the reason.',
      ],
    ]);
  });
});
