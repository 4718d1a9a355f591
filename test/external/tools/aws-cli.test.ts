import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { derivedFiles } from "../../../src/clouds/aws/commands.ts";
import { run } from "../../helpers/ccf.ts";
import {
  awsOf,
  bundledFiles,
  type Fields,
  generatedFiles,
  newPackage,
  renderedPackage,
  roleBundles,
  sampleRequests,
  succeed,
} from "../../helpers/cluster-package.ts";
import { MadeUpAws, twoAtATime } from "../../helpers/moto.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const tools = ["aws", "moto_server"];
let aws: MadeUpAws;

async function start(): Promise<void> {
  aws = await MadeUpAws.start();
}
async function stop(): Promise<void> {
  await aws?.stop();
}

describeWith(tools, "the AWS CLI takes what is carried", () => {
  beforeAll(start);
  afterAll(stop);

  it("makes the issuer: bucket, documents and provider", async () => {
    await aws.reset();
    await makeIssuer(renderedPackage());
  });

  it.each([
    ["us-east-1", "aws", "amazonaws.com"],
    ["cn-north-1", "aws-cn", "amazonaws.com.cn"],
    ["us-gov-west-1", "aws-us-gov", "amazonaws.com"],
  ])("makes the issuer and a role in %s", async (region, partition, suffix) => {
    await aws.reset();
    const directory = newPackage(sampleRequests, { region });
    succeed(run(["render", directory]));
    const issuer = await makeIssuer(directory, region);
    expect(issuer).toEqual({
      url: `https://demo-oidc.s3.${region}.${suffix}`,
      arn: `arn:${partition}:iam::123456789012:oidc-provider/demo-oidc.s3.${region}.${suffix}`,
    });
    const path = "aws/roles/openshift-ingress-operator-cloud-credentials.yaml";
    await makeRole(path, generatedFiles(directory)[path] ?? "", { directory, region });
  });

  it("makes roles with every option: path, boundary, duration, tags, audience, attached policies", async () => {
    await aws.reset();
    for (const PolicyName of ["boundary", "extra", "second"]) {
      await aws.ok(["iam", "create-policy", "--policy-name", PolicyName, "--policy-document", nothing]);
    }
    const boundary = "arn:aws:iam::123456789012:policy/boundary";
    const attached = ["arn:aws:iam::123456789012:policy/extra", "arn:aws:iam::123456789012:policy/second"];
    const directory = renderedPackage(sampleRequests, (spec) => {
      spec["resourcePrefix"] = "prefix";
      spec["issuer"] = { ...(spec["issuer"] as Fields), audiences: ["openshift", "elsewhere"] };
      const options = awsOf(spec);
      options["roles"] = {
        path: "/ocp/demo/",
        permissionsBoundaryARN: boundary,
        maxSessionDuration: 7200,
        requireAudience: true,
      };
      options["tags"] = { team: "größe 1", "a:b": "c/d", empty: "" };
      options["thumbprints"] = ["0123456789ABCDEF0123456789abcdef01234567"];
      options["overrides"] = {
        "openshift-ingress-operator/cloud-credentials": { managedPolicyARNs: attached, roleName: "Own.Name@x" },
      };
    });
    await makeIssuer(directory);
    const provider = await aws.ok(["iam", "list-open-id-connect-providers"]);
    const arn = "arn:aws:iam::123456789012:oidc-provider/prefix-oidc.s3.us-east-2.amazonaws.com";
    expect(provider).toEqual({ OpenIDConnectProviderList: [{ Arn: arn }] });
    expect(await aws.ok(["iam", "get-open-id-connect-provider", "--open-id-connect-provider-arn", arn])).toMatchObject({
      ClientIDList: ["openshift", "elsewhere"],
      ThumbprintList: ["0123456789abcdef0123456789abcdef01234567"],
    });
    const bundles = Object.entries(roleBundles(directory));
    expect(bundles).toHaveLength(3);
    const roles = new Map<string, Fields>();
    await twoAtATime(bundles, async ([path, text]) => {
      roles.set(path, await makeRole(path, text, { directory, spoilTrust: true }));
    });
    for (const role of roles.values()) {
      expect(role).toMatchObject({
        Path: "/ocp/demo/",
        MaxSessionDuration: 7200,
        PermissionsBoundary: { PermissionsBoundaryArn: boundary },
        Tags: [
          { Key: "openshift.io/cloud-credential-operator/prefix", Value: "owned" },
          { Key: "Name", Value: "prefix" },
          { Key: "a:b", Value: "c/d" },
          { Key: "empty", Value: "" },
          { Key: "team", Value: "größe 1" },
        ],
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Condition: {
                StringEquals: { "prefix-oidc.s3.us-east-2.amazonaws.com:aud": ["openshift", "elsewhere"] },
              },
            },
          ],
        },
      });
    }
    expect(roles.get("aws/roles/openshift-ingress-operator-cloud-credentials.yaml")).toMatchObject({
      RoleName: "Own.Name@x",
      Arn: "arn:aws:iam::123456789012:role/ocp/demo/Own.Name@x",
    });
    const list = await aws.ok(["iam", "list-attached-role-policies", "--role-name", "Own.Name@x"]);
    expect((list["AttachedPolicies"] as Fields[]).map((fields) => fields["PolicyArn"])).toEqual(attached);
  });

  it("makes the provider alone where the issuer is elsewhere, and nothing where it is there already", async () => {
    await aws.reset();
    const url = "https://issuer.example.com/cluster";
    const external = (given: Fields) => (spec: Fields) => {
      spec["issuer"] = { ...(spec["issuer"] as Fields), url };
      Object.assign(awsOf(spec), { issuerHosting: { type: "External" } }, given);
    };
    const directory = renderedPackage(sampleRequests, external({}));
    const files = bundledFiles(generatedFiles(directory)["aws/issuer.yaml"] ?? "");
    expect(Object.keys(files).filter((name) => name.endsWith(".json"))).toEqual([
      "create-open-id-connect-provider.json",
      "keys.json",
    ]);
    const arn = "arn:aws:iam::123456789012:oidc-provider/issuer.example.com/cluster";
    const cwd = unpack(files);
    expect(await aws.ok(input("iam", "create-open-id-connect-provider"), { cwd })).toMatchObject({
      OpenIDConnectProviderArn: arn,
    });
    const path = "aws/roles/openshift-ingress-operator-cloud-credentials.yaml";
    await makeRole(path, generatedFiles(directory)[path] ?? "", { directory });
    const given = renderedPackage(sampleRequests, external({ identityProviderARN: arn }));
    const rest = bundledFiles(generatedFiles(given)["aws/issuer.yaml"] ?? "");
    expect(Object.keys(rest)).not.toContain("create-open-id-connect-provider.json");
    expect(trustOf(given)).toEqual(trustOf(directory));
  });

  it("refuses a field that it does not know, so that the other tests mean something", async () => {
    const cwd = temporary();
    writeTree(cwd, { "create-role.json": JSON.stringify({ RoleName: "x", AssumeRolePolicy: "{}" }) });
    const { status, stderr } = await aws.call(input("iam", "create-role"), { cwd });
    expect(status).not.toBe(0);
    expect(stderr).toContain("AssumeRolePolicy");
  });
});

describeWith(tools, "the AWS CLI, where AWS's own policies exist,", () => {
  beforeAll(async () => {
    aws = await MadeUpAws.start({ withPolicies: true });
  });
  afterAll(stop);

  it("attaches every policy that an override names: the account's, and AWS's own of the same name", async () => {
    const names = ["--policy-name", "ReadOnlyAccess", "--policy-document", nothing];
    await aws.ok(["iam", "create-policy", ...names]);
    const policies = ["arn:aws:iam::123456789012:policy/ReadOnlyAccess", "arn:aws:iam::aws:policy/ReadOnlyAccess"];
    const directory = renderedPackage(sampleRequests, (spec) => {
      awsOf(spec)["overrides"] = {
        "openshift-ingress-operator/cloud-credentials": { managedPolicyARNs: policies },
      };
    });
    const path = "aws/roles/openshift-ingress-operator-cloud-credentials.yaml";
    const { RoleName } = await makeRole(path, generatedFiles(directory)[path] ?? "", { directory });
    const list = await aws.ok(["iam", "list-attached-role-policies", "--role-name", String(RoleName)]);
    expect((list["AttachedPolicies"] as Fields[]).map((fields) => fields["PolicyArn"]).toSorted()).toEqual(policies);
  });
});

describeWithCorpus(tools, "the AWS CLI takes what is carried for real CredentialsRequests", () => {
  beforeAll(start);
  afterAll(stop);
  // Many roles are the same in several releases; each is made once.
  const made = new Set<string>();

  describe.each([
    ["releases/4.13/aws", { featureSet: "TechPreviewNoUpgrade" }],
    ["releases/4.14/aws", { featureSet: "TechPreviewNoUpgrade" }],
    ["releases/4.19/aws", { featureSet: "TechPreviewNoUpgrade" }],
    ["releases/main/aws", { featureGates: ["ClusterAPIMachineManagement", "ClusterAPIMachineManagementAWS"] }],
    ["payload-files", { featureSet: "TechPreviewNoUpgrade" }],
  ])("%s", (release, gates) => {
    it("makes its roles", async () => {
      await aws.reset();
      const directory = renderedPackage(join(corpus, release), (spec) => {
        spec["release"] = gates;
      });
      const bundles = Object.entries(roleBundles(directory));
      expect(bundles).toHaveLength(7);
      const distinct = bundles.filter(([, text]) => !made.has(text));
      for (const [, text] of distinct) made.add(text);
      await twoAtATime(distinct, async ([path, text]) => {
        await makeRole(path, text, { directory });
      });
      const { Roles } = (await aws.ok(["iam", "list-roles"])) as { Roles: unknown[] };
      expect(Roles).toHaveLength(distinct.length);
    });
  });
});

const nothing = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }],
});

function input(service: string, call: string, file = `${call}.json`): string[] {
  return [service, call, "--cli-input-json", `file://${file}`];
}

/** Writes carried files into a directory of their own. */
function unpack(files: Readonly<Record<string, string>>): string {
  const directory = temporary();
  writeTree(directory, files);
  return directory;
}

function trustOf(directory: string): unknown[] {
  return Object.values(roleBundles(directory)).map((text) => bundledFiles(text)["trust-policy.json"]);
}

/** Makes the issuer with the calls of its bundle, reads everything back and compares. */
async function makeIssuer(directory: string, region = "us-east-2"): Promise<{ url: string; arn: unknown }> {
  const generated = generatedFiles(directory);
  const files = bundledFiles(generated["aws/issuer.yaml"] ?? "");
  const cwd = unpack(files);
  const at = { cwd, region };
  const json = (name: string) => JSON.parse(files[name] ?? "") as Fields;
  const Bucket = String(json("create-bucket.json")["Bucket"]);
  const bucket = ["--bucket", Bucket];

  await aws.ok(input("s3api", "create-bucket"), at);
  await aws.ok(input("s3api", "put-public-access-block"), at);
  await aws.ok(input("s3api", "put-bucket-policy"), at);
  await aws.ok(input("s3api", "put-bucket-tagging"), at);
  for (const [name, key] of documents) {
    await aws.ok(
      [...input("s3api", "put-object", `put-object-${name.replace(/\.json$/, "")}.json`), "--body", name],
      at,
    );
    const got = await aws.ok(["s3api", "get-object", ...bucket, "--key", key, "got"], at);
    expect(got).toMatchObject({ ContentType: "application/json" });
    expect(readFileSync(join(cwd, "got"), "utf8")).toBe(files[name]);
  }
  const calls = ["get-bucket-location", "get-bucket-policy", "get-public-access-block", "get-bucket-tagging"];
  const [location, policy, block, tagging] = await Promise.all(
    calls.map((call) => aws.ok(["s3api", call, ...bucket], at)),
  );
  expect(location?.["LocationConstraint"] ?? "us-east-1").toBe(region);
  expect(JSON.parse(String(policy?.["Policy"]))).toEqual(json("bucket-policy.json"));
  expect(block).toEqual({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
    },
  });
  const { TagSet } = json("put-bucket-tagging.json")["Tagging"] as Fields;
  expect(byKey(tagging?.["TagSet"])).toEqual(byKey(TagSet));

  const emitted = json("create-open-id-connect-provider.json");
  const { OpenIDConnectProviderArn: arn } = await aws.ok(input("iam", "create-open-id-connect-provider"), at);
  const got = await aws.ok(["iam", "get-open-id-connect-provider", "--open-id-connect-provider-arn", String(arn)], at);
  expect(`https://${String(got["Url"]).replace("https://", "")}`).toBe(emitted["Url"]);
  expect(got["ClientIDList"]).toEqual(emitted["ClientIDList"]);
  expect(got["Tags"]).toEqual(emitted["Tags"]);

  const url = String(emitted["Url"]);
  expect(json("openid-configuration")).toMatchObject({ issuer: url, jwks_uri: `${url}/keys.json` });
  expect(load(generated["manifests/cluster-authentication-02-config.yaml"] ?? "")).toMatchObject({
    spec: { serviceAccountIssuer: url },
  });
  for (const trust of trustOf(directory)) {
    expect(JSON.parse(String(trust))).toMatchObject({ Statement: [{ Principal: { Federated: arn } }] });
  }
  return { url, arn };
}

const documents = [
  ["openid-configuration", ".well-known/openid-configuration"],
  ["keys.json", "keys.json"],
] as const;

/**
 * Makes a role with the calls of its bundle, reads everything back and compares. @returns what IAM says of the role.
 *
 * @param spoilTrust changes the trust policy in between, so that it is the update that sets it right.
 */
async function makeRole(
  path: string,
  bundle: string,
  { directory, region = "us-east-2", spoilTrust = false }: { directory: string; region?: string; spoilTrust?: boolean },
): Promise<Fields> {
  const files = bundledFiles(bundle);
  const inBundle = Object.entries(files).map(([name, text]) => [`aws/roles/one/${name}`, text] as const);
  const beside = [...derivedFiles(new Map(inBundle))].map(([file, text]) => [basename(file), text]);
  const at = { cwd: unpack({ ...files, ...Object.fromEntries(beside) }), region };
  const json = (name: string) => JSON.parse(files[name] ?? "") as Fields;
  const emitted = json("create-role.json");
  const RoleName = String(emitted["RoleName"]);
  const trust = json("trust-policy.json");

  const trusting = ["--assume-role-policy-document", "file://trust-policy.json"];
  const { Role: created } = (await aws.ok([...input("iam", "create-role"), ...trusting], at)) as { Role: Fields };
  expect(created["AssumeRolePolicyDocument"], path).toEqual(trust);
  if (spoilTrust) {
    const deny = JSON.stringify({ ...trust, Statement: [{ ...(trust["Statement"] as Fields[])[0], Effect: "Deny" }] });
    await aws.ok(["iam", "update-assume-role-policy", "--role-name", RoleName, "--policy-document", deny], at);
  }
  const updating = ["--role-name", RoleName, "--policy-document", "file://trust-policy.json"];
  await aws.ok(["iam", "update-assume-role-policy", ...updating], at);
  await aws.ok(input("iam", "update-role"), at);
  await aws.ok([...input("iam", "put-role-policy"), "--policy-document", "file://permissions-policy.json"], at);
  const attachments = Object.keys(files).filter((name) => name.startsWith("attach-role-policy"));
  for (const file of attachments) await aws.ok(input("iam", "attach-role-policy", file), at);

  const { Role: role } = (await aws.ok(["iam", "get-role", "--role-name", RoleName], at)) as { Role: Fields };
  const { PermissionsBoundary, Tags, ...plain } = emitted;
  expect(role, path).toMatchObject(plain);
  expect(Object.keys(plain).sort(), path).toEqual(["Description", "MaxSessionDuration", "Path", "RoleName"]);
  expect(role["AssumeRolePolicyDocument"], path).toEqual(trust);
  expect(role["Tags"], path).toEqual(Tags);
  expect((role["PermissionsBoundary"] as Fields | undefined)?.["PermissionsBoundaryArn"], path).toBe(
    PermissionsBoundary,
  );

  const names = ["--role-name", RoleName, "--policy-name", RoleName];
  const { PolicyDocument } = await aws.ok(["iam", "get-role-policy", ...names], at);
  expect(PolicyDocument, path).toEqual(json("permissions-policy.json"));

  const baseName = /^aws\/roles\/(.+)\.yaml$/.exec(path)?.[1];
  const secret = generatedFiles(directory)[`manifests/${baseName}-credentials.yaml`] ?? "";
  expect(/^ *role_arn = (.+)$/m.exec(secret)?.[1], path).toBe(role["Arn"]);
  return role;
}

// The emulated S3 omits empty values.
function byKey(tags: unknown): unknown {
  const list = (tags as { Key: string; Value?: string }[]).map(({ Key, Value = "" }) => ({ Key, Value }));
  return list.toSorted((a, b) => (a.Key < b.Key ? -1 : 1));
}
