import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { beforeEach, describe, expect, it } from "vitest";
import { type Any, request } from "../../helpers/cluster.ts";
import { type Answer, answerOf } from "../../helpers/in-process.ts";
import { initFlags } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";
import { workload } from "../../helpers/workloads.ts";

let [root, cluster, facts] = ["", "", ""];

beforeEach(async () => {
  root = temporary();
  [cluster, facts] = [join(root, "cluster"), join(root, "facts/facts.yaml")];
  await ok("init", cluster, ...initFlags());
  edit(join(cluster, "cluster-identity.yaml"), (config) => {
    config.spec.workloads = { namespaces: ["shop"] };
  });
});

async function ok(...args: string[]): Promise<Answer> {
  const answer = await answerOf(args);
  expect(answer.status, answer.stderr).toBe(0);
  return answer;
}

function edit(path: string, change: (value: Any) => void): void {
  const value = load(readFileSync(path, "utf8")) as Any;
  change(value);
  writeFileSync(path, dump(value));
}

async function refused(code: string, ...args: string[]): Promise<string> {
  const { status, stderr } = await answerOf(args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
  return stderr;
}

const exported = () => ok("export", cluster, "--format", "facts", "--output-dir", join(root, "facts"));

async function team(name: string): Promise<string> {
  const directory = join(root, name);
  await exported();
  await ok("init", directory, "--facts", facts);
  mkdirSync(join(directory, "workloads/shop"), { recursive: true });
  writeFileSync(join(directory, "workloads/shop/cart.yaml"), dump(workload("cart")));
  return directory;
}

describe("the facts of a cluster", () => {
  it("are the same bytes each time, without keys, and with a digest that the command prints", async () => {
    const { stdout } = await exported();
    const before = readFileSync(facts, "utf8");
    expect(before).not.toMatch(/publicKey|signingKeys|accept|overrides/);
    expect(stdout).toContain(`Digest ${(load(before) as Any).spec.facts.digest}`);
    await exported();
    expect(readFileSync(facts, "utf8")).toBe(before);
  });

  it("come with the permissions to apply a team's package: only roles of workloads", async () => {
    edit(join(cluster, "cluster-identity.yaml"), ({ spec }) => {
      spec.workloads.aws = { path: "/apps/", permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/apps" };
    });
    await exported();
    const { Statement } = JSON.parse(readFileSync(join(root, "facts/admin-policy.json"), "utf8"));
    const creating = Statement.filter(({ Action }: Any) => Action.includes("iam:CreateRole"));
    expect(creating).toMatchObject([
      {
        Resource: ["arn:aws:iam::123456789012:role/apps/demo-*"],
        Condition: { StringEquals: { "iam:PermissionsBoundary": "arn:aws:iam::123456789012:policy/apps" } },
      },
    ]);
    expect(JSON.stringify(Statement)).not.toMatch(/s3:|CreateOpenIDConnectProvider|DeleteOpenIDConnectProvider/);
  });

  it.each([
    ["a cluster without guard rails", ({ spec }: Any) => void delete spec.workloads, "spec.workloads"],
    [
      "a cluster whose issuer is not known yet",
      ({ spec }: Any) => {
        spec.platform.aws.issuerHosting = { type: "S3CloudFront" };
      },
      "issuer",
    ],
  ])("do not exist for %s", async (_, change, said) => {
    edit(join(cluster, "cluster-identity.yaml"), change);
    const args = ["export", cluster, "--format", "facts", "--output-dir", join(root, "facts")];
    expect(await refused("facts-unavailable", ...args)).toContain(said);
  });
});

describe("the package of a team", () => {
  it("renders the identities of workloads with the mark of the package, and nothing else", async () => {
    const directory = await team("shop-workloads");
    await ok("render", directory);
    const create = readFileSync(join(directory, "aws/roles/shop-cart.yaml"), "utf8");
    expect(create).toContain('"Value": "workloads/shop-workloads"');
    expect(readFileSync(join(directory, "aws/cluster.yaml"), "utf8")).toContain(
      '"ownerMark": "workloads/shop-workloads"',
    );
    await ok("render", "--check", directory);
  });

  it("must not contain requests of components", async () => {
    const directory = await team("shop-workloads");
    writeFileSync(join(directory, "request.yaml"), dump(request("a")));
    expect(await refused("facts-workloads-only", "render", directory)).toContain("request.yaml");
  });

  it("is refused with edited facts, and with those of another schema", async () => {
    const directory = await team("shop-workloads");
    const path = join(directory, "cluster-identity.yaml");
    edit(path, ({ spec }) => spec.workloads.namespaces.push("pay"));
    await refused("facts-edited", "render", directory);
    edit(path, ({ spec }) => {
      spec.workloads.namespaces.pop();
      spec.workloads.former = true;
    });
    await refused("config-unknown-field", "render", directory);
  });

  it("is not made of a file without facts, or with a name that no mark can have", async () => {
    const { stderr } = await answerOf(["init", join(root, "x"), "--facts", join(cluster, "cluster-identity.yaml")]);
    expect(stderr).toContain("contains no facts");
    await exported();
    const named = await answerOf(["init", join(root, "y"), "--facts", facts, "--name", "A/b"]);
    expect([named.status, named.stderr]).toEqual([1, expect.stringContaining("must be a DNS label")]);
  });
});
