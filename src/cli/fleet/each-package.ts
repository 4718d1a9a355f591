import { setImmediate } from "node:timers/promises";
import { type Finding, hasError } from "../../core/finding.ts";
import { isMap, type Resource, type ValueMap, valueAt } from "../../core/resource.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { toResult } from "../../krm/results.ts";
import { writeStatus } from "../../krm/stdio.ts";
import { type Failure, failureJson, failureOf } from "../terminal/errors.ts";
import { findingLines, isPrinted, isTerminal, write, writeJsonLines, writeNotes } from "../terminal/output.ts";
import type { ClusterComparison } from "./compare-clusters.ts";
import { SaidOnce, type Shared } from "./said-once.ts";
import type { Place, Selection } from "./select-packages.ts";

/** What a command did with one of several packages. */
export interface PackageResult {
  /** The exit code that the command has for this package alone. */
  readonly code: 0 | 1 | 2;
  /** What the summary counts, such as "up to date"; not used if the code is 1. */
  readonly state: string;
  /** What a person must know, without the package's path, such as "2 files would change"; often nothing. */
  readonly lines: readonly string[];
  /** A text for people about this package, which names it. */
  readonly document?: readonly string[];
  readonly findings: readonly Finding[];
  /** Findings that only JSON contains otherwise: they are printed beside every other output. */
  readonly otherFindings?: readonly Finding[];
  /** What `-o json` prints, after the package. */
  readonly json: ValueMap;
  /** What `-o json` prints instead: an object for each of these, which may be none. */
  readonly jsonLines?: readonly ValueMap[];
  /** The name and the platform of its cluster. */
  readonly cluster: ValueMap;
}

/** The states of a command that writes files, in the order of the summary. */
export const writeStates = ["up to date", "written", "would change"] as const;

/** The state of a package whose files changed or, if the command may not write, would change. */
export function writeState(isChanged: boolean, writes: boolean): (typeof writeStates)[number] {
  if (!isChanged) return "up to date";
  return writes ? "written" : "would change";
}

/** The name and the platform of the ClusterIdentity among the objects of a package, as far as they are known. */
export function clusterIn(items: readonly Resource[]): ValueMap {
  const identity = items.find(isClusterIdentity);
  if (identity === undefined) return {};
  return { identity: identity.name, ...platformOf(identity) };
}

function platformOf(identity: Resource): ValueMap {
  try {
    const platform = valueAt(identity.value(), ["spec", "platform"]);
    const [name] = isMap(platform) ? Object.keys(platform) : [];
    return name === undefined ? {} : { platform: name };
  } catch {
    // The command reports a value that cannot be built.
    return {};
  }
}

/** How a command shows what it did with several packages. */
export interface Showing {
  readonly output: string;
  readonly quiet: boolean;
  /** The states of the summary, in its order; "failed" is the last one. */
  readonly states: readonly string[];
  /** Without it, the packages are not compared. */
  readonly comparison?: ClusterComparison;
  /** Prints what the command collected from all packages, before the summary. */
  readonly finish?: () => void;
}

/**
 * Runs a command for each selected package, and prints what it did: what is the same for several packages once, at the end. A failure
 * ends the package, not the command. SIGINT and SIGTERM end the command after the current package, so that no package is half written.
 *
 * @param run must not print.
 * @returns exit code 1 if a package failed or a touched path is an error, otherwise 2 if a package has this code, otherwise 0; after a signal, 128 and its
 *   number.
 */
export async function eachPackage(
  selection: Selection,
  showing: Showing,
  run: (place: Place) => PackageResult,
): Promise<number> {
  const progress = new Progress(selection.places.length, showing.quiet);
  const stop = new Stop();
  const counts = new Map<string, number>();
  let code = hasError(selection.uncheckedFindings) ? 1 : 0;
  let done = 0;
  showUnchecked(selection, showing);
  const { comparison, quiet } = showing;
  write(2, findingLines((comparison?.unreadFindings ?? []).filter((finding) => isShown(finding, quiet))));
  const problems = new SaidOnce<Finding | string>();
  const notes = new SaidOnce<string>();
  for (const place of selection.places) {
    if (await stop.isAsked()) break;
    progress.show(done, place.directory);
    const shown = attempt(place, run);
    progress.clear();
    show(place, shown, showing);
    problems.add(place.directory, problemsOf(shown, showing));
    // The lines of a package belong together.
    if (showing.output === "text" && shown.lines.length > 0) notes.add(place.directory, [shown.lines.join("\n")]);
    const state = shown.code === 1 ? failed : shown.state;
    counts.set(state, (counts.get(state) ?? 0) + 1);
    code = worst(code, shown.code);
    done++;
  }
  stop.end();
  writeProblems(problems);
  writeNotes(1, notes.groups().flatMap(noteLines));
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
  write(2, findingLines(uncheckedFindings));
  if (output !== "json") return;
  writeJsonLines(uncheckedFindings.map((one) => ({ package: one.file?.path ?? "", findings: [toResult(one)] })));
}

/** An outcome, or why there is none. */
interface Shown extends PackageResult {
  readonly failure?: Pick<Failure, "lines" | "findings">;
}

function attempt(place: Place, run: (place: Place) => PackageResult): Shown {
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
      failure: { lines, findings: failure.findings },
      json: failureJson(failure),
      cluster: {},
    };
  }
}

function show({ directory }: Place, shown: Shown, { output }: Showing): void {
  const { failure, json, cluster } = shown;
  if (output === "json") {
    const objects = failure === undefined ? (shown.jsonLines ?? [json]) : [json];
    writeJsonLines(objects.map((one) => ({ package: directory, ...cluster, ...one })));
  } else if (shown.document !== undefined) write(1, [...shown.document, ""]);
}

/** What is wrong with a package, as far as a person reads beside what the command prints. */
function problemsOf({ failure, findings, jsonLines, otherFindings = [] }: Shown, { output, quiet }: Showing) {
  // The answers to a question are not a report of the package.
  if (output === "json" && (jsonLines === undefined || otherFindings.length === 0)) return [];
  if (failure !== undefined) return failure.findings.length > 0 ? failure.findings : [failure.lines.join("\n")];
  // A document for all packages contains their findings, but not why a package failed.
  const said = [...(output === "text" ? findings : []), ...otherFindings];
  return said.filter((finding) => isShown(finding, quiet));
}

function writeProblems(problems: SaidOnce<Finding | string>): void {
  for (const { directories, said } of problems.groups()) {
    const texts = said.flatMap((one) => (typeof one === "string" ? one.split("\n") : []));
    const found = said.filter((one) => typeof one !== "string");
    write(2, [`${directories.join(", ")}:`, ...texts, ...findingLines(found)]);
  }
}

// A line of one package begins with it, so that it can be searched for. Lines of several packages are below all of them.
function noteLines({ directories, said }: Shared<string>): string[] {
  const names = directories.join(", ");
  const lines = said.flatMap((text) => text.split("\n"));
  return directories.length === 1
    ? lines.map((line) => `${names}: ${line}`)
    : [`${names}:`, ...lines.map((line) => `  ${line}`)];
}

function isShown(finding: Finding, quiet: boolean): boolean {
  return quiet ? finding.severity === "error" : isPrinted(finding);
}

function worst(before: number, code: number): number {
  return before === 1 || code === 1 ? 1 : Math.max(before, code);
}

/** The shortest time between two updates, in milliseconds. */
const interval = 100;

/** One line on the terminal, on standard error, that shows which package is processed. Without a terminal, nothing. */
export class Progress {
  readonly #total: number;
  readonly #isShown: boolean;
  #last = 0;
  #isThere = false;

  constructor(total: number, quiet: boolean) {
    this.#total = total;
    this.#isShown = !quiet && process.env["TERM"] !== "dumb" && isTerminal(2);
  }

  show(done: number, directory: string): void {
    if (!this.#isShown || Date.now() - this.#last < interval) return;
    this.#last = Date.now();
    this.#isThere = true;
    writeStatus(`${done}/${this.#total} ${directory}`.slice(0, (process.stderr.columns ?? 80) - 1));
  }

  /** Removes the line, before anything else is printed. */
  clear(): void {
    if (this.#isThere) writeStatus("");
    this.#isThere = false;
  }
}

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Notes the first signal that asks the program to end, instead of ending it at once. */
class Stop {
  #signal: keyof typeof signals | undefined;
  readonly #note = (signal: NodeJS.Signals): void => {
    this.#signal ??= signal as keyof typeof signals;
  };

  constructor() {
    for (const signal of Object.keys(signals)) process.on(signal, this.#note);
  }

  /** Whether a signal has come. Signals arrive only while the program waits. */
  async isAsked(): Promise<boolean> {
    await setImmediate();
    return this.#signal !== undefined;
  }

  /** The exit code after a signal, as a shell sets it. */
  get code(): number {
    return 128 + (this.#signal === undefined ? 0 : signals[this.#signal]);
  }

  end(): void {
    for (const signal of Object.keys(signals)) process.off(signal, this.#note);
  }
}

/** The state of a package for which the command failed. */
export const failed = "failed";

/**
 * The last line of a command: "60 packages: 57 up to date, 2 would change, 1 failed".
 *
 * @param states in the order of the line; {@link failed} follows them.
 * @param counts how many packages have each state.
 */
export function summary(
  { places, all, limits }: Selection,
  states: readonly string[],
  counts: ReadonlyMap<string, number>,
): string {
  const total = all.length;
  if (places.length === 0 && limits[0] === "touched") return `0 packages touched, of ${total}`;
  const packages = `${total} package${total === 1 ? "" : "s"}`;
  const limited = limits.length === 0 ? packages : `${places.length} of ${packages} (${limits.join(", ")})`;
  const counted = [...states, failed].flatMap((state) => {
    const count = counts.get(state) ?? 0;
    return count === 0 ? [] : `${count} ${state}`;
  });
  return counted.length === 0 ? limited : `${limited}: ${counted.join(", ")}`;
}
