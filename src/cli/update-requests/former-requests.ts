import type { Resource } from "../../core/resource.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, secretKeyOf } from "../../requests/credentials-request.ts";
import { ownerOf, subscriptionsOf } from "../../requests/operators.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { requestsDirectory } from "../files/request-files.ts";

/** The requests of a package, by who owns them. */
export interface OwnedRequests {
  /** Of the release that the package has: an update replaces or removes them. */
  readonly former: readonly Item[];
  /** Of the release before, which the package keeps during an upgrade. */
  readonly annotated: readonly Item[];
  /** Of OLM operators and users: an update never touches them. */
  readonly others: readonly Item[];
}

/**
 * Divides the requests of a package. A request in `credentials-requests/` belongs to a release if it names cluster profiles,
 * as every manifest of a release does, or if the new release has a request of that name or for that Secret. One that belongs
 * to an OLM operator does not.
 *
 * @param release the requests of the new release.
 */
export function ownedRequests(items: readonly Item[], release: readonly Resource[]): OwnedRequests {
  const names = new Set(release.map(nameOf));
  const keys = new Set(release.map((item) => secretKeyOf(item.value())));
  const subscriptions = subscriptionsOf(items);
  const found = { former: [] as Item[], annotated: [] as Item[], others: [] as Item[] };
  for (const item of items.filter(isCredentialsRequest)) {
    const value = item.value();
    const secretKey = secretKeyOf(value);
    const isOperators = () => ownerOf({ resource: item, value, secretKey, copies: [] }, subscriptions).isOperators;
    const isReleases = () =>
      isOfRelease(item.annotations) || names.has(nameOf(item)) || (secretKey !== undefined && keys.has(secretKey));
    if (isOfPreviousRelease(item)) found.annotated.push(item);
    else if (item.path?.startsWith(`${requestsDirectory}/`) === true && isReleases() && !isOperators())
      found.former.push(item);
    else found.others.push(item);
  }
  return found;
}

/** The namespace and the name of an object as one text. */
export function nameOf({ namespace, name }: Resource): string {
  return `${namespace}/${name}`;
}
