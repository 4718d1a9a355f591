import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { clusterFile } from "../../clouds/rendered.ts";
import type { Finding } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { derivedFiles } from "../export/export-files.ts";
import { requireDirectory, statOf } from "../files/paths.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../files/rendered-directory.ts";
import { clusterIn } from "../fleet/outcome.ts";
import type { Place } from "../fleet/select-packages.ts";
import { FindingsError, throwErrors, UsageError } from "../terminal/errors.ts";
import { type AppliedStatus, appliedDigests, isOutdated, readStatus } from "../upgradeable-to/applied-status.ts";

/** A rendered package or an export, with the name and the platform of its cluster. */
export interface Read extends RenderedDirectory {
  readonly named: ValueMap;
}

/**
 * Reads a package for a report.
 *
 * @throws FindingsError if an identity is unknown: the report would say less than the package contains.
 */
export function readCluster({ directory, inside }: Place): Read {
  const rendered = readRenderedDirectory(directory, inside);
  const { cluster, inspector, items } = rendered;
  if (cluster.identities.some(({ key, id }) => key === undefined || id === undefined)) throwErrors(cluster.findings);
  return { ...rendered, named: { platform: inspector.name, ...clusterIn(items) } };
}

/** What a fleet's results of a status say about a package. */
export interface CloudStatus {
  /** "unknown": no result is for this state of the package; "outdated": too old to rely on, as in `ccf upgradeable-to`. */
  readonly status: "in sync" | "drift" | "outdated" | "unknown";
  /** When the cloud was compared. */
  readonly time: Date | undefined;
}

/** Results, by the digest of the package that the cloud was compared with. */
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
    const other = files.get(result.package);
    if (other !== undefined)
      throw new UsageError(
        `--status: ${quote(other)} and ${quote(file)} are results for the same package; remove the older one`,
      );
    files.set(result.package, file);
    results.set(result.package, result);
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return results;
}

/** Finds the result for a package or an export, as its files are now. */
export function cloudStatus(read: RenderedDirectory, results: Results, now: Date): CloudStatus {
  const [result] = appliedDigests(filesForScripts(read)).flatMap((digest) => results.get(digest) ?? []);
  if (result === undefined || result.verdict === "unknown") return { status: "unknown", time: undefined };
  return { status: isOutdated(result, now) ? "outdated" : result.verdict, time: result.time };
}

// An export of the package would contain these files, and others that the scripts do not read.
function filesForScripts({ bundles, pkg }: RenderedDirectory): { path: string; text: string }[] {
  const bundled = new Map<string, string>();
  for (const { directory, files } of bundles) {
    const isOfCluster = pkg !== undefined && files.has(clusterFile);
    const top = isOfCluster ? posix.dirname(directory) : directory;
    for (const [name, text] of files) bundled.set(`${top}/${name}`, text);
  }
  const derived = pkg === undefined ? [] : derivedFiles(bundled);
  return [...bundled, ...derived].map(([path, text]) => ({ path, text }));
}
