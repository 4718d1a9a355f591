import type { Resource } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { configTexts } from "../openshift/config-objects.ts";
import { type CloudIdentity, decidedByCluster } from "../permissions/identity.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { type Reach, reachOf } from "../permissions/reach.ts";
import type { OwnCluster } from "../permissions/terms.ts";
import { type MayAnswer, type WhoMay, whoMay } from "../permissions/who-may.ts";
import { requestSubjects, requestTokenPath } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { Inspector } from "./inspector.ts";
import type { RenderedCluster } from "./rendered.ts";

/**
 * What distinguishes the resources of a rendered cluster from others: its resource prefix, the name of its ClusterIdentity, which
 * is that of the cluster, and its infrastructure name, with which the installer begins names.
 *
 * @param cluster undefined if nothing was rendered.
 * @param items the objects of the package; an export has no ClusterIdentity among them.
 */
export function ownCluster(cluster: RenderedCluster | undefined, items: readonly Resource[]): OwnCluster {
  const names = [
    cluster?.resourcePrefix ?? "",
    ...items.filter(({ kind }) => kind === "ClusterIdentity").map(({ name }) => name),
    ...configTexts(items, "Infrastructure", ["status", "infrastructureName"]),
  ];
  return {
    account: cluster?.account,
    names: [...new Set(names)].filter((name) => name !== "").sort(compareText),
    scopes: cluster?.ownScopes ?? [],
  };
}

/**
 * The identity that a request asks for, valid or not.
 *
 * @param kind the cloud, and its term for an identity.
 * @param accounts the service accounts that the config names instead of the request's.
 */
export function requestedIdentity(
  kind: Pick<CloudIdentity, "cloud" | "noun">,
  { resource, value, secretKey }: SelectedRequest,
  permissions: Permissions,
  accounts: readonly string[] | undefined,
): CloudIdentity {
  return {
    ...kind,
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions,
    subjects: requestSubjects(value, accounts),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

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
