import { type Resource, textAt, type Value } from "../../../core/resource.ts";
import { type Check, firstFailureAnswer, notReached, type TokenAnswer } from "../../../oidc/answer.ts";
import { checkDiscovery, checkSignature } from "../../../oidc/checks.ts";
import type { Token, TokenReading } from "../../../oidc/token.ts";
import type { TokenExchange, TrustingIdentity } from "../../inspector.ts";
import { type RenderedBundle, type RenderedIssuer, unknownIssuer } from "../../rendered.ts";
import { azureNames } from "../cluster/cluster.ts";
import { type FederatedCredential, readRendered } from "../rendered/rendered.ts";
import {
  assignedClientIds,
  componentSecrets,
  consistencyAdvice,
  type IdentitySecret,
  secretKeys,
} from "../rendered/secret.ts";
import {
  checkAudience,
  checkClient,
  checkCredentials,
  checkIssuer,
  checkShape,
  checkSubject,
  checkTenant,
  checkTime,
  listCredentials,
  subjectByExpression,
} from "./checks.ts";
import {
  type AzureTrustingIdentity,
  type FlexibleCredential,
  isIdentityId,
  isSameId,
  isUnnamed,
  loginCommand,
  type ManagedIdentity,
  nameInId,
  readAnswer,
} from "./identity.ts";
import { azureTokenLimits, documentCodes, documentsFailed } from "./limits.ts";

/** The checks, in the presumable order of Microsoft Entra. */
const checkNames = [
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
async function answerFor(
  reading: TokenReading,
  time: number,
  issuers: readonly RenderedIssuer[],
  identity: ManagedIdentity,
  owners: ReadonlyMap<string, string>,
): Promise<TokenAnswer> {
  const { token } = reading;
  const shape = checkShape(reading);
  const [tenant, client] = [checkTenant(identity), checkClient(identity, owners, azureNames.identityNoun)];
  const credentials = checkCredentials(identity);
  if (token === undefined) {
    const rest = checkNames.slice(4).map((name) => notReached(name, "the token cannot be read"));
    return firstFailureAnswer([shape, tenant, client, credentials, ...rest]);
  }
  const issuer = issuerOf(token, issuers, identity);
  return firstFailureAnswer([
    shape,
    tenant,
    client,
    credentials,
    ...credentialChecks(token, identity),
    checkDiscovery(token, issuer, azureTokenLimits),
    await checkSignature(token, shape, issuer, azureTokenLimits),
    checkTime(token, time),
  ]);
}

// If no issuer matches the token's, the token is checked against the cluster's own. But a live credential may be for an issuer that
// the package does not know; documents of the package then say nothing about it.
function issuerOf(
  { iss = "" }: Token,
  issuers: readonly RenderedIssuer[],
  { credentials = [] }: ManagedIdentity,
): RenderedIssuer {
  const [own = unknownIssuer] = issuers;
  const found = issuers.find(({ url }) => url !== undefined && iss === `https://${url}`);
  const { discovery, url } = own;
  const named = discovery !== undefined && "value" in discovery ? textAt(discovery.value, ["issuer"]) : "";
  const isOther = credentials.some(({ issuer }) => issuer === iss) && named === `https://${url}`;
  return found ?? (isOther ? unknownIssuer : own);
}

// One credential must match as a whole. Each check compares those that the checks before it left.
function credentialChecks(token: Token, { credentials: all = [], flexible = [] }: ManagedIdentity): readonly Check[] {
  if (all.length + flexible.length === 0)
    return (["issuer", "subject", "audience"] as const).map((name) =>
      notReached(name, "no federated credential is known"),
    );
  const fits = ({ issuer, audiences }: FlexibleCredential) =>
    issuer === token.iss && token.aud.some((text) => audiences.includes(text));
  const isExact = all.some((one) => fits(one) && one.subject === token.sub);
  const open = all.length === 0 ? flexible : flexible.filter(fits);
  if (!isExact && open.length > 0) return [checkIssuer(token, open), subjectByExpression, checkAudience(token, open)];
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

/** The exchange of a token at Microsoft Entra for an access token of a managed identity. */
export const azureExchange = {
  noun: azureNames.identityNoun,
  commands: {
    identity: {
      command: listCredentials,
      fields: 'a list of objects with "id", "issuer", "subject" and "audiences"',
    },
  },
  limits: azureTokenLimits,
  // A package that is applied changes neither the tenant nor the client ID of an identity.
  applied: new Set(["credentials", "issuer", "subject", "audience", "discovery", "signature"]),
  readIdentity,
  unnamedIdentity: { must: "the resource ID of the managed identity", isID: isIdentityId, isUnnamed },
  identities: renderedIdentities,
  advise: consistencyAdvice,
  command: loginCommand,
  notes: notesOn,
} as const satisfies TokenExchange;

function renderedIdentities(
  bundles: readonly RenderedBundle[],
  items: readonly Resource[],
): readonly AzureTrustingIdentity[] {
  const cluster = readRendered(bundles);
  if (cluster === undefined) return [];
  const assigned = assignedClientIds(items);
  const secrets = new Map(componentSecrets(items).map((secret) => [secret.key, secret] as const));
  const facts = cluster.identities.flatMap((identity): ManagedIdentity[] => {
    const { key = "", id, name, credentials } = identity;
    if (id === undefined || name === undefined) return [];
    const actual = { clientId: assigned.get(key), tenantId: cluster.tenantId };
    return [{ id, name, credentials, actual, sent: sentBy(secrets.get(key), actual) }];
  });
  const owners = new Map(
    facts.flatMap(({ name, actual, sent }) => {
      const client = actual.clientId ?? sent.clientId;
      return client === undefined ? [] : [[client.toLowerCase(), name] as const];
    }),
  );
  return facts.map((one) => trusting(one, owners));
}

// A component without a Secret cannot ask. It counts as one that gets the Secret that the package would generate.
function sentBy(secret: IdentitySecret | undefined, expected: ManagedIdentity["actual"]): ManagedIdentity["sent"] {
  const { client, tenant } = secretKeys;
  return {
    clientId: secret?.texts.get(client) ?? expected.clientId,
    tenantId: secret?.texts.get(tenant) ?? expected.tenantId,
  };
}

function trusting(facts: ManagedIdentity, owners: ReadonlyMap<string, string>): AzureTrustingIdentity {
  const { id, name, actual, sent } = facts;
  const client = actual.clientId ?? sent.clientId;
  return {
    id,
    name,
    otherNames: client === undefined ? [] : [client],
    facts,
    owners,
    answer: ({ token, time, issuers }) => answerFor(token, time, issuers, facts, owners),
  };
}

function readIdentity(answer: Value, id: string, known: readonly TrustingIdentity[]): TrustingIdentity | undefined {
  const read = readAnswer(answer);
  if (read === undefined) return undefined;
  const named = read.id ?? id;
  const before = known.find((one): one is AzureTrustingIdentity => "facts" in one && isSameId(one.id, named));
  const unknown = { clientId: undefined, tenantId: undefined };
  const facts = before?.facts ?? {
    id: named,
    name: nameInId(named),
    credentials: undefined,
    actual: unknown,
    sent: unknown,
  };
  const { credentials = facts.credentials, flexible = facts.flexible ?? [], registration = facts.actual } = read;
  return trusting(
    { ...facts, credentials: credentials === "unknown" ? undefined : credentials, flexible, actual: registration },
    before?.owners ?? new Map(),
  );
}

/**
 * What a reader of the answers must know besides: what Microsoft may change ("Microsoft Entra authentication and
 * authorization error codes"), and what can fail although the token is accepted.
 */
function notesOn(answers: readonly TokenAnswer[]): readonly string[] {
  const isAccepted = answers.some(({ verdict }) => verdict === "accepted");
  const codes = answers.flatMap(({ checks }) => checks.flatMap(({ error }) => error?.code ?? []));
  return [
    "Microsoft does not document the order of the checks, and may change the codes and the order.",
    ...(codes.includes(documentsFailed.code)
      ? [`For documents that it cannot fetch or read, Microsoft Entra answers ${documentCodes}.`]
      : []),
    ...(isAccepted
      ? [
          "A new federated credential may take minutes to work; until then, Microsoft Entra answers AADSTS70021.",
          "A new issuer or key is reported to take up to an hour, because keys are cached; until then, the answer is AADSTS7000272.",
          "If Azure then answers AuthorizationFailed (403), the token is not the cause: the message names the action and the scope that a role must allow.",
        ]
      : []),
    "While the command runs, the list of processes shows the token.",
  ];
}
