import type { Finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import type { DefinitionsOf } from "../../upgrade/diff.ts";
import { diffSides } from "../diff-permissions/compare-sides.ts";
import { readSide, renderedSideOf, type Side } from "../diff-permissions/comparison-side.ts";
import { definitionsIn } from "../diff-permissions/role-definitions.ts";
import { UsageError } from "../terminal/errors.ts";

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
  /** "new": it does not exist; "more": the request asks for more than it has; "undecided": the request may do so. */
  readonly change: "new" | "more" | "undecided";
}

/**
 * Reads the requests of a release.
 *
 * @param roleDefinitions the directory of `--role-definitions`.
 * @throws UsageError if the path does not contain requests.
 */
export function readRelease(path: string, roleDefinitions: string | undefined): Release {
  const side = readSide(path);
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
  if (rendered.rules === undefined)
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
    .filter(({ verdict }) => isMore(verdict))
    .map(({ key, noun, change, certain }): Lack => {
      const what = change === "new" ? "new" : isMore(certain) ? "more" : "undecided";
      return { secret: key, noun, change: what };
    });
  return { findings, lacks };
}
