import { separator } from "../permissions/automaton.ts";
import { type Budget, spend } from "../permissions/budget.ts";
import { type Difference, type Glob, isCovered } from "../permissions/glob.ts";
import { nearest } from "../permissions/nearest.ts";
import type { ActionPart, Atom } from "../permissions/permissions.ts";

/** Parts of permissions by action, in lower case. */
export interface ActionIndex {
  /** The parts whose action overlaps with an action, if their exceptions are ignored. @throws TooComplex */
  near(action: Glob): readonly Atom[];
  /** The parts that cover an action, alone or together; empty if they cover only a part of it. @throws TooComplex */
  whole(part: ActionPart): readonly Atom[];
}

/** The action of a part without its exceptions, in the form in which actions are compared. */
export function nameOf({ action }: ActionPart): string {
  return action.toLowerCase();
}

/** Indexes parts for questions about single actions. */
export function actionIndex(atoms: readonly Atom[], budget: Budget): ActionIndex {
  const byName = new Map<string, Map<string, Same>>();
  for (const atom of atoms) {
    const name = nameOf(atom);
    const bySet = byName.get(name) ?? new Map<string, Same>();
    byName.set(name, bySet);
    const except = (atom.except ?? []).map((text) => text.toLowerCase());
    const key = except.join(separator);
    const same = bySet.get(key);
    if (same === undefined) bySet.set(key, { set: except.length === 0 ? name : { set: name, except }, atoms: [atom] });
    else same.atoms.push(atom);
  }
  const nearNames = nearest([...byName.keys()], budget);
  const of = (names: readonly string[]) => names.flatMap((name) => [...(byName.get(name)?.values() ?? [])]);
  return {
    near: (action) => of(nearNames(action)).flatMap((same) => same.atoms),
    whole: (atom) => {
      const found = of(nearNames(nameOf(atom)));
      spend(budget, found.length);
      const except = (atom.except ?? []).map((text) => text.toLowerCase());
      const isWithin = (some: readonly Same[]) =>
        isCovered([nameOf(atom)], [...some.map(({ set }) => set), ...except], budget);
      const alone = found.filter((same) => isWithin([same]));
      return (alone.length === 0 && isWithin(found) ? found : alone).flatMap((same) => same.atoms);
    },
  };
}

/** Parts with the same action and the same exceptions. */
interface Same {
  readonly set: Glob | Difference;
  readonly atoms: Atom[];
}
