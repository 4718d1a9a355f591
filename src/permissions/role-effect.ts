import { compareText } from "../core/text.ts";
import type { PermissionComparison } from "./comparison.ts";
import { type Atom, atomsOf, namedAction, type Permissions, unreadAtoms } from "./permissions.ts";
import type { RoleDefinition, RoleDefinitions } from "./terms.ts";

/*
 * In a cloud of roles, the same permission may come with a role or by itself. Two questions have different answers: what
 * must be granted and revoked, by name, and what an identity may do more or less, permission by permission. This module
 * answers the second question. Names of permissions and roles are compared with their case: Google lists names that differ
 * only in it.
 */

/** How what an identity may do changes, with roles replaced by the permissions in their definitions. */
export interface RoleEffect {
  /** The permissions, and the roles without a definition, that only one side allows. */
  readonly comparison: PermissionComparison;
  /** The roles that only NEW names, and those that only OLD names. */
  readonly added: readonly RoleChange[];
  readonly removed: readonly RoleChange[];
  /** Permissions that NEW names and OLD allows through a role, and the reverse. */
  readonly fromRoles: readonly string[];
  readonly intoRoles: readonly string[];
  /** By action: the roles that a permission of {@link comparison} comes with, if it is not named itself. */
  readonly through: ReadonlyMap<string, readonly string[]>;
  /** The definitions that decided; undefined for a role whose definition is not known. */
  readonly definitions: ReadonlyMap<string, RoleDefinition | undefined>;
}

/** A role that only one side names. */
export interface RoleChange {
  readonly role: string;
  /** The resources that only this side grants it on; missing in a cloud whose roles apply to everything. */
  readonly resources?: readonly string[];
  /** The number of its permissions; undefined if its definition is not known. */
  readonly permissions: number | undefined;
  /** How many of them the other side does not allow. */
  readonly only: number;
  /** For how many of them that could not be decided. */
  readonly open: number;
}

/**
 * The most names on one side that are compared, which takes less than a second. The largest role of Google, `roles/owner`, has
 * some ten thousand permissions, and a custom role at most 3,000; real requests name 50.
 */
const maxNames = 15_000;

const tooMany = "there are too many permissions to compare";

/**
 * Compares what two sides allow through roles and individual permissions. Undefined if there is no role whose permissions
 * matter: then the comparison by name is the answer.
 *
 * What cannot be decided is a change, with the reason: a role without a definition may include any permission.
 *
 * @param byName the comparison of the same permissions by name.
 */
export function roleEffect(
  old: Permissions,
  now: Permissions,
  byName: PermissionComparison,
  definitions: RoleDefinitions,
): RoleEffect | undefined {
  const [before, after] = [sideOf(old, definitions), sideOf(now, definitions)];
  if (before.roles.size + after.roles.size === 0 || isSame(before, after)) return undefined;
  const strange = (atoms: readonly Atom[]) => atoms.filter(({ action }) => namedAction(action) === undefined);
  if (Math.max(before.size, after.size) > maxNames) {
    const all = [{ ...atomOf("*"), undecided: tooMany }];
    return { ...nothing, comparison: { ...byName, granted: all, taken: all } };
  }
  const [more, less] = [onlyIn(after, before, "OLD"), onlyIn(before, after, "NEW")];
  const change = (side: Side, other: Side) => (role: string) => roleChange(role, side, other);
  return {
    comparison: {
      ...byName,
      granted: [...strange(byName.granted), ...more],
      taken: [...strange(byName.taken), ...less],
    },
    added: rolesOnlyIn(after, before).map(change(after, before)),
    removed: rolesOnlyIn(before, after).map(change(before, after)),
    fromRoles: namedOnlyIn(after, before),
    intoRoles: namedOnlyIn(before, after),
    through: new Map([...throughOf(more, after), ...throughOf(less, before)]),
    definitions: new Map([...after.roles, ...before.roles].sort(([a], [b]) => compareText(a, b))),
  };
}

const nothing = {
  added: [],
  removed: [],
  fromRoles: [],
  intoRoles: [],
  through: new Map(),
  definitions: new Map(),
} as const;

/** The names of one side. */
interface Side {
  /** Its roles, with their definitions. */
  readonly roles: ReadonlyMap<string, RoleDefinition | undefined>;
  /** Permissions that are named themselves. */
  readonly named: ReadonlySet<string>;
  /** All permissions, with the roles that each is in. */
  readonly all: ReadonlyMap<string, readonly string[]>;
  readonly unknown: readonly string[];
  /** Why it may allow, or deny, something that nothing readable does. */
  readonly mayAllow: string | undefined;
  readonly mayDeny: string | undefined;
  readonly size: number;
}

function sideOf(permissions: Permissions, definitions: RoleDefinitions): Side {
  const actions = atomsOf(permissions, "Allow").flatMap(({ action }) => namedAction(action) ?? []);
  const names = (kind: string) => actions.filter((action) => action.kind === kind).map(({ name }) => name);
  const roles = new Map(names("role").map((name) => [name, definitions.get(name)]));
  const named = new Set(names("permission"));
  const size = [...roles.values()].reduce((sum, role) => sum + (role?.permissions.length ?? 1), named.size);
  const isTooLarge = size > maxNames;
  const all = new Map((isTooLarge ? [] : [...named]).map((name) => [name, [] as string[]]));
  for (const [role, definition] of isTooLarge ? [] : roles) {
    for (const name of definition?.permissions ?? []) {
      const found = all.get(name);
      if (found === undefined) all.set(name, [role]);
      else found.push(role);
    }
  }
  const unknown = [...roles].filter(([, definition]) => definition === undefined).map(([name]) => name);
  const [[mayAllow], [mayDeny]] = (["Allow", "Deny"] as const).map((effect) => unreadAtoms(permissions, effect)) as [
    Atom[],
    Atom[],
  ];
  const doubts = { mayAllow: mayAllow?.undecided, mayDeny: mayDeny?.undecided };
  return { roles, named, all, unknown: unknown.sort(compareText), ...doubts, size };
}

function isSame(one: Side, other: Side): boolean {
  const within = (a: Side, b: Side) =>
    [...a.roles.keys()].every((role) => b.roles.has(role)) && [...a.named].every((name) => b.named.has(name));
  return within(one, other) && within(other, one);
}

function onlyIn(side: Side, other: Side, otherName: string): Atom[] {
  const why = doubtOf(side, other, otherName);
  const permissions = [...side.all.keys()]
    .filter((name) => !other.all.has(name))
    .map((name) => withReason(atomOf(`permission ${name}`), why));
  // A side without any permissions cannot have those of the role.
  const whyRole = other.size === 0 ? why : `it is compared by its name: ${notKnown}`;
  const roles = side.unknown
    .filter((role) => !other.roles.has(role))
    .map((role) => withReason(atomOf(`role ${role}`), whyRole));
  return [...permissions, ...roles].sort((a, b) => compareText(a.action, b.action));
}

// Why a permission that only one side has by name may be no difference.
function doubtOf(side: Side, other: Side, otherName: string): string | undefined {
  if (other.unknown.length > 0) return `${other.unknown[0]} of ${otherName} may include it: ${notKnown}`;
  if (other.mayAllow !== undefined) return `${otherName} may allow it, too: ${other.mayAllow}`;
  return side.mayDeny === undefined ? undefined : `the same side may deny it: ${side.mayDeny}`;
}

const notKnown = "its definition is not known";

function atomOf(action: string): Atom {
  return { principal: "", action, resource: "*", condition: [] };
}

function withReason(atom: Atom, undecided: string | undefined): Atom {
  return undecided === undefined ? atom : { ...atom, undecided };
}

function rolesOnlyIn(side: Side, other: Side): string[] {
  return [...side.roles.keys()].filter((role) => !other.roles.has(role)).sort(compareText);
}

function roleChange(role: string, side: Side, other: Side): RoleChange {
  const permissions = new Set(side.roles.get(role)?.permissions);
  const missing = [...permissions].filter((name) => !other.all.has(name)).length;
  const [only, open] = doubtOf(side, other, "") === undefined ? [missing, 0] : [0, missing];
  return { role, permissions: side.roles.get(role) === undefined ? undefined : permissions.size, only, open };
}

function namedOnlyIn(side: Side, other: Side): string[] {
  return [...side.named].filter((name) => !other.named.has(name) && other.all.has(name)).sort(compareText);
}

function throughOf(atoms: readonly Atom[], { all, named }: Side): [string, readonly string[]][] {
  return atoms.flatMap(({ action }): [string, readonly string[]][] => {
    const { kind, name = "" } = namedAction(action) ?? {};
    const roles = kind !== "permission" || named.has(name) ? [] : (all.get(name) ?? []);
    return roles.length === 0 ? [] : [[action, [...roles].sort(compareText)]];
  });
}

/**
 * The comparison by name of permissions that consist of nothing but names: sets of texts. Undefined if there is anything
 * else, or too many names.
 */
export function nameComparison(old: Permissions, now: Permissions): PermissionComparison | undefined {
  const [before, after] = [namesIn(old), namesIn(now)];
  if (before === undefined || after === undefined) return undefined;
  const only = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some]
      .filter((action) => !others.has(action))
      .sort(compareText)
      .map(atomOf);
  const none = { denied: [], lifted: [], limiting: [], limited: [], isUncovered: false } as const;
  return { ...none, granted: only(after, before), taken: only(before, after) };
}

function namesIn(permissions: Permissions): ReadonlySet<string> | undefined {
  const isPlain = permissions.every(
    ({ effect, undecided, principals, resources, condition, actions }) =>
      effect === "Allow" &&
      undecided === undefined &&
      principals.every((principal) => principal === "") &&
      resources.every((resource) => resource === "*") &&
      condition.length === 0 &&
      actions.every((action) => namedAction(action) !== undefined && !/[*?]/.test(action)),
  );
  const names = new Set(isPlain ? permissions.flatMap(({ actions }) => actions) : []);
  return isPlain && names.size <= maxNames ? names : undefined;
}
