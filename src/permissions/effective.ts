import { bounded, type Grant, namedAction, type Permissions } from "./permissions.ts";
import type { RoleDefinitions } from "./terms.ts";

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
