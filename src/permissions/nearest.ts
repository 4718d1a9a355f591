import { compareText } from "../core/text.ts";
import { type Budget, spend } from "./budget.ts";
import { type Glob, intersects } from "./glob.ts";

/** Returns a function that finds the sets of a list that overlap with a given set. Its results are cached. */
export function nearest(sets: readonly Glob[], budget: Budget): (text: Glob) => readonly Glob[] {
  const sorted = [...new Set(sets)].sort(compareText);
  const texts = new Set(sorted.filter((text) => !isWild(text)));
  const wild = sorted.filter(isWild);
  const known = new Map<Glob, readonly Glob[]>();
  return (text) => {
    const answer = known.get(text) ?? find(text);
    known.set(text, answer);
    return answer;
  };

  function find(text: Glob): Glob[] {
    const near = isWild(text) ? [...texts] : texts.has(text) ? [text] : [];
    spend(budget, 1 + near.length + wild.length);
    return [...near, ...wild].filter((other) => intersects(text, other, budget));
  }
}

function isWild(glob: Glob): boolean {
  return /[*?]/.test(glob);
}
