import type { Token, TokenReading } from "../../../oidc/token.ts";
import { type Answer, type Check, notReached, verdictOf, withConsequences } from "../../../oidc/verify/check.ts";
import { checkDiscovery, checkSignature } from "../../../oidc/verify/check-documents.ts";
import { type RenderedIssuer, unknownIssuer } from "../../rendered.ts";
import { azureNames } from "../names.ts";
import type { FederatedCredential } from "../rendered/federated-credential.ts";
import { checkAudience } from "./check-audience.ts";
import { checkClient, checkTenant } from "./check-client.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkIssuer } from "./check-issuer.ts";
import { checkShape } from "./check-shape.ts";
import { checkSubject } from "./check-subject.ts";
import { checkTime } from "./check-time.ts";
import { azureTokenLimits } from "./limits.ts";
import type { ManagedIdentity } from "./managed-identity.ts";

/** The checks, in the presumable order of Microsoft Entra. */
export const checkNames = [
  "shape",
  "tenant",
  "client ID",
  "credentials",
  "issuer",
  "subject",
  "audience",
  "discovery",
  "signature",
  "time",
] as const;

/**
 * Predicts Microsoft Entra's answer to a token for a managed identity. Works offline: the caller provides what Entra would
 * fetch from the issuer. Every check that does not depend on another one runs, so that all mismatches are listed.
 *
 * @param time in seconds since the epoch.
 * @param issuers the known issuers with their documents, the cluster's own first.
 * @param owners the names of all managed identities, by client ID in lowercase.
 */
export async function answerFor(
  reading: TokenReading,
  time: number,
  issuers: readonly RenderedIssuer[],
  identity: ManagedIdentity,
  owners: ReadonlyMap<string, string>,
): Promise<Answer> {
  const { token } = reading;
  const shape = checkShape(reading);
  const [tenant, client] = [checkTenant(identity), checkClient(identity, owners, azureNames.identityNoun)];
  const credentials = checkCredentials(identity);
  if (token === undefined) {
    const rest = checkNames.slice(4).map((name) => notReached(name, "the token cannot be read"));
    return answered([shape, tenant, client, credentials, ...rest]);
  }
  const issuer = issuerOf(token, issuers);
  return answered([
    shape,
    tenant,
    client,
    credentials,
    ...credentialChecks(token, identity.credentials ?? []),
    checkDiscovery(token, issuer, azureTokenLimits),
    await checkSignature(token, shape, issuer.keys, azureTokenLimits),
    checkTime(token, time),
  ]);
}

// If no issuer matches the token's, the token is checked against the cluster's own.
function issuerOf({ iss = "" }: Token, issuers: readonly RenderedIssuer[]): RenderedIssuer {
  return issuers.find(({ url }) => url !== undefined && iss === `https://${url}`) ?? issuers[0] ?? unknownIssuer;
}

// One credential must match as a whole. Each check compares those that the checks before it left.
function credentialChecks(token: Token, all: readonly FederatedCredential[]): readonly Check[] {
  if (all.length === 0)
    return (["issuer", "subject", "audience"] as const).map((name) =>
      notReached(name, "no federated credential is known"),
    );
  const byIssuer = narrowed(all, ({ issuer }) => issuer === token.iss);
  const bySubject = narrowed(byIssuer, ({ subject }) => subject === token.sub);
  return [checkIssuer(token, all), checkSubject(token, byIssuer), checkAudience(token, bySubject)];
}

function narrowed(
  credentials: readonly FederatedCredential[],
  fits: (credential: FederatedCredential) => boolean,
): readonly FederatedCredential[] {
  const found = credentials.filter(fits);
  return found.length > 0 ? found : credentials;
}

function answered(checks: readonly Check[]): Answer {
  const first = checks.find(({ status }) => status === "failed");
  const deciding = first === undefined ? [] : [first.name];
  return { verdict: verdictOf(checks), checks: withConsequences(checks), deciding };
}
