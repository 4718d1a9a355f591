import { compareText } from "../core/text.ts";
import { type Budget, spend } from "./budget.ts";
import { type Glob, intersects } from "./glob.ts";

/** The sets of a list that have something in common with one: asked for many times, and found once. */
export function nearest(sets: readonly Glob[], budget: Budget): (one: Glob) => readonly Glob[] {
  const sorted = [...new Set(sets)].sort(compareText);
  const texts = new Set(sorted.filter((one) => !isWild(one)));
  const wild = sorted.filter(isWild);
  const known = new Map<Glob, readonly Glob[]>();
  return (one) => {
    const answer = known.get(one) ?? find(one);
    known.set(one, answer);
    return answer;
  };

  function find(one: Glob): Glob[] {
    const near = isWild(one) ? [...texts] : texts.has(one) ? [one] : [];
    spend(budget, 1 + near.length + wild.length);
    return [...near, ...wild].filter((other) => intersects(one, other, budget));
  }
}

function isWild(glob: Glob): boolean {
  return /[*?]/.test(glob);
}
