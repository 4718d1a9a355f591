import { expect } from "vitest";
import { run } from "./ccf.ts";
import type { Any } from "./cluster.ts";
import { resultFile } from "./status-result.ts";

/** What a rendered package lacks for a release, by Secret: "new", "more", or "undecided". */
export type Lacks = Readonly<Record<string, string>>;

/**
 * Asks every command that compares a rendered package with the requests of a release, and expects that they agree.
 *
 * @param flags of all of them, such as `--role-definitions`.
 */
export function lacksByAll(directory: string, release: string, flags: readonly string[] = []): Lacks {
  const diff = run(["diff", directory, release, "-o", "json", ...flags]);
  const report = run(["report", directory, "--credentials-requests", release, "-o", "json", ...flags]);
  const status = resultFile(directory);
  const args = ["upgradeable-to", "4.99", "--status", status, directory, "--credentials-requests", release];
  const upgradeable = run([...args, ...flags]);
  const lacks = lacksInDiff(JSON.parse(diff.stdout));
  expect(lacksInReport(JSON.parse(report.stdout)), report.stderr).toEqual(lacks);
  expect(lacksInRefusal(upgradeable.stderr)).toEqual(lacks);
  const code = Object.keys(lacks).length === 0 ? 0 : 2;
  expect([diff.status, report.status, upgradeable.status]).toEqual([code, code, code]);
  return lacks;
}

function lacksInDiff({ identities }: Any): Lacks {
  const isMore = (verdict: string) => verdict === "broadened" || verdict === "both";
  const lacking = identities.filter(({ verdict }: Any) => isMore(verdict));
  return Object.fromEntries(
    lacking.map(({ identity, change, verdict, certain = verdict }: Any) => [
      identity,
      change === "new" ? "new" : isMore(certain) ? "more" : "undecided",
    ]),
  );
}

function lacksInReport({ lacks }: Any): Lacks {
  return Object.fromEntries(lacks.map(({ secret, change }: Any) => [secret, change]));
}

function lacksInRefusal(text: string): Lacks {
  const lines = text.split("\n").filter((line) => line.includes("[permissions-missing]"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, undecided, secret = "", isNew] = /^error: (It is undecided whether )?(\S+) (has no )?/.exec(line) ?? [];
      return [secret, undecided !== undefined ? "undecided" : isNew !== undefined ? "new" : "more"];
    }),
  );
}
