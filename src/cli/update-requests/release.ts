import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { isFeatureGate } from "../../requests/feature-gates.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { isInside, nearestDirectory } from "../files/paths.ts";
import { readRequestDirectory } from "../files/request-files.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { type Counted, countedOf, type Subject } from "./update-plan.ts";

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

/**
 * The requests of a release that count for a package. The release's own FeatureGates say what it enables; without them, those
 * of the package do, as in a comparison.
 *
 * @throws FindingsError if there are none.
 */
export function newRequests(subject: Subject, { items, named }: Release): Counted {
  const gates = items.some(isFeatureGate) ? [] : subject.items.filter(isFeatureGate);
  const now = countedOf(subject, [...items, ...gates]);
  if (now.requests.size > 0) return now;
  const { title } = subject.cloud;
  const message = `${named} has no request that counts for this cluster on ${title}, with its feature set, gates, capabilities and profile. The package is unchanged.`;
  throw new FindingsError([
    finding("error", "no-request-for-package", message, { resource: subject.identity.resource }),
  ]);
}
