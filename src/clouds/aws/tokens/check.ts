/** What AWS STS answers to a token that it refuses (AWS STS API, AssumeRoleWithWebIdentity, Errors). */
export interface AwsError {
  readonly code: "InvalidIdentityToken" | "ExpiredTokenException" | "AccessDenied";
  readonly httpStatus: 400 | 403;
  readonly message: string;
}

/** The checks, in the order in which AWS is taken to make them. */
export const checkNames = ["shape", "provider", "discovery", "signature", "time", "audience", "trust policy"] as const;

export type CheckName = (typeof checkNames)[number];

/** One check of a token. */
export interface Check {
  readonly name: CheckName;
  /** Unknown: AWS's answer is not documented, or depends on something that nobody said. */
  readonly status: "passed" | "failed" | "unknown" | "not reached";
  /** What is so; where it did not pass, the cause. One line. */
  readonly detail: string;
  /** What AWS answers, where the check failed. */
  readonly error?: AwsError;
  /** What to do, where it did not pass. */
  readonly cure?: string;
  /** What of the token a failure is about, where other checks may fail for the same reason. */
  readonly about?: About;
  /** The check whose failure makes this one fail, too: there is no cure but that one's. */
  readonly followsFrom?: CheckName;
}

/**
 * What of a token a check failed for. "foreign issuer": it is another cluster's, with other keys; "issuer": the issuer's
 * text differs; "key": no key that is published signed it; "audience": whom it is for.
 */
export type About = "foreign issuer" | "issuer" | "key" | "audience";

/** Whether AWS would accept a token for a role. Accepted only where every check passed. */
export type Verdict = "accepted" | "refused" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "failed")) return "refused";
  return checks.every(({ status }) => status === "passed") ? "accepted" : "unknown";
}

export function passed(name: CheckName, detail: string): Check {
  return { name, status: "passed", detail };
}

export function failed(name: CheckName, error: AwsError, detail: string, cure: string, about?: About): Check {
  return { name, status: "failed", detail, error, cure, ...(about === undefined ? {} : { about }) };
}

export function unknown(name: CheckName, detail: string, cure: string): Check {
  return { name, status: "unknown", detail, cure };
}

/** A check that another one stands in the way of. */
export function notReached(name: CheckName, detail: string): Check {
  return { name, status: "not reached", detail };
}

export function invalidToken(message: string): AwsError {
  return { code: "InvalidIdentityToken", httpStatus: 400, message };
}

// What the API's reference says of the error; STS has a sentence of its own for most cases, and none is documented here.
export const notValidated = invalidToken("The web identity token that was passed could not be validated by AWS");

export const notJwt = invalidToken("The ID Token provided is not a valid JWT");

export const noKey = invalidToken("Couldn't retrieve verification key from your identity provider");
