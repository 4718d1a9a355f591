import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { compareText, quote } from "../../core/text.ts";
import { requireDirectory, statOf } from "../files/paths.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { type AppliedStatus, readStatus, wantedDigest } from "./applied-status.ts";

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
  const names = readdirSync(directory).filter((name) => !name.startsWith("."));
  for (const file of names.sort(compareText).map((name) => join(directory, name))) {
    // A directory of results may contain a pipe, which would not end.
    if (statOf(file)?.isFile() !== true)
      throw new UsageError(`--status: ${quote(file)} is not a regular file; remove it`);
    const result = readStatus(file);
    if ("severity" in result) {
      findings.push(result);
      continue;
    }
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
