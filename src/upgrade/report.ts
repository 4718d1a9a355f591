import { compareText } from "../core/text.ts";
import { describeCondition } from "../permissions/condition.ts";
import type { Atom } from "../permissions/permissions.ts";
import { type ActionChange, actionChanges } from "./action-changes.ts";
import type { IdentityDiff, PermissionsDiff, Verdict } from "./diff.ts";
import { type UpgradeSteps, upgradeSteps } from "./upgrade-steps.ts";

/** A comparison as programs read it (schemas/permissions-diff.schema.json), and from which the other forms are written. */
export interface PermissionsReport {
  readonly verdict: Verdict;
  readonly identities: readonly IdentityReport[];
  readonly upgrade: UpgradeSteps;
}

/** What became of one identity. */
export interface IdentityReport {
  readonly cloud: string;
  /** `<secret namespace>/<secret name>`. */
  readonly identity: string;
  /** The name of its CredentialsRequest, "" where nobody says it. */
  readonly request: string;
  readonly change: IdentityDiff["change"];
  readonly verdict: Verdict;
  readonly actions: readonly ActionChange[];
  readonly serviceAccounts: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Ways to become it that are no plain list of service accounts, or of another issuer. */
  readonly trust: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly boundary?: { readonly old: string; readonly new: string };
  readonly tokenPath?: { readonly old: string; readonly new: string };
  readonly movedSecret?: string;
}

/** Puts a comparison into words. */
export function permissionsReport({ verdict, identities }: PermissionsDiff): PermissionsReport {
  return { verdict, identities: identities.map(identityReport), upgrade: upgradeSteps(identities) };
}

/** Puts what became of one identity into words. */
export function identityReport(one: IdentityDiff): IdentityReport {
  const { cloud, key, request = "", change, verdict, boundary, tokenPath, movedSecret } = one;
  return {
    cloud,
    identity: key,
    request,
    change,
    verdict,
    actions: actionChanges(one),
    serviceAccounts: { added: one.subjectsAdded, removed: one.subjectsRemoved },
    trust: { added: ways(one.trustAdded, one.subjectsAdded), removed: ways(one.trustRemoved, one.subjectsRemoved) },
    ...(boundary === undefined ? {} : { boundary: { old: boundary[0], new: boundary[1] } }),
    ...(tokenPath === undefined ? {} : { tokenPath: { old: tokenPath[0], new: tokenPath[1] } }),
    ...(movedSecret === undefined ? {} : { movedSecret }),
  };
}

// A plain service account is told as one.
function ways(atoms: readonly Atom[], subjects: readonly string[]): string[] {
  const others = atoms.filter(
    ({ condition }) => !condition.some(({ key, values }) => key.endsWith(":sub") && subjects.includes(values[0] ?? "")),
  );
  const texts = others.map(({ action, principal, condition, undecided }) =>
    [
      action,
      principal === "" ? "" : ` by ${principal}`,
      condition.length === 0 ? "" : ` when ${describeCondition(condition)}`,
      undecided === undefined ? "" : ` (${undecided})`,
    ].join(""),
  );
  return [...new Set(texts)].sort(compareText);
}
