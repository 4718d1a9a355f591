import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { isInside, nearestDirectory } from "../files/paths.ts";
import { readRequestDirectory } from "../files/request-files.ts";
import { UsageError } from "../terminal/errors.ts";

/** The requests of a release, read once for all packages. */
export interface Release {
  /** The option and its value, for messages. */
  readonly named: string;
  /** The files by path, relative to the directory. */
  readonly texts: ReadonlyMap<string, string>;
  /** All objects of the files, with these paths. */
  readonly items: readonly Item[];
}

/** Reads the directory of `--from` and those below it. @throws UsageError if it cannot be used as a whole. */
export function readRelease(from: string): Release {
  const named = `--from ${quote(from)}`;
  const { bytes, items } = readRequestDirectory(named, from);
  const list = items.find(({ kind }) => kind.endsWith("List"));
  if (list !== undefined)
    throw new UsageError(
      `${named} contains a list, in ${quote(list.path)}, which is not read; write its objects as separate documents`,
    );
  if (!items.some(isCredentialsRequest)) throw new UsageError(`${named} contains no CredentialsRequests`);
  const kept = items.find((item) => isCredentialsRequest(item) && isOfPreviousRelease(item));
  if (kept !== undefined)
    throw new UsageError(
      `${named} contains a request that a package keeps during an upgrade, in ${quote(kept.path)}; name a release as "oc adm release extract" wrote it`,
    );
  const texts = new Map([...bytes].map(([path, content]) => [path, decodeUtf8(content) ?? ""]));
  return { named, texts, items };
}

/** Refuses a package that contains the release, or is part of it. @throws UsageError */
export function refuseNested(from: string, directory: string): void {
  const [release, pkg] = [realpathSync(from), nearestDirectory(resolve(directory)).real];
  if (isInside(release, pkg) || isInside(pkg, release))
    throw new UsageError(
      `--from ${quote(from)} and the package ${quote(directory)} contain one another; keep releases outside packages`,
    );
}
