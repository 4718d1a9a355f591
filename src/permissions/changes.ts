import { compareText } from "../core/text.ts";
import { describeCondition } from "./condition.ts";
import type { IdentityDiff } from "./diff.ts";
import type { Atom } from "./permissions.ts";

/** One action of which what it is allowed on, or when, is another now. */
export interface ActionChange {
  readonly kind: "added" | "removed" | "changed";
  readonly action: string;
  /** What of it is allowed now and was not before, as people read it. */
  readonly more: readonly string[];
  readonly less: readonly string[];
  /** Why it could not be compared, and counts as more. */
  readonly undecided: readonly string[];
}

/** What became of an identity's permissions, action by action. */
export function actionChanges({ added, removed }: Pick<IdentityDiff, "added" | "removed">): ActionChange[] {
  const actions = [...new Set([...added, ...removed].map(({ action }) => action.toLowerCase()))].sort(compareText);
  return actions.map((name) => {
    const [more, less] = [added, removed].map((all) => all.filter(({ action }) => action.toLowerCase() === name)) as [
      Atom[],
      Atom[],
    ];
    const kind = less.length === 0 ? "added" : more.length === 0 ? "removed" : "changed";
    return {
      kind,
      action: ((more[0] ?? less[0]) as Atom).action,
      more: places(more),
      less: places(less),
      undecided: [...new Set(more.flatMap(({ undecided }) => undecided ?? []))],
    };
  });
}

function places(atoms: readonly Atom[]): string[] {
  return [...new Set(atoms.map(place))].sort(compareText);
}

function place({ principal, resource, condition }: Atom): string {
  const who = principal === "" ? "" : ` by ${principal}`;
  return `on ${resource}${who}${condition.length === 0 ? "" : ` when ${describeCondition(condition)}`}`;
}
