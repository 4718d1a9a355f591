import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { type FederatedCredential, readCredential } from "../rendered/federated-credential.ts";
import { isIdentityId, isSame, type Registration } from "./managed-identity.ts";

/** What a command of Azure says about a managed identity: its federated credentials, or its client ID and tenant. */
export interface IdentityAnswer {
  /** Its resource ID; undefined if the output does not name it. */
  readonly id: string | undefined;
  /** Undefined if the output does not contain them; "unknown" if one of them has an unknown form. */
  readonly credentials?: readonly FederatedCredential[] | "unknown";
  /** Undefined if the output does not contain them. */
  readonly registration?: Registration;
}

/**
 * Reads the output of `az identity federated-credential list`, of `az identity show`, or of `az rest` for the same resources;
 * undefined if the value is something else (Azure REST API, Federated Identity Credentials - List, and User Assigned
 * Identities - Get).
 */
export function readAnswer(answer: Value): IdentityAnswer | undefined {
  const list = Array.isArray(answer) ? (answer as readonly Value[]) : valueAt(answer, ["value"]);
  return Array.isArray(list) ? readList(list as readonly Value[]) : readIdentity(answer);
}

/** Tells whether an output does not name its identity: a list without credentials. */
export function isUnnamed(answer: Value): boolean {
  const read = readAnswer(answer);
  return read !== undefined && read.id === undefined;
}

const credentialId = /^(.+)\/federatedIdentityCredentials\/[\w-]+$/i;

function readList(list: readonly Value[]): IdentityAnswer | undefined {
  const ids = list.map((one) => credentialId.exec(textAt(one, ["id"]))?.[1]);
  const [id] = ids;
  if (!ids.every((one) => one !== undefined && isIdentityId(one) && isSame(one, id ?? ""))) return undefined;
  // The Azure CLI prints the properties next to the ID, the API below "properties".
  const credentials = list.map((one) => readCredential(valueAt(one, ["properties"]) ?? one));
  const isKnown = credentials.every((credential) => credential !== undefined);
  return { id, credentials: isKnown ? (credentials as readonly FederatedCredential[]) : "unknown" };
}

function readIdentity(answer: Value): IdentityAnswer | undefined {
  const id = textAt(answer, ["id"]);
  const properties = valueAt(answer, ["properties"]) ?? answer;
  const [clientId, tenantId] = [textAt(properties, ["clientId"]), textAt(properties, ["tenantId"])];
  if (!isMap(answer) || !isIdentityId(id) || clientId === "" || tenantId === "") return undefined;
  return { id, registration: { clientId, tenantId } };
}
