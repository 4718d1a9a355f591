import type { IdentityDiff } from "./diff.ts";

/** What a change of permissions means for a cluster that is upgraded: what is to be done when, a text each. */
export interface UpgradeSteps {
  /** What the new release needs, and the old one does not mind. */
  readonly before: readonly string[];
  /** What only one of them can have. */
  readonly with: readonly string[];
  /** What the old release needs until it is gone. */
  readonly after: readonly string[];
}

/** The steps of all identities, in their order. */
export function upgradeSteps(identities: readonly IdentityDiff[]): UpgradeSteps {
  return {
    before: identities.flatMap(stepsBefore),
    with: identities.flatMap(({ key, tokenPath }) =>
      tokenPath === undefined ? [] : [`write the token's place into the Secret ${key}: ${place(tokenPath[1])}`],
    ),
    after: identities.flatMap(stepsAfter),
  };
}

function stepsBefore(one: IdentityDiff): string[] {
  const { key, change, movedSecret, added, subjectsAdded, trustAdded, boundary } = one;
  if (change === "gone") return [];
  if (change === "new") return [`create ${owned(one)}${movedSecret === undefined ? "" : ` (it was ${movedSecret})`}`];
  return [
    ...(added.length === 0 ? [] : [`grant ${key}: ${names(added)}`]),
    ...(subjectsAdded.length + trustAdded.length === 0
      ? []
      : [`let ${subjectsAdded.join(", ") || "more tokens"} become ${key}`]),
    ...(boundary === undefined || boundary[0] === "" ? [] : [`take ${key} out of the boundary ${boundary[0]}`]),
  ];
}

function stepsAfter(one: IdentityDiff): string[] {
  const { key, change, removed, subjectsRemoved, trustRemoved, boundary } = one;
  if (change === "new") return [];
  if (change === "gone") return [`delete ${owned(one)}`];
  return [
    ...(removed.length === 0 ? [] : [`take from ${key}: ${names(removed)}`]),
    ...(subjectsRemoved.length + trustRemoved.length === 0
      ? []
      : [`no longer let ${subjectsRemoved.join(", ") || "some tokens"} become ${key}`]),
    ...(boundary === undefined || boundary[1] === "" ? [] : [`hold ${key} within the boundary ${boundary[1]}`]),
  ];
}

const things = { AWS: "role", Azure: "managed identity", GCP: "service account" } as const;

function owned({ cloud, key }: IdentityDiff): string {
  return `the ${things[cloud]} of ${key}`;
}

function place(path: string): string {
  return path === "" ? "where the cluster's configuration says" : path;
}

const mostNames = 4;

function names(atoms: readonly { readonly action: string }[]): string {
  const all = [...new Map(atoms.map(({ action }) => [action.toLowerCase(), action])).values()];
  const more = all.length > mostNames ? ` and ${all.length - mostNames} more` : "";
  return `${all.slice(0, mostNames).join(", ")}${more}`;
}
