import { compareText } from "../core/text.ts";
import { manySteps } from "../permissions/budget.ts";
import type { Comparison } from "../permissions/comparison.ts";
import { describeCondition } from "../permissions/condition.ts";
import { type Atom, atomsOf, bounded } from "../permissions/permissions.ts";
import { type ActionChange, actionChanges } from "./action-changes.ts";
import type { IdentityDiff, PermissionsDiff, Verdict } from "./diff.ts";
import { isPlainSubject } from "./plain-subject.ts";
import { type Steps, stepsOf } from "./upgrade-steps.ts";

/** A comparison for programs (schemas/permissions-diff.schema.json); the other formats are written from it. */
export interface PermissionsReport {
  readonly verdict: Verdict;
  readonly identities: readonly IdentityReport[];
  /** The steps of all identities, in order. */
  readonly upgrade: Readonly<Record<keyof Steps, readonly string[]>>;
}

/** The changes of one identity. */
export interface IdentityReport {
  readonly cloud: string;
  /** `<secret namespace>/<secret name>`. */
  readonly identity: string;
  /** The name of its CredentialsRequest, "" if it is unknown. */
  readonly request: string;
  readonly change: IdentityDiff["change"];
  readonly verdict: Verdict;
  /** What is allowed. */
  readonly actions: readonly ActionChange[];
  /** Changed denials that remove or restore a permission. */
  readonly denials: readonly ActionChange[];
  /** Changed denials that only limit new or removed permissions. */
  readonly limits: readonly ActionChange[];
  readonly serviceAccounts: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Changed trusts that are not plain service accounts of the issuer. */
  readonly trust: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly boundary?: { readonly old: string; readonly new: string };
  readonly tokenPath?: { readonly old: string; readonly new: string };
  readonly movedSecret?: string;
  /** The steps before, with and after the upgrade. */
  readonly steps: Steps;
}

/** Makes the report of a comparison. */
export function permissionsReport({ verdict, identities }: PermissionsDiff): PermissionsReport {
  const reports = identities.map(identityReport);
  const texts = (when: keyof Steps) => reports.flatMap(({ steps }) => steps[when].map(({ text }) => text));
  return {
    verdict,
    identities: reports,
    upgrade: { before: texts("before"), with: texts("with"), after: texts("after") },
  };
}

/** Makes the report of one identity. */
export function identityReport(diff: IdentityDiff): IdentityReport {
  const { cloud, key, request = "", change, verdict, boundary, tokenPath, movedSecret } = diff;
  return {
    cloud,
    identity: key,
    request,
    change,
    verdict,
    ...changesOf(diff),
    serviceAccounts: { added: diff.subjectsAdded, removed: diff.subjectsRemoved },
    trust: trustOf(diff),
    ...(boundary === undefined ? {} : { boundary: { old: boundary[0], new: boundary[1] } }),
    ...(tokenPath === undefined ? {} : { tokenPath: { old: tokenPath[0], new: tokenPath[1] } }),
    ...(movedSecret === undefined ? {} : { movedSecret }),
    steps: stepsOf(diff),
  };
}

function changesOf({ permissions, old, now }: IdentityDiff): Pick<IdentityReport, "actions" | "denials" | "limits"> {
  const { granted, taken, denied, lifted, limiting, limited } = permissions;
  const budget = { steps: manySteps };
  const [before, after] = [bounded(old?.permissions ?? []), bounded(now?.permissions ?? [])];
  const allows = { old: atomsOf(before, "Allow"), now: atomsOf(after, "Allow") };
  const denies = { old: atomsOf(before, "Deny"), now: atomsOf(after, "Deny") };
  return {
    actions: actionChanges({ ...allows, more: granted, less: taken }, budget),
    denials: actionChanges({ ...denies, more: denied, less: lifted }, budget),
    limits: actionChanges({ ...denies, more: limiting, less: limited }, budget),
  };
}

function trustOf({ trust, subjectsAdded, subjectsRemoved }: IdentityDiff): IdentityReport["trust"] {
  if (trust === undefined) return { added: [], removed: [] };
  return {
    added: ways(trust.granted, trust.lifted, "no longer denied: ", subjectsAdded),
    removed: ways(trust.taken, trust.denied, "denied now: ", subjectsRemoved),
  };
}

function ways(
  allowed: Comparison["granted"],
  denied: Comparison["lifted"],
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
