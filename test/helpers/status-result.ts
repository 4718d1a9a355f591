import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { wantedDigest } from "../../src/cli/package/status-result.ts";
import { run } from "./ccf.ts";
import { succeed } from "./cluster-package.ts";
import { readTree, temporary } from "./temporary.ts";

/** The digest of the resources that a rendered package wants, from its export. */
export function digestOfPackage(directory: string): string {
  const out = join(temporary(), "out");
  succeed(run(["export", directory, "--output-dir", out]));
  return digestOfExport(out);
}

/** The digest of the resources that an export describes. */
export function digestOfExport(out: string): string {
  const digest = wantedDigest(Object.entries(readTree(out)).map(([path, text]) => ({ path, text })));
  if (digest === undefined) throw new Error(`${out} is not the export of a cluster`);
  return digest;
}

/** A moment, in the form of a result: that long ago. */
export const hoursAgo = (hours: number) => `${new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19)}Z`;

/**
 * The text of what `ccf status --result FILE` writes an hour ago, if the cloud is in sync.
 *
 * @param digest of the wanted resources.
 * @param change other fields.
 */
export function resultText(digest: string, change: object = {}): string {
  const result = { package: "clusters/demo", prefix: "demo", account: "1", region: "", time: hoursAgo(1), digest };
  return `${JSON.stringify({ ...result, verdict: "in sync", documents: "fetched", ...change })}\n`;
}

/** A file with such a result for a rendered package. */
export function resultFile(directory: string): string {
  const file = join(temporary(), "status.json");
  writeFileSync(file, resultText(digestOfPackage(directory)));
  return file;
}
