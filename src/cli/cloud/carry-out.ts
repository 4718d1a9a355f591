import { isChange, type Plan, type Step } from "../../apply/plan.ts";
import { type Outcome, runPlan } from "../../apply/run.ts";
import { planJson } from "../../apply/show.ts";
import type { ValueMap } from "../../core/resource.ts";
import { failureJson, failureOf } from "../terminal/errors.ts";
import { failureLines, write, writeNotes } from "../terminal/output.ts";
import type { Read } from "./each-target.ts";
import { asFinding, type Opened } from "./open-package.ts";

const said = {
  create: "created",
  update: "updated",
  adopt: "adopted",
  restore: "restored",
  remove: "removed",
} as const;

/** Ends a run after the requests that are under way; a second signal ends the program at once. */
export class Interruption {
  #isStopped = false;
  readonly #note = (): void => {
    if (this.#isStopped) process.exit(130);
    this.#isStopped = true;
    write(2, ["Stopping after the requests that are under way. Press Ctrl-C again to stop at once."]);
  };

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, this.#note);
  }

  readonly isStopped = (): boolean => this.#isStopped;

  end(): void {
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, this.#note);
  }
}

/** Carries a plan out, and says what happens. @param prefix what each line begins with, for several packages. */
export async function carryOut({ target }: Opened, plan: Plan, stop: Interruption, prefix: string): Promise<Outcome> {
  const name = ({ kind, name }: Step) => `${kind} ${name}`;
  const word = ({ action }: Step) => said[action as keyof typeof said];
  try {
    const outcome = await runPlan(target, plan, {
      isStopped: stop.isStopped,
      done: (step) => writeNotes(2, [`${prefix}${word(step)} ${name(step)}`]),
      failed: (step, problem) => write(2, [`error: ${prefix}${name(step)}: ${problem}`]),
      waiting: (seconds) =>
        writeNotes(2, [
          `${prefix}waiting ${seconds} seconds, until what is new is in effect, before anything is removed`,
        ]),
    });
    const left = outcome.skipped.map(name);
    const why = outcome.isStopped
      ? "the run was stopped"
      : `something that ${left.length === 1 ? "it needs" : "they need"} failed`;
    if (left.length > 0) write(2, [`error: ${prefix}skipped, because ${why}: ${left.join("; ")}`]);
    return outcome;
  } catch (error) {
    write(2, failureLines(failureOf(asFinding(error))));
    const skipped = plan.steps.filter(isChange);
    return { done: [], failed: [], skipped, isStopped: false };
  }
}

/** Whether everything that the plan wants is as it should be. */
export function isComplete(plan: Plan, { failed, skipped }: Pick<Outcome, "failed" | "skipped">): boolean {
  const isRefused = plan.steps.some(({ action }) => action === "refuse" || action === "unknown");
  return failed.length === 0 && skipped.length === 0 && !isRefused;
}

/** What a run did that did nothing. */
export const nothing: Outcome = { done: [], failed: [], skipped: [], isStopped: false };

/** What `-o json` prints about a package after a run. */
export function outcomeJson(read: Read, outcome: Outcome = nothing): ValueMap {
  if (!("value" in read)) return { package: read.directory, ...failureJson(read.failure) };
  const { done, failed, skipped } = outcome;
  const shown = {
    done: done.map(({ id }) => id),
    failed: failed.map(({ step, problem }) => ({ id: step.id, problem })),
    skipped: skipped.map(({ id }) => id),
  };
  return { package: read.directory, cluster: read.opened.title, ...planJson(read.value), outcome: shown };
}
