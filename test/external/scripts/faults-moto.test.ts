import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { cloudState, exportedState } from "../../helpers/cloud-state.ts";
import { oneRequest, renderedPackage } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { changingCalls, commands, exported, ScriptsAws } from "../../helpers/scripts-aws.ts";

let aws: ScriptsAws;

// Most tests make many calls of the AWS CLI, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/*
 * Every call fails with the stand-in, in every way (test/scripts/faults-*.test.ts). These are a sample, so that the behavior of the
 * real CLI is included: calls that change something, with and without effect in turn.
 */
const applying = [
  "s3api create-bucket",
  "s3api put-bucket-policy",
  "iam create-open-id-connect-provider",
  "iam put-role-policy",
];
/** DeleteRolePolicy, DeleteOpenIDConnectProvider, DeleteObject. */
const destroying = [6, 10, 15];

describeWith(["aws", "moto_server"], "the scripts, when a call of the real AWS CLI fails", () => {
  beforeAll(async () => {
    aws = await ScriptsAws.start();
  });
  afterAll(() => aws?.stop());

  const failing = (k: number, index: number) => ({
    env: { FAIL_AT: String(k), FAIL_HOW: index % 2 === 0 ? "after" : "before" },
  });

  it("end in the same state when apply.sh is run again", async () => {
    const out = exported(renderedPackage(oneRequest()));
    await aws.reset();
    const undisturbed = commands(await aws.script(out, "apply.sh"));
    for (const [index, call] of applying.entries()) {
      const k = undisturbed.indexOf(call) + 1;
      expect(k, call).toBeGreaterThan(0);
      await aws.reset();
      const broken = await aws.script(out, "apply.sh", [], failing(k, index));
      expect(broken, `call ${k}`).toMatchObject({ status: 1 });
      expect(broken.calls, `call ${k}`).toHaveLength(k);
      expect(commands(broken).at(-1)).toBe(call);
      expect(broken.stderr, `call ${k}`).toMatch(/^error: (?:aws |the bucket )/);
      expect(await aws.script(out, "apply.sh"), `call ${k}`).toMatchObject({ status: 0, stderr: "" });
      expect(await cloudState(aws), `call ${k}`).toEqual(exportedState(out));
    }
  });

  it("leave nothing when destroy.sh is run again", async () => {
    await aws.reset();
    const out = exported(renderedPackage(oneRequest()));
    const empty = await cloudState(aws);
    for (const [index, k] of destroying.entries()) {
      await aws.reset();
      expect(await aws.script(out, "apply.sh")).toMatchObject({ status: 0 });
      const broken = await aws.script(out, "destroy.sh", ["--yes"], failing(k, index));
      expect(broken, `call ${k}`).toMatchObject({ status: 1 });
      expect(broken.calls, `call ${k}`).toHaveLength(k);
      expect(changingCalls(broken).at(-1), `call ${k}`).toBe(commands(broken).at(-1));
      expect(await aws.script(out, "destroy.sh", ["--yes"]), `call ${k}`).toMatchObject({ status: 0, stderr: "" });
      expect(await cloudState(aws), `call ${k}`).toEqual(empty);
    }
  });
});
