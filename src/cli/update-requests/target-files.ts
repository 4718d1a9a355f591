import { posix } from "node:path";
import { compareText } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, providerSpecOf } from "../../requests/credentials-request.ts";
import { requestsDirectory } from "../files/request-files.ts";
import { nameOf } from "./former-requests.ts";
import type { Release } from "./release.ts";
import type { Counted } from "./subject.ts";

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
