import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { commandLine } from "../../helpers/ccf.ts";
import { awsOf, configure, newPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { roles } from "../../helpers/exported-package.ts";
import { type Answer, MadeUpAws } from "../../helpers/moto.ts";
import { MotoShim } from "../../helpers/moto-shim.mjs";
import { describeWith } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

// Dozens of starts of programs, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

describeWith(["aws", "moto_server"], "ccf apply, with the SDK, the real AWS CLI, and a made-up AWS", () => {
  let aws: MadeUpAws;
  let shim: MotoShim;
  beforeAll(async () => {
    aws = await MadeUpAws.start();
    shim = await MotoShim.start(aws.environment["AWS_ENDPOINT_URL"] ?? "");
  });
  beforeEach(() => aws.reset());
  afterAll(async () => {
    await shim?.stop();
    await aws?.stop();
  });

  const environment = () => ({ ...aws.environment, AWS_ENDPOINT_URL: shim.endpoint });

  /** Runs the built program, with the client libraries of AWS. */
  function program(...args: string[]): Promise<Answer> {
    return execute(...commandLine(...args));
  }

  function execute(command: string, args: readonly string[], cwd?: string): Promise<Answer> {
    const env = { ...environment(), AWS_DEFAULT_REGION: "us-east-2", AWS_PAGER: "" };
    return new Promise((resolve) => {
      execFile(command, args, { env, maxBuffer: 1 << 26, ...(cwd && { cwd }) }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  /** Runs the program, which must end with this exit code; what it prints. */
  async function ends(status: number, ...args: string[]): Promise<string> {
    const answer = await program(...args);
    expect([args.join(" "), answer.status, answer.status === status ? "" : answer.stderr + answer.stdout]).toEqual([
      args.join(" "),
      status,
      "",
    ]);
    return answer.stdout;
  }

  /** A call of the real AWS CLI, which must succeed. */
  async function real(line: string, cwd = temporary()): Promise<string> {
    const command = line.replace(/^aws /, `${aws.warm.command.replace(/ "\$@"$/, "")} `);
    const { status, stdout, stderr } = await execute("sh", ["-c", command], cwd);
    expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
    return stdout;
  }

  async function rendered(): Promise<string> {
    const directory = newPackage(sampleRequests);
    await ends(0, "render", directory);
    return directory;
  }

  it("creates what the AWS CLI shows, finds and mends what it changes, rotates a key, and destroys", async () => {
    const directory = await rendered();
    await ends(2, "status", directory);
    await ends(0, "apply", "--yes", directory);
    await ends(0, "status", directory);
    const shown = JSON.parse(await real("aws iam list-roles --output json")).Roles as { RoleName: string }[];
    expect(shown.map(({ RoleName }) => RoleName)).toEqual(expect.arrayContaining([...roles]));
    expect(await real("aws s3api get-bucket-tagging --bucket demo-oidc --output text")).toContain("owned");

    const policy = JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }],
    });
    await real(
      `aws iam put-role-policy --role-name ${roles[0]} --policy-name ${roles[0]} --policy-document '${policy}'`,
    );
    await real(`aws iam put-role-policy --role-name ${roles[0]} --policy-name by-hand --policy-document '${policy}'`);
    await real("aws s3api delete-object --bucket demo-oidc --key keys.json");
    const drift = await ends(2, "status", directory);
    for (const part of [roles[0], "by-hand", "keys.json"]) expect(drift).toContain(part);
    await ends(0, "apply", "--yes", "--prune", directory);
    await ends(0, "status", directory);

    const keys = temporary();
    await ends(0, "create-key-pair", "--output-dir", keys);
    const publicKey = readFileSync(join(keys, "serviceaccount-signer.public"), "utf8");
    configure(directory, (spec) => {
      const issuer = spec["issuer"] as { signingKeys: object[] };
      issuer.signingKeys.push({ publicKey });
    });
    await ends(0, "render", directory);
    await ends(2, "apply", "--dry-run", directory);
    await ends(0, "apply", "--yes", directory);
    const url = `${shim.endpoint}/demo-oidc/keys.json`;
    expect(((await (await fetch(url)).json()) as { keys: object[] }).keys).toHaveLength(2);

    await ends(0, "destroy", "--yes", "demo", directory);
    expect(JSON.parse(await real("aws iam list-roles --output json")).Roles).toEqual([]);
    expect(JSON.parse(await real("aws s3api list-buckets --output json")).Buckets).toEqual([]);
  });

  it("assumes a role in the account of each package, and names the account that refuses it", async () => {
    const [own, other] = [await rendered(), newPackage(sampleRequests, { name: "other" })];
    configure(other, (spec) => Object.assign(awsOf(spec), { accountID: "222222222222" }));
    await ends(0, "render", other);
    shim.refused = /Action=AssumeRole&.*222222222222/;
    const { status, stdout, stderr } = await program("apply", "--dry-run", "--assume-role", "admin", own, other);
    shim.refused = undefined;
    expect(status).toBe(1);
    expect(stdout).toContain("AWS 123456789012 us-east-2");
    expect(stderr).toContain("arn:aws:iam::222222222222:role/admin");
  });

  it("agrees with the commands of the export, which the real AWS CLI runs", async () => {
    const directory = await rendered();
    const out = join(temporary(), "out");
    await ends(0, "export", "--output-dir", out, directory);
    const lines = (readTree(out)["aws/commands.txt"] ?? "").split("\n").filter((line) => line.startsWith("aws "));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) await real(line, out);
    expect(await ends(0, "status", directory)).toContain("in sync");
  });
});
