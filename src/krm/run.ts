import { type Finding, FindingError, finding, hasError } from "../core/finding.ts";
import { compareText, decodeUtf8, quoteWhole } from "../core/text.ts";
import { type FunctionInput, type FunctionOutput, failedOutput, type KrmFunction } from "./function.ts";
import type { Item } from "./item.ts";
import { type Reconciled, reconcile } from "./reconcile.ts";
import { type ResourceList, readResourceList } from "./resource-list.ts";
import { sortFindings, toLines, toPrintedResult } from "./results.ts";
import { writeResourceList } from "./write-list.ts";

/** Everything that a process does after a run. */
export interface ProcessResult {
  /** A complete ResourceList; empty only if the input is not a ResourceList. After a bug in its reader, the input. */
  readonly stdout: string;
  /** Findings as lines of text. */
  readonly stderr: string;
  readonly exitCode: 0 | 1;
}

/**
 * Larger input is refused before it is parsed: a package of this size is a mistake, and reading it takes gigabytes of
 * memory.
 */
export const maxBytes = 48 * 1024 * 1024;

/**
 * Runs functions on a ResourceList, each on the same input: bytes in, bytes out. Whatever the functions throw, the list
 * comes out with the items as they came in: tools treat a missing list as an empty package.
 */
export function runOnList(functions: readonly KrmFunction[], input: Uint8Array): ProcessResult {
  const text = decode(input);
  if (typeof text !== "string") return refused(text.reason);
  let list: ResourceList | undefined;
  try {
    const read = readResourceList(text);
    if ("reason" in read) return refused(read.reason);
    list = read;
    return runOnItems(functions, list);
  } catch (error) {
    return afterBug(error, text, list);
  }
}

function runOnItems(functions: readonly KrmFunction[], list: ResourceList): ProcessResult {
  const { items, functionConfig } = list;
  const { changes, findings: runFindings } = hasError(list.findings)
    ? { changes: [], findings: [] }
    : runFunctions(functions, { items, functionConfig });
  const findings = list.findings.length === 0 ? runFindings : sortFindings([...list.findings, ...runFindings]);
  const stdout = writeResourceList(list, {
    removed: changes.flatMap((change) => change.removed),
    edits: changes.flatMap((change) => change.edits.flatMap(({ edits }) => edits)),
    added: changes.flatMap((change) => change.added).sort((a, b) => compareText(a.path, b.path)),
    results: findings.map(toPrintedResult),
  });
  return { stdout, stderr: lines(findings), exitCode: hasError(findings) ? 1 : 0 };
}

// Where the bug is, only the program knows, so standard error contains that, too.
function afterBug(error: unknown, text: string, list: ResourceList | undefined): ProcessResult {
  const stack = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line)) : [];
  const message = `A bug in ccf stopped the run, so nothing was changed: ${quoteWhole(String(error))}. Report it with the lines that standard error shows.`;
  const found = finding("error", "internal-error", message);
  return {
    stdout: list === undefined ? text : unchanged(list, found, text),
    stderr: `${lines([found])}${stack.map((line) => `${line}\n`).join("")}`,
    exitCode: 1,
  };
}

function unchanged(list: ResourceList, found: Finding, text: string): string {
  try {
    return writeResourceList(list, { removed: [], edits: [], added: [], results: [toPrintedResult(found)] });
  } catch {
    // The bug is in the writer.
    return text;
  }
}

/** Runs functions on items. Returns their changes, or none if there is an error, and all findings in order. */
export function runFunctions(
  functions: readonly KrmFunction[],
  input: FunctionInput & { readonly items: readonly Item[] },
): { changes: readonly Reconciled[]; findings: readonly Finding[] } {
  const { items, previousName } = input;
  const changes = functions.map((fn) => reconcile(fn, items, outputOf(fn, input), previousName));
  const findings = sortFindings(
    withoutMoved(
      changes.flatMap((change) => change.findings),
      changes,
    ),
  );
  return { changes: hasError(findings) ? [] : changes, findings };
}

/** Findings, without those about removed objects that another of the functions now generates in the same file. */
export function withoutMoved(findings: readonly Finding[], changes: readonly Reconciled[]): readonly Finding[] {
  if (!findings.some(isRemoval)) return findings;
  const paths = new Set(changes.flatMap(({ added }) => added.map(({ path }) => path)));
  return findings.filter((finding) => !isRemoval(finding) || !paths.has(finding.file?.path ?? ""));
}

function isRemoval({ code }: Finding): boolean {
  return code === "object-removed";
}

// That the value of an object cannot be built is only noticed when a function needs it.
function outputOf(fn: KrmFunction, input: FunctionInput): FunctionOutput {
  try {
    return fn.run(input);
  } catch (error) {
    if (error instanceof FindingError) return failedOutput([error.finding]);
    throw error;
  }
}

function decode(input: Uint8Array): string | { readonly reason: string } {
  if (input.byteLength > maxBytes) {
    return { reason: `standard input has more than ${maxBytes} bytes, the maximum` };
  }
  return decodeUtf8(input) ?? { reason: "standard input is not UTF-8" };
}

function refused(reason: string): ProcessResult {
  return { stdout: "", stderr: lines([finding("error", "not-a-resource-list", `${reason}.`)]), exitCode: 1 };
}

function lines(findings: readonly Finding[]): string {
  return toLines(findings)
    .map((line) => `${line}\n`)
    .join("");
}
