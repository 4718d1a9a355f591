import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type About, type Check, failed, inMessage, passed, unknown } from "../../../oidc/verify/check.ts";
import { giveProvider } from "./check-provider.ts";
import { invalidGrant } from "./refusals.ts";

/**
 * Checks that the token is from the provider's issuer. The texts must be equal.
 *
 * @param url the provider's issuer without `https://`; undefined if it is unknown.
 */
export function checkIssuer({ iss, claims }: Token, url: string | undefined): Check {
  if (url === undefined) return unknown("issuer", "the issuer of the provider is unknown", giveProvider);
  const expected = `https://${url}`;
  if (iss === expected) return passed("issuer", `${quoteWhole(iss)} is the provider's issuer`);
  const fail = (shown: string, cause: string, cure: string, about?: About) => {
    const message = `The issuer in ID Token ${shown} does not match the expected one in config: ${expected}`;
    return failed(
      "issuer",
      typeof (claims["iss"] ?? "") === "string" ? invalidGrant(message) : undefined,
      cause,
      cure,
      about,
    );
  };
  if (iss === undefined) {
    const cure = "use the projected token that the pod mounts, or a token from `oc create token`";
    return fail("null", "the token has no issuer", cure, "foreign issuer");
  }
  const isNear = plain(iss) === plain(expected);
  const difference = isNear ? ": they differ only in case, scheme, or a trailing slash, which are significant" : "";
  const cause = `the token's issuer is ${quoteWhole(iss)}, but the provider's is ${quoteWhole(expected)}${difference}`;
  return fail(inMessage(iss), cause, cureFor(iss, expected), isNear ? "issuer" : "foreign issuer");
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}

function cureFor(iss: string, expected: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to ${quoteWhole(expected)} and get a new token, or render, export and apply with the token's issuer`;
}
