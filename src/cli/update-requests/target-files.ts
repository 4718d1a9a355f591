import { posix } from "node:path";
import type { Resource } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../../requests/credentials-request.ts";
import { ownerOf, subscriptionsOf } from "../../requests/operators.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { requestsDirectory } from "../files/request-files.ts";
import type { Release } from "./release.ts";
import type { Counted } from "./update-plan.ts";

/** A file of the release that a package gets. */
export interface TargetFile {
  /** The path in the release. */
  readonly from: string;
  readonly text: string;
}

/**
 * The files of the release that a package gets, unchanged, by their paths in the package: those with requests that count for
 * it, and those with requests that it has already, although they do not count. The names are those of the release, without
 * the directories that all counted files are in, such as `aws/`.
 *
 * @param former the requests of the release that the package has.
 */
export function targetFiles(
  { items, texts }: Release,
  { requests }: Counted,
  providerKind: string,
  former: readonly Item[],
): ReadonlyMap<string, TargetFile> {
  const counted = [...requests.values()].map(({ resource }) => resource.path ?? "");
  const base = commonDirectory(counted);
  const isOwn = (item: Item) => isCredentialsRequest(item) && providerSpecOf(item.value())?.["kind"] === providerKind;
  const present = new Set(former.filter(isOwn).map(nameOf));
  const uncounted = items.filter((item) => isOwn(item) && present.has(nameOf(item))).map(({ path = "" }) => path);
  const paths = new Set([...counted, ...uncounted.filter((path) => base === "" || path.startsWith(`${base}/`))]);
  return new Map(
    [...paths]
      .sort(compareText)
      .map((from) => [`${requestsDirectory}/${posix.relative(base, from)}`, { from, text: texts.get(from) ?? "" }]),
  );
}

function commonDirectory(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const isCommon = (depth: number) => others.every((steps) => steps[depth] === first[depth]);
  const end = first.findIndex((_, depth) => !isCommon(depth));
  return first.slice(0, end < 0 ? first.length : end).join("/");
}

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
