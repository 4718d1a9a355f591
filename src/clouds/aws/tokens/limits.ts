import type { TokenRefusal } from "../../../oidc/answer.ts";
import type { TimeLimits, TokenLimits } from "../../../oidc/limits.ts";
import { keyLimits, maxIssuerUrl } from "../cluster/cluster.ts";

const noKey = invalidToken("Couldn't retrieve verification key from your identity provider");

/** The limits of AWS for tokens and issuers. */
export const awsTokenLimits: TokenLimits = {
  ...keyLimits,
  // AWS STS API, AssumeRoleWithWebIdentity, WebIdentityToken.
  characters: [4, 20_000],
  // IAM User Guide, "IAM and AWS STS quotas".
  keys: { reader: "IAM", maxPerAlgorithm: 100, others: "skipped" },
  issuerUrl: { reader: "IAM", max: maxIssuerUrl, port: "refused" },
  // AWS re:Post, "InvalidIdentityToken".
  timeout: 5,
  cures: {
    publish: "`ccf apply`",
    forbidden:
      "make it publicly readable: check Block Public Access of the bucket and the account, and the bucket policy; S3 also answers 403 if the object does not exist",
    forbiddenStatuses: [403],
    untrusted:
      "pass the certificate authority as --ca-file; AWS has its own list of authorities, and accepts others only by their thumbprint",
  },
  refusals: {
    form: invalidToken("The ID Token provided is not a valid JWT"),
    documents: noKey,
    keys: () => noKey,
    otherIssuer: noKey,
    signature: noKey,
    unusableKey: noKey,
  },
};

/** The limits of AWS for the times in a token. */
export const awsTimeLimits: TimeLimits = {
  // IAM tolerates clock skew for "exp" (IAM User Guide, "OIDC federation").
  skew: { reader: "IAM", seconds: 300 },
  // AWS documents neither a tolerance nor a refusal.
  early: { reader: "AWS", seconds: 300 },
  refusals: {
    // The description of the error in the API reference. STS has a specific message for most cases, but documents none here.
    early: invalidToken("The web identity token that was passed could not be validated by AWS"),
    expired: (exp, time) => ({
      code: "ExpiredTokenException",
      httpStatus: 400,
      message: `Token expired: current date/time ${Math.floor(time)} must be before the expiration date/time ${exp}`,
    }),
  },
};

/** The answer of AWS STS to a token that it rejects (AWS STS API, AssumeRoleWithWebIdentity, Errors). */
export function invalidToken(message: string): TokenRefusal {
  return { code: "InvalidIdentityToken", httpStatus: 400, message };
}
