import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import type { Any, Made } from "./cluster.ts";

/** Expects the text of a golden file. `npm run test:update` accepts the present text: review the diff. */
export function expectGolden(path: string, actual: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual, path).toBe(readFileSync(path, "utf8"));
}

/**
 * Expects the findings in a golden file of `testdata/findings`, which has a paragraph for each change of a package: the change,
 * and every finding of the functions that run on it, each once. What only one function reports has its name.
 */
export function expectFindings<Change>(
  file: string,
  changes: readonly Change[],
  runsOf: (change: Change) => Readonly<Record<string, Made>>,
): void {
  const paragraphs = changes.map((change) => {
    const runs = Object.entries(runsOf(change)).map(([name, made]) => ({ name, lines: findingsOf(made) }));
    const isCommon = (line: string) => runs.every(({ lines }) => lines.includes(line));
    const named = runs.flatMap(({ name, lines }) => lines.map((line) => (isCommon(line) ? line : `${name}: ${line}`)));
    return [JSON.stringify(change, shown), ...new Set(named)].join("\n");
  });
  expectGolden(`testdata/findings/${file}`, `${paragraphs.join("\n\n")}\n`);
}

/** A field that a change removes would not be in JSON. */
function shown(_key: string, value: unknown): unknown {
  return value === undefined ? "(removed)" : value;
}

/** One line for each finding of a run. A run fails if one is an error, and then it generates nothing. */
function findingsOf({ results, exitCode, objects }: Made): string[] {
  const isError = results.some(({ severity }) => severity === "error");
  expect(exitCode).toBe(isError ? 1 : 0);
  if (isError) expect(objects).toEqual({});
  const lines = results.map(lineOf);
  expect(lines).toEqual([...new Set(lines)]);
  return lines;
}

function lineOf({ severity, tags, resourceRef, field, message }: Any): string {
  const { kind, namespace, name } = resourceRef ?? {};
  const object = kind === undefined ? [] : [`${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`];
  const at = [...object, ...(field === undefined ? [] : [field.path])].join(", ");
  return `${severity} [${tags.code}]${at === "" ? "" : ` ${at}`}: ${message}`;
}
