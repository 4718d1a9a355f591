import { compareText } from "../core/text.ts";
import { type Budget, manySteps, unlessTooComplex } from "./automaton.ts";
import { comparePermissions, type PermissionComparison } from "./comparison.ts";
import { gains } from "./gains.ts";
import { intersects, isCovered } from "./glob.ts";
import {
  type Atom,
  atomKey,
  atoms,
  atomsOf,
  describeAction,
  type Grant,
  namedAction,
  type Permissions,
} from "./permissions.ts";
import type { RoleChange, RoleEffect } from "./role-effect.ts";
import { haveWildcards, namedGrants, type RoleDefinition, type RoleDefinitions } from "./terms.ts";

/*
 * Roles that contain wildcards and exceptions, as those of Azure, and roles on single resources, as on a bucket of Google Cloud, are
 * compared as sets: each role is replaced by the statements of its definition, on the resources that the role is granted on. The
 * exceptions of a role limit only that role.
 */

/**
 * Compares what two sides allow through roles and individual permissions. Undefined if there is no role: then the comparison by
 * name is the answer.
 *
 * What cannot be decided is a change, with the reason: a role without a definition may include any permission.
 */
export function wildcardRoleEffect(
  old: Permissions,
  now: Permissions,
  definitions: RoleDefinitions,
): RoleEffect | undefined {
  const [before, after] = [sideOf(old, definitions), sideOf(now, definitions)];
  if (before.roles.size + after.roles.size === 0) return undefined;
  const found = comparePermissions(before.whole, after.whole);
  const granted = found.granted.map((atom) => judged(atom, before, "OLD"));
  const taken = found.taken.map((atom) => judged(atom, after, "NEW"));
  const comparison: PermissionComparison = { ...found, granted, taken };
  const [added, removed] = [rolesOnlyIn(after, before, granted), rolesOnlyIn(before, after, taken)];
  const [fromRoles, intoRoles] = [throughRoles(after, before, granted), throughRoles(before, after, taken)];
  if ([granted, taken, added, removed, fromRoles, intoRoles].every(({ length }) => length === 0)) return undefined;
  return {
    comparison,
    added,
    removed,
    fromRoles,
    intoRoles,
    through: new Map([...rolesOf(granted, after), ...rolesOf(taken, before)]),
    definitions: new Map([...definitionsOf(after), ...definitionsOf(before)].sort(([a], [b]) => compareText(a, b))),
  };
}

/** One side. */
interface Side {
  /** Its roles, by their names; in lowercase in a cloud whose roles contain wildcards. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Everything except its roles. */
  readonly named: Permissions;
  /** The same, and the statements of its roles. A role without a definition is there by its name. */
  readonly whole: Permissions;
}

interface Role {
  readonly name: string;
  readonly resources: ReadonlySet<string>;
  readonly definition: RoleDefinition | undefined;
}

function sideOf(permissions: Permissions, definitions: RoleDefinitions): Side {
  const ignoresCase = haveWildcards(definitions);
  const roles = new Map<string, Role & { readonly resources: Set<string> }>();
  const named: Grant[] = [];
  for (const grant of permissions) {
    const names = grant.effect === "Allow" && grant.undecided === undefined ? roleNames(grant) : new Map();
    for (const name of names.values()) {
      const key = ignoresCase ? name.toLowerCase() : name;
      const role = roles.get(key) ?? { name, resources: new Set(), definition: definitions.get(key) };
      for (const resource of grant.resources) role.resources.add(resource);
      roles.set(key, role);
    }
    const actions = grant.actions.filter((action) => !names.has(action));
    if (names.size === 0) named.push(grant);
    else if (actions.length > 0) named.push({ ...grant, actions });
  }
  return { roles, named, whole: [...named, ...[...roles.values()].flatMap((role) => grantsOf(role))] };
}

function roleNames({ actions }: Grant): Map<string, string> {
  return new Map(
    actions.flatMap((action): [string, string][] => {
      const { kind, name = "" } = namedAction(action) ?? {};
      return kind === "role" ? [[action, name]] : [];
    }),
  );
}

function grantsOf({ name, resources, definition }: Role, on: readonly string[] = [...resources]): Grant[] {
  const byName: Grant = { effect: "Allow", principals: [""], actions: [`role ${name}`], resources: [], condition: [] };
  const named = definition === undefined ? [byName] : namedGrants("permission", definition.permissions);
  return (definition?.grants ?? named).map((grant) => ({ ...grant, resources: on }));
}

function judged(atom: Atom, other: Side, otherName: string): Atom {
  if (atom.undecided !== undefined) return atom;
  const unknown = [...other.roles.values()].filter(({ definition }) => definition === undefined);
  const budget: Budget = { steps: manySteps };
  const isRole = namedAction(atom.action)?.kind === "role";
  // The same role on a part of the resource allows less, and what applies to other resources allows nothing on this one.
  const isElsewhere = ({ actions, resources }: Grant) =>
    actions.every((action) => action === atom.action) ||
    !resources.some((resource) => unlessTooComplex(true, () => intersects(resource, atom.resource, budget)));
  if (isRole)
    return other.whole.every(isElsewhere) ? atom : { ...atom, undecided: `it is compared by its name: ${notKnown}` };
  const may = unknown.find(({ resources }) =>
    unlessTooComplex(true, () => isCovered([atom.resource], [...resources], budget)),
  );
  return may === undefined ? atom : { ...atom, undecided: `${may.name} of ${otherName} may include it: ${notKnown}` };
}

const notKnown = "its definition is not known";

// A role that is granted on more resources is a change, too.
function rolesOnlyIn(side: Side, other: Side, only: readonly Atom[]): RoleChange[] {
  const changed = new Map(only.map((atom) => [atomKey(atom), atom.undecided === undefined]));
  return [...side.roles]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([key, role]): RoleChange[] => {
      const same = other.roles.get(key)?.resources;
      const on = [...role.resources].filter((resource) => same?.has(resource) !== true).sort(compareText);
      if (on.length === 0) return [];
      const where = on.every((resource) => resource === "*") ? {} : { resources: on };
      if (role.definition === undefined)
        return [{ role: role.name, ...where, permissions: undefined, only: 0, open: 0 }];
      const parts = grantsOf(role, on).flatMap(atoms);
      const all = new Set(parts.map(describeAction));
      const differing = (isDecided: boolean) =>
        new Set(parts.filter((atom) => changed.get(atomKey(atom)) === isDecided).map(describeAction));
      const missing = differing(true);
      const open = [...differing(false)].filter((action) => !missing.has(action)).length;
      return [{ role: role.name, ...where, permissions: all.size, only: missing.size, open }];
    });
}

// What one side names, and the other side allows only with the help of its roles.
function throughRoles(side: Side, other: Side, only: readonly Atom[]): string[] {
  if (other.roles.size === 0) return [];
  const changed = new Set(only.map(atomKey));
  const decided = ({ undecided }: Grant) => undecided === undefined;
  const names = gains(side.named.filter(decided), other.named.filter(decided)).allowed.flatMap((atom) => {
    const name = atom.undecided === undefined ? namedAction(describeAction(atom))?.name : undefined;
    return changed.has(atomKey(atom)) || name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort(compareText);
}

// The roles that the parts come with, by the action for people. A part that is named itself has none.
function rolesOf(parts: readonly Atom[], side: Side): [string, readonly string[]][] {
  const named = new Set(atomsOf(side.named, "Allow").map(atomKey));
  const sources = new Map<string, string[]>();
  for (const role of side.roles.values()) {
    if (role.definition === undefined) continue;
    for (const key of new Set(grantsOf(role).flatMap(atoms).map(atomKey)))
      sources.set(key, [...(sources.get(key) ?? []), role.name]);
  }
  return parts.flatMap((atom): [string, readonly string[]][] => {
    const roles = named.has(atomKey(atom)) ? undefined : sources.get(atomKey(atom));
    return roles === undefined ? [] : [[describeAction(atom), [...roles].sort(compareText)]];
  });
}

function definitionsOf({ roles }: Side): [string, RoleDefinition | undefined][] {
  return [...roles.values()].map(({ name, definition }) => [name, definition]);
}
