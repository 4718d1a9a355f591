import { expect } from "vitest";
import type { Call, How, Seed, State, StubAws } from "../helpers/aws-stub/index.ts";
import { Operator } from "../helpers/exported-package.ts";
import { expectError, type FaultyCloud, isKilled } from "./faults.ts";

/** AWS for `expectTheSameEnd`. */
export function faultyAws(aws: StubAws): FaultyCloud<Call, How, Seed, State> {
  return {
    stub: aws,
    directory: "aws",
    run: (out, script, flags) => new Operator(aws, out).run(script, flags),
    whole: () => aws.state(),
    before: ["refused", "unavailable", "killed-before"],
    after: ["killed-after", "lost"],
    repeated: "lost-and-retried",
    operationOf: ({ service, operation }) => `${service} ${operation}`,
    targetOf,
    expectToSay(run, call, how, when) {
      expect(call.foreign && call.changes, when).toBe(false);
      if (isKilled(run, how, when)) return;
      // The CLI itself retried a call that had succeeded. If that is not an error, nothing failed.
      if (how === "lost-and-retried" && run.status === 0) return;
      // If the call for all roles is denied, the roles are read separately.
      if (how === "refused" && call.operation === "GetAccountAuthorizationDetails") {
        const rest = run.stderr.replace(/^waiting until distribution .*\n/gm, "");
        expect({ status: run.status, stderr: rest }, when).toEqual({ status: 0, stderr: "" });
        return;
      }
      const isForeign = call.operation === "HeadBucket" && how === "refused";
      expectError(run, isForeign ? "belongs to another account" : `error: aws ${call.service} ${call.args[1]}: `, when);
    },
  };
}

/** The resource of a call: its name in AWS, or the name that it will get. */
function targetOf({ operation, parameters = {}, foreign }: Call): string {
  const { DistributionConfigWithTags: distribution, OriginAccessControlConfig: control, Url } = parameters;
  const { Bucket, Key, RoleName, OpenIDConnectProviderArn, Id, Resource } = parameters;
  const name = Bucket ?? RoleName ?? OpenIDConnectProviderArn ?? Id ?? Resource ?? Url ?? control?.Name;
  const target = name ?? distribution?.DistributionConfig.CallerReference;
  const path = `${target ?? operation}${Key === undefined ? "" : `/${Key}`}`;
  const short = path.replace(/^.*[:/](?=distribution\/)distribution\//, "");
  return foreign ? `${short} of another account` : short;
}
