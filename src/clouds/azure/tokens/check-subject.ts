import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed } from "../../../oidc/verify/check.ts";
import type { FederatedCredential } from "../rendered/federated-credential.ts";
import { noSubject, otherCase } from "./refusals.ts";

/**
 * Checks that a federated credential is for the token's subject. Microsoft Entra compares with case (Microsoft Entra
 * documentation, "Breaking changes").
 *
 * @param credentials those for the token's issuer or, if there are none, all of them.
 */
export function checkSubject({ sub }: Token, credentials: readonly FederatedCredential[]): Check {
  if (sub === undefined) return notReached("subject", "the token has no subject");
  const subjects = [...new Set(credentials.map(({ subject }) => subject))];
  if (subjects.includes(sub)) return passed("subject", `a federated credential is for ${quoteWhole(sub)}`);
  const near = subjects.find((subject) => subject.toLowerCase() === sub.toLowerCase());
  if (near !== undefined) {
    const cause = `the token's subject is ${quoteWhole(sub)}, but the federated credential is for ${quoteWhole(near)}: they differ only in case`;
    return failed("subject", otherCase(sub), cause, cure);
  }
  const shown = subjects.slice(0, 10).map(quoteWhole).join(", ");
  const cause = `the token's subject is ${quoteWhole(sub)}, but the federated credentials are for ${shown}`;
  return failed("subject", noSubject(sub), cause, cure);
}

const cure =
  "use a token of a service account that has a credential; or add this one to the request (`serviceAccountNames`) or to an override, render, export and apply (`azure/apply.sh`)";
