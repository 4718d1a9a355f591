import type { Resource, Value } from "../../../core/resource.ts";
import type { TokenExchange, TrustingIdentity } from "../../inspector.ts";
import type { RenderedBundle } from "../../rendered.ts";
import { azureNames } from "../names.ts";
import { readRendered } from "../rendered/rendered.ts";
import { assignedClientIds } from "./assigned-client-ids.ts";
import { listCredentials } from "./check-credentials.ts";
import { type ComponentSecret, componentSecrets, secretKeys } from "./component-secret.ts";
import { consistencyAdvice } from "./consistency.ts";
import { azureTokenLimits } from "./limits.ts";
import { loginCommand } from "./login-command.ts";
import {
  type AzureTrustingIdentity,
  isIdentityId,
  isSame,
  type ManagedIdentity,
  nameInId,
} from "./managed-identity.ts";
import { notesOn } from "./notes.ts";
import { isUnnamed, readAnswer } from "./read-answer.ts";
import { answerFor } from "./verify.ts";

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
function sentBy(secret: ComponentSecret | undefined, expected: ManagedIdentity["actual"]): ManagedIdentity["sent"] {
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
  const before = known.find((one): one is AzureTrustingIdentity => "facts" in one && isSame(one.id, named));
  const unknown = { clientId: undefined, tenantId: undefined };
  const facts = before?.facts ?? {
    id: named,
    name: nameInId(named),
    credentials: undefined,
    actual: unknown,
    sent: unknown,
  };
  const { credentials = facts.credentials, registration = facts.actual } = read;
  return trusting(
    { ...facts, credentials: credentials === "unknown" ? undefined : credentials, actual: registration },
    before?.owners ?? new Map(),
  );
}
