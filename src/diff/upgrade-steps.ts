import { compareText } from "../core/text.ts";
import { type Budget, manySteps, unlessTooComplex } from "../permissions/automaton.ts";
import { isIncomparable, isLess, isMore, type PermissionComparison } from "../permissions/comparison.ts";
import { type Clause, describeCondition } from "../permissions/condition.ts";
import { type Atom, atomKey, atomsOf, bounded, describeAction, meet, namedAction } from "../permissions/permissions.ts";
import { actionIndex, actionName } from "./action-changes.ts";
import type { IdentityDiff } from "./diff.ts";

/** What an administrator does before, during and after an upgrade because permissions change. */
export interface Steps {
  /** Changes that the new release needs and the old one tolerates. */
  readonly before: readonly UpgradeStep[];
  /** Changes that only one of the releases tolerates. */
  readonly with: readonly UpgradeStep[];
  /** Changes that must wait until the old release is gone. */
  readonly after: readonly UpgradeStep[];
}

/** One step. Permissions are named in full: actions, resource, condition. */
export interface UpgradeStep {
  readonly kind:
    | "create"
    | "delete"
    | "grant"
    | "take"
    /** A part of what is revoked that must stay. */
    | "keep"
    | "deny"
    | "stop-denying"
    | "keep-denying"
    /** Apply the whole policy, because its changes cannot be listed one by one. */
    | "apply"
    /** Nothing to do: a consequence of the steps until the upgrade is finished. */
    | "note"
    /** Find out whether the release has the request. */
    | "settle"
    | "trust"
    | "boundary"
    | "token-path"
    | "service-account"
    | "audience";
  /** For people. */
  readonly text: string;
  readonly actions?: readonly string[];
  readonly resource?: string;
  readonly condition?: readonly Omit<Clause, "meaning">[];
}

/** The steps of one identity. */
export function stepsOf(diff: IdentityDiff): Steps {
  const { change, email, movedSecret, unknownGates } = diff;
  if (unknownGates.length > 0) return only("before", { kind: "settle", text: settling(diff) });
  const previous = movedSecret === undefined ? "" : ` (it was ${movedSecret})`;
  if (change === "new") return only("before", { kind: "create", text: `create ${owned(diff)}${previous}` });
  if (change === "gone") return only("after", { kind: "delete", text: `delete ${owned(diff)}` });
  const [permissions, trust, boundary] = [permissionSteps(diff), trustSteps(diff), boundarySteps(diff)];
  if (email !== undefined) return { ...accountSteps(diff, email), with: secretSteps(diff) };
  return {
    before: [...permissions.before, ...trust.before, ...boundary.before],
    with: secretSteps(diff),
    after: [...permissions.after, ...trust.after, ...boundary.after],
  };
}

function settling({ key, unknownGates }: IdentityDiff): string {
  const gates = unknownGates.length === 1 ? "the feature gate" : "the feature gates";
  return `find out whether the release enables ${gates} ${unknownGates.join(", ")}, which ${unknownGates.length === 1 ? "decides" : "decide"} whether it has the request of ${key}`;
}

// What the new release reads from its Secret.
function secretSteps({ key, tokenPath, email, audience }: IdentityDiff): UpgradeStep[] {
  const write = (what: string, value: string) => `write the ${what} into the Secret ${key}: ${value}`;
  return [
    ...(tokenPath === undefined
      ? []
      : [{ kind: "token-path", text: write("token path", shownPath(tokenPath[1])) } as const]),
    ...(email === undefined ? [] : [{ kind: "service-account", text: write("service account", email[1]) } as const]),
    ...(audience === undefined ? [] : [{ kind: "audience", text: write("audience", audience[1]) } as const]),
  ];
}

// Another account has nothing yet, so what changes between OLD and NEW does not matter.
function accountSteps({ key }: IdentityDiff, [old, now]: readonly [string, string]): BeforeAndAfter {
  const create = `create the service account ${now} for ${key}, with the permissions and the Kubernetes service accounts of NEW`;
  return {
    before: [{ kind: "create", text: create }],
    after: [{ kind: "delete", text: `delete the service account ${old}, which ${key} no longer uses` }],
  };
}

type BeforeAndAfter = Pick<Steps, "before" | "after">;

const nothing: Steps = { before: [], with: [], after: [] };

function only(when: keyof Steps, step: UpgradeStep): Steps {
  return { ...nothing, [when]: [step] };
}

function owned({ noun, key }: IdentityDiff): string {
  return `the ${noun} of ${key}`;
}

function shownPath(path: string): string {
  return path === "" ? "the path in the cluster's configuration" : path;
}

// A denial that only limits new permissions is added before them. A denial that no longer limits anything is removed last.
function permissionSteps({ key, permissions, effect, now }: IdentityDiff): BeforeAndAfter {
  const { granted, taken, denied, lifted, limiting, limited } = permissions;
  if (isIncomparable(permissions)) return wholeSteps(key, permissions);
  const after = bounded(now?.permissions ?? []);
  const budget = { steps: manySteps };
  const stays = unlessTooComplex(undefined, () => {
    const [allowing, denying] = [atomsOf(after, "Allow"), atomsOf(after, "Deny")];
    return {
      taken: meeting(allowing, taken, budget),
      lifted: meeting(denying, lifted, budget),
      limited: meeting(denying, limited, budget),
      isMoreThanEither: meeting(taken, lifted, budget).length + meeting(granted, denied, budget).length > 0,
    };
  });
  if (stays === undefined || isTangled(permissions, stays.lifted)) return wholeSteps(key, permissions);
  return {
    before: [
      ...steps("deny", key, limiting),
      ...stepsWithRoles("grant", key, granted, effect?.fromRoles, "OLD"),
      ...steps("stop-denying", key, lifted),
      ...steps("keep-denying", key, stays.lifted),
      ...(stays.isMoreThanEither ? [moreThanEither(key)] : []),
    ],
    after: [
      ...stepsWithRoles("take", key, taken, effect?.intoRoles, "NEW"),
      ...steps("keep", key, stays.taken),
      ...steps("deny", key, denied),
      ...steps("stop-denying", key, limited),
      ...steps("keep-denying", key, stays.limited),
    ],
  };
}

// The denials of one release limit what the other one allows.
function moreThanEither(key: string): UpgradeStep {
  const text = `until the upgrade is finished, ${key} may do more than OLD or NEW allows: a denial is removed before the permissions that it limited, or added after them`;
  return { kind: "note", text };
}

// The atoms that overlap with one of the others.
function meeting(all: readonly Atom[], some: readonly Atom[], budget: Budget): Atom[] {
  const index = actionIndex(all, budget);
  return some.flatMap((one) => index.near(actionName(one)).filter((atom) => meet(atom, one, budget)));
}

// Single steps would be wrong in two cases: a denial is removed before another is added that denies a part of the same; or a
// permission and the denial that hid it are removed together.
function isTangled(permissions: PermissionComparison, stillDenied: readonly Atom[]): boolean {
  const coming = new Set(permissions.denied.map(atomKey));
  return permissions.isUncovered || stillDenied.some((atom) => coming.has(atomKey(atom)));
}

function wholeSteps(key: string, permissions: PermissionComparison): BeforeAndAfter {
  const apply = { kind: "apply", text: `apply the policy of NEW to ${key} as a whole` } as const;
  if (!isLess(permissions)) return { before: [apply], after: [] };
  const both = `give ${key} what the policies of OLD and NEW allow, and deny only what both deny`;
  return { before: isMore(permissions) ? [{ kind: "apply", text: both }] : [], after: [apply] };
}

const verbs = {
  grant: "grant",
  take: "revoke from",
  keep: "keep for",
  deny: "deny",
  "stop-denying": "no longer deny",
  "keep-denying": "keep denying",
} as const;

/** The most actions in a line; further actions follow on more lines. */
const actionsInLine = 4;

/** The same for permissions that only move between a role and their own name. */
const manyInLine = 16;

// Permissions that the other side allows through a role have lines of their own: granting them before, or revoking them
// after, changes nothing until the role is revoked or granted.
function stepsWithRoles(
  kind: "grant" | "take",
  key: string,
  atoms: readonly Atom[],
  inRoles: readonly string[] = [],
  side: string,
): UpgradeStep[] {
  const names = new Set(inRoles);
  const isInRole = ({ action }: Atom) => names.has(namedAction(action)?.name ?? "");
  const others = steps(
    kind,
    key,
    atoms.filter((atom) => !isInRole(atom)),
  );
  const moved = steps(kind, key, atoms.filter(isInRole), manyInLine);
  return [...others, ...moved.map((step) => ({ ...step, text: `${step.text} (in ${side} through a role)` }))];
}

function steps(kind: keyof typeof verbs, key: string, atoms: readonly Atom[], inLine = actionsInLine): UpgradeStep[] {
  return grouped(atoms, inLine).map(({ actions, principal, resource, condition }) => {
    const named = actions.flatMap((action) => namedAction(action) ?? []);
    const what = named.length === 0 ? actions.join(", ") : namesOf(named);
    const where = resource === "*" && named.length > 0 ? "" : ` on ${resource}`;
    const who = principal === "" ? "" : ` by ${principal}`;
    const when = condition.length === 0 ? "" : ` when ${describeCondition(condition)}`;
    const text = `${verbs[kind]} ${key}: ${what}${where}${who}${when}`;
    // A step is for people and programs: they know what an operator means.
    const clauses = condition.map(({ meaning: _, ...clause }) => clause);
    return { kind, text, actions, resource, condition: clauses };
  });
}

// All names are of one kind, because atoms are grouped by it.
function namesOf(named: readonly { readonly kind: string; readonly name: string }[]): string {
  const kind = named[0]?.kind ?? "";
  const plural = kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return `${named.length === 1 ? kind : plural} ${named.map(({ name }) => name).join(", ")}`;
}

interface Group extends Omit<Atom, "action" | "except"> {
  readonly actions: string[];
}

// Actions on the same resource under the same condition share a line.
function grouped(atoms: readonly Atom[], inLine: number): Group[] {
  const groups = new Map<string, Group[]>();
  for (const atom of sortedByAction(atoms)) {
    const { action, except: _, ...rest } = atom;
    const key = atomKey({ ...rest, action: namedAction(action)?.kind ?? "" });
    const lines = groups.get(key) ?? [];
    const last = lines.at(-1);
    if (last === undefined || last.actions.length === inLine) lines.push({ ...rest, actions: [describeAction(atom)] });
    else last.actions.push(describeAction(atom));
    groups.set(key, lines);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).flatMap(([, lines]) => lines);
}

function sortedByAction(atoms: readonly Atom[]): Atom[] {
  const each = new Map(atoms.map((atom) => [atomKey(atom), atom]));
  return [...each].sort(([a], [b]) => compareText(a, b)).map(([, atom]) => atom);
}

function trustSteps(diff: IdentityDiff): BeforeAndAfter {
  const { key, trust, subjectsAdded, subjectsRemoved } = diff;
  const whole = trust === undefined ? nothing : wholeTrustSteps(diff, trust);
  const use = `use ${key}`;
  const said = (names: readonly string[], text: string): UpgradeStep[] =>
    names.length === 0 ? [] : [{ kind: "trust", text }];
  return {
    before: [...said(subjectsAdded, `let ${subjectsAdded.join(", ")} ${use}`), ...whole.before],
    after: [...said(subjectsRemoved, `no longer let ${subjectsRemoved.join(", ")} ${use}`), ...whole.after],
  };
}

// A subject that is not a plain service account is described by its policy.
function wholeTrustSteps(
  { key, subjectsAdded, subjectsRemoved }: IdentityDiff,
  trust: PermissionComparison,
): BeforeAndAfter {
  const others = (atoms: readonly Atom[], subjects: readonly string[]) =>
    atoms.some((atom) => !isPlainSubject(atom, subjects));
  const more = others(trust.granted, subjectsAdded) || trust.lifted.length > 0;
  const less = others(trust.taken, subjectsRemoved) || trust.denied.length > 0;
  const apply: UpgradeStep = { kind: "trust", text: `apply the trust policy of NEW to ${key} as a whole` };
  if (!more) return { before: [], after: less ? [apply] : [] };
  if (!less) return { before: [apply], after: [] };
  const both = `apply a trust policy with the statements of both OLD and NEW to ${key}`;
  return { before: [{ kind: "trust", text: both }], after: [apply] };
}

function boundarySteps({ key, boundary }: IdentityDiff): BeforeAndAfter {
  const [old, now] = boundary ?? ["", ""];
  return {
    before: old === "" ? [] : [{ kind: "boundary", text: `remove the boundary ${old} from ${key}` }],
    after: now === "" ? [] : [{ kind: "boundary", text: `limit ${key} with the boundary ${now}` }],
  };
}

/** Whether a trust is that of a plain service account, which is listed by its name. */
export function isPlainSubject({ condition }: Atom, subjects: readonly string[]): boolean {
  return condition.some(({ key, values }) => key.endsWith(":sub") && subjects.includes(values[0] ?? ""));
}
