import { expect, vi } from "vitest";
import { moments } from "../../helpers/effort.ts";
import type { Call, How, KillableRun, Seed, State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator } from "../../helpers/gcp-administrator.ts";

// A hundred runs.
vi.setConfig({ testTimeout: 600_000 });

/** A script that must lead to the same state wherever it was interrupted. */
export interface GcpCourse {
  readonly out: string;
  readonly script: "apply.sh" | "destroy.sh";
  readonly flags?: readonly string[];
  /** What is in the project before. */
  readonly seed?: Seed;
}

/**
 * Runs a script once undisturbed. Then, for each of its calls, it runs the script from the same start with a fault at that
 * call, and again without. The first run must fail and name the failed call. The second run must lead to the same state as
 * the undisturbed run.
 *
 * Runs from equal projects are equal, so there is only one second run for each state that first runs have left.
 */
export function expectTheSameEnd(gcloud: StubGcloud, { out, script, flags = [], seed = {} }: GcpCourse): State {
  const one = new Administrator(gcloud, out);
  const start = (how?: How, k = 0): KillableRun => {
    gcloud.reset(seed);
    if (how !== undefined) gcloud.failAt(k, how);
    return one.run(script, flags);
  };

  const { status, stdout, stderr } = start();
  expect(status, `undisturbed\n${stdout}${stderr}`).toBe(0);
  const goal = gcloud.state();
  const calls = gcloud.calls();
  const seen = new Set<string>();
  let changes = 0;
  for (const k of moments(calls.length, { few: 8 })) {
    const call = calls[k - 1] as Call;
    if (call.changes) changes++;
    for (const how of waysOf(call, k, changes)) {
      const when = `${String(how)} at call ${k}, ${call.command}`;
      const failed = start(how, k);
      // Reads run in parallel, so the call may be another one than in the undisturbed run.
      expectToSay(failed, gcloud.calls()[k - 1] ?? call, how, when);
      const left = JSON.stringify(gcloud.state());
      if (seen.has(left)) continue;
      seen.add(left);
      gcloud.forgetCalls();
      const again = one.run(script, flags);
      expect(again, `again, after ${when}\n${again.stdout}`).toMatchObject({ status: 0, stderr: "" });
      expect(gcloud.state(), `again, after ${when}`).toEqual(goal);
    }
  }
  return goal;
}

// Before a call, the project is as after the one before it. So every change fails after its effect, in turns by a killed
// script, a lost answer, and a repetition by gcloud, and every third change before it. Every read fails.
function waysOf({ changes }: Call, index: number, count: number): readonly How[] {
  if (!changes) return [index % 2 === 0 ? "refused" : "unavailable"];
  const turn = (list: readonly How[]) => list[count % list.length] as How;
  const after = turn(["killed-after", "lost", "lost-and-retried"]);
  return count % 3 === 1 ? [turn(["refused", "killed-before"]), after] : [after];
}

function expectToSay({ status, signal, stderr }: KillableRun, call: Call, how: How, when: string): void {
  expect(stderr, when).not.toMatch(/stand-in|Traceback|^\s+at |not found$|unbound|syntax/m);
  if (String(how).startsWith("killed")) {
    expect(signal, when).toBe("SIGKILL");
    return;
  }
  // gcloud itself repeated a change that had succeeded. If that is not an error, nothing failed.
  if (how === "lost-and-retried" && status === 0) return;
  // If these credentials may not read the former bucket, it is nothing to report.
  if (status === 0 && call.command === "storage buckets describe") return;
  expect({ status, signal }, `${when}\n${stderr}`).toEqual({ status: 1, signal: null });
  expect(stderr, when).toMatch(/^error: /m);
  if (call.command !== "storage buckets describe") {
    expect(stderr, when).toContain(`error: gcloud ${call.command.split(" ").slice(0, 3).join(" ")}`);
  }
}
