import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { cloudState, exportedState } from "../../helpers/cloud-state.ts";
import { oneRequest, renderedPackage } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { commands, exported, ScriptsAws } from "../../helpers/scripts-aws.ts";

let aws: ScriptsAws;

// Most tests make many calls of the AWS CLI, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/*
 * Every call fails with the stand-in, in every way (test/scripts/faults-*.test.ts). These are a sample, so that the behavior of the
 * real CLI is included: calls that change something, with and without effect in turn. Each run starts from what the one before left.
 */
const applying = [
  "s3api create-bucket",
  "s3api put-bucket-policy",
  "iam create-open-id-connect-provider",
  "iam put-role-policy",
];
const destroying = ["iam delete-role-policy", "iam delete-open-id-connect-provider", "s3api delete-object"];

describeWith(["aws", "moto_server"], "the scripts, when calls of the real AWS CLI fail", () => {
  beforeAll(async () => {
    aws = await ScriptsAws.start();
  });
  afterAll(() => aws?.stop());

  const failing = async (out: string, script: string, flags: string[], calls: readonly string[]) => {
    for (const [index, call] of calls.entries()) {
      const env = { FAIL_CALL: call, FAIL_HOW: index % 2 === 0 ? "after" : "before" };
      const broken = await aws.script(out, script, flags, { env });
      expect(broken, call).toMatchObject({ status: 1 });
      expect(commands(broken).at(-1)).toBe(call);
      expect(broken.stderr, call).toMatch(/^error: (?:aws |the bucket )/);
    }
    expect(await aws.script(out, script, flags)).toMatchObject({ status: 0, stderr: "" });
  };

  it("end in the same state when they are run again", async () => {
    const out = exported(renderedPackage(oneRequest()));
    await aws.reset();
    const empty = await cloudState(aws);
    await failing(out, "apply.sh", [], applying);
    expect(await cloudState(aws)).toEqual(exportedState(out));
    await failing(out, "destroy.sh", ["--yes"], destroying);
    expect(await cloudState(aws)).toEqual(empty);
  });
});
