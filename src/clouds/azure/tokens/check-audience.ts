import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { FederatedCredential } from "../rendered/federated-credential.ts";
import { noAudience } from "./refusals.ts";

/**
 * Checks that the token is for the audience of its federated credential, which has exactly one (Microsoft Entra
 * documentation, "Important considerations and restrictions for federated identity credentials").
 *
 * @param credentials those for the token's issuer and subject or, if there are none, the nearest ones.
 */
export function checkAudience({ aud }: Token, credentials: readonly FederatedCredential[]): Check {
  if (aud.length === 0) return notReached("audience", "the token has no audience");
  const accepted = [...new Set(credentials.flatMap(({ audiences }) => audiences))];
  const cure = `request a token for ${listed(accepted)}`;
  const match = aud.find((text) => accepted.includes(text));
  if (match === undefined) {
    const cause = `the token is for ${listed(aud)}, but the federated credential accepts ${listed(accepted)}`;
    return failed("audience", noAudience(aud.join(", ")), cause, cure, "audience");
  }
  if (aud.length > 1) {
    const cause = `the token has ${aud.length} audiences, ${listed(aud)}; Microsoft does not document this case`;
    return unknown("audience", cause, `request a token for ${quoteWhole(match)} only`);
  }
  if (!credentials.some(({ audiences }) => audiences.length === 1 && audiences[0] === match)) {
    const cause = `a federated credential has several audiences, ${listed(accepted)}; Microsoft Entra allows exactly one`;
    return unknown("audience", cause, "render, export and apply (`azure/apply.sh`)");
  }
  return passed("audience", `the federated credential accepts ${quoteWhole(match)}`);
}

function listed(texts: readonly string[]): string {
  return texts.map(quoteWhole).join(", ") || "none";
}
