import { expect } from "vitest";
import { CloudError } from "../../src/apply/requests.ts";
import { type Ended, isSuccess } from "./carried-out.ts";

/*
 * What something between the program and a cloud can answer: a login page, a gateway, a proxy that cuts answers or mixes them up.
 * None of it says anything, so none of it may be taken for success, for absence, or for a cloud that matches the package.
 */

/** A request that a stand-in received. The call is the same for all resources of a kind. */
interface CallMade {
  readonly call: string;
  readonly changes: boolean;
}

/** How to try all strange answers on a cloud. */
export interface Trial {
  /** Brings the cloud into the state where the run begins, in which it answers as usual. */
  start(): void;
  run(): Promise<Ended>;
  /** What is wrong in the cloud, after a run that says that it succeeded. */
  wrong(): Promise<readonly string[]>;
  /** What the cloud received since the start. */
  received(): readonly CallMade[];
  /** Lets the cloud keep its answers, for those to other requests. */
  record(): void;
  /** The strange answers to a call, and how the cloud begins to give them. */
  answers(call: string): ReadonlyMap<string, () => void>;
  /** Answers to a call that cannot be told from right ones, and that do no harm. */
  readonly harmless?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Tries every strange answer to every call of a run, expects that nothing goes wrong, and returns which calls were tried.
 *
 * @param which the calls: those that change something, or those that read.
 * @param law what must be so: that nothing is known, for a cloud that matches the package; or that a success is one.
 */
export async function tryAll(
  trial: Trial,
  which: "reads" | "writes",
  law: "unknown" | "no false success",
): Promise<string[]> {
  const { start, run, record, received, answers, harmless = new Map() } = trial;
  start();
  record();
  await run();
  const calls = [...new Set(received().flatMap(({ call, changes }) => (changes === (which === "writes") ? call : [])))];
  const wrong: string[] = [];
  for (const call of calls.sort()) {
    for (const [name, begin] of answers(call)) {
      if (harmless.get(call)?.includes(name)) continue;
      start();
      begin();
      const ended = await run().catch((error: unknown) => {
        if (!(error instanceof CloudError)) throw error;
        return undefined;
      });
      const writes = received().filter(({ changes }) => changes).length;
      const problem = law === "unknown" ? falselyKnown(ended, writes) : await falseSuccess(ended, trial);
      if (problem !== undefined) wrong.push(`${call}: ${name}: ${problem}`);
    }
  }
  expect(wrong).toEqual([]);
  return calls;
}

/** After a reading that says nothing, in a cloud that matches the package, nothing is known and nothing is written. */
function falselyKnown(ended: Ended | undefined, writes: number): string | undefined {
  if (writes > 0) return `${writes} writes followed`;
  if (ended === undefined) return undefined;
  const { steps } = ended.plan;
  const planned = steps.filter(({ action }) => !["none", "unknown", "keep"].includes(action));
  if (planned.length > 0) return planned.map(({ action, kind, name }) => `${action} ${kind} ${name}`).join(", ");
  return steps.some(({ action, extra }) => action === "unknown" || extra?.unread) ? undefined : "in sync";
}

/** A success is one that the cloud confirms when it answers as usual again. */
async function falseSuccess(ended: Ended | undefined, { wrong }: Trial): Promise<string | undefined> {
  if (ended === undefined || !isSuccess(ended)) return undefined;
  const left = await wrong();
  return left.length === 0 ? undefined : `success, but ${left.join(", ")}`;
}
