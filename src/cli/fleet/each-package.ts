import { type Finding, hasError } from "../../core/finding.ts";
import { toLines, toResult } from "../../krm/results.ts";
import { failureJson, failureOf } from "../terminal/failure.ts";
import { write, writeJsonLines, writeNotes } from "../terminal/output.ts";
import type { Comparison } from "./compare-clusters.ts";
import type { Outcome } from "./outcome.ts";
import { Progress } from "./progress.ts";
import type { Place, Selection } from "./select-packages.ts";
import { Stop } from "./stop.ts";
import { failed, summary } from "./summary.ts";

/** How a command shows what it did with several packages. */
export interface Showing {
  readonly output: string;
  readonly quiet: boolean;
  /** The states of the summary, in its order; "failed" is the last one. */
  readonly states: readonly string[];
  /** Without it, the packages are not compared. */
  readonly comparison?: Comparison;
  /** Prints what the command collected from all packages, before the summary. */
  readonly finish?: () => void;
}

/**
 * Runs a command for each selected package, and prints what it did. A failure ends the package, not the command. SIGINT and
 * SIGTERM end the command after the current package, so that no package is half written.
 *
 * @param run must not print.
 * @returns exit code 1 if a package failed or a touched path is an error, otherwise 2 if a package has this code, otherwise 0; after a signal, 128 and its
 *   number.
 */
export async function eachPackage(
  selection: Selection,
  showing: Showing,
  run: (place: Place) => Outcome,
): Promise<number> {
  const progress = new Progress(selection.places.length, showing.quiet);
  const stop = new Stop();
  const counts = new Map<string, number>();
  let code = hasError(selection.uncheckedFindings) ? 1 : 0;
  let done = 0;
  showUnchecked(selection, showing);
  const { comparison, quiet } = showing;
  write(2, toLines((comparison?.unreadFindings ?? []).filter((finding) => isShown(finding, quiet))));
  for (const place of selection.places) {
    if (await stop.isAsked()) break;
    progress.show(done, place.directory);
    const shown = attempt(place, run);
    progress.clear();
    show(place, shown, showing);
    const state = shown.code === 1 ? failed : shown.state;
    counts.set(state, (counts.get(state) ?? 0) + 1);
    code = worst(code, shown.code);
    done++;
  }
  stop.end();
  showing.finish?.();
  const isStopped = done < selection.places.length;
  write(showing.output === "text" ? 1 : 2, [summary(selection, showing.states, counts)]);
  if (!isStopped) return code;
  write(2, [
    `error: stopped after ${done} of ${selection.places.length} packages; each is complete. Run the command again for the others.`,
  ]);
  return stop.code;
}

/** Prints the findings about touched paths that are in no package, in every form of output. */
export function showUnchecked({ uncheckedFindings }: Selection, { output }: Pick<Showing, "output">): void {
  write(2, toLines(uncheckedFindings));
  if (output !== "json") return;
  writeJsonLines(uncheckedFindings.map((one) => ({ package: one.file?.path ?? "", findings: [toResult(one)] })));
}

/** An outcome, or why there is none. */
interface Shown extends Outcome {
  readonly failure?: readonly string[];
}

function attempt(place: Place, run: (place: Place) => Outcome): Shown {
  try {
    return run(place);
  } catch (error) {
    const failure = failureOf(error);
    // The help has no cure for one of several packages.
    const lines = failure.code === "usage" ? failure.lines.slice(0, 1) : failure.lines;
    return {
      code: 1,
      state: failed,
      lines: [],
      findings: [],
      failure: lines,
      report: failureJson(failure),
      cluster: {},
    };
  }
}

function show(place: Place, shown: Shown, { output, quiet }: Showing): void {
  const { lines, failure, findings, report, cluster } = shown;
  const { directory } = place;
  if (output === "json") {
    const reports = failure === undefined ? (shown.reports ?? [report]) : [report];
    writeJsonLines(reports.map((one) => ({ package: directory, ...cluster, ...one })));
    // The answers to a question are not a report of the package.
    if (shown.reports === undefined || shown.otherFindings === undefined) return;
  }
  // A document for all packages contains their findings, but not why a package failed.
  const saidFindings = [...(output === "text" ? findings : []), ...(shown.otherFindings ?? [])];
  const problems = failure ?? toLines(saidFindings.filter((finding) => isShown(finding, quiet)));
  if (problems.length > 0) write(2, [`${directory}:`, ...problems]);
  if (shown.document !== undefined) write(1, [...shown.document, ""]);
  if (output !== "text") return;
  writeNotes(
    1,
    lines.map((line) => `${directory}: ${line}`),
  );
}

// Hundreds of packages have the same notes.
function isShown({ severity }: Finding, quiet: boolean): boolean {
  return severity === "error" || (severity === "warning" && !quiet);
}

function worst(before: number, code: number): number {
  return before === 1 || code === 1 ? 1 : Math.max(before, code);
}
