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
}

/** Whether AWS would accept a token for a role. Accepted only where every check passed. */
export type Verdict = "accepted" | "refused" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "failed")) return "refused";
  return checks.every(({ status }) => status === "passed") ? "accepted" : "unknown";
}

export function passed(name: CheckName, detail: string): Check {
  return { name, status: "passed", detail };
}

export function failed(name: CheckName, error: AwsError, detail: string, cure: string): Check {
  return { name, status: "failed", detail, error, cure };
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
