import { closeSync, openSync, readSync } from "node:fs";
import { inspectors } from "../../clouds/inspectors.ts";
import type { RenderedCluster } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { type JsonReading, readJson } from "../../core/json.ts";
import type { Value } from "../../core/resource.ts";
import { decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import type { Permissions } from "../../permissions/permissions.ts";
import { type PolicyDocuments, withDocuments } from "../../permissions/policy-documents.ts";
import { FindingsError } from "../terminal/errors.ts";
import { statOf } from "./paths.ts";
import { bytesOf } from "./read-objects.ts";

/** Far above the size of any token or document that AWS reads. */
export const maxBytes = 1 << 20;

/** A finding about a file named on the command line. */
export function inputProblem(flag: string, path: string, problem: string): FindingsError {
  return new FindingsError([finding("error", "input-file-invalid", `The file ${quote(path)} of ${flag} ${problem}.`)]);
}

/**
 * Reads the text of a file named on the command line.
 * @throws FindingsError if the file cannot be read, is larger than 1 MiB, or is not UTF-8.
 */
export function readInputFile(flag: string, path: string): string {
  const found = statOf(path);
  if (found === undefined) throw inputProblem(flag, path, "does not exist");
  if (found.isDirectory()) throw inputProblem(flag, path, "is a directory");
  const bytes = readSome(path);
  if (bytes === undefined) throw inputProblem(flag, path, "cannot be read");
  if (bytes.length > maxBytes) throw inputProblem(flag, path, `has more than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw inputProblem(flag, path, "is not UTF-8");
  return text;
}

// Reads at most one byte more than the limit, because a pipe or a device may have no end.
function readSome(path: string): Buffer | undefined {
  const buffer = Buffer.alloc(maxBytes + 1);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let used = 0;
    for (let count = -1; count !== 0 && used < buffer.length; used += count)
      count = readSync(file, buffer, used, buffer.length - used, null);
    return buffer.subarray(0, used);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads a document that an issuer publishes. A syntax problem is a result, not an error. */
export function readDocument(flag: string, path: string): JsonReading {
  return readJson(readInputFile(flag, path));
}

/** Reads the JSON output of another command. */
export function readJsonFile(flag: string, path: string): Value {
  const read = readDocument(flag, path);
  if ("problem" in read) throw inputProblem(flag, path, read.problem);
  return read.value;
}

const flag = "--policy-documents";

/**
 * Reads the files of `--policy-documents`.
 *
 * @throws UsageError if a file cannot be read.
 * @throws FindingsError `input-file-invalid` if one is not the output of the command, or if two have different documents of a policy.
 */
export function readPolicyDocuments(files: readonly string[]): PolicyDocuments {
  const found = new Map<string, { text: string; permissions: Permissions; file: string }>();
  const findings: Finding[] = [];
  for (const file of files) {
    const documents = documentsIn(file);
    if (typeof documents === "string") {
      findings.push(invalid(file, documents));
      continue;
    }
    for (const [name, one] of documents) {
      const other = found.get(name);
      if (other !== undefined && other.text !== one.text)
        findings.push(
          invalid(
            file,
            `has another document of ${quoteWhole(name)} than ${quoteWhole(other.file)}; write both files again`,
          ),
        );
      else found.set(name, { ...one, file });
    }
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return new Map([...found].map(([name, { permissions }]) => [name, permissions]));
}

function documentsIn(file: string) {
  const text = decodeUtf8(bytesOf(`${flag} ${quote(file)}`, file));
  const reading = text === undefined ? { problem: "is not UTF-8" } : readJson(text);
  if ("problem" in reading) return reading.problem;
  for (const { features } of inspectors) {
    const found = features.policyDocuments?.(reading.value);
    if (found !== undefined) return found;
  }
  return 'is not the output of "aws iam get-account-authorization-details"';
}

function invalid(file: string, problem: string): Finding {
  return finding("error", "input-file-invalid", `The file ${quote(file)} of ${flag} ${problem}.`);
}

/** A cluster whose identities have the documents, for questions about them. */
export function clusterWith(cluster: RenderedCluster, documents: PolicyDocuments): RenderedCluster {
  if (documents.size === 0) return cluster;
  return { ...cluster, identities: cluster.identities.map((identity) => withDocuments(identity, documents)) };
}
