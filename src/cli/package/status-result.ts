import { join } from "node:path";
import { inspectors } from "../../clouds/inspectors.ts";
import { clusterFile } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { isMap, textAt, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { digestOfWanted } from "../../core/wanted-resource.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { namesIn } from "../files/directory.ts";
import { requireDirectory, statOf } from "../files/paths.ts";
import { readArgument } from "../files/read-bytes.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import type { ExportedFile } from "./export-files.ts";

/** What a status says of a package: whether the cloud matches it. */
export type StatusVerdict = "in sync" | "drift" | "unknown";

/** What `ccf status` writes with `--result` or `--results`, for one package. */
export interface AppliedStatus {
  /** Digest of the wanted resources, whatever program rendered them. */
  readonly digest: string;
  readonly time: Date;
  readonly verdict: StatusVerdict;
}

/** A result with all that its file says. */
export interface StatusResult {
  readonly status: AppliedStatus;
  readonly value: ValueMap;
}

/**
 * The result in the text of a file; undefined if it is not one. What writes results, and what relies on them, must agree: a file that
 * one of them does not recognize would keep an old result.
 */
export function statusResultIn(text: string): StatusResult | undefined {
  const json = readJson(text);
  if (!("value" in json) || !isMap(json.value)) return undefined;
  const { value } = json;
  const { digest, verdict } = value;
  const time = textAt(value, ["time"]);
  if (verdict !== "in sync" && verdict !== "drift" && verdict !== "unknown") return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) && !Number.isNaN(Date.parse(time));
  if (typeof digest !== "string" || !isTime) return undefined;
  return { status: { digest, time: new Date(time), verdict }, value };
}

/** Results, by the digest of the resources that the cloud was compared with. */
export type Results = ReadonlyMap<string, AppliedStatus>;

/**
 * Reads the files of a directory, without hidden ones and those in directories below it. Their names do not matter.
 *
 * @throws FindingsError if a file is not a result.
 * @throws UsageError if two are for the same package, or one cannot be read.
 */
export function readResults(directory: string): Results {
  requireDirectory(directory);
  const results = new Map<string, AppliedStatus>();
  const files = new Map<string, string>();
  const findings: Finding[] = [];
  const names = namesIn(directory).filter((name) => !name.startsWith("."));
  for (const file of names.map((name) => join(directory, name))) {
    // A directory of results may contain a pipe, which would not end.
    if (statOf(file)?.isFile() !== true)
      throw new UsageError(`--status: ${quote(file)} is not a regular file; remove it`);
    const result = readStatus(file, forSeveral);
    if ("severity" in result) {
      findings.push(result);
      continue;
    }
    // A package that could not be opened: any number of them is for no package that could be asked about.
    if (result.digest === "") continue;
    const other = files.get(result.digest);
    if (other !== undefined)
      throw new UsageError(
        `--status: ${quote(other)} and ${quote(file)} are results for the same package; remove the older one`,
      );
    files.set(result.digest, file);
    results.set(result.digest, result);
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return results;
}

/** The result for these files; undefined if there is none. */
export function resultFor(
  results: Results,
  files: readonly { readonly path: string; readonly text: string }[],
): AppliedStatus | undefined {
  const digest = wantedDigest(files);
  return digest === undefined ? undefined : results.get(digest);
}

/** What writes the result for one package, and what writes those for several. */
const [forOne, forSeveral] = ['"ccf status --result FILE"', '"ccf status --results DIR"'];

/** Reads the result of a status; `writer` is the command that writes such a file. */
export function readStatus(file: string, writer = forOne): AppliedStatus | Finding {
  let text: string;
  try {
    text = readArgument(file).toString("utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const { code = "error" } = error;
    throw new UsageError(`--status ${quote(file)} cannot be read (${code}); ${writer} writes it`);
  }
  const result = statusResultIn(text);
  if (result !== undefined) return result.status;
  const message = `${quote(file)} is not the result of a status; ${writer} writes one.`;
  return finding("error", "status-invalid", message);
}

/**
 * The digest that a result for these files has; undefined if they do not tell which resources the cluster has, for example because
 * one was edited. Two packages without resources would have one digest, so they have none.
 */
export function wantedDigest(files: readonly Pick<ExportedFile, "path" | "text">[]): string | undefined {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const inspector = inspectors.find(({ name }) => texts.has(`${name}/${clusterFile}`));
  if (inspector === undefined) return undefined;
  try {
    const wanted = inspector.wanted(texts);
    return wanted.length === 0 ? undefined : digestOfWanted(wanted);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const hour = 60 * 60 * 1000;
const longestHours = 24;
/** The clocks of two machines may differ by this much. */
const maxAhead = 0.25 * hour;

/** Whether the cloud may have changed since a result, or its time is in the future. */
export function isOutdated({ time }: AppliedStatus, now: Date): boolean {
  const age = now.getTime() - time.getTime();
  return age > longestHours * hour || age < -maxAhead;
}

/** Why the result for one package, or one of several results, is not valid for a package; undefined if it is. */
export function statusProblem(
  status: AppliedStatus,
  files: readonly ExportedFile[],
  now: Date,
  isOneOfSeveral = false,
): Finding | undefined {
  const { digest, time, verdict } = status;
  const again = `apply the package, and then run ${isOneOfSeveral ? forSeveral : forOne} again`;
  const at = time.toISOString().replace(".000", "");
  if (wantedDigest(files) !== digest) {
    const message = `The cloud was compared with another package, or with an earlier state of this one; ${again}.`;
    return finding("error", "status-of-another-package", message);
  }
  if (verdict !== "in sync") {
    const found =
      verdict === "drift"
        ? `At ${at}, the cloud differed from the package`
        : `At ${at}, "ccf status" could not tell whether the cloud matched the package`;
    return finding("error", "status-not-in-sync", `${found}; ${again}.`);
  }
  if (!isOutdated(status, now)) return undefined;
  const when = time > now ? "in the future" : `more than ${longestHours} hours ago`;
  const message = `The cloud was found in sync at ${at}, ${when}, and may have changed; ask for its status again.`;
  return finding("error", "status-outdated", message);
}
