/** An answer that may be missing: what cannot be told is neither yes nor no (Kleene's logic of three values). */
export type Truth = boolean | "unknown";

/** False where one is false, else unknown where one is unknown. */
export function all(answers: readonly Truth[]): Truth {
  if (answers.includes(false)) return false;
  return answers.includes("unknown") ? "unknown" : true;
}

/** True where one is true, else unknown where one is unknown. */
export function any(answers: readonly Truth[]): Truth {
  if (answers.includes(true)) return true;
  return answers.includes("unknown") ? "unknown" : false;
}

/** The other one of true and false. */
export function not(answer: Truth): Truth {
  return answer === "unknown" ? answer : !answer;
}
