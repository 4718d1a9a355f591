import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { invalidToken } from "./refusals.ts";

const wrong = invalidToken("Incorrect token audience");

/** Whether a token was made for one of the provider's client IDs. */
export function checkAudience(token: Token, provider: RenderedIssuer | undefined): Check {
  const { aud, claims } = token;
  const [only] = aud;
  if (only === undefined) return notReached("audience", "the token names no audience");
  if (provider?.clientIds === undefined) {
    const cause = "the client IDs of the provider are not known";
    return unknown("audience", cause, "give what `aws iam get-open-id-connect-provider` says of it as --provider-file");
  }
  const ids = provider.clientIds;
  const azp = claims["azp"];
  const all = typeof azp === "string" ? [...aud, azp] : aud;
  const cure = `take a token for one audience of the provider: ${listed(ids)}; or add the token's to \`spec.issuer.audiences\`, render and apply`;
  if (!all.some((text) => ids.includes(text)))
    return failed(
      "audience",
      wrong,
      `the token is for ${listed(all)}, and the provider's client IDs are ${listed(ids)}`,
      cure,
      "audience",
    );
  if (aud.length > 1)
    return unknown(
      "audience",
      `the token has ${aud.length} audiences, ${listed(aud)}, and what AWS does then is not documented`,
      cure,
    );
  if (azp !== undefined && azp !== only)
    return unknown(
      "audience",
      'the token has an authorized party ("azp") beside its audience, and which of them must be a client ID is not documented',
      cure,
    );
  return passed("audience", `${quoteWhole(only)} is a client ID of the provider`);
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoteWhole).join(", ");
}
