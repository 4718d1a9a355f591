import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { oneRequest, succeed } from "../../helpers/cluster-package.ts";
import { MadeUpAws } from "../../helpers/moto.ts";
import { describeWith } from "../../helpers/need.ts";
import { packageWithOperator, putFiles, shelf, shelfArn } from "../../helpers/operator-package.ts";
import { pathWith } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describeWith(["aws", "moto_server"], "operators, with the real AWS CLI and a made-up AWS,", () => {
  let aws: MadeUpAws;
  beforeAll(async () => {
    aws = await MadeUpAws.start();
  });
  afterAll(() => aws?.stop());

  const issuer = "demo-oidc.s3.us-east-2.amazonaws.com";
  const oc = `case "$2" in infrastructure.*) echo us-east-2 ;; *) echo 'https://${issuer}' ;; esac`;
  const execute = (program: string, args: readonly string[]) => {
    const PATH = pathWith({ aws: `exec ${aws.warm.command}`, oc });
    const { status, stdout, stderr } = spawnSync(program, args, {
      env: { ...aws.environment, PATH, CCF_WAIT: "0" },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const role = async (name: string) => {
    const { Role } = (await aws.ok(["iam", "get-role", "--role-name", name])) as { Role: Record<string, unknown> };
    const { PolicyDocument } = await aws.ok(["iam", "get-role-policy", "--role-name", name, "--policy-name", name]);
    return {
      trust: Role["AssumeRolePolicyDocument"],
      permissions: PolicyDocument,
      arn: Role["Arn"],
      description: Role["Description"],
    };
  };
  const names = ["demo-shelf-system-shelf-credentials", "demo-shelf-system-shelf-node-credentials"] as const;

  it("get the roles of a package from apply.sh, and the same from the script of role-spec", async () => {
    const directory = packageWithOperator(oneRequest());
    succeed(run(["render", directory]));
    const out = join(temporary(), "out");
    succeed(run(["export", directory, "--output-dir", out]));
    const applied = execute(join(out, "aws/apply.sh"), []);
    expect(applied).toMatchObject({ status: 0, stderr: "" });
    for (const name of names) expect(applied.stdout).toContain(`created       role ${name}\n`);
    const made = [await role(names[0]), await role(names[1])];
    expect(made.map(({ arn }) => arn)).toEqual([shelfArn("shelf-credentials"), shelfArn("shelf-node-credentials")]);
    const file = (name: string) =>
      JSON.parse(readFileSync(join(out, "aws/roles/shelf-system-shelf-credentials", name), "utf8"));
    expect(made[0]).toMatchObject({ trust: file("trust-policy.json"), permissions: file("permissions-policy.json") });

    // The script takes the roles for its own, as they are for the same Secrets, and makes those of another prefix.
    const bundle = join(temporary(), "bundle");
    putFiles(bundle, shelf);
    const script = join(temporary(), "make-roles.sh");
    writeFileSync(script, succeed(run(["role-spec", bundle])).stdout);
    for (const prefix of ["demo", "own", "own"]) {
      expect(execute("sh", [script, prefix])).toEqual({
        status: 0,
        stderr: "",
        stdout: `ROLEARN=${shelfArn("shelf-credentials").replace("/demo", `/${prefix}`)}\nNODE_ROLEARN=${shelfArn("shelf-node-credentials").replace("/demo", `/${prefix}`)}\n`,
      });
    }
    for (const [index, name] of names.entries()) {
      const { arn: _, ...policies } = made[index] as { arn: unknown };
      expect(await role(name)).toMatchObject(policies);
      expect(await role(name.replace("demo", "own"))).toMatchObject(policies);
    }
    expect(execute(join(out, "aws/status.sh"), [])).toMatchObject({ status: 0, stderr: "" });

    const foreign = [
      "iam",
      "create-role",
      "--role-name",
      "x-shelf-system-shelf-credentials",
      "--assume-role-policy-document",
      "{}",
    ];
    await aws.ok(foreign);
    const refused = execute("sh", [script, "x"]);
    expect(refused).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: the role x-shelf-system-shelf-credentials already exists, but is not for shelf-system/shelf-credentials; use another prefix\n",
    });
  });
});
