import { quoteWhole } from "../core/text.ts";

/** A cloud's error response for a token that it refuses. */
export interface TokenRefusal {
  readonly code: string;
  readonly httpStatus: number;
  readonly message: string;
}

/** One check of a token. */
export interface Check {
  /** For example "signature"; stable, because programs read it. */
  readonly name: string;
  /** Unknown: the cloud's answer is not documented, or depends on something that was not given. */
  readonly status: "passed" | "failed" | "unknown" | "not reached";
  /** What was found; if the check did not pass, the cause. One line. */
  readonly detail: string;
  /** The cloud's error response, if the check failed and the response is documented. */
  readonly error?: TokenRefusal;
  /** What to do, if the check did not pass. */
  readonly cure?: string;
  /** What the check needs was not given. */
  readonly isMissing?: true;
  /** The part of the token that failed, if other checks may fail for the same reason. */
  readonly about?: About;
  /** The check that made this one fail, too. Only its cure applies. */
  readonly followsFrom?: string;
}

/**
 * The part of a token that a check failed for. "foreign issuer": the token is from another cluster, with other keys;
 * "issuer": the issuer's text differs; "key": no published key signed the token; "audience": the token's audience.
 */
export type About = "foreign issuer" | "issuer" | "key" | "audience";

/** Whether the cloud would accept a token for a role. It is accepted only if every check passed. */
export type TokenVerdict = "accepted" | "refused" | "unknown";

/** The predicted answer of a cloud to a token. */
export interface TokenAnswer {
  readonly verdict: TokenVerdict;
  /** All checks, in order. */
  readonly checks: readonly Check[];
  /** The failed checks whose error the cloud may return, by name. More than one, if the cloud's own order is not known. */
  readonly deciding: readonly string[];
}

export function tokenVerdict(checks: readonly Check[]): TokenVerdict {
  if (checks.some(({ status }) => status === "failed")) return "refused";
  return checks.every(({ status }) => status === "passed") ? "accepted" : "unknown";
}

export function passed(name: string, detail: string): Check {
  return { name, status: "passed", detail };
}

export function failed(
  name: string,
  error: TokenRefusal | undefined,
  detail: string,
  cure: string,
  about?: About,
): Check {
  const known = error === undefined ? {} : { error };
  return { name, status: "failed", detail, ...known, cure, ...(about === undefined ? {} : { about }) };
}

export function unknown(name: string, detail: string, cure: string): Check {
  return { name, status: "unknown", detail, cure };
}

/** A check that cannot run, because what it needs was not given. */
export function missing(name: string, detail: string, cure: string): Check {
  return { ...unknown(name, detail, cure), isMissing: true };
}

/** A check that cannot run because of another check. */
export function notReached(name: string, detail: string): Check {
  return { name, status: "not reached", detail };
}

/** Audiences or other texts of a token or a provider, for an answer. */
export function inQuotes(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoteWhole).join(", ");
}

/** A text of a token that a cloud repeats in its message. Here, a text that could be a key or a token is redacted. */
export function inMessage(text: string): string {
  const quoted = quoteWhole(text);
  return quoted.startsWith('"') ? quoted.slice(1, -1) : quoted;
}

/** For each subject of a failure, the subjects of earlier failures that explain it. */
const reasons: Readonly<Record<About, readonly About[]>> = {
  "foreign issuer": [],
  // Discovery and trust policy repeat the issuer that the provider is compared with.
  issuer: ["issuer", "foreign issuer"],
  // Another cluster signs with its own keys. If only the issuer's text differs, the keys must still match.
  key: ["foreign issuer"],
  audience: ["audience"],
};

/**
 * Marks the failures that follow from an earlier one, and removes their cures. Each cause has one cure, which the cures of
 * its consequences would contradict.
 */
export function withConsequences(checks: readonly Check[]): Check[] {
  return checks.map((check, index) => {
    const { status, about, cure: _, ...rest } = check;
    if (status !== "failed" || about === undefined) return check;
    const cause = checks
      .slice(0, index)
      .find((check) => check.about !== undefined && reasons[about].includes(check.about));
    return cause === undefined ? check : { ...rest, status, about, followsFrom: cause.name };
  });
}

/** The answer of a cloud that refuses a token at the first check that fails. */
export function firstFailureAnswer(checks: readonly Check[]): TokenAnswer {
  const first = checks.find(({ status }) => status === "failed");
  const deciding = first === undefined ? [] : [first.name];
  return { verdict: tokenVerdict(checks), checks: withConsequences(checks), deciding };
}
