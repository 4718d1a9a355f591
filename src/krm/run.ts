import { type Finding, FindingError, finding, hasError } from "../core/finding.ts";
import { compareText } from "../core/text.ts";
import { decodeUtf8 } from "../yaml/decode.ts";
import { type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "./function.ts";
import type { Item } from "./item.ts";
import { type Reconciled, reconcile } from "./reconcile.ts";
import { readResourceList } from "./resource-list.ts";
import { sortFindings, toLines, toPrintedResult } from "./results.ts";
import { writeResourceList } from "./write-list.ts";

/** Everything that a process does after a run. */
export interface Outcome {
  /** A complete ResourceList; empty only if the input is not a ResourceList. */
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

/** Runs functions on a ResourceList, each on the same input: bytes in, bytes out. */
export function runOnList(functions: readonly KrmFunction[], input: Uint8Array): Outcome {
  const text = decode(input);
  if (typeof text !== "string") return refused(text.reason);
  const list = readResourceList(text);
  if ("reason" in list) return refused(list.reason);
  const { items, functionConfig } = list;
  const { changes, findings: found } = runFunctions(functions, { items, functionConfig });
  const findings = list.findings.length === 0 ? found : sortFindings([...list.findings, ...found]);
  const stdout = writeResourceList(list, {
    removed: changes.flatMap((change) => change.removed),
    edits: changes.flatMap((change) => change.edits.flatMap(({ edits }) => edits)),
    added: changes.flatMap((change) => change.added).sort((a, b) => compareText(a.path, b.path)),
    results: findings.map(toPrintedResult),
  });
  return { stdout, stderr: lines(findings), exitCode: hasError(findings) ? 1 : 0 };
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
    if (error instanceof FindingError) return failed([error.finding]);
    throw error;
  }
}

function decode(input: Uint8Array): string | { readonly reason: string } {
  if (input.byteLength > maxBytes) {
    return { reason: `standard input has more than ${maxBytes} bytes, the maximum` };
  }
  return decodeUtf8(input) ?? { reason: "standard input is not UTF-8" };
}

function refused(reason: string): Outcome {
  return { stdout: "", stderr: lines([finding("error", "not-a-resource-list", `${reason}.`)]), exitCode: 1 };
}

function lines(findings: readonly Finding[]): string {
  return toLines(findings)
    .map((line) => `${line}\n`)
    .join("");
}
