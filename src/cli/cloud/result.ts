import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../apply/resource.ts";
import { finding } from "../../core/finding.ts";
import { prettyJson, readJson } from "../../core/json.ts";
import { textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
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

/** Writes the result of every run, so that a difference replaces an earlier "in sync". */
export function writeResult(
  to: { readonly file: string | undefined; readonly directory: string | undefined },
  name: string,
  { facts, prefix }: Target,
  result: Result,
): void {
  const { account = "", region = "" } = facts;
  const paths = [
    to.file,
    to.directory === undefined ? undefined : join(to.directory, `${String(account)}-${prefix}.json`),
  ];
  const time = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const text = `${prettyJson({ package: name, prefix, account, region, time, ...result })}\n`;
  for (const path of paths) {
    if (path === undefined) continue;
    checkResultFile(path);
    if (to.directory !== undefined) mkdirSync(to.directory, { recursive: true });
    const temporary = `${path}.ccf-${process.pid}`;
    try {
      writeAtomically(temporary, text, 0o644);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}
