import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, answerOf } from "../../helpers/in-process.ts";
import { gcpFlags, initFlags } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const boundary = (account: string) => `arn:aws:iam::${account}:policy/boundary`;
const accounts = { one: "111111111111", two: "111111111111", three: "333333333333" };
let rendered: Record<string, string>;

async function ok(...args: string[]): Promise<Answer> {
  const answer = await answerOf(args);
  expect({ args, ...answer }).toMatchObject({ args, status: 0 });
  return answer;
}

beforeAll(async () => {
  const root = temporary();
  for (const [name, account] of Object.entries(accounts)) {
    const directory = join(root, name);
    await ok("init", directory, ...initFlags({ name, "account-id": account }));
    await ok("set", `spec.platform.aws.roles.permissionsBoundaryARN=${boundary(account)}`, directory);
  }
  await ok("init", join(root, "shop"), ...gcpFlags({ name: "shop" }));
  await ok("render", "--quiet", "--recursive", root);
  rendered = readTree(root);
});

function fleet() {
  const root = temporary();
  writeTree(join(root, "clusters"), rendered);
  const out = join(root, "out");
  const args = ["export", "--recursive", join(root, "clusters"), "--output-dir", out, "--admin-policies"];
  const policies = () => {
    const directory = join(out, "admin-policies");
    return existsSync(directory) ? readTree(directory) : {};
  };
  return { root, out, args, policies };
}

describe("ccf export --admin-policies", () => {
  it("writes the policies of each account beside the exports, the same bytes again, and removes what is gone", async () => {
    const { root, out, args, policies } = fleet();
    expect((await answerOf([...args, "--check"])).status).toBe(2);
    expect(policies()).toEqual({});
    const { stdout } = await ok(...args);
    expect(stdout).toContain(
      "account 111111111111: 1 policy for 2 packages\naccount 333333333333: 1 policy for 1 package\n",
    );
    const files = policies();
    expect(Object.keys(files)).toEqual([
      "SHA256SUMS",
      "aws/111111111111/admin-policy-1.json",
      "aws/333333333333/admin-policy-1.json",
    ]);
    const { Statement } = JSON.parse(files["aws/111111111111/admin-policy-1.json"] ?? "");
    const roles = Statement.find(({ Sid }: { Sid: string }) => Sid === "RolesWithBoundary");
    expect(roles).toMatchObject({
      Resource: ["arn:aws:iam::111111111111:role/one-*", "arn:aws:iam::111111111111:role/two-*"],
      Condition: { StringEquals: { "iam:PermissionsBoundary": boundary("111111111111") } },
    });
    expect((await answerOf([...args, "--check"])).status).toBe(0);
    expect(policies()).toEqual(files);
    const some = ["one", "two"].map((name) => join(root, "clusters", name));
    await ok("export", ...some, "--output-dir", out, "--admin-policies");
    expect(Object.keys(policies())).toEqual(["SHA256SUMS", "aws/111111111111/admin-policy-1.json"]);
  });

  it("merges nothing if a package fails, and says so", async () => {
    const { root, args, policies } = fleet();
    writeFileSync(join(root, "clusters/two/cluster-identity.yaml"), "a: [\n");
    const { status, stderr } = await answerOf(args);
    expect([status, policies()]).toEqual([1, {}]);
    expect(stderr).toContain("error: no policy was merged, because 1 package was not exported.\n");
  });

  it("never overwrites a policy that was edited", async () => {
    const { out, args, policies } = fleet();
    await ok(...args);
    const path = "aws/333333333333/admin-policy-1.json";
    writeFileSync(join(out, "admin-policies", path), "edited");
    const { status, stderr } = await answerOf(args);
    expect([status, policies()[path]]).toEqual([1, "edited"]);
    expect(stderr).toContain("[export-file-edited]");
  });

  it("refuses packages of which one could create the roles of another with its own boundary", async () => {
    const { root, args, policies } = fleet();
    const directory = join(root, "clusters/one-more");
    await ok("init", directory, ...initFlags({ name: "one-more", "account-id": accounts.one }));
    await ok("render", "--quiet", directory);
    const { status, stderr } = await answerOf(args);
    expect([status, policies()]).toEqual([1, {}]);
    expect(stderr).toContain("[admin-policies-overlap]");
  });

  it.each<[readonly string[], string]>([
    [["--selector", "platform=aws"], "do not combine it with --selector"],
    [["--shard", "1/2"], "do not combine it with --shard"],
  ])("is for all packages, so it cannot be combined with %s", async (flags, message) => {
    const { args, policies } = fleet();
    const { status, stderr } = await answerOf([...args, ...flags]);
    expect([status, policies()]).toEqual([1, {}]);
    expect(stderr).toContain(message);
  });

  it("is for several packages, of which one is on AWS, and none is where it writes", async () => {
    const { root, out } = fleet();
    const from = (...names: string[]) =>
      answerOf([
        "export",
        ...names.map((name) => join(root, "clusters", name)),
        "--output-dir",
        out,
        "--admin-policies",
      ]);
    expect((await from("one")).stderr).toContain("--admin-policies requires several packages");
    const shop = await from("shop", "shop");
    expect([shop.status, shop.stderr]).toEqual([1, expect.stringContaining("requires a package for AWS")]);
    writeTree(
      join(root, "clusters/admin-policies"),
      Object.fromEntries(
        Object.entries(rendered).flatMap(([path, text]) => (path.startsWith("three/") ? [[path.slice(6), text]] : [])),
      ),
    );
    expect((await from("admin-policies", "one")).stderr).toContain("would be in the directory of --admin-policies");
  });
});
