import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { cloudState, exportedState } from "../../helpers/cloud-state.ts";
import { awsOf, type Fields, renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { changingCalls, exported, exportedJson, ScriptsAws } from "../../helpers/scripts-aws.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

/*
 * One cluster, applied once. Each test changes the cloud, as a user or another program would, and apply.sh repairs
 * it, so that it is in sync again for the next.
 */

const account = "123456789012";
const boundary = `arn:aws:iam::${account}:policy/boundary`;
const another = `arn:aws:iam::${account}:policy/another`;
const extra = `arn:aws:iam::${account}:policy/extra`;
const thumbprint = "0123456789abcdef0123456789abcdef01234567";
const [storage, registry, ingress] = [
  "demo-openshift-cluster-csi-drivers-ebs-cloud-credentials",
  "demo-openshift-image-registry-installer-cloud-credentials",
  "demo-openshift-ingress-operator-cloud-credentials",
];
const host = "demo-oidc.s3.us-east-2.amazonaws.com";
const arn = `arn:aws:iam::${account}:oidc-provider/${host}`;
const owner = { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" };

// Most tests make a hundred calls of the AWS CLI, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let aws: ScriptsAws;
let home: ReturnType<typeof keptTemporary>;
let out: string;

describeWith(["aws", "moto_server"], "status.sh finds differences and apply.sh repairs them", () => {
  beforeAll(async () => {
    home = keptTemporary();
    aws = await ScriptsAws.start();
    const nothing = document([{ Effect: "Deny", Action: "*", Resource: "*" }]);
    for (const name of ["boundary", "another", "extra"]) {
      await aws.ok(["iam", "create-policy", "--policy-name", name, "--policy-document", nothing]);
    }
    const directory = renderedPackage(sampleRequests, (spec) => {
      Object.assign(awsOf(spec), {
        roles: { permissionsBoundaryARN: boundary },
        tags: { team: "a b" },
        thumbprints: [thumbprint],
        overrides: { "openshift-ingress-operator/cloud-credentials": { managedPolicyARNs: [extra] } },
      });
    });
    out = exported(directory, join(home.directory, "out"));
    expect(await aws.script(out, "apply.sh")).toMatchObject({ status: 0, stderr: "" });
  });
  afterAll(async () => {
    await aws?.stop();
    home?.remove();
  });

  it("in roles: trust, permissions, inline and attached policies, description, duration, boundary, tags", async () => {
    const trust = trustOf("cluster-csi-drivers-ebs", { Effect: "Deny" });
    await changes([
      role("update-assume-role-policy", storage, "--policy-document", trust),
      role("put-role-policy", storage, "--policy-name", storage, "--policy-document", document([statement("s3:*")])),
      role("put-role-policy", storage, "--policy-name", "own", "--policy-document", document([statement("iam:*")])),
      role("update-role", storage, "--description", "changed", "--max-session-duration", "43200"),
      role("delete-role-permissions-boundary", registry),
      role("attach-role-policy", registry, "--policy-arn", another),
      role("untag-role", registry, "--tag-keys", "Name"),
      role("tag-role", registry, "--tags", "Key=team,Value=other", "Key=theirs,Value=stays"),
      role("put-role-permissions-boundary", ingress, "--permissions-boundary", another),
      role("detach-role-policy", ingress, "--policy-arn", extra),
    ]);
    const description = "OpenShift role for openshift-cluster-csi-drivers/ebs-cloud-credentials";
    await mended({
      lines: [
        `differs       role ${storage}: trust policy`,
        `differs       role ${storage}: description and session duration`,
        "              cloud    Description=changed",
        "              cloud    MaxSessionDuration=43200",
        `              package  Description=${description}`,
        "              package  MaxSessionDuration=3600",
        `differs       role ${storage}: permissions`,
        '              cloud    Action ["s3:*"]; Effect ["Allow"]; Resource ["*"]',
        `extra         role ${storage}: inline policy own`,
        `differs       role ${registry}: permissions boundary is none in the cloud, ${boundary} in the package`,
        `differs       role ${registry}: tags`,
        "              package  name=demo",
        "              package  team=a b",
        `extra         role ${registry}: attached policy ${another}`,
        `differs       role ${ingress}: permissions boundary is ${another} in the cloud, ${boundary} in the package`,
        `differs       role ${ingress}: attached policy ${extra}`,
      ],
      differences: 9,
      calls: [
        "iam update-assume-role-policy",
        "iam update-role",
        "iam put-role-policy",
        "iam delete-role-policy",
        "iam put-role-permissions-boundary",
        "iam tag-role",
        "iam detach-role-policy",
        "iam put-role-permissions-boundary",
        "iam attach-role-policy",
      ],
    });
    const state = await cloudState(aws);
    expect(state.roles[registry as string]?.["tags"]).toMatchObject({ theirs: "stays" });
    await changes([role("untag-role", registry, "--tag-keys", "theirs")]);
    expect(await cloudState(aws)).toEqual(exportedState(out));
  });

  it("in the issuer: policy, public access, tags, documents, thumbprints; and a role that is gone", async () => {
    const shown = { BlockPublicAcls: false, IgnorePublicAcls: true, BlockPublicPolicy: false };
    const open = JSON.stringify({ ...shown, RestrictPublicBuckets: false });
    await changes([
      s3("delete-bucket-policy"),
      s3("put-public-access-block", "--public-access-block-configuration", open),
      // In S3, tag keys are case-sensitive.
      s3("put-bucket-tagging", "--tagging", tagSet([owner, tag("name", "demo"), tag("theirs", "größe 1")])),
      s3("put-object", "--key", "keys.json", "--content-type", "application/json"),
      [
        ...s3("put-object", "--key", ".well-known/openid-configuration"),
        ...["--body", join(out, "aws/issuer/openid-configuration"), "--content-type", "text/plain"],
      ],
      provider("untag-open-id-connect-provider", "--tag-keys", "team"),
      provider("update-open-id-connect-provider-thumbprint", "--thumbprint-list", "f".repeat(40)),
      role("delete-role-policy", registry, "--policy-name", registry as string),
      role("delete-role", registry),
    ]);
    await mended({
      lines: [
        "differs       bucket demo-oidc: tags",
        "              package  Name=demo",
        "              package  team=a b",
        "differs       bucket demo-oidc: public access block",
        "              cloud    BlockPublicAcls=false",
        "              package  BlockPublicAcls=true",
        "differs       bucket demo-oidc: policy",
        "differs       document keys.json",
        "differs       document .well-known/openid-configuration",
        `differs       provider ${host}: tags`,
        "              package  team=a b",
        `differs       provider ${host}: thumbprints`,
        `              cloud    ${"f".repeat(40)}`,
        `              package  ${thumbprint}`,
        `missing       role ${registry}`,
      ],
      differences: 8,
      calls: [
        "s3api put-bucket-tagging",
        "s3api put-public-access-block",
        "s3api put-bucket-policy",
        "s3api put-object",
        "s3api put-object",
        "iam tag-open-id-connect-provider",
        "iam update-open-id-connect-provider-thumbprint",
        "iam create-role",
        "iam put-role-policy",
      ],
    });
    const { buckets } = await cloudState(aws);
    expect(buckets["demo-oidc"]?.["tags"]).toMatchObject({ name: "demo", theirs: "größe 1" });
  });

  it("if a part is missing completely, and if only case or one setting differs", async () => {
    const shouted = trustOf("image-registry-installer", { Condition: conditionOf("SYSTEM:SERVICEACCOUNT:A:B") });
    await changes([
      s3("delete-public-access-block"),
      s3("delete-object", "--key", "keys.json"),
      s3(
        "put-bucket-policy",
        "--policy",
        document([{ ...onlyStatement("issuer/bucket-policy.json"), Principal: { AWS: "*" }, Action: "s3:*" }]),
      ),
      role("delete-role-policy", storage, "--policy-name", storage as string),
      role("update-role", storage, "--description", "", "--max-session-duration", "3600"),
      role("update-assume-role-policy", registry, "--policy-document", shouted),
      role("update-role", ingress, "--max-session-duration", "7200"),
    ]);
    await mended({
      lines: [
        "differs       bucket demo-oidc: public access block",
        "differs       bucket demo-oidc: policy",
        "missing       document keys.json",
        `differs       role ${storage}: description and session duration`,
        `differs       role ${storage}: permissions`,
        `differs       role ${registry}: trust policy`,
        `differs       role ${ingress}: description and session duration`,
        "              cloud    MaxSessionDuration=7200",
      ],
      differences: 7,
      calls: [
        "s3api put-public-access-block",
        "s3api put-bucket-policy",
        "s3api put-object",
        "iam update-role",
        "iam put-role-policy",
        "iam update-assume-role-policy",
        "iam update-role",
      ],
    });
  });

  it("but not the order of lists, one value instead of a list of one, or case where AWS ignores it", async () => {
    const trust = onlyStatement("roles/openshift-ingress-operator-cloud-credentials/trust-policy.json");
    const { Federated } = trust["Principal"] as Fields;
    const sub = `${host.toUpperCase()}:SUB`;
    const subjects = Object.values((trust["Condition"] as { StringEquals: Fields }).StringEquals);
    const same = {
      Effect: "Allow",
      Sid: "Other",
      Condition: { StringEquals: { [sub]: subjects } },
      Action: ["sts:AssumeRoleWithWebIdentity"],
      Principal: { Federated: [Federated] },
    };
    const permissions = onlyStatement(
      "roles/openshift-image-registry-installer-cloud-credentials/permissions-policy.json",
    );
    const actions = (permissions["Action"] as string[]).map((action) => action.toUpperCase()).reverse();
    const loose = { ...permissions, Resource: [permissions["Resource"]], Action: actions };
    const { Resource, ...rest } = onlyStatement("issuer/bucket-policy.json");
    const bucket = {
      ...rest,
      Resource: (Resource as string[]).toReversed(),
      Principal: { AWS: "*" },
      Action: ["S3:getobject"],
    };
    await changes([
      role("update-assume-role-policy", ingress, "--policy-document", document(same)),
      role("put-role-policy", registry, "--policy-name", registry as string, "--policy-document", document(loose)),
      role("untag-role", registry, "--tag-keys", "team", "Name"),
      role("tag-role", registry, "--tags", "Key=TEAM,Value=a b", "Key=name,Value=demo", "Key=else,Value=x"),
      provider("untag-open-id-connect-provider", "--tag-keys", "team"),
      provider("tag-open-id-connect-provider", "--tags", "Key=Team,Value=a b"),
      provider("update-open-id-connect-provider-thumbprint", "--thumbprint-list", thumbprint.toUpperCase()),
      s3("put-bucket-policy", "--policy", document([bucket])),
      s3("put-bucket-tagging", "--tagging", tagSet([tag("team", "a b"), tag("x", ""), tag("Name", "demo"), owner])),
    ]);
    const state = await cloudState(aws);
    expect(state.roles[ingress as string]?.["trust"]).toEqual({ Version: "2012-10-17", Statement: same });
    expect(state.roles[registry as string]?.["tags"]).toHaveProperty("TEAM", "a b");
    expect(state.roles[registry as string]?.["tags"]).not.toHaveProperty("team");
    const status = await aws.script(out, "status.sh");
    expect(status.stdout).toContain("In sync: the cloud matches the package.\n");
    expect(status).toMatchObject({ status: 0, stderr: "" });
  });
});

/** Finds differences, with these lines in this order, repairs them with these calls, and then finds no difference. */
async function mended(expected: { lines: string[]; differences: number; calls: string[] }): Promise<void> {
  const status = await aws.script(out, "status.sh");
  expect(status).toMatchObject({ status: 2, stderr: "" });
  const lines = status.stdout.split("\n");
  expect(
    lines.filter((line) => expected.lines.includes(line)),
    status.stdout,
  ).toEqual(expected.lines);
  const found = lines.filter((line) => /^(missing|differs|extra|refused) /.test(line));
  expect(found, status.stdout).toHaveLength(expected.differences);
  expect(status.stdout).toContain(`\n${expected.differences} differences. To see what apply.sh would do, run: `);
  expect(changingCalls(status)).toEqual([]);
  const apply = await aws.script(out, "apply.sh");
  expect(apply).toMatchObject({ status: 0, stderr: "" });
  expect(apply.stdout).toContain(`\n${expected.differences} changes made. Another run would make none.\n`);
  // The next test finds only its own differences, so nothing else was left.
  expect(changingCalls(apply)).toEqual(expected.calls);
}

async function changes(calls: readonly (readonly string[])[]): Promise<void> {
  for (const call of calls) await aws.ok(call);
}

function role(call: string, name: string | undefined, ...more: string[]): string[] {
  return ["iam", call, "--role-name", name ?? "", ...more];
}

function provider(call: string, ...more: string[]): string[] {
  return ["iam", call, "--open-id-connect-provider-arn", arn, ...more];
}

function s3(call: string, ...more: string[]): string[] {
  return ["s3api", call, "--bucket", "demo-oidc", ...more];
}

function document(Statement: unknown): string {
  return JSON.stringify({ Version: "2012-10-17", Statement });
}

function statement(action: string): Fields {
  return { Effect: "Allow", Action: action, Resource: "*" };
}

function tag(Key: string, Value: string): Fields {
  return { Key, Value };
}

function tagSet(TagSet: Fields[]): string {
  return JSON.stringify({ TagSet });
}

/** A role's trust policy, changed. */
function trustOf(name: string, changed: Fields): string {
  const path = `roles/openshift-${name}-cloud-credentials/trust-policy.json`;
  return document([{ ...onlyStatement(path), ...changed }]);
}

function conditionOf(subject: string): Fields {
  return { StringEquals: { [`${host}:sub`]: subject } };
}

function onlyStatement(path: string): Fields {
  const [first = {}] = exportedJson(out, path)["Statement"] as Fields[];
  return first;
}
