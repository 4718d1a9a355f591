/** An answer that may be unknown (Kleene's three-valued logic). */
export type Truth = boolean | "unknown";

/** False if any answer is false; otherwise unknown if any is unknown. */
export function all(answers: readonly Truth[]): Truth {
  if (answers.includes(false)) return false;
  return answers.includes("unknown") ? "unknown" : true;
}

/** True if any answer is true; otherwise unknown if any is unknown. */
export function any(answers: readonly Truth[]): Truth {
  if (answers.includes(true)) return true;
  return answers.includes("unknown") ? "unknown" : false;
}

/** The opposite of true or false; unknown stays unknown. */
export function not(answer: Truth): Truth {
  return answer === "unknown" ? answer : !answer;
}
