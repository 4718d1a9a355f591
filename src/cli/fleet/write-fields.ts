import { join } from "node:path";
import { hasError } from "../../core/finding.ts";
import { compactJson } from "../../core/json.ts";
import type { Value, ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { toResult } from "../../krm/results.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { readText } from "../files/read-bytes.ts";
import { writeFiles } from "../files/write-files.ts";
import { type FieldsPlan, setTarget } from "../package/plan-set.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeFindings, writeJsonLines, writeNotes } from "../terminal/output.ts";
import { failed, summary } from "./each-package.ts";
import type { Selection } from "./select-packages.ts";

/** What happened to a package. */
type Status = "up-to-date" | "changed" | "would-change" | "not-changed" | "failed";

/** What the summary says of each status, in its order. */
const words: Readonly<Record<Status, string>> = {
  "up-to-date": "up to date",
  changed: "changed",
  "would-change": "would change",
  "not-changed": "not changed",
  failed,
};

/** How a command says what it did to packages that did not fail. */
export interface FieldsWording<Plan extends FieldsPlan> {
  /** The lines about a package, without its directory. */
  readonly lines: (plan: Plan, status: Status) => readonly string[];
  /** What to do after the changes; at least one package was changed. */
  readonly next: (changed: readonly Plan[]) => readonly string[];
  /** What `-o json` prints of a package besides its fields. */
  readonly json: (plan: Plan) => ValueMap;
}

const byField: FieldsWording<FieldsPlan> = { lines: differenceLines, next: nextLines, json: () => ({}) };

/**
 * Writes the planned changes, or only shows them, and prints what was done.
 * @returns the exit code
 */
export function writeFields<Plan extends FieldsPlan>(
  plans: readonly Plan[],
  selection: Selection,
  flags: { readonly check: boolean; readonly output: string },
  wording: FieldsWording<Plan> = byField,
): number {
  const statuses = statusesOf(plans, flags.check);
  for (const { directory, findings } of plans) {
    if (findings.length === 0) continue;
    if (plans.length > 1) write(2, [`${directory}:`]);
    writeFindings(findings);
  }
  const done = [...statuses.values()].includes("failed") || flags.check || writePlans(plans, statuses);
  const isText = flags.output === "text";
  if (isText)
    writeNotes(
      1,
      plans.flatMap((plan) =>
        wording.lines(plan, statuses.get(plan) ?? "failed").map((line) => `${plan.directory}: ${line}`),
      ),
    );
  else writeJsonLines(plans.map((plan) => ({ ...jsonOf(plan, statuses.get(plan)), ...wording.json(plan) })));
  const last = summaryOf(selection, statuses);
  const changed = plans.filter((plan) => statuses.get(plan) === "changed");
  const next = !flags.check && done && changed.length > 0 ? wording.next(changed) : [];
  const stream = isText ? 1 : 2;
  // With many packages, a log must show how many were read, even with --quiet.
  if (plans.length > 1) write(stream, [last]);
  writeNotes(stream, plans.length > 1 ? next : [last, ...next]);
  const all = [...statuses.values()];
  return hasError(selection.uncheckedFindings) || all.includes("failed") || !done
    ? 1
    : all.includes("would-change")
      ? 2
      : 0;
}

function statusesOf(plans: readonly FieldsPlan[], check: boolean): Map<FieldsPlan, Status> {
  const isBroken = plans.some(({ findings }) => hasError(findings));
  const statusOf = ({ changes, findings }: FieldsPlan): Status => {
    if (hasError(findings)) return "failed";
    if (changes.length === 0) return "up-to-date";
    return check ? "would-change" : isBroken ? "not-changed" : "changed";
  };
  return new Map(plans.map((plan) => [plan, statusOf(plan)]));
}

/**
 * Writes the planned changes, each file atomically. If the system refuses one, the packages after it are not changed, and
 * the statuses say so.
 * @returns whether all are written.
 */
function writePlans(plans: readonly FieldsPlan[], statuses: Map<FieldsPlan, Status>): boolean {
  const changing = plans.filter(({ changes }) => changes.length > 0);
  try {
    for (const { directory, changes } of plans) writeFiles(setTarget(directory), [{ changes }]);
    return true;
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof UsageError)) throw error;
    // A write can fail after its file is in place.
    const [done, rest] = [changing.filter(isWritten), changing.filter((plan) => !isWritten(plan))];
    for (const plan of rest) statuses.set(plan, "not-changed");
    write(2, [
      `error: ${error.message}`,
      `Changed: ${namesOf(done)}. Not changed: ${namesOf(rest)}.`,
      "Fix the cause, and run the same command again; it changes the rest.",
    ]);
    return false;
  }
}

function isWritten({ directory, changes }: FieldsPlan): boolean {
  try {
    return changes.every(({ path, after }) => readText(join(directory, path)) === after);
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

const maxNamed = 20;

function namesOf(plans: readonly FieldsPlan[]): string {
  if (plans.length === 0) return "none";
  return listed(
    plans.map(({ directory }) => quoteWhole(directory)),
    maxNamed,
  );
}

function differenceLines({ differences }: FieldsPlan, status: Status): string[] {
  if (status !== "changed" && status !== "would-change") return [];
  return differences.map(({ field, before, after }) => `${field}: ${shown(before)} -> ${shown(after)}`);
}

const maxShown = 200;

function shown(value: Value | undefined): string {
  if (value === undefined) return "(not set)";
  const text = compactJson(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

function summaryOf(selection: Selection, statuses: ReadonlyMap<FieldsPlan, Status>): string {
  const counts = new Map<string, number>();
  for (const status of statuses.values()) counts.set(words[status], (counts.get(words[status]) ?? 0) + 1);
  return summary(selection, Object.values(words).slice(0, -1), counts);
}

function nextLines([first, ...more]: readonly FieldsPlan[]): string[] {
  if (first !== undefined && more.length === 0) return [`Next: ccf render ${shellWord(first.directory)}`];
  return ['Next: run "ccf render" for each changed package; it stops before it takes anything from a running cluster.'];
}

function jsonOf(plan: FieldsPlan, status: Status = "failed"): ValueMap {
  const { directory, identity, platform, changes, differences, findings } = plan;
  return {
    package: directory,
    ...(identity === undefined ? {} : { identity }),
    ...(platform === undefined ? {} : { platform }),
    status,
    ...(changes[0] === undefined ? {} : { file: changes[0].path }),
    fields: differences.map(({ field, before, after }) => ({
      field,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
    findings: findings.map(toResult),
  };
}
