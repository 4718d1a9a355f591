import type { Inspector } from "../../clouds/inspector.ts";
import { ownCluster, reachIn } from "../../clouds/permissions.ts";
import { allByKey, type Resource } from "../../core/resource.ts";
import { ofForm, secretTexts } from "../../core/secret-texts.ts";
import { compareText } from "../../core/text.ts";
import type { ServiceActions, Statement, Term } from "../../page/page.ts";
import { openReasons } from "../../page/services.ts";
import { describeCondition } from "../../permissions/condition.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import { atoms, describeAction, type Grant, namedAction } from "../../permissions/permissions.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import type { Reach } from "../../permissions/reach.ts";
import { clusterWith } from "../files/input-file.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../package/rendered-directory.ts";
import { FindingsError } from "../terminal/errors.ts";
import { type Escalations, escalationsOf } from "./escalations.ts";

/** The identities of a cluster, and the words of its cloud for them. */
export interface Explained {
  readonly identities: readonly RenderedIdentity[];
  /** "role", "service account" */
  readonly noun: string;
  /** What limits an identity besides its permissions; undefined if nothing does in this cloud. */
  readonly boundaries: Term | undefined;
  /** What everything belongs to: an AWS account, a project. */
  readonly account: string;
  /** The identities whose permissions reach beyond the cluster, by Secret. */
  readonly reach: ReadonlyMap<string, Reach>;
  /** How they can get more permissions than their own, by Secret. */
  readonly escalations: ReadonlyMap<string, Escalations>;
  /** The service that an action or a role belongs to; undefined if it names none. */
  readonly serviceOf: Inspector["serviceOf"];
  /** The IDs that the cloud has assigned to identities, by their keys, and its term for them; undefined if it assigns none. */
  readonly assigned: { readonly noun: string; readonly ids: ReadonlyMap<string, string> } | undefined;
}

/**
 * The identities that pods of a namespace can use: those that a service account there may assume, those that are for it, and those whose
 * users are not known.
 */
export function usableFrom(namespace: string, { identities, ...explained }: Explained): Explained {
  const subject = `system:serviceaccount:${namespace}:`;
  const isUsable = ({ key, trusts }: RenderedIdentity) =>
    key?.startsWith(`${namespace}/`) === true ||
    trusts.some(
      ({ effect, subjects, unread }) =>
        effect === "Allow" &&
        (unread !== undefined || subjects.length === 0 || subjects.some((one) => one.startsWith(subject))),
    );
  return { ...explained, identities: identities.filter(isUsable) };
}

/** The heading above the identities of workloads. */
export const workloadsTitle = "Workloads";

/** What is shown instead of an ID that the cloud has not assigned. */
export const notAssigned = "not in the package yet";

/** The ID that the cloud assigned to an identity; undefined if the package does not contain it. */
export function assignedId({ key = "" }: RenderedIdentity, { assigned }: Explained): string | undefined {
  return assigned?.ids.get(key);
}

/** The identities of components and operators, and those of workloads. */
export function divided(
  identities: readonly RenderedIdentity[],
): readonly [components: readonly RenderedIdentity[], workloads: readonly RenderedIdentity[]] {
  return [
    identities.filter(({ isOfWorkload }) => !isOfWorkload),
    identities.filter(({ isOfWorkload }) => isOfWorkload),
  ];
}

/** How an identity can get more permissions than its own, and why it may have permissions that the files do not contain. */
export function escalationOf(
  { key = "", managedPolicies }: RenderedIdentity,
  { escalations }: Explained,
): { readonly ways: Escalations["ways"]; readonly open: readonly string[] } {
  const { ways, unknown } = escalations.get(key) ?? { ways: [], unknown: [] };
  return { ways, open: openReasons({ managedPolicies, unknown }) };
}

/** A statement of a permissions policy. */
export interface Permission {
  readonly effect: "Allow" | "Deny";
  /** Actions by service, sorted: `ec2` has `DescribeVolumes`. A cloud without policies has `role` and `permission` instead. */
  readonly actions: readonly { readonly service: string; readonly names: readonly string[] }[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  readonly unread?: string;
}

/** The permissions of a rendered identity, statement by statement. */
export function permissionsOf({ permissions }: RenderedIdentity, { account }: Explained): Permission[] {
  return permissions.map((grant) => permission(grant, account));
}

/** The same by service, for people. */
export function statementsOf(identity: RenderedIdentity, explained: Explained): Statement[] {
  return permissionsOf(identity, explained).map(({ effect, actions, resources, conditions, unread }) => ({
    effect,
    actions: actions.flatMap(({ service, names }) => servicesOf(service, names, explained)),
    resources,
    conditions,
    ...(unread === undefined ? {} : { unread }),
  }));
}

// A program gets what the names are, where the cloud's actions are roles and permissions; people read by service.
function servicesOf(group: string, names: readonly string[], { serviceOf }: Explained): ServiceActions[] {
  const isNamed = namedAction(`${group} `) !== undefined;
  const unnamed = group === "" ? "every service" : group;
  const services = allByKey(names, (name) => serviceOf(isNamed ? `${group} ${name}` : `${group}:${name}`) ?? unnamed);
  return [...services]
    .sort(([a], [b]) => compareText(a, b))
    .map(([service, found]) => ({ service, kind: isNamed ? group : "action", names: found }));
}

function permission(grant: Grant, account: string): Permission {
  const services = allByKey(actionsOf(grant).map(partsOf), ({ service }) => service);
  const sorted = [...services].sort(([a], [b]) => compareText(a, b));
  return {
    effect: grant.effect,
    actions: sorted.map(([service, parts]) => ({
      service,
      names: [...new Set(parts.map(({ name }) => name))].sort(compareText),
    })),
    resources: isEverywhere(grant) ? [account] : grant.resources,
    conditions: grant.condition.map((clause) => describeCondition([clause])),
    ...(grant.undecided === undefined ? {} : { unread: grant.undecided }),
  };
}

// With the exceptions of each.
function actionsOf(grant: Grant): readonly string[] {
  if (grant.except === undefined) return grant.actions;
  return atoms({ ...grant, principals: [""], resources: ["*"], condition: [] }).map(describeAction);
}

// What has only a name, and no scope, applies to everything in the account.
function isEverywhere({ actions, resources }: Grant): boolean {
  return (
    actions.every((action) => namedAction(action) !== undefined) && resources.every((resource) => resource === "*")
  );
}

function partsOf(action: string): { readonly service: string; readonly name: string } {
  const named = namedAction(action);
  if (named !== undefined) return { service: named.kind, name: named.name };
  const [service = "", ...name] = action.split(":");
  return name.length === 0 ? { service: "", name: service } : { service, name: name.join(":") };
}

/**
 * Reads the identities of a rendered package or an export, and the directory itself.
 *
 * @param apart packages inside it that the command explains by themselves
 * @param documents of policies that the package only names
 * @throws FindingsError if the Secret or the ID of an identity is unknown; an unreadable part of an identity is shown as such.
 */
export function readExplained(
  directory: string,
  apart: readonly string[] = [],
  documents: PolicyDocuments = new Map(),
): {
  readonly explained: Explained;
  readonly rendered: RenderedDirectory;
} {
  const rendered = readRenderedDirectory(directory, apart);
  const { inspector, cluster, items } = rendered;
  const { identities, findings } = cluster;
  if (identities.some(({ key, id }) => key === undefined || id === undefined)) throw new FindingsError(findings);
  const own = ownCluster(cluster, items);
  const explained: Explained = {
    identities,
    noun: inspector.identityNoun,
    boundaries: inspector.features.boundaries,
    account: cluster.account ?? "",
    reach: new Map(
      reachIn({ inspector, cluster: clusterWith(cluster, documents), items }).map((reach) => [reach.secret, reach]),
    ),
    escalations: new Map(identities.map((one) => [one.key ?? "", escalationsOf(one, inspector, own, documents)])),
    serviceOf: inspector.serviceOf,
    assigned: assignedIn(items, inspector, identities),
  };
  return { explained, rendered };
}

// The Secrets of components name what the cloud has assigned. Not every workload has one, and an export contains none of them.
function assignedIn(
  items: readonly Resource[],
  { features, settingForms }: Inspector,
  identities: readonly RenderedIdentity[],
): Explained["assigned"] {
  if (features.assignedIds === undefined) return undefined;
  const { settingKey: key, noun } = features.assignedIds;
  const ids = new Map(
    identities.flatMap(({ key = "", isOfWorkload, assignedId }) =>
      isOfWorkload && assignedId !== undefined ? [[key, assignedId] as const] : [],
    ),
  );
  for (const item of items) {
    const id = item.kind === "Secret" ? ofForm(settingForms, key, secretTexts(item.value()).get(key)) : undefined;
    if (id !== undefined) ids.set(`${item.namespace}/${item.name}`, id);
  }
  return { noun, ids };
}
