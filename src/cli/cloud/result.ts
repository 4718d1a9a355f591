import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../apply/resource.ts";
import { finding } from "../../core/finding.ts";
import { prettyJson, readJson } from "../../core/json.ts";
import { isMap, textAt, type ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { statOf } from "../files/paths.ts";
import { readText } from "../files/read-bytes.ts";
import { writeAtomically } from "../files/stage.ts";
import { FindingsError } from "../terminal/errors.ts";

/** What a status says of a package: whether the cloud matches it. */
export type Verdict = "in sync" | "drift" | "unknown";

/** What a result says besides where the package applies. */
export interface Result {
  /** Of the wanted resources, whatever program rendered them. */
  readonly digest: string;
  readonly verdict: Verdict;
  /** Whether documents were read without credentials, as the cloud reads them. */
  readonly documents: "fetched" | "not fetched";
}

/** @throws FindingsError if the file exists and is not a result: it is not overwritten. */
export function checkResultFile(path: string): void {
  const stat = statOf(path);
  if (stat === undefined) return;
  const json = stat.isFile() ? readJson(readText(path) ?? "") : { problem: "is not a file" };
  if ("value" in json && textAt(json.value, ["verdict"]) !== "") return;
  const message = `The file ${quote(path)} exists, and is not the result of a status. Name another file.`;
  throw new FindingsError([finding("error", "result-taken", message)]);
}

/** Where results are written: a file for one package, a directory for several. */
export interface ResultPaths {
  readonly file: string | undefined;
  readonly directory: string | undefined;
}

/** Writes the result of every run, so that a difference replaces an earlier "in sync". */
export function writeResult(to: ResultPaths, name: string, { facts, prefix }: Target, result: Result): void {
  const { account = "", region = "" } = facts;
  const own = to.directory === undefined ? [] : [join(to.directory, `${String(account)}-${prefix}.json`)];
  if (to.directory !== undefined) mkdirSync(to.directory, { recursive: true });
  for (const path of to.file === undefined ? own : [to.file, ...own])
    replaceResult(path, { package: name, prefix, account, region, ...result });
}

/**
 * Replaces the results of a package that could not be opened: what it wants is not known, and an earlier "in sync" no longer counts.
 * In a directory, these are those that name the package; the file for one package is always written.
 */
export function writeUnopened(to: ResultPaths, name: string): void {
  const nothing = { package: name, prefix: "", account: "", region: "", digest: "" };
  if (to.file !== undefined) replaceResult(to.file, { ...nothing, ...resultIn(to.file, name), ...notKnown });
  const inside = to.directory !== undefined && statOf(to.directory)?.isDirectory() ? readdirSync(to.directory) : [];
  for (const path of inside.sort(compareText).map((file) => join(to.directory ?? "", file))) {
    const former = path.endsWith(".json") ? resultIn(path, name) : undefined;
    if (former !== undefined) replaceResult(path, { ...nothing, ...former, ...notKnown });
  }
}

const notKnown = { verdict: "unknown", documents: "not fetched" } as const;

/** The result that a file has, if it is one of the package. */
function resultIn(path: string, name: string): ValueMap | undefined {
  const json = statOf(path)?.isFile() ? readJson(readText(path) ?? "") : { problem: "is not a file" };
  if (!("value" in json) || !isMap(json.value) || textAt(json.value, ["verdict"]) === "") return undefined;
  return textAt(json.value, ["package"]) === name ? json.value : undefined;
}

function replaceResult(path: string, result: ValueMap): void {
  checkResultFile(path);
  const time = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const { package: name = "", prefix = "", account = "", region = "", time: _, ...rest } = result;
  const text = `${prettyJson({ package: name, prefix, account, region, time, ...rest })}\n`;
  const temporary = `${path}.ccf-${process.pid}`;
  try {
    writeAtomically(temporary, text, 0o644);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
