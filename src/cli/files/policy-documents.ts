import { inspectors } from "../../clouds/inspectors.ts";
import type { RenderedCluster } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import type { Permissions } from "../../permissions/permissions.ts";
import { type PolicyDocuments, withDocuments } from "../../permissions/policy-documents.ts";
import { FindingsError } from "../terminal/errors.ts";
import { bytesOf } from "./one-file.ts";

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
