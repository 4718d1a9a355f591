import { expect, vi } from "vitest";
import type { Call, How, KillableRun, Seed, State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator } from "../../helpers/azure-administrator.ts";
import { moments } from "../../helpers/effort.ts";

// A hundred runs.
vi.setConfig({ testTimeout: 600_000 });

/** A script that must lead to the same state wherever it was interrupted. */
export interface AzureCourse {
  readonly out: string;
  readonly script: "apply.sh" | "destroy.sh";
  readonly flags?: readonly string[];
  /** What is in the tenant before. */
  readonly seed?: Seed;
  /** The calls that fail; all, if it is not given. */
  readonly at?: (call: Call) => boolean;
}

/**
 * Runs a script once undisturbed. Then, for each of its calls, it runs the script from the same start with a fault at that
 * call, and again without. The first run must fail and name the failed call. The second run must lead to the same state as
 * the undisturbed run.
 *
 * Runs from equal tenants are equal, so there is only one second run for each state that first runs have left.
 */
export function expectTheSameEnd(
  az: StubAz,
  { out, script, flags = [], seed = {}, at = () => true }: AzureCourse,
): State {
  const one = new AzureAdministrator(az, out);
  const start = (how?: How, k = 0): KillableRun => {
    az.reset(seed);
    if (how !== undefined) az.failAt(k, how);
    return one.run(script, flags);
  };

  const { status, stdout, stderr } = start();
  expect(status, `undisturbed\n${stdout}${stderr}`).toBe(0);
  const goal = az.state();
  const calls = az.calls();
  const seen = new Set<string>();
  let changes = 0;
  for (const k of moments(calls.length, { few: 8 })) {
    const call = calls[k - 1] as Call;
    if (!at(call)) continue;
    if (call.changes) changes++;
    for (const how of waysOf(call, k, changes)) {
      const when = `${String(how)} at call ${k}, ${nameOf(call)}`;
      const failed = start(how, k);
      // Reads run in parallel, so the call may be another one than in the undisturbed run.
      expectToSay(failed, az.calls()[k - 1] ?? call, how, when);
      if (failed.status === 0) expect(az.state(), when).toEqual(goal);
      const left = JSON.stringify(az.state());
      if (seen.has(left)) continue;
      seen.add(left);
      az.forgetCalls();
      const again = one.run(script, flags);
      expect(again, `again, after ${when}\n${again.stdout}`).toMatchObject({ status: 0, stderr: "" });
      expect(az.state(), `again, after ${when}`).toEqual(goal);
    }
  }
  return goal;
}

/** What the scripts name a call in errors. */
export function nameOf({ command, method, path }: Call): string {
  return command === "rest" ? `az rest --method ${method.toLowerCase()} --url ${path}` : `az ${command}`;
}

// Before a call, the tenant is as after the one before it. So every change fails after its effect, in turns by a killed
// script and a lost answer, and every third change before it. Every read fails.
function waysOf({ changes }: Call, index: number, count: number): readonly How[] {
  if (!changes) return [index % 2 === 0 ? "refused" : "reset"];
  const turn = (list: readonly How[]) => list[count % list.length] as How;
  const after = turn(["killed-after", "lost"]);
  return count % 3 === 1 ? [turn(["refused", "killed-before", "reset"]), after] : [after];
}

function expectToSay({ status, signal, stdout, stderr }: KillableRun, call: Call, how: How, when: string): void {
  expect(stderr, when).not.toMatch(/stand-in|Traceback|^\s+at |not found$|unbound|syntax/m);
  if (String(how).startsWith("killed")) {
    expect(signal, when).toBe("SIGKILL");
    return;
  }
  // What was not needed in this tenant need not be readable: the permissions of the caller, the documents of what is deleted.
  if (status === 0 && !call.changes) return;
  expect({ status, signal }, `${when}\n${stdout}${stderr}`).toEqual({ status: 1, signal: null });
  expect(stderr, when).toMatch(/^error: /m);
  expect(stderr, when).toContain(`error: ${nameOf(call)}`);
}
