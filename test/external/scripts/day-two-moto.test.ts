import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { cloudState, exportedRoles, exportedState } from "../../helpers/cloud-state.ts";
import {
  awsOf,
  configure,
  type Fields,
  newPackage,
  oneRequest,
  renderedPackage,
  succeed,
} from "../../helpers/cluster-package.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import {
  changingCalls,
  commands,
  exported,
  exportedJson,
  type ScriptRun,
  ScriptsAws,
} from "../../helpers/scripts-aws.ts";
import { temporary } from "../../helpers/temporary.ts";

const tools = ["aws", "moto_server"];
const host = "demo-oidc.s3.us-east-2.amazonaws.com";
const providerArn = `arn:aws:iam::123456789012:oidc-provider/${host}`;
const ingress = "demo-openshift-ingress-operator-cloud-credentials";
let aws: ScriptsAws;

// Most tests make a hundred calls of the AWS CLI, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Starts the cloud for the first group; the file ends it. */
async function start(): Promise<void> {
  aws ??= await ScriptsAws.start();
}
afterAll(() => aws?.stop());

describeWith(tools, "apply.sh, when the package changes", () => {
  beforeAll(start);

  it("reports the role of a request that is gone, keeps it, and removes it with --prune", async () => {
    await aws.reset();
    const directory = renderedPackage();
    const out = exported(directory);
    await done(out);
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    rendered(directory, out, "--allow", "removal:openshift-ingress-operator/cloud-credentials");

    const status = await aws.script(out, "status.sh");
    expect(status.stdout).toContain(`\nextra         role ${ingress}: it is not in the package\n1 difference. `);
    expect(status).toMatchObject({ status: 2, stderr: "" });
    const kept = await aws.script(out, "apply.sh");
    expect(kept.stdout).toContain(
      `\nnote          role ${ingress} has the owner tag but is not in the package; --prune removes it\n`,
    );
    expect(kept).toMatchObject({ status: 0, stderr: "" });
    expect(changingCalls(kept)).toEqual([]);
    const dry = await aws.script(out, "apply.sh", ["--prune", "--dry-run"]);
    expect(dry.stdout).toContain(
      `\nwould remove  role ${ingress}: it is not in the package\n1 change would be made.\n`,
    );
    expect(dry).toMatchObject({ status: 2, stderr: "" });
    expect(changingCalls(dry)).toEqual([]);
    const pruned = await done(out, ["--prune"]);
    expect(pruned.stdout).toContain(`\nremoved       role ${ingress}: it is not in the package\n1 change made. `);
    expect(changingCalls(pruned)).toEqual(["iam delete-role-policy", "iam delete-role"]);
    expect(await cloudState(aws)).toEqual(exportedState(out));

    // Without any request, every role would be removed.
    for (const name of ["10-registry.yaml", "30-storage.yaml", "40-preview.yaml"]) {
      rmSync(join(directory, "credentials-requests", name));
    }
    rendered(directory, out, "--allow", "removal");
    const before = await cloudState(aws);
    const refused = await aws.script(out, "apply.sh", ["--prune"]);
    expect(refused).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        "error: --prune: the package contains no roles, so every role would be removed; to delete everything, use destroy.sh\n",
    });
    expect(commands(refused)).toEqual(["sts get-caller-identity"]);
    expect(await cloudState(aws)).toEqual(before);
  });

  it("adds and removes a boundary and tags, and refuses another path", async () => {
    await aws.reset();
    const boundary = "arn:aws:iam::123456789012:policy/boundary";
    const nothing = JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }],
    });
    await aws.ok(["iam", "create-policy", "--policy-name", "boundary", "--policy-document", nothing]);
    const directory = renderedPackage(oneRequest());
    const out = exported(directory);
    await done(out);
    const plain = exportedState(out);

    configure(directory, (spec) => {
      Object.assign(awsOf(spec), { roles: { permissionsBoundaryARN: boundary }, tags: { team: "x", keep: "y" } });
    });
    rendered(directory, out);
    const added = await done(out);
    expect(added.stdout).toContain(
      `role ${ingress}: permissions boundary is none in the cloud, ${boundary} in the package\n`,
    );
    expect(changingCalls(added)).toEqual([
      "s3api put-bucket-tagging",
      "iam tag-open-id-connect-provider",
      "iam put-role-permissions-boundary",
      "iam tag-role",
    ]);
    expect(await cloudState(aws)).toEqual(exportedState(out));

    const own = await aws.script(out, "apply.sh", ["--remove-tag", "team"]);
    expect(own).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "error: --remove-tag team: the package still has that tag\n",
    });
    expect(commands(own)).toEqual(["iam get-account-authorization-details"]);

    configure(directory, (spec) => {
      Object.assign(awsOf(spec), { roles: {}, tags: { keep: "y" } });
    });
    rendered(directory, out);
    const removed = await done(out, ["--remove-tag", "team"]);
    expect(removed.stdout).toContain(
      `role ${ingress}: permissions boundary is ${boundary} in the cloud, none in the package\n`,
    );
    expect(changingCalls(removed)).toEqual([
      "iam delete-role-permissions-boundary",
      "iam untag-role",
      "iam untag-open-id-connect-provider",
      "s3api put-bucket-tagging",
    ]);
    expect(await cloudState(aws)).toEqual(exportedState(out));
    expect(exportedState(out)).not.toEqual(plain);

    configure(directory, (spec) => {
      awsOf(spec)["roles"] = { path: "/elsewhere/" };
    });
    rendered(directory, out, "--allow", "removal");
    const before = await cloudState(aws);
    const refused = await aws.script(out, "apply.sh");
    expect(refused.stdout).toContain(
      `\nrefused       role ${ingress}: its path is /, but the package has /elsewhere/. IAM cannot move a role: keep the path, or delete the role first\n`,
    );
    expect(refused.status).toBe(1);
    expect(changingCalls(refused)).toEqual([]);
    expect(await cloudState(aws)).toEqual(before);
  });

  it("keeps text that is not ASCII, and never fetches an audience as a URL", async () => {
    await aws.reset();
    const directory = newPackage(oneRequest());
    const setTags = (tags: Fields) =>
      configure(directory, (spec) => {
        spec["issuer"] = { ...(spec["issuer"] as Fields), audiences: ["https://127.0.0.1:1/audience", "openshift"] };
        Object.assign(awsOf(spec), { tags, roles: { requireAudience: true } });
      });
    setTags({ team: "größe 1", größe: "ß" });
    succeed(run(["render", directory]));
    const out = exported(directory);
    // Which characters the CLI accepts depends on how it is started. What is read in the first and last run is what the second reads.
    const changes = { cold: "changes" } as const;
    expect(await aws.script(out, "apply.sh", [], changes)).toMatchObject({ status: 0, stderr: "" });
    expect(await cloudState(aws)).toEqual(exportedState(out));
    setTags({ team: "größe 2 日本", größe: "ß" });
    rendered(directory, out);
    const changed = await aws.script(out, "apply.sh", [], { cold: "every call" });
    expect(changed).toMatchObject({ status: 0, stderr: "" });
    expect(changingCalls(changed)).toEqual([
      "s3api put-bucket-tagging",
      "iam tag-open-id-connect-provider",
      "iam tag-role",
    ]);
    const state = await cloudState(aws);
    expect(state).toEqual(exportedState(out));
    expect(tagsOf(state.roles[ingress])).toMatchObject({ team: "größe 2 日本", größe: "ß" });
    expect(state.providers[providerArn]?.["ClientIDList"]).toEqual(["https://127.0.0.1:1/audience", "openshift"]);
    setTags({ team: "größe 2 日本" });
    rendered(directory, out);
    const removed = await aws.script(out, "apply.sh", ["--remove-tag", "größe"], changes);
    expect(removed).toMatchObject({ status: 0, stderr: "" });
    expect(await cloudState(aws)).toEqual(exportedState(out));
  });
});

describeWithCorpus(tools, "apply.sh, when a cluster is updated", () => {
  beforeAll(start);

  it("makes exactly the calls that the difference between two releases requires", async () => {
    await aws.reset();
    const directory = newPackage(join(corpus, "releases/4.13/aws"));
    const tech = (spec: Fields) => {
      spec["release"] = { featureSet: "TechPreviewNoUpgrade" };
    };
    configure(directory, tech);
    succeed(run(["render", directory]));
    const out = exported(directory);
    const old = join(temporary(), "old");
    cpSync(out, old, { recursive: true });
    await done(out);

    const requests = join(directory, "credentials-requests");
    rmSync(requests, { recursive: true });
    cpSync(join(corpus, "releases/4.14/aws"), requests, { recursive: true });
    rendered(directory, out, "--allow", "removal");
    const expected = difference(old, out);
    expect(expected.length).toBeGreaterThan(0);
    const applied = await done(out);
    expect(changingCalls(applied)).toEqual(expected);
    expect(await cloudState(aws)).toEqual(exportedState(out));
  });
});

/** The calls that lead from one export to another with the same issuer. */
function difference(old: string, out: string): string[] {
  for (const name of ["bucket-policy.json", "create-open-id-connect-provider.json", "keys.json"]) {
    expect(exportedJson(out, `issuer/${name}`)).toEqual(exportedJson(old, `issuer/${name}`));
  }
  const before = new Set(exportedRoles(old));
  expect([...before].filter((role) => !exportedRoles(out).includes(role))).toEqual([]);
  return exportedRoles(out).flatMap((role) => {
    if (!before.has(role)) return ["iam create-role", "iam put-role-policy"];
    const differs = (name: string) => {
      const path = `roles/${role}/${name}`;
      return JSON.stringify(inOrder(exportedJson(old, path))) !== JSON.stringify(inOrder(exportedJson(out, path)));
    };
    return [
      ...(differs("trust-policy.json") ? ["iam update-assume-role-policy"] : []),
      ...(differs("update-role.json") ? ["iam update-role"] : []),
      ...(differs("permissions-policy.json") ? ["iam put-role-policy"] : []),
    ];
  });
}

/** A value with its lists in order, because their order means nothing in policies. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((value) => JSON.stringify(inOrder(value))).sort();
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inOrder(one)]));
}

/** Renders and exports a package that was changed. */
function rendered(directory: string, out: string, ...flags: string[]): void {
  succeed(run(["render", ...flags, directory]));
  exported(directory, out);
}

/** Applies an export, which must succeed completely. */
async function done(out: string, flags: string[] = []): Promise<ScriptRun> {
  const applied = await aws.script(out, "apply.sh", flags);
  expect(applied, applied.stdout).toMatchObject({ status: 0, stderr: "" });
  return applied;
}

function tagsOf(resource: Fields | undefined): Fields {
  return resource?.["tags"] as Fields;
}
