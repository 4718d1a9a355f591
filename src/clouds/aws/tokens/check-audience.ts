import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { invalidToken } from "./refusals.ts";

const wrong = invalidToken("Incorrect token audience");

/** Checks that a token is for one of the provider's client IDs. */
export function checkAudience(token: Token, provider: RenderedIssuer | undefined): Check {
  const { aud, claims } = token;
  const [only] = aud;
  if (only === undefined) return notReached("audience", "the token has no audience");
  if (provider?.clientIds === undefined) {
    const cause = "the provider's client IDs are unknown";
    return unknown("audience", cause, "pass the output of `aws iam get-open-id-connect-provider` as --provider-file");
  }
  const ids = provider.clientIds;
  const azp = claims["azp"];
  const all = typeof azp === "string" ? [...aud, azp] : aud;
  const cure = `request a token for one of the provider's audiences: ${listed(ids)}; or add the token's audience to \`spec.issuer.audiences\`, render, export and apply`;
  if (!all.some((text) => ids.includes(text)))
    return failed(
      "audience",
      wrong,
      `the token is for ${listed(all)}, but the provider's client IDs are ${listed(ids)}`,
      cure,
      "audience",
    );
  if (aud.length > 1)
    return unknown(
      "audience",
      `the token has ${aud.length} audiences, ${listed(aud)}; AWS does not document this case`,
      cure,
    );
  if (azp !== undefined && azp !== only)
    return unknown(
      "audience",
      'the token has both an authorized party ("azp") and an audience; AWS does not document which of them must be a client ID',
      cure,
    );
  return passed("audience", `${quoteWhole(only)} is a client ID of the provider`);
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoteWhole).join(", ");
}
