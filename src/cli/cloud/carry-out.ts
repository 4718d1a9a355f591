import { isChange, needsOf, type Plan, type Step } from "../../apply/plan.ts";
import { type Outcome, runPlan } from "../../apply/run.ts";
import { calledAmong, planJson } from "../../apply/show.ts";
import type { FindingCode } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { counted, listed } from "../../core/words.ts";
import { Progress } from "../fleet/each-package.ts";
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

/** How many of the resources that failed the line about those that were skipped names. */
const maxNamed = 3;

/** What a run shows. */
export interface RunOutput {
  readonly quiet: boolean;
  /** Whether each change has a line. */
  readonly verbose: boolean;
}

/**
 * The run of one or several plans: shows how far it is on a terminal, and ends after the requests that are under way. A second signal
 * ends the program at once.
 */
export class Running {
  readonly #output: RunOutput;
  readonly #progress: Progress;
  #ended = 0;
  #isStopped = false;
  readonly #note = (): void => {
    if (this.#isStopped) process.exit(130);
    this.#isStopped = true;
    this.#progress.clear();
    write(2, ["Stopping after the requests that are under way. Press Ctrl-C again to stop at once."]);
  };

  constructor(plans: readonly Plan[], output: RunOutput) {
    this.#output = output;
    this.#progress = new Progress(
      plans.reduce((sum, { steps }) => sum + steps.filter(isChange).length, 0),
      output.quiet,
    );
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, this.#note);
  }

  readonly isStopped = (): boolean => this.#isStopped;

  /** A step was carried out. @param line what was done. */
  done(line: string): void {
    this.#ended++;
    if (this.#output.verbose) this.say(() => writeNotes(2, [line]));
    this.#progress.show(this.#ended, line);
  }

  /** Prints something while the plans are carried out. */
  say(print: () => void): void {
    this.#progress.clear();
    print();
  }

  end(): void {
    this.#progress.clear();
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, this.#note);
  }
}

const failedCode: FindingCode = "cloud-request-failed";
const skippedCode: FindingCode = "steps-skipped";

/** Carries a plan out, and says what happens. @param prefix what each line begins with, for several packages. */
export async function carryOut({ target }: Opened, plan: Plan, running: Running, prefix: string): Promise<Outcome> {
  const name = (step: Step) => calledAmong(step, plan.steps);
  const word = ({ action }: Step) => said[action as keyof typeof said];
  const waiting = (seconds: number) =>
    `${prefix}waiting ${seconds} seconds, until what is new is in effect, before anything is removed`;
  try {
    const outcome = await runPlan(target, plan, {
      isStopped: running.isStopped,
      done: (step) => running.done(`${prefix}${word(step)} ${name(step)}`),
      failed: (step, problem) =>
        running.say(() => write(2, [`error: ${prefix}${name(step)}: ${problem} [${failedCode}]`])),
      waiting: (seconds) => running.say(() => writeNotes(2, [waiting(seconds)])),
    });
    running.say(() => {
      const words = Object.values(said).map((one) => [outcome.done.filter((step) => word(step) === one).length, one]);
      const counts = words.filter(([count]) => count !== 0).map((one) => one.join(" "));
      if (counts.length > 0) writeNotes(2, [`${prefix}${counts.join(", ")}.`]);
      const left = outcome.skipped.length;
      if (left > 0)
        write(2, [
          `error: ${prefix}${counted(left, "resource")} skipped because ${reasonOf(outcome, name)} [${skippedCode}]`,
        ]);
    });
    return outcome;
  } catch (error) {
    running.say(() => write(2, failureLines(failureOf(asFinding(error)))));
    const skipped = plan.steps.filter(isChange);
    return { done: [], failed: [], skipped, isStopped: false };
  }
}

/** Why steps were skipped: what they need failed, directly or not, or the run was stopped. */
function reasonOf({ failed, skipped, isStopped }: Outcome, name: (step: Step) => string): string {
  if (isStopped) return "the run was stopped";
  const known = new Map([...skipped, ...failed.map(({ step }) => step)].map((step) => [step.id, step]));
  const needed = new Set(skipped.flatMap(needsOf));
  // A set grows while it is read.
  for (const id of needed) for (const one of needsOf(known.get(id) ?? nothingNeeded)) needed.add(one);
  const failures = failed.map(({ step }) => step);
  // Nothing is removed after any failure.
  const isAny = skipped.some(({ action }) => action === "remove");
  const causes = failures.filter(({ id }) => isAny || needed.has(id));
  return `${listed(causes.map(name), maxNamed)} failed`;
}

const nothingNeeded: Pick<Step, "wanted" | "extra"> = {};

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
