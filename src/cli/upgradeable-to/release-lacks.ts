import type { Finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { diffIdentities } from "../../upgrade/diff.ts";
import { identitiesIn, readSide, rulesAmong, type Side } from "../diff-permissions/comparison-side.ts";
import { UsageError } from "../terminal/errors.ts";

/** The requests of a release, for any number of packages. */
export interface Release {
  /** The value of `--credentials-requests`. */
  readonly path: string;
  readonly side: Side;
}

/** An identity that a rendered cluster lacks for a release, or whose permissions do not suffice. */
export interface Lack {
  /** `<secret namespace>/<secret name>` */
  readonly secret: string;
  /** What the cloud calls the identity: "role". */
  readonly noun: string;
  /** There is no such identity; otherwise, the request asks for more than it has. */
  readonly isNew: boolean;
}

/**
 * Reads the requests of a release.
 *
 * @throws UsageError if the path does not contain requests.
 */
export function readRelease(path: string): Release {
  const side = readSide(path);
  if (side.isRendered) throw new UsageError(`--credentials-requests ${quote(path)} must contain CredentialsRequests`);
  return { path, side };
}

/**
 * Compares the rendered identities of a package with the requests of a release.
 *
 * @param items the objects of the package, with its ClusterIdentity.
 * @returns what it lacks, sorted by Secret, and findings about both sides; with an error, the answer is unknown.
 * @throws UsageError if nothing can be compared.
 */
export function lacksOf(
  items: readonly Item[],
  { path, side }: Release,
): { readonly findings: readonly Finding[]; readonly lacks: readonly Lack[] } {
  const rules = rulesAmong(items);
  if (rules === undefined)
    throw new UsageError(
      "--credentials-requests needs a package with a ClusterIdentity, which decides which requests are included",
    );
  const { identities: rendered, findings: unreadable } = identitiesIn(items);
  const { identities: requested, findings } = side.identities(rules);
  if (requested.length === 0)
    throw new UsageError(
      `--credentials-requests ${quote(path)} contains no request for this cluster, so nothing was compared`,
    );
  const lacks = diffIdentities(rendered, requested)
    .identities.filter(({ verdict }) => verdict === "broadened" || verdict === "both")
    .map(({ key, noun, change }) => ({ secret: key, noun, isNew: change === "new" }));
  return { findings: [...unreadable, ...findings], lacks };
}
