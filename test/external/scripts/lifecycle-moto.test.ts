import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { type CloudState, cloudState, exportedState } from "../../helpers/cloud-state.ts";
import { configure, type Fields, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { changingCalls, exported, exportedJson, type ScriptRun, ScriptsAws } from "../../helpers/scripts-aws.ts";

const tools = ["aws", "moto_server"];
let aws: ScriptsAws;

// Most tests make hundreds of calls of the AWS CLI, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Starts the cloud for the first group; the file ends it. */
async function start(): Promise<void> {
  aws ??= await ScriptsAws.start();
}
afterAll(() => aws?.stop());

/** The complete life of a cluster's resources, in an account with foreign resources. */
async function lifecycle(
  requests: string,
  name: string,
  region: string,
  release: Fields,
  roles: number,
): Promise<void> {
  const directory = newPackage(requests, { name, region });
  configure(directory, (spec) => {
    spec["release"] = release;
  });
  succeed(run(["render", directory]));
  const out = exported(directory);
  const state = () => cloudState(aws, region);
  const kept = await makeForeign(name, region, String(exportedJson(out, "cluster.json")["partition"]));

  const missing = await aws.script(out, "status.sh");
  expect(missing).toMatchObject({ status: 2, stderr: "" });
  const resources = [`bucket ${name}-oidc`, "document ", "document ", `provider ${name}-oidc.s3.${region}`];
  const steps = [...resources, ...Array(roles).fill(`role ${name}-openshift-`)] as string[];
  expectLines(missing, "missing", steps);
  expect(changingCalls(missing)).toEqual([]);
  expect(await state()).toEqual(kept);

  const applied = await aws.script(out, "apply.sh");
  expect(applied).toMatchObject({ status: 0, stderr: "" });
  // A bucket is created with one call and set up with more, which are part of its creation and not counted.
  expectLines(applied, "created", steps);
  expect(applied.stdout.split("\n").at(-2)).toBe(`${steps.length} changes made. Another run would make none.`);
  expect(await state()).toEqual(union(kept, exportedState(out)));

  const again = await aws.script(out, "apply.sh");
  expect(again).toMatchObject({ status: 0, stderr: "" });
  expectLines(again, "in sync", steps);
  expect(again.stdout).toContain("No changes: the cloud matches the package.\n");
  expect(changingCalls(again)).toEqual([]);

  const goes = [...steps.slice(4), steps[3], steps[0]] as string[];
  const dryDestroy = await aws.script(out, "destroy.sh", ["--dry-run"]);
  expect(dryDestroy).toMatchObject({ status: 2, stderr: "" });
  expectLines(dryDestroy, "would remove", goes);
  expect(changingCalls(dryDestroy)).toEqual([]);

  const destroyed = await aws.script(out, "destroy.sh", ["--yes"]);
  expect(destroyed).toMatchObject({ status: 0, stderr: "" });
  expectLines(destroyed, "removed", goes);
  expect(await state()).toEqual(kept);
}

/** Lines of a kind must begin like this, in this order, and there must be no others. */
function expectLines({ stdout }: ScriptRun, kind: string, texts: readonly string[]) {
  const lines = stdout.trimEnd().split("\n").slice(0, -1);
  const found = lines.filter((line) => line.startsWith(kind.padEnd(14)));
  expect(
    found.map((line, index) => line.slice(14).slice(0, texts[index]?.length)),
    stdout,
  ).toEqual(texts);
  expect(lines, stdout).toHaveLength(texts.length);
}

/** Creates foreign resources, some with names like a cluster's. @returns the state of the account. */
async function makeForeign(name: string, region: string, partition: string): Promise<CloudState> {
  const trust = { Version: "2012-10-17", Statement: [{ Effect: "Deny", Principal: "*", Action: "sts:AssumeRole" }] };
  const role = (RoleName: string, tags: Record<string, string>) => {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    const input = { RoleName, AssumeRolePolicyDocument: JSON.stringify(trust), Tags };
    return aws.ok(["iam", "create-role", "--cli-input-json", JSON.stringify(input)], region);
  };
  const owner = "openshift.io/cloud-credential-operator";
  // Roles of another cluster with a longer prefix, without tags, of a user, and of this cluster only by name.
  await role(`${name}-2-openshift-ingress-operator-cloud-credentials`, { [`${owner}/${name}-2`]: "owned" });
  await role(`${name}-untagged`, {});
  await role(`user-${name}`, { team: "x" });
  await role(`${name}-openshift-near`, { [`${owner}/${name}`]: "shared" });
  const policy = ["--policy-name", "own", "--policy-document", JSON.stringify({ ...trust, Statement: [statement] })];
  await aws.ok(["iam", "put-role-policy", "--role-name", `${name}-untagged`, ...policy], region);
  const url = ["--url", `https://foreign-${name}.example.com`, "--client-id-list", "x"];
  await aws.ok(["iam", "create-open-id-connect-provider", ...url], region);
  const bucket = ["--bucket", `${name}-oidc-2`];
  const place = ["--create-bucket-configuration", `LocationConstraint=${region}`];
  await aws.ok(["s3api", "create-bucket", ...bucket, ...place], region);
  await aws.ok(["s3api", "put-object", ...bucket, "--key", "keys.json", "--content-type", "text/plain"], region);
  const state = await cloudState(aws, region);
  expect(Object.keys(state.roles).filter((text) => text.startsWith(`${name}-`))).toHaveLength(3);
  expect(Object.keys(state.providers)).toContain(
    `arn:${partition}:iam::123456789012:oidc-provider/foreign-${name}.example.com`,
  );
  return state;
}

const statement = { Effect: "Deny", Action: "*", Resource: "*" };

function union(cloudState: CloudState, other: CloudState): CloudState {
  return {
    buckets: { ...cloudState.buckets, ...other.buckets },
    providers: { ...cloudState.providers, ...other.providers },
    roles: { ...cloudState.roles, ...other.roles },
  };
}

describeWith(tools, "the scripts, with the AWS CLI and a made-up cloud", () => {
  beforeAll(start);

  it("create a sample cluster, find it in sync, and delete it without touching foreign resources", async () => {
    await aws.reset();
    await lifecycle(sampleRequests, "sample", "eu-central-1", {}, 3);
  });
});

describeWithCorpus(tools, "the scripts, with the AWS CLI and real CredentialsRequests", () => {
  beforeAll(start);

  const gates = ["ClusterAPIMachineManagement", "ClusterAPIMachineManagementAWS"];
  it("create clusters of two releases, in two partitions, find them in sync, and delete them", async () => {
    await aws.reset();
    const tech = { featureSet: "TechPreviewNoUpgrade" };
    const release = (version: string) => join(corpus, `releases/${version}/aws`);
    // The partitions are independent of each other.
    await Promise.all([
      lifecycle(release("4.19"), "gov", "us-gov-west-1", tech, 7),
      lifecycle(release("main"), "two", "us-east-2", { featureGates: gates }, 7),
    ]);
  });
});
