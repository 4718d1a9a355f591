import type { Resource } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { configTexts } from "../openshift/config-objects.ts";
import { serviceAccountsOf, together, type WholeAnswer, wholeAnswer } from "../permissions/answer.ts";
import type { Glob } from "../permissions/glob.ts";
import { type CloudIdentity, decidedByCluster, type RenderedIdentity } from "../permissions/identity.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { withDocuments } from "../permissions/policy-documents.ts";
import { type Reach, reachOf } from "../permissions/reach.ts";
import { type Member, type Step, stepsIn } from "../permissions/steps.ts";
import type { OwnCluster } from "../permissions/terms.ts";
import { whoMay } from "../permissions/who-may.ts";
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
  readonly inspector: Pick<Inspector, "title" | "terms" | "questions" | "features">;
  readonly cluster: RenderedCluster;
  /** Its objects. */
  readonly items: readonly Resource[];
}

/** What every identity of some packages is asked. */
export interface Asked {
  /** Any of which counts, by the title of the cloud. */
  readonly actions: ReadonlyMap<string, readonly Glob[]>;
  /** An ARN, the full name of a resource, or a resource ID; undefined for any resource. */
  readonly resource?: Glob | undefined;
}

/** The answer about an identity of a package, with the subjects of its service accounts. */
export interface IdentityAnswer extends WholeAnswer {
  readonly serviceAccounts: readonly string[];
}

/**
 * Prepares the question who may do something, for any number of packages of any cloud. The answers of a package are in the
 * order of its identities, which are sorted by Secret. A cloud without an action of the question has no answers.
 */
export function askWhoMay({ actions, resource }: Asked): (asked: AskedPackage) => IdentityAnswer[] {
  const prepared = new Map<string, ReturnType<typeof askCloud>>();
  return (asked) => {
    const { inspector, cluster, items } = asked;
    const ask = prepared.get(inspector.title) ?? askCloud(inspector, actions.get(inspector.title) ?? [], resource);
    prepared.set(inspector.title, ask);
    return ask(knownIdentities(asked), ownCluster(cluster, items));
  };
}

function askCloud(
  { terms, features, questions }: AskedPackage["inspector"],
  actions: readonly Glob[],
  resource: Glob | undefined,
): (identities: readonly Member[], own: OwnCluster) => IdentityAnswer[] {
  if (actions.length === 0) return () => [];
  const definitions = features.roles?.known();
  const asks = actions.map((action) => whoMay({ action, resource }, terms, definitions));
  const stepsOf = stepsIn({ terms, definitions, ways: questions.ways }, resource);
  const asked = { actions, ignoresCase: terms.actionsIgnoreCase };
  return (identities, own) => {
    const direct = identities.map((identity) => together(asks.map((ask) => ask(identity, own))));
    const directOf = (secret: string) => direct[identities.findIndex(({ key }) => key === secret)];
    return identities.flatMap((identity, index) => {
      const steps = () => stepsOf(identity, own, identities);
      const answer = wholeAnswer(identity, direct[index], steps, asked, directOf);
      return answer === undefined ? [] : [{ ...answer, serviceAccounts: serviceAccountsOf(identity.trusts) }];
    });
  };
}

/** An identity as questions see it: with the documents that are known, and its steps for any question about any resource. */
export interface SearchedIdentity extends Pick<RenderedIdentity, "permissions" | "managedPolicies" | "boundary"> {
  readonly steps: readonly Step[];
  readonly serviceAccounts: readonly string[];
}

/** The identities of a package as questions see them, in their order. */
export function searchedIn(asked: AskedPackage): SearchedIdentity[] {
  const { inspector, cluster, items } = asked;
  const { terms, features, questions } = inspector;
  const stepsOf = stepsIn({ terms, definitions: features.roles?.known(), ways: questions.ways });
  const identities = knownIdentities(asked);
  const own = ownCluster(cluster, items);
  return identities.map((identity) => ({
    permissions: identity.permissions,
    managedPolicies: identity.managedPolicies,
    boundary: identity.boundary,
    steps: stepsOf(identity, own, identities),
    serviceAccounts: serviceAccountsOf(identity.trusts),
  }));
}

/** The identities of a package. What a policy allows whose document is known without being passed is what an identity has. */
export function knownIdentities({
  inspector: { questions },
  cluster,
}: Pick<AskedPackage, "cluster"> & {
  readonly inspector: Pick<Inspector, "questions">;
}): readonly RenderedIdentity[] {
  const { policies } = questions;
  return policies === undefined
    ? cluster.identities
    : cluster.identities.map((identity) => withDocuments(identity, policies));
}

/** The identities of a package whose permissions reach beyond its cluster, sorted by Secret. */
export function reachIn(asked: AskedPackage): Reach[] {
  const { terms, features } = asked.inspector;
  const own = ownCluster(asked.cluster, asked.items);
  return knownIdentities(asked).flatMap((identity) => reachOf(identity, own, terms, features.roles?.known()) ?? []);
}
