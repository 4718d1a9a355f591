import type { Finding } from "../../core/finding.ts";
import { compareText, quote } from "../../core/text.ts";
import { describedIdentity } from "../../diff/described-diff.ts";
import type { DefinitionsOf } from "../../diff/diff.ts";
import type { Item } from "../../krm/item.ts";
import { namedAction } from "../../permissions/permissions.ts";
import { readPreviousRelease } from "../release/release-directory.ts";
import { UsageError } from "../terminal/errors.ts";
import { diffSides } from "./compare-sides.ts";
import { definitionsIn, readSide, renderedSideOf, type Side } from "./comparison-side.ts";

/** The requests of a release, for any number of packages. */
export interface ComparedRelease {
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
export function readComparedRelease(
  path: string,
  roleDefinitions: string | undefined,
  previous: string | undefined,
): ComparedRelease {
  const side = readSide(path, [], { previous: previous === undefined ? undefined : readPreviousRelease(previous) });
  if (side.isRendered) throw new UsageError(`--credentials-requests ${quote(path)} must contain CredentialsRequests`);
  return { path, side, definitionsOf: definitionsIn(roleDefinitions) };
}

/**
 * Compares the rendered identities of a package with the requests of a release, as `ccf diff` does.
 *
 * @param items the objects of the package, with its ClusterIdentity.
 * @returns what it lacks, sorted by Secret, and findings about both sides; with an error, the answer is unknown.
 * @throws UsageError if nothing can be compared.
 */
export function lacksOf(
  items: readonly Item[],
  { path, side, definitionsOf }: ComparedRelease,
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
