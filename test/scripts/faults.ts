import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { temporary } from "../helpers/temporary.ts";

// Dozens of runs.
vi.setConfig({ testTimeout: 600_000 });

/** What came of a script that may have been killed. */
export interface FaultyRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cloud whose calls fail, and what its scripts must say then. */
export interface FaultyCloud<Call extends { readonly changes: boolean }, How, Seed, State> {
  readonly stub: {
    reset(seed: Seed): void;
    state(): State;
    calls(): Call[];
    forgetCalls(): void;
    failAt(k: number, how: How): void;
    failChanges(hows: readonly (How | undefined)[]): void;
  };
  /** The directory of the scripts in an export. */
  readonly directory: string;
  run(out: string, script: string, flags: readonly string[]): FaultyRun;
  /** All that the stand-in holds now, for `reset`. */
  whole(): Seed;
  /** The ways to fail before a call has its effect. */
  readonly before: readonly How[];
  /** The ways to fail after it. */
  readonly after: readonly How[];
  /** The tool gets no answer, and carries out the call again. */
  readonly repeated?: How;
  /** What a call does, without the resource. */
  operationOf(call: Call): string;
  /** The resource of a call, by its name or its future name. */
  targetOf(call: Call): string;
  /** Whether a run says, and ends, as it must after this fault. */
  expectToSay(run: FaultyRun, call: Call, how: How, when: string): void;
}

/** A script that must lead to the same state wherever it is interrupted. */
export interface Course<Seed> {
  readonly out: string;
  readonly script: "apply.sh" | "destroy.sh";
  readonly flags?: readonly string[];
  /** What the cloud contains before. */
  readonly seed: Seed;
}

/** Every call fails in every way, and every state is the start of a run to the end. */
const all = process.env["CCF_ALL_FAULTS"] !== undefined;

/** The operations of a cloud that have failed already, by script. */
const sampled = new WeakMap<object, Set<string>>();

/**
 * Interrupts a script again and again, and expects that it leads to the state of an undisturbed run. What a script does
 * depends only on the package, the cloud, and the files that it keeps beside itself. So these runs cover all others:
 *
 * - A chain: each run starts from what the one before it left, and fails after the effect of its first change, until a run
 *   has nothing more to change. Every third state is also the start of a run to the end.
 * - The same where every change is carried out twice, because the tool lost the first answer.
 * - A failure before its effect leaves the state of the call before it. So each operation of a script, also each one that
 *   only reads, fails in one run.
 *
 * Each interrupted run must name the failed call, and change only the resources that the undisturbed run changes.
 *
 * @returns the state that all of them lead to.
 */
export function expectTheSameEnd<Call extends { readonly changes: boolean }, How, Seed, State>(
  cloud: FaultyCloud<Call, How, Seed, State>,
  { out, script, flags = [], seed }: Course<Seed>,
): State {
  const { stub } = cloud;
  const copy = join(temporary(), "out");
  cpSync(out, copy, { recursive: true });
  const beside = notesIn(join(copy, cloud.directory));
  const run = () => cloud.run(copy, script, flags);
  const start = () => {
    stub.reset(seed);
    beside.restore({});
  };
  const made = () => stub.calls().filter(({ changes }) => changes);

  start();
  const undisturbed = run();
  expect(undisturbed.status, `undisturbed\n${undisturbed.stdout}${undisturbed.stderr}`).toBe(0);
  const goal = stub.state();
  const calls = stub.calls();
  const targets = new Set(made().map(cloud.targetOf));
  const limit = 3 * made().length + 10;

  const expectOwnTargets = (when: string) =>
    expect(
      made()
        .map(cloud.targetOf)
        .filter((text) => !targets.has(text)),
      when,
    ).toEqual([]);
  const expectEnd = (done: FaultyRun, when: string) => {
    const stderr = done.stderr.replace(/^waiting .*\n/gm, "");
    expect({ status: done.status, stderr }, `${when}\n${done.stdout}`).toEqual({ status: 0, stderr: "" });
    expect(stub.state(), when).toEqual(goal);
    expect(beside.notes(), when).toEqual({});
  };
  const expectNothingLeft = (when: string) => {
    const [look, ...lookFlags] = lookOf(script, flags);
    expect(cloud.run(copy, look, lookFlags), `nothing left, ${when}`).toMatchObject({ status: 0 });
  };

  const chain = (ways: readonly How[]) => {
    start();
    let text = JSON.stringify(stub.state());
    // Changes of a run that led to a state that was there before.
    let passed = 0;
    for (let link = 0; ; link++) {
      const how = ways[link % ways.length] as How;
      stub.forgetCalls();
      stub.failChanges([...Array<undefined>(passed).fill(undefined), how]);
      const done = run();
      const failed = made()[passed];
      const when = `${String(how)} after change ${passed + 1} of run ${link + 1}, ${failed && cloud.operationOf(failed)}`;
      expectOwnTargets(when);
      if (failed === undefined) return expectEnd(done, `in the last run of a chain, run ${link + 1}`);
      cloud.expectToSay(done, failed, how, when);
      expect(link, `no end, ${when}`).toBeLessThan(limit);
      const left = JSON.stringify(stub.state());
      passed = left === text ? passed + 1 : 0;
      text = left;
      if (!all && link % 3 !== 0) continue;
      const [whole, notes] = [cloud.whole(), beside.notes()];
      stub.forgetCalls();
      expectEnd(run(), `again, ${when}`);
      expectOwnTargets(`again, ${when}`);
      stub.reset(whole);
      beside.restore(notes);
    }
  };

  const repeat = (how: How) => {
    start();
    for (let link = 0; ; link++) {
      stub.forgetCalls();
      stub.failChanges(Array<How>(limit).fill(how));
      const done = run();
      const when = `every change carried out twice, run ${link + 1}`;
      expectOwnTargets(when);
      if (done.status === 0) return expectEnd(done, when);
      cloud.expectToSay(done, made().at(-1) as Call, how, when);
      expect(link, `no end, ${when}`).toBeLessThan(limit);
    }
  };

  const failOnce = (index: number, call: Call, how: How) => {
    const when = `${String(how)} at call ${index + 1}, ${cloud.operationOf(call)}`;
    start();
    stub.failAt(index + 1, how);
    const done = run();
    // Reads may run in parallel, so the call may be another one than in the undisturbed run.
    cloud.expectToSay(done, stub.calls()[index] ?? call, how, when);
    if (done.status === 0) expect(stub.state(), when).toEqual(goal);
    expectOwnTargets(when);
  };

  for (const ways of all ? cloud.after.map((how) => [how]) : [cloud.after]) chain(ways);
  expectNothingLeft("after a chain");
  if (cloud.repeated !== undefined) repeat(cloud.repeated);
  const known = sampled.get(cloud) ?? new Set<string>();
  sampled.set(cloud, known);
  for (const [index, call] of calls.entries()) {
    const operation = `${script} ${cloud.operationOf(call)}`;
    if (!all && known.has(operation)) continue;
    known.add(operation);
    for (const how of all ? cloud.before : [cloud.before[known.size % cloud.before.length] as How]) {
      failOnce(index, call, how);
    }
  }
  stub.reset(seed);
  return goal;
}

/** The run that reports whether anything remains to do. */
function lookOf(script: Course<unknown>["script"], flags: readonly string[]): [string, ...string[]] {
  if (script === "apply.sh") return ["status.sh"];
  return [script, "--dry-run", ...flags.filter((flag) => flag !== "--yes")];
}

/** The files that a script keeps beside itself until it has done what it began. */
function notesIn(directory: string) {
  const names = () => readdirSync(directory).filter((name) => name.startsWith("."));
  return {
    notes: () => Object.fromEntries(names().map((name) => [name, readFileSync(join(directory, name), "utf8")])),
    restore(notes: Readonly<Record<string, string>>) {
      for (const name of names()) rmSync(join(directory, name));
      for (const [name, text] of Object.entries(notes)) writeFileSync(join(directory, name), text);
    },
  };
}

/** Nothing that a stand-in or a shell says about itself. */
const broken = /stand-in|Traceback|^\s+at |not found$|unbound|syntax/m;

/** What every cloud expects of an interrupted run that is not its own affair; whether that was all. */
export function isKilled({ signal, stderr }: FaultyRun, how: unknown, when: string): boolean {
  expect(stderr, when).not.toMatch(broken);
  if (!String(how).startsWith("killed")) return false;
  expect(signal, when).toBe("SIGKILL");
  return true;
}

/** Expects that a run ended with an error that contains this. */
export function expectError({ status, signal, stdout, stderr }: FaultyRun, text: string, when: string): void {
  expect({ status, signal }, `${when}\n${stdout}${stderr}`).toEqual({ status: 1, signal: null });
  expect(stderr, when).toMatch(/^error: /m);
  expect(stderr, when).toContain(text);
}
