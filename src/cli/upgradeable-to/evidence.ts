import { join } from "node:path";
import { inspectors } from "../../clouds/inspectors.ts";
import { clusterFile } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { compareText, quote } from "../../core/text.ts";
import { digestOfWanted } from "../../core/wanted-resource.ts";
import type { Item } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { namedAction } from "../../permissions/permissions.ts";
import { describedIdentity } from "../../upgrade/described-diff.ts";
import type { DefinitionsOf } from "../../upgrade/diff.ts";
import { namesIn } from "../files/directory.ts";
import { requireDirectory, statOf } from "../files/paths.ts";
import { readArgument } from "../files/read-bytes.ts";
import { type AppliedStatus, statusResultIn } from "../files/status-result.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { diffSides } from "../permissions/compare-sides.ts";
import { definitionsIn, readSide, renderedSideOf, type Side } from "../permissions/comparison-side.ts";
import { readPreviousRelease } from "../release/release-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/*
 * What `ccf upgradeable-to` decides by, and what `ccf report` shows of it: the result of a status, and what the requests of a release
 * ask for that the rendered identities do not have.
 */

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

/** The requests of a release, for any number of packages. */
export interface Release {
  /** The value of `--credentials-requests`. */
  readonly path: string;
  readonly side: Side;
  readonly definitionsOf: DefinitionsOf;
}

/** An identity that a rendered cluster lacks for a release, or whose permissions do not suffice. */
export interface Lack {
  /** `<secret namespace>/<secret name>` */
  readonly secret: string;
  /** What the cloud calls the identity: "role". */
  readonly noun: string;
  /**
   * "new": it does not exist; "more": the request asks for more than it has; "undecided": the request may do so; "unknown": it is
   * unknown whether the release has the request.
   */
  readonly change: "new" | "more" | "undecided" | "unknown";
  /** The feature gates that decide whether the release has the request, if that is unknown. */
  readonly gates?: readonly string[];
  /** What it lacks, sorted: actions, permissions, and roles, by their names in the cloud. */
  readonly permissions: readonly string[];
  /** The service accounts that cannot use it yet, sorted. */
  readonly serviceAccounts: readonly string[];
}

/**
 * Reads the requests of a release.
 *
 * @param roleDefinitions the directory of `--role-definitions`.
 * @param previous the directory of `--previous-release`.
 * @throws UsageError if the path does not contain requests.
 */
export function readRelease(path: string, roleDefinitions: string | undefined, previous: string | undefined): Release {
  const side = readSide(path, [], { previous: previous === undefined ? undefined : readPreviousRelease(previous) });
  if (side.isRendered) throw new UsageError(`--credentials-requests ${quote(path)} must contain CredentialsRequests`);
  return { path, side, definitionsOf: definitionsIn(roleDefinitions) };
}

/**
 * Compares the rendered identities of a package with the requests of a release, as `ccf diff-permissions` does.
 *
 * @param items the objects of the package, with its ClusterIdentity.
 * @returns what it lacks, sorted by Secret, and findings about both sides; with an error, the answer is unknown.
 * @throws UsageError if nothing can be compared.
 */
export function lacksOf(
  items: readonly Item[],
  { path, side, definitionsOf }: Release,
): { readonly findings: readonly Finding[]; readonly lacks: readonly Lack[] } {
  const rendered = renderedSideOf(items);
  if (rendered.context === undefined)
    throw new UsageError(
      "--credentials-requests needs a package with a ClusterIdentity, which decides which requests are included",
    );
  const { diff, findings } = diffSides(rendered, side, undefined, definitionsOf);
  if (diff.identities.every(({ now }) => now === undefined))
    throw new UsageError(
      `--credentials-requests ${quote(path)} contains no request for this cluster, so nothing was compared`,
    );
  const isMore = (verdict: string) => verdict === "broadened" || verdict === "both";
  const lacks = diff.identities
    .filter(({ verdict, unknownGates }) => isMore(verdict) || unknownGates.length > 0)
    .map((one): Lack => {
      const { key, noun, change, certain, unknownGates } = one;
      if (unknownGates.length > 0)
        return { secret: key, noun, change: "unknown", gates: unknownGates, permissions: [], serviceAccounts: [] };
      const what = change === "new" ? "new" : isMore(certain) ? "more" : "undecided";
      const { actions, denials, serviceAccounts } = describedIdentity(one);
      // A role is one line, instead of one for each of its permissions.
      const more = actions
        .filter((action) => action.more.length > 0)
        .flatMap(({ action, roles = [] }) =>
          roles.length > 0 ? roles.map((role) => `role ${role}`) : [nameOf(action)],
        );
      const lifted = denials.filter((action) => action.less.length > 0).map(({ action }) => nameOf(action));
      const permissions = [...new Set([...more, ...lifted])].sort(compareText);
      return { secret: key, noun, change: what, permissions, serviceAccounts: serviceAccounts.added };
    });
  return { findings, lacks };
}

function nameOf(action: string): string {
  const named = namedAction(action);
  return named?.kind === "permission" ? named.name : action;
}
