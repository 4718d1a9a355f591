import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { FederatedCredential } from "../rendered/identity.ts";
import type { ManagedIdentity } from "./identity.ts";
import { noAudience, noCredentials, noIssuer, noSubject, otherCase } from "./limits.ts";

/** The command that prints the federated credentials of a managed identity. */
export const listCredentials = "az identity federated-credential list";

/** Checks that the managed identity has a federated credential. */
export function checkCredentials({ name, credentials }: ManagedIdentity): Check {
  const shown = quoteWhole(name);
  if (credentials === undefined) {
    const cure = `pass the output of \`${listCredentials}\` as --identity-file, or render again`;
    return unknown("credentials", `the federated credentials of ${shown} are unknown, or have an unknown form`, cure);
  }
  const { length } = credentials;
  if (length > 0) return passed("credentials", `${shown} has ${length} federated credential${length === 1 ? "" : "s"}`);
  const cure = "create it: render, and run `ccf apply`";
  return failed("credentials", noCredentials(name), `${shown} has no federated credential`, cure);
}

/** Checks that a federated credential is for the token's issuer. The texts must be equal. */
export function checkIssuer({ iss }: Token, credentials: readonly FederatedCredential[]): Check {
  if (iss === undefined) return notReached("issuer", "the token has no issuer");
  const issuers = [...new Set(credentials.map(({ issuer }) => issuer))];
  if (issuers.includes(iss)) return passed("issuer", `a federated credential is for the issuer ${quoteWhole(iss)}`);
  const [first = ""] = issuers;
  const near = issuers.find((issuer) => plain(issuer) === plain(iss));
  const expected = near ?? first;
  const which =
    near === undefined
      ? `the federated credentials are for ${issuers.map(quoteWhole).join(", ")}`
      : `a federated credential is for ${quoteWhole(near)}: they differ ${difference(iss, near)}, which is significant`;
  const cause = `the token's issuer is ${quoteWhole(iss)}, but ${which}`;
  return failed("issuer", noIssuer(iss), cause, cureFor(iss, expected), near ? "issuer" : "foreign issuer");
}

function plain(text: string): string {
  return withoutSlash(text)
    .toLowerCase()
    .replace(/^https?:\/\//, "");
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}

function difference(a: string, b: string): string {
  if (withoutSlash(a) === withoutSlash(b)) return "by a trailing slash";
  return a.toLowerCase() === b.toLowerCase() ? "in case" : "in case, scheme, or a trailing slash";
}

function cureFor(iss: string, expected: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to ${quoteWhole(expected)} and get a new token, or render and apply with the token's issuer (\`ccf apply\`)`;
}

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
  "use a token of a service account that has a credential; or add this one to the request (`serviceAccountNames`) or to an override, render and apply (`ccf apply`)";

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
    return unknown("audience", cause, "render and apply (`ccf apply`)");
  }
  return passed("audience", `the federated credential accepts ${quoteWhole(match)}`);
}

function listed(texts: readonly string[]): string {
  return texts.map(quoteWhole).join(", ") || "none";
}
