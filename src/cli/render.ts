import { posix } from "node:path";
import { parseArgs } from "node:util";
import { functions } from "../../functions/registry.ts";
import { type Finding, finding, hasError } from "../core/finding.ts";
import { prettyJson } from "../core/json.ts";
import { printable } from "../core/text.ts";
import { toLines, toResult } from "../krm/results.ts";
import { UsageError } from "./errors.ts";
import type { FileChange } from "./file-change.ts";
import { manifestStream } from "./manifests.ts";
import { write } from "./output.ts";
import { readPackage } from "./package-files.ts";
import { type Plan, planRender } from "./render-plan.ts";
import { shellWord } from "./shell-word.ts";
import { clearInterrupted, wasInterrupted, writeFiles } from "./write-files.ts";
import { writeProblems } from "./write-problems.ts";

/** `ccf render DIR`: exit 0 done, 2 with `--check` when something would change, 1 failed. */
export function render(args: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: "boolean", default: false },
      stdout: { type: "boolean", default: false },
      "only-ours": { type: "boolean", default: false },
      "rename-from": { type: "string" },
      output: { type: "string", short: "o", default: "text" },
    },
  });
  const [directory = ".", ...more] = positionals;
  if (more.length > 0) throw new UsageError(`one directory is rendered, and there are ${positionals.length}`);
  if (values.output !== "text" && values.output !== "json") throw new UsageError(`-o must be "text" or "json"`);
  if (values.stdout && (values.check || values.output === "json"))
    throw new UsageError("--stdout prints manifests, and goes with no other form of output");
  const writes = !values.check && !values.stdout;
  const pkg = readPackage(directory);
  const earlier = afterInterruption(directory, writes);
  const plan = planRender(pkg, { onlyOurs: values["only-ours"], renameFrom: values["rename-from"], functions });
  const problems = hasError(plan.findings) ? [] : writeProblems(directory, plan.changes);
  const findings = [...earlier, ...plan.findings, ...problems].map((one) => (values.stdout ? completeOnly(one) : one));
  write(2, toLines(findings));
  const failed = hasError(findings);
  const verdict = failed ? 1 : values.check && plan.changes.length + earlier.length > 0 ? 2 : 0;
  if (values.stdout) {
    if (!failed) printManifests(manifestStream(pkg, plan.changes));
    return verdict;
  }
  if (!failed && writes) writeFiles(directory, plan.changes);
  if (values.output === "json") write(1, [report(plan, findings, failed)]);
  else if (!failed) write(1, summary(plan.changes, values.check, directory));
  return verdict;
}

/** Clears away what an interrupted run left, or says, where nothing may be written, that there is something to finish. */
function afterInterruption(directory: string, writes: boolean): Finding[] {
  if (!wasInterrupted(directory)) return [];
  if (writes) clearInterrupted(directory);
  const then = writes ? "This run finishes it." : `Run "${command(directory)}" to finish it.`;
  const message = `An earlier run was interrupted; each file is the old or the new one. ${then}`;
  return [finding("warning", "render-interrupted", message)];
}

// What was passed over would be missing in the cluster, and whoever applies the answer would delete it there.
function completeOnly(one: Finding): Finding {
  return one.code === "file-skipped" ? { ...one, severity: "error" } : one;
}

// An empty answer would be read as "nothing shall be there".
function printManifests(stream: string): void {
  if (stream === "")
    throw new UsageError(
      "nothing in the package goes to a cluster; an empty answer is not given, because tools that apply it would delete everything",
    );
  write(1, [stream.replace(/\n$/, "")]);
}

function report({ functions: ran, changes }: Plan, findings: readonly Finding[], failed: boolean): string {
  const paths = (kind: string) =>
    failed ? [] : changes.filter((change) => kindOf(change) === kind).map(({ path }) => path);
  return prettyJson({
    functions: ran,
    added: paths("added"),
    changed: paths("changed"),
    removed: paths("removed"),
    findings: findings.map(toResult),
  });
}

function kindOf({ before, after }: FileChange): "added" | "changed" | "removed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

const mostListed = 8;

function summary(changes: readonly FileChange[], checked: boolean, directory: string): string[] {
  if (changes.length === 0) return ["Up to date: no file changes."];
  const lines: string[] = [];
  for (const kind of ["added", "changed", "removed"] as const) {
    const paths = changes.filter((change) => kindOf(change) === kind).map(({ path }) => path);
    const listed = paths.length <= mostListed ? paths : byDirectory(paths);
    lines.push(...listed.map((path) => `${kind.padEnd(8)} ${path}`));
  }
  const count = `${changes.length} file${changes.length === 1 ? "" : "s"}`;
  lines.push(
    checked
      ? `Not up to date: ${count} would change. Run: ${command(directory)}`
      : `${count} written. A second run changes nothing.`,
  );
  return lines;
}

function command(directory: string): string {
  return directory === "." ? "ccf render" : `ccf render ${shellWord(printable(directory))}`;
}

function byDirectory(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].map(([directory, count]) => `${directory}/ (${count} file${count === 1 ? "" : "s"})`);
}
