import { compareText } from "../core/text.ts";
import { type Budget, manySteps, unlessTooComplex } from "../permissions/budget.ts";
import { type Comparison, isLess, isMore, isUndecided } from "../permissions/comparison.ts";
import { type Condition, describeCondition } from "../permissions/condition.ts";
import { namedAction } from "../permissions/named.ts";
import { type Atom, atomKey, atomsOf, bounded, meet } from "../permissions/permissions.ts";
import { actionIndex, nameOf } from "./action-index.ts";
import type { IdentityDiff } from "./diff.ts";
import { isPlainSubject } from "./plain-subject.ts";

/** What an administrator does before, during and after an upgrade because permissions change. */
export interface Steps {
  /** Changes that the new release needs and the old one tolerates. */
  readonly before: readonly Step[];
  /** Changes that only one of the releases tolerates. */
  readonly with: readonly Step[];
  /** Changes that must wait until the old release is gone. */
  readonly after: readonly Step[];
}

/** One step. Permissions are named in full: actions, resource, condition. */
export interface Step {
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
    | "trust"
    | "boundary"
    | "token-path";
  /** For people. */
  readonly text: string;
  readonly actions?: readonly string[];
  readonly resource?: string;
  readonly condition?: Condition;
}

/** The steps of one identity. */
export function stepsOf(diff: IdentityDiff): Steps {
  const { key, change, tokenPath, movedSecret } = diff;
  const previous = movedSecret === undefined ? "" : ` (it was ${movedSecret})`;
  if (change === "new") return only("before", { kind: "create", text: `create ${owned(diff)}${previous}` });
  if (change === "gone") return only("after", { kind: "delete", text: `delete ${owned(diff)}` });
  const moved = `write the token path into the Secret ${key}: ${shownPath(tokenPath?.[1] ?? "")}`;
  const [permissions, trust, boundary] = [permissionSteps(diff), trustSteps(diff), boundarySteps(diff)];
  return {
    before: [...permissions.before, ...trust.before, ...boundary.before],
    with: tokenPath === undefined ? [] : [{ kind: "token-path", text: moved }],
    after: [...permissions.after, ...trust.after, ...boundary.after],
  };
}

type BeforeAndAfter = Pick<Steps, "before" | "after">;

const nothing: Steps = { before: [], with: [], after: [] };

function only(when: keyof Steps, step: Step): Steps {
  return { ...nothing, [when]: [step] };
}

function owned({ noun, key }: IdentityDiff): string {
  return `the ${noun} of ${key}`;
}

function shownPath(path: string): string {
  return path === "" ? "the path in the cluster's configuration" : path;
}

// A denial that only limits new permissions is added before them. A denial that no longer limits anything is removed last.
function permissionSteps({ key, permissions, now }: IdentityDiff): BeforeAndAfter {
  const { granted, taken, denied, lifted, limiting, limited } = permissions;
  if (isUndecided(permissions)) return wholeSteps(key, permissions);
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
      ...steps("grant", key, granted),
      ...steps("stop-denying", key, lifted),
      ...steps("keep-denying", key, stays.lifted),
      ...(stays.isMoreThanEither ? [moreThanEither(key)] : []),
    ],
    after: [
      ...steps("take", key, taken),
      ...steps("keep", key, stays.taken),
      ...steps("deny", key, denied),
      ...steps("stop-denying", key, limited),
      ...steps("keep-denying", key, stays.limited),
    ],
  };
}

// The denials of one release limit what the other one allows.
function moreThanEither(key: string): Step {
  const text = `until the upgrade is finished, ${key} may do more than OLD or NEW allows: a denial is removed before the permissions that it limited, or added after them`;
  return { kind: "note", text };
}

// The atoms that overlap with one of the others.
function meeting(all: readonly Atom[], some: readonly Atom[], budget: Budget): Atom[] {
  const index = actionIndex(all, budget);
  return some.flatMap((one) => index.near(nameOf(one)).filter((atom) => meet(atom, one, budget)));
}

// Single steps would be wrong in two cases: a denial is removed before another is added that denies a part of the same; or a
// permission and the denial that hid it are removed together.
function isTangled(permissions: Comparison, stillDenied: readonly Atom[]): boolean {
  const coming = new Set(permissions.denied.map(atomKey));
  return permissions.isUncovered || stillDenied.some((atom) => coming.has(atomKey(atom)));
}

function wholeSteps(key: string, permissions: Comparison): BeforeAndAfter {
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

function steps(kind: keyof typeof verbs, key: string, atoms: readonly Atom[]): Step[] {
  return grouped(atoms).map(({ actions, principal, resource, condition }) => {
    const named = actions.flatMap((action) => namedAction(action) ?? []);
    const what = named.length === 0 ? actions.join(", ") : namesOf(named);
    const where = resource === "*" && named.length > 0 ? "" : ` on ${resource}`;
    const who = principal === "" ? "" : ` by ${principal}`;
    const when = condition.length === 0 ? "" : ` when ${describeCondition(condition)}`;
    const text = `${verbs[kind]} ${key}: ${what}${where}${who}${when}`;
    return { kind, text, actions, resource, condition };
  });
}

// All names are of one kind, because atoms are grouped by it.
function namesOf(named: readonly { readonly kind: string; readonly name: string }[]): string {
  const kind = named[0]?.kind ?? "";
  const plural = kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return `${named.length === 1 ? kind : plural} ${named.map(({ name }) => name).join(", ")}`;
}

interface Group extends Omit<Atom, "action"> {
  readonly actions: string[];
}

// Actions on the same resource under the same condition share a line.
function grouped(atoms: readonly Atom[]): Group[] {
  const groups = new Map<string, Group[]>();
  for (const { action, ...rest } of sortedByAction(atoms)) {
    const key = atomKey({ ...rest, action: namedAction(action)?.kind ?? "" });
    const lines = groups.get(key) ?? [];
    const last = lines.at(-1);
    if (last === undefined || last.actions.length === actionsInLine) lines.push({ ...rest, actions: [action] });
    else last.actions.push(action);
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
  const said = (names: readonly string[], text: string): Step[] =>
    names.length === 0 ? [] : [{ kind: "trust", text }];
  return {
    before: [...said(subjectsAdded, `let ${subjectsAdded.join(", ")} ${use}`), ...whole.before],
    after: [...said(subjectsRemoved, `no longer let ${subjectsRemoved.join(", ")} ${use}`), ...whole.after],
  };
}

// A subject that is not a plain service account is described by its policy.
function wholeTrustSteps({ key, subjectsAdded, subjectsRemoved }: IdentityDiff, trust: Comparison): BeforeAndAfter {
  const others = (atoms: readonly Atom[], subjects: readonly string[]) =>
    atoms.some((atom) => !isPlainSubject(atom, subjects));
  const more = others(trust.granted, subjectsAdded) || trust.lifted.length > 0;
  const less = others(trust.taken, subjectsRemoved) || trust.denied.length > 0;
  const apply: Step = { kind: "trust", text: `apply the trust policy of NEW to ${key} as a whole` };
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
