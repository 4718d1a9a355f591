import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed } from "../../../oidc/verify/check.ts";
import type { FederatedCredential } from "../rendered/federated-credential.ts";
import { noIssuer } from "./refusals.ts";

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
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to ${quoteWhole(expected)} and get a new token, or render, export and apply with the token's issuer (\`azure/apply.sh\`)`;
}
