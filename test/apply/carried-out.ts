import type { Plan } from "../../src/apply/plan.ts";
import type { Target } from "../../src/apply/resource.ts";
import { type Outcome, runPlan } from "../../src/apply/run.ts";

/** What a run did, and what it was to do. */
export interface Ended extends Outcome {
  readonly plan: Plan;
}

export const quiet = {
  isStopped: () => false,
  done: () => undefined,
  failed: () => undefined,
  waiting: () => undefined,
};

/** Carries a plan out silently. */
export async function carriedOut(target: Target, plan: Plan): Promise<Ended> {
  return { ...(await runPlan(target, plan, quiet)), plan };
}

/** Whether a run says that everything is as the package wants it: the exit code 0. */
export function isSuccess({ plan, failed, skipped }: Ended): boolean {
  const isOpen = plan.steps.some(({ action }) => ["refuse", "unknown", "keep"].includes(action));
  return failed.length === 0 && skipped.length === 0 && !isOpen;
}
