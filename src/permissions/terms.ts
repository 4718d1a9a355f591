import type { Clause } from "./condition.ts";
import type { Glob } from "./glob.ts";
import type { Grant, Permissions } from "./permissions.ts";

/** What distinguishes a cluster's own resources from others in the same account. */
export interface OwnCluster {
  /** The AWS account, the project, or the subscription; undefined if it is not known. */
  readonly account: string | undefined;
  /** Names with which the names of its resources start: its resource prefix, its name, its infrastructure name. */
  readonly names: readonly string[];
  /** Scopes that contain only its resources, such as the resource groups of the cluster; empty in a cloud without scopes. */
  readonly scopes: readonly string[];
}

/** An answer that may be impossible; then the text is the reason, as a clause: "the name does not contain its project". */
export type Decided = boolean | string;

/** How a cloud writes permissions: what questions about them need to know. */
export interface PermissionTerms {
  /** An action, as an example for messages: `ec2:DeleteVolume`. */
  readonly example: string;
  /** Whether the cloud ignores the case of actions. */
  readonly actionsIgnoreCase: boolean;
  /** The form of an action of this cloud. It may contain wildcards. Data, because the page for auditors contains it. */
  readonly actionForm: RegExp;
  /** The form of the name of an action without its service; undefined if more than one word follows a service. */
  readonly nameForm?: RegExp;
  /** What ends the service in an action: ":" in `ec2:DeleteVolume`. */
  readonly separator: string;
  /** Whether a statement can deny something. Where none can, what cannot be read denies nothing either. */
  readonly hasDenials: boolean;
  /** Whether a statement on `resource` applies to a resource that the user named. Both may contain wildcards. */
  appliesTo(resource: Glob, named: Glob, own: OwnCluster): Decided;
  /** Whether the meaning of a condition operator is known. */
  isKnownOperator(operator: string): boolean;
  /** Whether all actions of a set only read. */
  onlyReads(action: Glob): boolean;
  /** Whether a statement on `resource` applies to more than the cluster's resources. */
  isBeyond(resource: Glob, own: OwnCluster): Decided;
  /** Whether a clause of a condition limits an action to the cluster's resources. */
  isLimit?(clause: Clause, action: Glob, own: OwnCluster): boolean;
  /** Whether a clause is true for every resource that is not the cluster's: a denial with it protects all others. */
  isOutside?(clause: Clause, own: OwnCluster): boolean;
  /** Why resources are more than the cluster's, as a clause. `resources` lists them in quotes. */
  describeBeyond(resources: string, own: OwnCluster): string;
}

/** The service of an action: "ec2" of `ec2:DeleteVolume`. */
export function serviceOf(action: string, { separator }: Pick<PermissionTerms, "separator">): string {
  return action.split(separator, 1)[0] ?? action;
}

/** All actions of a service, as a set: `ec2:*`. */
export function everythingIn(service: string, { separator }: Pick<PermissionTerms, "separator">): Glob {
  return `${service}${separator}*`;
}

/** What a role consisted of when it was described. Its owner may have changed it since. */
export interface RoleDefinition {
  /** The names of its permissions. In a cloud whose roles contain wildcards, the actions in `grants`. */
  readonly permissions: readonly string[];
  /** In a cloud whose roles contain wildcards: what it allows, on the resource "*". A role has its own exceptions. */
  readonly grants?: Permissions;
  /** The month in which the cloud described it so, such as "2026-08", for a definition that comes with the program. */
  readonly date?: string;
  /** The file with the definition, if the user named it. */
  readonly file?: string;
}

/**
 * Definitions by the name of the role: as the cloud writes it, such as `roles/dns.admin`, or in lowercase in a cloud that
 * ignores case. Either all of them have `grants`, or none.
 */
export type RoleDefinitions = ReadonlyMap<string, RoleDefinition>;

/** Whether the roles of a cloud contain wildcards. */
export function haveWildcards(definitions: RoleDefinitions): boolean {
  return [...definitions.values()].some(({ grants }) => grants !== undefined);
}

/** What a list of names allows, on a whole project or subscription. */
export function namedGrants(kind: "role" | "permission" | "data permission", names: readonly string[]): Grant[] {
  return names.length === 0 ? [] : [{ ...everywhere, actions: names.map((name) => `${kind} ${name}`) }];
}

/** Like {@link namedGrants}, for a cloud without wildcards: the meaning of a `*` or `?` in a name is not known. */
export function literalGrants(kind: "role" | "permission", names: readonly string[]): Grant[] {
  return names.some((name) => /[*?]/.test(name))
    ? undecidedGrants(
        `its list of ${kind}s contains a wildcard, which this cloud does not support: ${JSON.stringify(names)}`,
      )
    : namedGrants(kind, names);
}

const everywhere = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;

/** What stands for something of an unknown form: it may allow something or deny something. */
export function undecidedGrants(undecided: string): Grant[] {
  const grant = { ...everywhere, actions: ["*"], undecided };
  return [grant, { ...grant, effect: "Deny" }];
}
