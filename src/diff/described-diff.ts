import { compareText } from "../core/text.ts";
import { manySteps } from "../permissions/automaton.ts";
import type { PermissionComparison } from "../permissions/comparison.ts";
import { describeCondition } from "../permissions/condition.ts";
import { type Atom, atomsOf, bounded } from "../permissions/permissions.ts";
import type { RoleChange, RoleEffect } from "../permissions/role-effect.ts";
import { type ActionChange, actionChanges, namedChanges } from "./action-changes.ts";
import { type IdentityDiff, knownVerdict, type SidesDiff, type Verdict } from "./diff.ts";
import { isPlainSubject, type Steps, stepsOf } from "./upgrade-steps.ts";
import type { ValueChange } from "./values.ts";

/** A comparison for programs (schemas/diff.schema.json); the other formats are written from it. */
export interface DescribedDiff {
  readonly verdict: Verdict;
  /** The verdict about what could be decided; missing if it is the same. */
  readonly certain?: Verdict;
  /** Missing if everything was compared; "permissions": a side is requests alone. */
  readonly only?: "permissions";
  readonly identities: readonly DescribedIdentity[];
  /** Whatever else differs; missing if only permissions were compared. */
  readonly changes?: readonly DescribedChange[];
  /** The steps of all identities, in order. */
  readonly upgrade: Readonly<Record<keyof Steps, readonly string[]>>;
  /** The definitions of roles that decided, sorted by role; missing if there are none. */
  readonly roleDefinitions?: readonly UsedDefinition[];
}

/** A value that differs outside of permissions. */
export type DescribedChange = Omit<ValueChange, "identity">;

/** Where the definition of a role is from: the month of the program's own, or a file. Neither if it is not known. */
export interface UsedDefinition {
  readonly role: string;
  readonly date?: string;
  readonly file?: string;
}

/** What became of the roles of an identity, and of the permissions that it has through them. */
interface RoleChanges {
  readonly added: readonly ChangedRole[];
  readonly removed: readonly ChangedRole[];
  /** Permissions that NEW grants by themselves and OLD allows through a role. */
  readonly fromRoles: readonly string[];
  /** Permissions that OLD grants by themselves and NEW allows through a role. */
  readonly intoRoles: readonly string[];
}

/** A role that only one side grants. */
export interface ChangedRole {
  readonly role: string;
  /** The resources that only one side grants it on; missing in a cloud whose roles apply to everything. */
  readonly resources?: readonly string[];
  /** The number of its permissions; null if they are not known. */
  readonly permissions: number | null;
  /** How many of them the other side does not allow; null if they are not known. */
  readonly changed: number | null;
  /** For how many of them that could not be decided; missing if there are none. */
  readonly undecided?: number;
}

/** The changes of one identity. */
export interface DescribedIdentity {
  readonly cloud: string;
  /** `<secret namespace>/<secret name>`. */
  readonly identity: string;
  /** The name of its CredentialsRequest, "" if it is unknown. */
  readonly request: string;
  readonly change: IdentityDiff["change"];
  readonly verdict: Verdict;
  /** The verdict about what could be decided; missing if it is the same. */
  readonly certain?: Verdict;
  /** What is allowed. */
  readonly actions: readonly ActionChange[];
  /** Changed roles, in a cloud whose roles consist of permissions; `actions` lists the permissions. */
  readonly roles?: RoleChanges;
  /** Changed denials that remove or restore a permission. */
  readonly denials: readonly ActionChange[];
  /** Changed denials that only limit new or removed permissions. */
  readonly limits: readonly ActionChange[];
  readonly serviceAccounts: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Changed trusts that are not plain service accounts of the issuer. */
  readonly trust: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly boundary?: { readonly old: string; readonly new: string };
  readonly tokenPath?: { readonly old: string; readonly new: string };
  /** The email of its service account. */
  readonly email?: { readonly old: string; readonly new: string };
  readonly audience?: { readonly old: string; readonly new: string };
  readonly movedSecret?: string;
  /**
   * The feature gates of unknown state that decide whether a side has its request; missing if there are none. The verdict is then
   * "unknown", and the rest is what changes if the side has it.
   */
  readonly unknownGates?: readonly string[];
  /** What differs in its files and its Secret besides; missing if nothing does. */
  readonly changes?: readonly DescribedChange[];
  /** The lines about values that follow from a change elsewhere; missing if there are none. */
  readonly following?: readonly string[];
  /** The steps before, with and after the upgrade. */
  readonly steps: Steps;
}

/** Describes a comparison. */
export function describedDiff({ verdict, certain, identities, changes, definitions }: SidesDiff): DescribedDiff {
  const described = identities.map(describedIdentity);
  const texts = (when: keyof Steps) => described.flatMap(({ steps }) => steps[when].map(({ text }) => text));
  return {
    verdict,
    ...(certain === verdict ? {} : { certain }),
    ...(changes === undefined ? { only: "permissions" } : {}),
    identities: described,
    ...(changes === undefined ? {} : { changes: changes.map(describedChange) }),
    upgrade: { before: texts("before"), with: texts("with"), after: texts("after") },
    ...(definitions.size === 0 ? {} : { roleDefinitions: usedDefinitions(definitions) }),
  };
}

/** Says where the definitions of roles are from. */
function usedDefinitions(definitions: SidesDiff["definitions"]): UsedDefinition[] {
  return [...definitions].map(([role, definition]) => ({
    role,
    ...(definition?.date === undefined ? {} : { date: definition.date }),
    ...(definition?.file === undefined ? {} : { file: definition.file }),
  }));
}

/** Describes the comparison of one identity. */
export function describedIdentity(diff: IdentityDiff): DescribedIdentity {
  const { cloud, key, request = "", change, changes = [], following = [], movedSecret, unknownGates } = diff;
  const [verdict, certain] = [knownVerdict(diff, "verdict"), knownVerdict(diff, "certain")];
  const moves = (["boundary", "tokenPath", "email", "audience"] as const).flatMap((name) => {
    const [old, now] = diff[name] ?? [];
    return old === undefined || now === undefined ? [] : [[name, { old, new: now }] as const];
  });
  return {
    cloud,
    identity: key,
    request,
    change,
    verdict,
    ...(certain === verdict ? {} : { certain }),
    ...changesOf(diff),
    serviceAccounts: { added: diff.subjectsAdded, removed: diff.subjectsRemoved },
    trust: trustOf(diff),
    ...Object.fromEntries(moves),
    ...(movedSecret === undefined ? {} : { movedSecret }),
    ...(unknownGates.length === 0 ? {} : { unknownGates }),
    ...(changes.length === 0 ? {} : { changes: changes.map(describedChange) }),
    ...(following.length === 0 ? {} : { following }),
    steps: stepsOf(diff),
  };
}

function describedChange({ identity: _, ...change }: ValueChange): DescribedChange {
  return change;
}

function changesOf(diff: IdentityDiff): Pick<DescribedIdentity, "actions" | "roles" | "denials" | "limits"> {
  const { permissions, effect, old, now } = diff;
  const { granted, taken, denied, lifted, limiting, limited } = permissions;
  const budget = { steps: manySteps };
  const [before, after] = [bounded(old?.permissions ?? []), bounded(now?.permissions ?? [])];
  const allows = { old: atomsOf(before, "Allow"), now: atomsOf(after, "Allow") };
  const denies = { old: atomsOf(before, "Deny"), now: atomsOf(after, "Deny") };
  return {
    ...(effect === undefined
      ? { actions: actionChanges({ ...allows, more: granted, less: taken }, budget) }
      : roleChanges(effect)),
    denials: actionChanges({ ...denies, more: denied, less: lifted }, budget),
    limits: actionChanges({ ...denies, more: limiting, less: limited }, budget),
  };
}

function roleChanges(effect: RoleEffect): Pick<DescribedIdentity, "actions" | "roles"> {
  const { comparison, added, removed, fromRoles, intoRoles, through } = effect;
  const changed = ({ permissions, only, open, ...which }: RoleChange): ChangedRole =>
    permissions === undefined
      ? { ...which, permissions: null, changed: null }
      : { ...which, permissions, changed: only, ...(open === 0 ? {} : { undecided: open }) };
  return {
    actions: namedChanges(comparison.granted, comparison.taken, through),
    roles: { added: added.map(changed), removed: removed.map(changed), fromRoles, intoRoles },
  };
}

function trustOf({ trust, subjectsAdded, subjectsRemoved }: IdentityDiff): DescribedIdentity["trust"] {
  if (trust === undefined) return { added: [], removed: [] };
  return {
    added: ways(trust.granted, trust.lifted, "no longer denied: ", subjectsAdded),
    removed: ways(trust.taken, trust.denied, "denied now: ", subjectsRemoved),
  };
}

function ways(
  allowed: PermissionComparison["granted"],
  denied: PermissionComparison["lifted"],
  word: string,
  subjects: readonly string[],
): string[] {
  const texts = [
    ...allowed.filter((atom) => !isPlainSubject(atom, subjects)).map(describe),
    ...denied.map((atom) => `${word}${describe(atom)}`),
  ];
  return [...new Set(texts)].sort(compareText);
}

function describe({ action, principal, condition, undecided }: Atom): string {
  return [
    action,
    principal === "" ? "" : ` by ${principal}`,
    condition.length === 0 ? "" : ` when ${describeCondition(condition)}`,
    undecided === undefined ? "" : ` (${undecided})`,
  ].join("");
}
