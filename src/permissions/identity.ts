import type { Resource } from "../core/resource.ts";
import { bounded, type Grant, namedAction, type Permissions } from "./permissions.ts";
import type { RoleDefinitions } from "./terms.ts";

/** A component identity, read from its request, from a rendered package, or from an export. */
export interface CloudIdentity {
  /** The cloud's title, for example "AWS". */
  readonly cloud: string;
  /** The cloud's term for an identity, for example "role". */
  readonly noun: string;
  /** `<secret namespace>/<secret name>`: identities are paired by it. */
  readonly key: string;
  /** The request's name; undefined if it is not known. */
  readonly request: string | undefined;
  readonly permissions: Permissions;
  /** Who may assume it, for example `system:serviceaccount:<namespace>:<name>`; sorted, without duplicates. */
  readonly subjects: readonly string[];
  /** Who may assume it, according to its trust policy; undefined if it has none, as in a request. */
  readonly trust: Permissions | undefined;
  /** The ARN of its permissions boundary, or "" for none; undefined if it is not known. */
  readonly boundary: string | undefined;
  /** Whether the resources of its permissions are the scopes of its roles; a request does not name them. Only for clouds with scopes. */
  readonly areScopesKnown?: boolean;
  /** The path of its token, or "" if the cluster decides; undefined if it is not known. */
  readonly tokenPath: string | undefined;
  /** The email of its service account, in a cloud where that is its ID; undefined if it is not known. */
  readonly email?: string | undefined;
  /** The audience for which its token is exchanged, according to its Secret; undefined if it names none. */
  readonly audience?: string | undefined;
  /** The feature gates of unknown state that decide whether the release has its request, sorted; missing if there are none. */
  readonly unknownGates?: readonly string[];
}

/** The properties of an identity that the cluster's configuration decides, not the request. */
export const decidedByCluster = { trust: undefined, boundary: undefined } as const;

/** An identity according to the files of a package or an export, which a user may have edited. */
export interface RenderedIdentity {
  /** Its bundle ConfigMap; undefined in an export. */
  readonly resource: Resource | undefined;
  /** `<secret namespace>/<secret name>`, or that of a WorkloadIdentity; undefined if its files do not contain it. */
  readonly key: string | undefined;
  /** Whether it is the identity of a team's own workload, and not of a component of the platform or an operator. */
  readonly isOfWorkload: boolean;
  /** Its ID in the cloud, for example a role's ARN; undefined if its files do not contain it. */
  readonly id: string | undefined;
  /** The ID that the cloud assigned to it, according to its files; missing if they do not contain it, or it assigns none. */
  readonly assignedId?: string;
  /** Who may assume it: one entry for each statement and principal. */
  readonly trusts: readonly Trust[];
  /** What its own policy grants, with resources verbatim. */
  readonly permissions: Permissions;
  /** The managed policies that are attached to it, by their names in the cloud. */
  readonly managedPolicies: readonly string[];
  /** Its permissions boundary. */
  readonly boundary: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number | undefined;
  /** The files with its trust policy. */
  readonly trustFiles: readonly PolicyFile[];
  /** The files with its permissions. */
  readonly permissionFiles: readonly PolicyFile[];
  /** For comparisons with a request; undefined if a required file is missing or cannot be read. */
  readonly compared: CloudIdentity | undefined;
}

/** One file with a policy, and what it grants, in the form of requests. Unreadable parts are undecided. */
export interface PolicyFile {
  /** The field of the bundle. */
  readonly field: string;
  readonly permissions: Permissions;
}

/** One parsed statement of a trust policy: whose tokens allow a component to assume an identity. */
export interface Trust {
  readonly effect: "Allow" | "Deny";
  /** With `https://`; undefined if the statement does not name a provider. */
  readonly issuer: string | undefined;
  /** The subjects; empty if the statement does not limit them in a known way. */
  readonly subjects: readonly string[];
  /** The audiences from the statement, otherwise the provider's client IDs; undefined if neither has any. */
  readonly audiences: readonly string[] | undefined;
  /** Descriptions of all other conditions. */
  readonly conditions: readonly string[];
  /** The statement itself, if its form is not known. */
  readonly unread?: string;
}

/** A statement of an identity, or one that it has through a role. Its actions are written as the cloud writes them. */
export interface EffectiveStatement extends Grant {
  /** The role that it comes from. */
  readonly role?: string;
}

/** What questions about an identity's permissions read; a rendered identity has it. */
export interface Holder {
  readonly key: string | undefined;
  readonly id: string | undefined;
  readonly permissions: Permissions;
  readonly managedPolicies: readonly string[];
  readonly boundary: string | undefined;
}

/**
 * The statements of an identity, with its roles replaced by their definitions. What has no definition is undecided: a role may
 * allow anything, and a managed policy may also deny anything.
 *
 * @param definitions undefined if the cloud has no roles.
 */
export function effectiveStatements(
  { permissions, managedPolicies }: Pick<Holder, "permissions" | "managedPolicies">,
  definitions: RoleDefinitions | undefined,
): EffectiveStatement[] {
  const policies = managedPolicies.flatMap((name): EffectiveStatement[] => {
    const policy = unknown(
      { effect: "Allow", principals: [""], resources: ["*"], condition: [] },
      "managed policy",
      name,
    );
    return [policy, { ...policy, effect: "Deny" }];
  });
  return [...bounded(permissions).flatMap((grant) => effectiveOf(grant, definitions)), ...policies];
}

function effectiveOf(grant: Grant, definitions: RoleDefinitions | undefined): EffectiveStatement[] {
  const found: EffectiveStatement[] = [];
  const actions: string[] = [];
  for (const action of grant.actions) {
    const named = grant.undecided === undefined ? namedAction(action) : undefined;
    if (named?.kind === "role") found.push(...statementsOfRole(named.name, grant, definitions));
    else actions.push(withoutKind(action));
  }
  if (actions.length > 0) found.push({ ...grant, actions, ...exceptionsOf(grant) });
  return found;
}

function exceptionsOf({ except }: Grant): Pick<Grant, "except"> {
  return except === undefined ? {} : { except: except.map(withoutKind) };
}

function withoutKind(action: string): string {
  return namedAction(action)?.name ?? action;
}

// A role of a cloud without wildcards is a list of names.
function statementsOfRole(
  role: string,
  grant: Grant,
  definitions: RoleDefinitions | undefined,
): readonly EffectiveStatement[] {
  const definition = definitions?.get(role) ?? definitions?.get(role.toLowerCase());
  if (definition === undefined) return [{ ...unknown(grant, "role", role), role }];
  const { grants, permissions } = definition;
  if (grants === undefined) return [{ ...grant, actions: permissions, role }];
  return grants.map((one) => ({
    ...one,
    actions: one.actions.map(withoutKind),
    ...exceptionsOf(one),
    resources: grant.resources,
    role,
  }));
}

function unknown(grant: Omit<Grant, "actions">, kind: string, name: string): Grant {
  return { ...grant, actions: ["*"], undecided: `the definition of the ${kind} ${name} is not known` };
}
