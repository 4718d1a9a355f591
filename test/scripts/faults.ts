import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Call, How, KillableRun, Seed, State, StubAws } from "../helpers/aws-stub/index.ts";
import { copied, Operator } from "../helpers/exported-package.ts";

// Hundreds of runs.
vi.setConfig({ testTimeout: 600_000 });

/** A script that must lead to the same state wherever it was interrupted. */
export interface Course {
  readonly out: string;
  readonly script: "apply.sh" | "destroy.sh";
  readonly flags?: readonly string[];
  /** What is in the account before. */
  readonly seed: Seed;
  /** The services whose calls fail in every way; the default is all services. */
  readonly services?: readonly string[];
}

/** The run that reports whether anything remains to do. */
function ended(script: Course["script"], flags: readonly string[]): [string, ...string[]] {
  if (script === "apply.sh") return ["status.sh"];
  return [script, "--dry-run", ...flags.filter((flag) => flag !== "--yes")];
}

/**
 * Runs a script once undisturbed. Then, for each of its calls and each way in which the call can fail, it runs the script
 * from the same start with the fault, and again without. The first run must fail, name the failed call, and write only to
 * its own files. The second run must lead to the same state as the undisturbed run.
 *
 * Runs from equal accounts and equal marker files are equal, so there is only one second run for each state that first runs
 * have left.
 */
export function expectToEndTheSame(aws: StubAws, { out, script, flags = [], seed, services }: Course): State {
  const operator = new Operator(aws, copied(out));
  const start = (how?: How, k = 0): KillableRun => {
    aws.reset(seed);
    if (how !== undefined) aws.failAt(k, how);
    return operator.run(script, flags);
  };

  const { status, stdout, stderr } = start();
  expect(status, `undisturbed\n${stdout}${stderr}`).toBe(0);
  const goal = aws.state();
  const calls = aws.calls();
  const targets = new Set(calls.filter(({ changes }) => changes).map(targetOf));
  const expectOwnTargets = (when: string) => {
    const made = aws.calls().filter(({ changes }) => changes);
    expect(
      [...new Set(made.map(targetOf))].filter((text) => !targets.has(text)),
      when,
    ).toEqual([]);
    expect(
      made.filter(({ foreign }) => foreign),
      when,
    ).toEqual([]);
  };

  const seen = new Set<string>();
  for (const [index, call] of calls.entries()) {
    for (const how of waysOf(call, index, services)) {
      const when = `${how} at call ${index + 1}, ${call.service} ${call.operation}`;
      for (const note of operator.notes()) rmSync(join(operator.out, "aws", note));
      expectToSay(start(how, index + 1), call, how, when);
      expectOwnTargets(when);
      const left = JSON.stringify([aws.state(), operator.notes()]);
      if (seen.has(left)) continue;
      seen.add(left);
      expect(operator.run(script, flags), `again, after ${when}`).toMatchObject({
        status: 0,
        stderr: expect.not.stringContaining("error"),
      });
      expect(aws.state(), `again, after ${when}`).toEqual(goal);
      expectOwnTargets(`again, after ${when}`);
      const [look, ...lookFlags] = ended(script, flags);
      expect(operator.run(look, lookFlags), `nothing left, after ${when}`).toMatchObject({ status: 0 });
      expect(operator.notes(), when).toEqual([]);
    }
  }
  return goal;
}

const before: readonly How[] = ["refused", "unavailable", "killed-before"];
const after: readonly How[] = ["lost", "killed-after", "lost-and-retried"];

/**
 * A call that changes something fails once before its effect and twice after it, each time in other ways. A call that only
 * reads leaves the same account for every kind of failure, so consecutive calls take turns, and only every third call kills
 * the script. The same applies to calls that another course tests in every way. CCF_ALL_FAULTS enables all.
 */
function waysOf({ changes, service }: Call, index: number, services?: readonly string[]): readonly How[] {
  if (process.env["CCF_ALL_FAULTS"] !== undefined) return changes ? [...before, ...after] : [...before, "lost"];
  const turn = (list: readonly How[], at = index) => list[at % list.length] as How;
  if (changes && (services?.includes(service) ?? true)) return [turn(before), turn(after), turn(after, index + 1)];
  const kill = turn(["killed-before", "killed-after"]);
  return index % 3 === 0 || changes
    ? [turn(["refused", "unavailable", "lost"]), kill]
    : [turn(["refused", "unavailable", "lost"])];
}

function expectToSay({ status, signal, stderr }: KillableRun, call: Call, how: How, when: string): void {
  expect(stderr, when).not.toMatch(/stand-in|Traceback|^\s+at |not found$|unbound|syntax/m);
  if (how.startsWith("killed")) {
    expect(signal, when).toBe("SIGKILL");
    return;
  }
  // The CLI itself retried a call that had succeeded. If that is not an error, nothing failed.
  if (how === "lost-and-retried" && status === 0) return;
  // If the call for all roles is denied, the roles are read separately.
  if (how === "refused" && call.operation === "GetAccountAuthorizationDetails") {
    const rest = stderr.replace(/^waiting until distribution .*\n/gm, "");
    expect({ status, stderr: rest }, when).toEqual({ status: 0, stderr: "" });
    return;
  }
  expect({ status, signal }, `${when}\n${stderr}`).toEqual({ status: 1, signal: null });
  expect(stderr, when).toMatch(/^error: /m);
  if (call.operation === "HeadBucket" && how === "refused")
    expect(stderr, when).toContain("belongs to another account");
  else expect(stderr, when).toContain(`error: aws ${call.service} ${call.args[1]}: `);
}

/** The resource of a call: its name in AWS, or the name that it will get. */
function targetOf({ operation, parameters = {} }: Call): string {
  const { DistributionConfigWithTags: distribution, OriginAccessControlConfig: control, Url } = parameters;
  const { Bucket, Key, RoleName, OpenIDConnectProviderArn, Id, Resource } = parameters;
  const name = Bucket ?? RoleName ?? OpenIDConnectProviderArn ?? Id ?? Resource ?? Url ?? control?.Name;
  const target = name ?? distribution?.DistributionConfig.CallerReference;
  return `${target ?? operation}${Key === undefined ? "" : `/${Key}`}`.replace(
    /^.*[:/](?=distribution\/)distribution\//,
    "",
  );
}
