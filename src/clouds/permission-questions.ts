import type { Resource } from "../core/resource.ts";
import { type Reach, reachOf } from "../permissions/reach.ts";
import { type MayAnswer, type WhoMay, whoMay } from "../permissions/who-may.ts";
import type { Inspector } from "./inspector.ts";
import { ownCluster } from "./permissions.ts";
import type { RenderedCluster } from "./rendered.ts";

/** A rendered package or an export, as `readRenderedDirectory` returns it. */
export interface AskedPackage {
  readonly inspector: Pick<Inspector, "title" | "terms" | "features">;
  readonly cluster: RenderedCluster;
  /** Its objects. */
  readonly items: readonly Resource[];
}

/**
 * Prepares the question who may do something, for any number of packages of any cloud. The answers of a package are in the
 * order of its identities, which are sorted by Secret. An action in the notation of another cloud has no answers. Check the
 * action with `actionProblem` before.
 */
export function askWhoMay(question: WhoMay): (asked: AskedPackage) => MayAnswer[] {
  const prepared = new Map<string, ReturnType<typeof whoMay>>();
  return ({ inspector: { title, terms, features }, cluster, items }) => {
    const ask = prepared.get(title) ?? whoMay(question, terms, features.roles?.known());
    prepared.set(title, ask);
    const own = ownCluster(cluster, items);
    return cluster.identities.flatMap((identity) => ask(identity, own) ?? []);
  };
}

/** The identities of a package whose permissions reach beyond its cluster, sorted by Secret. */
export function reachIn({ inspector: { terms, features }, cluster, items }: AskedPackage): Reach[] {
  const own = ownCluster(cluster, items);
  return cluster.identities.flatMap((identity) => reachOf(identity, own, terms, features.roles?.known()) ?? []);
}
