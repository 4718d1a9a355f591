import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { azureFlags, gcpFlags, initFlags, sample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const newKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });

/** A directory with the package `a`, whose `spec` a test has changed, and a key for another cluster. */
function fleetOf(flags: readonly string[], change: (spec: Any, config: Any) => void): string {
  const root = temporary();
  expect(run(["init", join(root, "a"), ...flags]).stderr).toBe("");
  const path = join(root, "a/cluster-identity.yaml");
  const config: Any = load(readFileSync(path, "utf8"));
  change(config.spec, config);
  writeFileSync(path, dump(config));
  writeFileSync(join(root, "new.public"), newKey);
  return root;
}

const like = (root: string, ...args: readonly string[]) =>
  run(["init", "b", "--like", "a", "--name", "second", "--public-key-file", "new.public", ...args], { cwd: root });
const configOf = (root: string): Any => load(readFileSync(join(root, "b/cluster-identity.yaml"), "utf8"));
const override = { "openshift-ingress-operator/cloud-credentials": {} };
const key = Object.keys(override)[0] as string;

/** Expects that both packages can be rendered, and that nothing in them claims to be the same cluster. */
function expectTwoClusters(root: string): void {
  const rendered = run(["render", "a", "b", "-q"], { cwd: root });
  expect(rendered.stderr).not.toContain("error:");
  expect(rendered.status).toBe(0);
  const { stdout, stderr } = run(["validate", "a", "b", "-o", "json"], { cwd: root });
  expect(stderr).not.toContain("error:");
  expect(stdout).not.toMatch(/cluster-not-unique|signing-key-shared/);
}

describe("ccf init --like", () => {
  it("takes the settings, the pipeline and the requests, without what makes it the other cluster", () => {
    const root = fleetOf(initFlags({ name: "first" }), (spec, config) => {
      config.metadata.labels = { wave: "1" };
      config.metadata.annotations["fn.cloudcredential.dev/allow"] = "replace-key";
      spec.resourcePrefix = "prefix";
      spec.release = { version: "4.19" };
      spec.optionalRules = ["reaches-other-clusters"];
      spec.issuer.previous = ["https://old.example.com"];
      spec.issuer.audiences = ["openshift"];
      spec.accept = [
        { rule: "pass-role-any", object: key, reason: "Fleet." },
        { rule: "signing-key-shared", object: "ClusterIdentity/first", reason: "Own." },
      ];
      spec.overrides = { [key]: { serviceAccountNames: ["router"] } };
      Object.assign(spec.platform.aws, {
        issuerHosting: { type: "S3CloudFront", bucket: "abc", distributionDomain: "d1.cloudfront.net" },
        roles: { permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/b", path: "/x/" },
        tags: { team: "platform" },
        overrides: { [key]: { roleName: "mine", managedPolicyARNs: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] } },
      });
    });
    const { status, stdout, stderr } = like(root);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^warning: .* \[issuer-unknown\]\n$/);
    expect(stdout).toContain(
      'Settings are those of a, without spec.resourcePrefix, spec.issuer.previous, spec.issuer.signingKeys, spec.platform.aws.issuerHosting.bucket, spec.platform.aws.issuerHosting.distributionDomain, spec.platform.aws.overrides.openshift-ingress-operator/cloud-credentials.roleName, metadata.annotations."fn.cloudcredential.dev/allow", spec.accept of ClusterIdentity/first.\nNext: ccf render b\n',
    );
    expect(configOf(root)).toEqual({
      apiVersion: "fn.cloudcredential.dev/v1alpha1",
      kind: "ClusterIdentity",
      metadata: { name: "second", labels: { wave: "1" }, annotations: { "config.kubernetes.io/local-config": "true" } },
      spec: {
        release: { version: "4.19" },
        optionalRules: ["reaches-other-clusters"],
        overrides: { [key]: { serviceAccountNames: ["router"] } },
        accept: [{ rule: "pass-role-any", object: key, reason: "Fleet." }],
        issuer: { audiences: ["openshift"], signingKeys: [{ publicKey: newKey }] },
        platform: {
          aws: {
            accountID: "123456789012",
            region: "us-east-2",
            issuerHosting: { type: "S3CloudFront" },
            roles: { permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/b", path: "/x/" },
            tags: { team: "platform" },
            overrides: { [key]: { managedPolicyARNs: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] } },
          },
        },
      },
    });
    const [other, made] = [readTree(join(root, "a")), readTree(join(root, "b"))];
    expect(Object.keys(made)).toEqual(Object.keys(other));
    expect(made["Kptfile"]).toBe(other["Kptfile"]?.replace("name: first\n", "name: second\n"));
    expect(made["credentials-requests/20-ingress.yaml"]).toBe(other["credentials-requests/20-ingress.yaml"]);
  });

  it("moves ARNs to the account of the new cluster", () => {
    const arns = ["arn:aws:iam::123456789012:policy/a", "arn:aws:iam::111111111111:policy/b"];
    const root = fleetOf(initFlags({ name: "first" }), ({ platform: { aws } }) => {
      aws.roles = { permissionsBoundaryARN: arns[0] };
      aws.overrides = { [key]: { managedPolicyARNs: [arns[0]] } };
    });
    expect(like(root, "--account-id", "210987654321", "--region", "eu-west-1").stderr).toBe("");
    const moved = "arn:aws:iam::210987654321:policy/a";
    expect(configOf(root).spec.platform.aws).toEqual({
      accountID: "210987654321",
      region: "eu-west-1",
      roles: { permissionsBoundaryARN: moved },
      overrides: { [key]: { managedPolicyARNs: [moved] } },
    });
    expectTwoClusters(root);
  });

  it("omits the names of a cluster on GCP, and requires both IDs of another project", () => {
    const root = fleetOf(gcpFlags({ name: "first" }), ({ platform: { gcp } }) => {
      Object.assign(gcp, { pool: "pool-a", provider: "provider-a", bucket: "bucket-a", keyStorage: "Bucket" });
    });
    expect(like(root, "--project-id", "other-project")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--project-number is required, because "a" has that of another place'),
    });
    expect(like(root).stderr).toBe("");
    const own = { projectID: "my-project", projectNumber: "123456789012", keyStorage: "Bucket" };
    expect(configOf(root).spec.platform.gcp).toEqual(own);
    expectTwoClusters(root);
  });

  it("omits the names and the client IDs of a cluster on Azure", () => {
    const id = "99999999-0000-4444-8888-777777777777";
    const root = fleetOf(azureFlags({ name: "first" }), ({ platform: { azure } }) => {
      Object.assign(azure, { oidcResourceGroup: "a-ids", installResourceGroup: "a-rg", networkResourceGroup: "net" });
      azure.issuerHosting = { storageAccount: "aoidc", container: "first-keys", sku: "Standard_LRS" };
      azure.overrides = { [key]: { identityName: "mine", clientID: id, scopes: ["a-rg"] } };
    });
    expect(like(root)).toMatchObject({ status: 0, stderr: "" });
    expect(configOf(root).spec.platform.azure).toEqual({
      subscriptionID: "00000000-1111-2222-3333-444444444444",
      tenantID: "55555555-6666-7777-8888-999999999999",
      region: "eastus",
      networkResourceGroup: "net",
      issuerHosting: { sku: "Standard_LRS" },
    });
    expectTwoClusters(root);
  });

  it("requires the URL of an issuer that is hosted elsewhere", () => {
    const root = fleetOf(initFlags({ name: "first" }), (spec) => {
      spec.issuer.url = "https://a.example.com";
      spec.platform.aws.issuerHosting = { type: "External" };
    });
    const { status, stderr } = like(root);
    expect({ status, written: existsSync(join(root, "b")) }).toEqual({ status: 1, written: false });
    expect(stderr).toContain("spec.issuer.url");
    expect(like(root, "--issuer-url", "https://b.example.com").stderr).toBe("");
    expect(configOf(root).spec.issuer.url).toBe("https://b.example.com");
  });

  it("takes the requests of the current release only, or those that the user names", () => {
    const root = fleetOf(initFlags({ name: "first" }), () => undefined);
    const request = readFileSync(`${sample}/credentials-requests/20-ingress.yaml`, "utf8");
    const old = request.replaceAll(
      "  annotations:\n",
      "  annotations:\n    fn.cloudcredential.dev/transition: previous-release\n",
    );
    writeTree(root, { "a/credentials-requests/previous-release/20-ingress.yaml": old, "one/20-ingress.yaml": request });
    expect(like(root).stderr).toBe("");
    expect(existsSync(join(root, "b/credentials-requests/20-ingress.yaml"))).toBe(true);
    expect(existsSync(join(root, "b/credentials-requests/previous-release"))).toBe(false);
    const args = ["--like", "a", "--name", "third", "--public-key-file", "new.public", "--credentials-requests", "one"];
    expect(run(["init", "c", ...args], { cwd: root }).stderr).toBe("");
    expect(Object.keys(readTree(join(root, "c/credentials-requests")))).toEqual(["20-ingress.yaml"]);
  });

  it.each([
    [["--name", "first"], '--name "first" is the name of the cluster in "a"; choose another one'],
    [["--public-key-file", `${sample}/serviceaccount-signer.public`], "contains a key of the cluster in"],
    [["--platform", "gcp"], '--platform "gcp" is not the cloud of "a"; omit it'],
    [["--project-id", "x"], "--project-id is an option for GCP, but the platform is AWS"],
    [["--container"], "--container has no effect with --like"],
    [["--like", "new.public"], "is not a directory"],
  ])("refuses %j, and writes nothing", (args, message) => {
    const root = fleetOf(initFlags({ name: "first" }), () => undefined);
    const { status, stdout, stderr } = like(root, ...args);
    expect({ status, stdout, written: existsSync(join(root, "b")) }).toEqual({ status: 1, stdout: "", written: false });
    expect(stderr).toContain(message);
  });

  it("names the flags that only the user knows", () => {
    const root = fleetOf(initFlags({ name: "first" }), () => undefined);
    const { stderr } = run(["init", "b", "--like", "a"], { cwd: root });
    expect(stderr).toContain("error: --name, --public-key-file are required");
    expect(run(["init", "b", "--issuer-url", "https://x"], { cwd: root }).stderr).toContain(
      "--issuer-url requires --like",
    );
  });
});
