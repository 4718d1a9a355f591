import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, inMessage, passed, unknown } from "../../../oidc/verify/check.ts";
import { giveProvider } from "./check-provider.ts";
import type { Provider } from "./provider.ts";
import { quoteName } from "./quote-name.ts";
import { invalidGrant } from "./refusals.ts";

/** Checks that a token is for one of the provider's audiences (IAM API v1, Oidc, allowedAudiences). */
export function checkAudience(
  { aud, claims }: Token,
  allowed: readonly string[] | undefined,
  provider: Provider | undefined,
): Check {
  if (allowed === undefined || (allowed.length === 0 && provider === undefined))
    return unknown("audience", "the audiences of the provider are unknown", giveProvider);
  const ids = allowed.length > 0 ? allowed : defaultAudiences(provider?.name ?? "");
  const cure = `request a token for one of the provider's audiences: ${listed(ids)}; or add the token's audience to \`spec.issuer.audiences\`, render, export and apply`;
  const error = invalidGrant(
    `The audience in ID Token [${aud.map(inMessage).join(", ")}] does not match the expected audience.`,
  );
  if (aud.length === 0) return withoutAudience(claims["aud"], error, cure);
  if (!aud.some((text) => ids.includes(text)))
    return failed("audience", error, `the token is for ${listed(aud)}, but the provider accepts ${listed(ids)}`, cure);
  if (aud.length > 1) {
    const cause = `the token has ${aud.length} audiences, ${listed(aud)}; Google does not document this case`;
    return unknown("audience", cause, cure);
  }
  if (claims["azp"] !== undefined && claims["azp"] !== aud[0]) {
    const cause =
      'the token has both an authorized party ("azp") and an audience; Google does not document which one it compares';
    return unknown("audience", cause, cure);
  }
  return passed("audience", `${listed(aud)} is an audience of the provider`);
}

// A list may contain a valid audience beside a value that is not a string.
function withoutAudience(aud: unknown, error: ReturnType<typeof invalidGrant>, cure: string): Check {
  const isEmpty = aud === undefined || aud === null || (Array.isArray(aud) && aud.length === 0);
  if (isEmpty) return failed("audience", error, "the token has no audience", cure);
  if (Array.isArray(aud))
    return unknown("audience", "the token's audience contains a value that is not a string, or is empty", cure);
  return failed("audience", undefined, "the token's audience is not a string or a list of strings", cure);
}

// Without allowed audiences, the provider's own name is the audience.
function defaultAudiences(name: string): readonly string[] {
  return ["//", "https://"].map((start) => `${start}iam.googleapis.com/${name}`);
}

function listed(texts: readonly string[]): string {
  return texts.map(quoteName).join(", ");
}
