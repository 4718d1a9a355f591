/** What a cloud answers to a token that it refuses, in its own words. */
export interface Refusal {
  readonly code: string;
  readonly httpStatus: number;
  readonly message: string;
}

/** One check of a token. */
export interface Check {
  /** Such as "signature"; stable, because programs read it. */
  readonly name: string;
  /** Unknown: the cloud's answer is not documented, or depends on something that nobody said. */
  readonly status: "passed" | "failed" | "unknown" | "not reached";
  /** What is so; where it did not pass, the cause. One line. */
  readonly detail: string;
  /** What the cloud answers, where the check failed. */
  readonly error?: Refusal;
  /** What to do, where it did not pass. */
  readonly cure?: string;
  /** What of the token a failure is about, where other checks may fail for the same reason. */
  readonly about?: About;
  /** The check whose failure makes this one fail, too: there is no cure but that one's. */
  readonly followsFrom?: string;
}

/**
 * What of a token a check failed for. "foreign issuer": it is another cluster's, with other keys; "issuer": the issuer's
 * text differs; "key": no key that is published signed it; "audience": whom it is for.
 */
export type About = "foreign issuer" | "issuer" | "key" | "audience";

/** Whether the cloud would accept a token for a role. Accepted only where every check passed. */
export type Verdict = "accepted" | "refused" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "failed")) return "refused";
  return checks.every(({ status }) => status === "passed") ? "accepted" : "unknown";
}

export function passed(name: string, detail: string): Check {
  return { name, status: "passed", detail };
}

export function failed(name: string, error: Refusal, detail: string, cure: string, about?: About): Check {
  return { name, status: "failed", detail, error, cure, ...(about === undefined ? {} : { about }) };
}

export function unknown(name: string, detail: string, cure: string): Check {
  return { name, status: "unknown", detail, cure };
}

/** A check that another one stands in the way of. */
export function notReached(name: string, detail: string): Check {
  return { name, status: "not reached", detail };
}
