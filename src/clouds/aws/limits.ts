import type { KeyLimits } from "../../oidc/limits.ts";

/** The limits of AWS that several files need. Each is written here only. */

/** The keys that AWS accepts (AWS STS API, AssumeRoleWithWebIdentity, WebIdentityToken). */
export const keyLimits: KeyLimits = {
  reader: "AWS",
  algorithms: ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
};

/** The characters of an issuer's URL (IAM API, CreateOpenIDConnectProvider, Url). */
export const maxIssuerUrl = 255;

/** The characters of a role's name (IAM User Guide, "IAM and AWS STS quotas"). */
export const maxRoleName = 64;

/** Tags: how many, and their characters (IAM User Guide, "Rules for tagging in IAM"; the same in AWS STS API, Tag). */
export const maxTags = 50;
export const maxTagKey = 128;
export const maxTagValue = 256;
