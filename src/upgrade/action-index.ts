import { type Budget, spend } from "../permissions/budget.ts";
import { type Glob, isCovered } from "../permissions/glob.ts";
import { nearest } from "../permissions/nearest.ts";
import type { Atom } from "../permissions/permissions.ts";

/** Parts of permissions by action, in lower case. */
export interface ActionIndex {
  /** The parts that overlap with an action. @throws TooComplex */
  near(action: Glob): readonly Atom[];
  /** The parts that cover an action, alone or together; empty if they cover only a part of it. @throws TooComplex */
  whole(action: Glob): readonly Atom[];
}

/** The action of a part, in the form in which actions are compared. */
export function nameOf({ action }: Atom): string {
  return action.toLowerCase();
}

/** Indexes parts for questions about single actions. */
export function actionIndex(atoms: readonly Atom[], budget: Budget): ActionIndex {
  const byName = new Map<string, Atom[]>();
  for (const atom of atoms) {
    const same = byName.get(nameOf(atom));
    if (same === undefined) byName.set(nameOf(atom), [atom]);
    else same.push(atom);
  }
  const nearNames = nearest([...byName.keys()], budget);
  const of = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  return {
    near: (action) => of(nearNames(action)),
    whole: (action) => {
      const names = nearNames(action);
      spend(budget, names.length);
      const alone = names.filter((name) => isCovered([action], [name], budget));
      return of(alone.length === 0 && isCovered([action], names, budget) ? names : alone);
    },
  };
}
