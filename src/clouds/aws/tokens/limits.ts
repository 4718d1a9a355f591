import type { TokenLimits } from "../../../oidc/limits.ts";
import { invalidToken } from "./refusals.ts";

/** What AWS takes of tokens and issuers. */
export const awsTokenLimits: TokenLimits = {
  reader: "AWS",
  // AWS STS API, AssumeRoleWithWebIdentity, WebIdentityToken; so are the characters.
  algorithms: ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
  characters: [4, 20_000],
  // IAM User Guide, "IAM and AWS STS quotas".
  keys: { reader: "IAM", maxPerAlgorithm: 100 },
  // For the sake of clocks that differ (IAM User Guide, "OIDC federation"). Nothing of the kind is said of "nbf" and "iat".
  skew: { reader: "IAM", seconds: 300 },
  // IAM API, CreateOpenIDConnectProvider, Url.
  issuerUrl: { reader: "IAM", most: 255 },
  // AWS re:Post, "InvalidIdentityToken".
  timeout: 5,
  cures: {
    publish: "`aws/apply.sh`",
    forbidden:
      "let anyone read it: look at Block Public Access of bucket and account, and at the bucket's policy; S3 also says so of what is not there",
    untrusted: "give the authority as --ca-file; AWS has a list of its own, and takes others by their thumbprint alone",
  },
  refusals: {
    form: invalidToken("The ID Token provided is not a valid JWT"),
    keys: invalidToken("Couldn't retrieve verification key from your identity provider"),
    // What the API's reference says of the error; STS has a sentence of its own for most cases, and none is documented here.
    early: invalidToken("The web identity token that was passed could not be validated by AWS"),
    expired: (exp, time) => ({
      code: "ExpiredTokenException",
      httpStatus: 400,
      message: `Token expired: current date/time ${Math.floor(time)} must be before the expiration date/time ${exp}`,
    }),
  },
};
