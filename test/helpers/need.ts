import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe } from "vitest";

/**
 * A group of tests that need real tools. Where one is missing, the group is skipped by name; in CI (`CI=true`) that
 * fails, because there everything is installed.
 */
export function describeWith(tools: readonly string[], name: string, body: () => void): void {
  const missing = tools.filter((tool) => !isThere(tool));
  if (missing.length === 0) describe(name, body);
  else describe.skip(`${name} (needs ${missing.join(", ")})`, body);
}

function isThere(tool: string): boolean {
  return spawnSync("sh", ["-c", 'command -v "$1"', "sh", tool]).status === 0;
}

/** The directory of real CredentialsRequests that CCF_CORPUS names; a release's are in `releases/<version>/<cloud>`. */
export const corpus = process.env["CCF_CORPUS"] ?? "";

/** A group of tests over real CredentialsRequests, which are not part of this repository. */
export function describeWithCorpus(tools: readonly string[], name: string, body: () => void): void {
  if (corpus !== "" && existsSync(`${corpus}/releases`)) describeWith(tools, name, body);
  else describe.skip(`${name} (needs CCF_CORPUS)`, body);
}
