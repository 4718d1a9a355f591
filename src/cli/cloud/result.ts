import { lstatSync, mkdirSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Target } from "../../apply/resource.ts";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { prettyJson } from "../../core/json.ts";
import { textAt, type ValueMap } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { namesIn } from "../files/directory.ts";
import { realPathOf, statOf } from "../files/paths.ts";
import { readText } from "../files/read-bytes.ts";
import { writeAtomically } from "../files/stage.ts";
import { isWritable } from "../files/write-files.ts";
import { type StatusResult, type StatusVerdict, statusResultIn } from "../package/status-result.ts";
import { FindingsError, systemErrorCure } from "../terminal/errors.ts";

/** What a result says besides where the package applies. */
export interface Result {
  /** Of the wanted resources, whatever program rendered them. */
  readonly digest: string;
  readonly verdict: StatusVerdict;
  /** Whether documents were read without credentials, as the cloud reads them. */
  readonly documents: "fetched" | "not fetched";
}

/** Where results are written: a file for one package, a directory for several. */
export interface ResultPaths {
  readonly file: string | undefined;
  readonly directory: string | undefined;
}

/**
 * The files with the results of a run. A later command relies on them, so an earlier "in sync" must not outlive a run that did not
 * find it again: it is removed before the cloud is read. Unlike a replacement, that needs no disk space.
 */
export class ResultFiles {
  readonly #to: ResultPaths;
  /** The packages with an earlier result that could not be removed. */
  readonly #blocked = new Set<string>();

  /** @throws FindingsError if the directory does not exist and cannot be created. */
  constructor(to: ResultPaths) {
    this.#to = to;
    if (to.directory !== undefined) createDirectory(to.directory);
  }

  /**
   * Removes the earlier results of an opened package.
   *
   * @throws FindingsError if one may still exist, or no new one could be written: the cloud must not be read.
   */
  clear(name: string, target: Target): void {
    const findings = this.#pathsOf(target).flatMap((path) => findingOf(removeResult(path)));
    if (findings.length === 0) return;
    this.#blocked.add(name);
    throw new FindingsError(findings);
  }

  /**
   * Writes the result of a package.
   *
   * @param target undefined if the package could not be opened: what it wants is not known, and an earlier "in sync" does not count. In
   *   a directory, the results that name the package are replaced; the file for one package is always written.
   * @returns why a result could not be written.
   */
  write(name: string, target: Target | undefined, result: (target: Target) => Result): Finding[] {
    if (this.#blocked.has(name)) return [];
    if (target === undefined) return this.#writeUnopened(name);
    const { facts, prefix } = target;
    const { account = "", region = "" } = facts;
    return this.#pathsOf(target).flatMap(
      (path) => writeResult(path, { package: name, prefix, account, region, ...result(target) }) ?? [],
    );
  }

  #pathsOf({ facts, prefix }: Target): string[] {
    const { file, directory } = this.#to;
    // An export may have been edited: its prefix must not lead out of the directory.
    const own = `${String(facts["account"] ?? "")}-${prefix}.json`.replace(/[/\\]/g, "_");
    return [...(file === undefined ? [] : [file]), ...(directory === undefined ? [] : [join(directory, own)])];
  }

  #writeUnopened(name: string): Finding[] {
    const { file, directory } = this.#to;
    const { findings, paths } = directory === undefined ? { findings: [], paths: [] } : resultsOf(name, directory);
    const replaced = [...(file === undefined ? [] : [file]), ...paths].flatMap((path) => {
      const removed = removeResult(path);
      if (removed !== undefined && "code" in removed) return [removed];
      const former = removed !== undefined && isOf(removed, name) ? removed.value : {};
      return writeResult(path, { ...nothing, package: name, ...former, ...notKnown }) ?? [];
    });
    return [...findings, ...replaced];
  }
}

const nothing = { prefix: "", account: "", region: "", digest: "" } as const;
const notKnown = { verdict: "unknown", documents: "not fetched" } as const;

function createDirectory(path: string): void {
  // A link to a directory is the same directory for every reader.
  if (statOf(path)?.isDirectory() === true) return;
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const message = `is not a directory, and cannot be created (${codeOf(error)}). Nothing was compared. Name a directory for the results.`;
    throw new FindingsError([problemOf("result-not-written", path, message)]);
  }
}

function findingOf(removed: StatusResult | Finding | undefined): Finding[] {
  return removed !== undefined && "code" in removed ? [removed] : [];
}

/**
 * Removes a result.
 *
 * @returns the result; undefined if the file does not exist. A finding if the file may still exist, or cannot be written.
 */
function removeResult(path: string): StatusResult | Finding | undefined {
  const problem = obstacle(path);
  if (problem === undefined || "code" in problem) return problem;
  try {
    unlinkSync(path);
    return problem;
  } catch (error) {
    const message = `still contains the result of an earlier run, because it cannot be removed (${codeOf(error)}). No new result was written. Remove the file by hand, and run the command again.`;
    return problemOf("result-not-removed", path, message);
  }
}

/** What is in the place of a result: an earlier result, nothing, or what a result must not replace. */
function obstacle(path: string): StatusResult | Finding | undefined {
  const elsewhere = "No result was written. Move it away, or write the result elsewhere.";
  const taken = (what: string) => problemOf("result-taken", path, `${what} ${elsewhere}`);
  if (statOf(dirname(path))?.isDirectory() !== true) return withoutDirectory(path);
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return isWritable(dirname(path)) ? undefined : withoutDirectory(path);
    // To replace the link would leave the file to which it points as it is, and to follow it would change a file with another name.
    if (stat.isSymbolicLink())
      return taken("is a symbolic link, and the file to which it points may contain an earlier result.");
    if (!stat.isFile()) return taken("exists, and is not a regular file.");
    return resultIn(path) ?? taken("exists, and is not the result of a status.");
  } catch (error) {
    return unreadable(path, error);
  }
}

function withoutDirectory(path: string): Finding {
  const message =
    "cannot be written, because its directory does not exist or is not writable. Create the directory, or change its permissions.";
  return problemOf("result-not-written", path, message);
}

function unreadable(path: string, error: unknown): Finding {
  const message = `may contain the result of an earlier run, because it cannot be read (${codeOf(error)}). No new result was written. Make it readable, or remove it by hand, and run the command again.`;
  return problemOf("result-not-removed", path, message);
}

/** The result in a regular file; undefined for any other content, as for a later command. System errors pass through. */
function resultIn(path: string): StatusResult | undefined {
  try {
    return statusResultIn(readText(path));
  } catch (error) {
    // No command reads a file that is too large, so it is not a result.
    if (error instanceof FindingsError) return undefined;
    throw error;
  }
}

/** The files of a directory with results that name a package. Like a later command, this does not depend on their names. */
function resultsOf(name: string, directory: string): { findings: Finding[]; paths: string[] } {
  const findings: Finding[] = [];
  let files: string[] = [];
  try {
    files = namesIn(directory).filter((file) => !file.startsWith("."));
  } catch (error) {
    findings.push(unreadable(directory, error));
  }
  const paths = files.flatMap((file) => {
    const path = join(directory, file);
    if (statOf(path)?.isFile() !== true) return [];
    try {
      const result = resultIn(path);
      return result !== undefined && isOf(result, name) ? [path] : [];
    } catch (error) {
      findings.push(unreadable(path, error));
      return [];
    }
  });
  return { findings, paths };
}

function isOf({ value }: StatusResult, name: string): boolean {
  const former = textAt(value, ["package"]);
  return former !== "" && realPathOf(former) === realPathOf(name);
}

/** Writes a result at once, or not at all. @returns why it was not written. */
function writeResult(path: string, result: ValueMap): Finding | undefined {
  // Something else may be there since the removal.
  const problem = obstacle(path);
  if (problem !== undefined && "code" in problem) return problem;
  const time = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const { package: name = "", prefix = "", account = "", region = "", time: _, ...rest } = result;
  const text = `${prettyJson({ package: name, prefix, account, region, time, ...rest })}\n`;
  // Hidden, so that no command mistakes what a killed run leaves for a result.
  const temporary = join(dirname(path), `.ccf-status-${process.pid}`);
  try {
    rmSync(temporary, { force: true });
    writeAtomically(temporary, text, 0o644);
    renameSync(temporary, path);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    discard(temporary);
    const cure = systemErrorCure(code) ?? "; run the command again";
    const message = `cannot be written (${code})${cure}. No earlier result is left in its place.`;
    return problemOf("result-not-written", path, message);
  }
}

function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // No command reads it, and the next run with the same process ID replaces it.
  }
}

// The paths of results are long, and the reader needs all of them.
function problemOf(code: FindingCode, path: string, message: string): Finding {
  return finding("error", code, `${quoteWhole(path)} ${message}`);
}

/** The code of a system error. @throws any other error. */
function codeOf(error: unknown): string {
  if (!isSystemError(error)) throw error;
  return error.code ?? "error";
}
