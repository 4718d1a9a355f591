import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { AskedIdentity, TrustingIdentity } from "../../inspector.ts";
import type { RenderedCluster } from "../../rendered.ts";
import { type FederatedCredential, readCredential } from "../rendered/rendered.ts";

/** A managed identity that a token can be exchanged for, and how a component asks for it. */
export interface ManagedIdentity {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  /** Undefined if they cannot be read. */
  readonly credentials: readonly FederatedCredential[] | undefined;
  /** The credentials beside them whose subject is an expression. */
  readonly flexible?: readonly FlexibleCredential[];
  /** What a component sends: the values in its Secret or, without one, those of the package. */
  readonly sent: Registration;
  /** What the identity has, as far as the package or the output of a command says. */
  readonly actual: Registration;
}

/**
 * A federated credential for the tokens that match an expression instead of a subject (Microsoft Entra documentation, "Flexible
 * federated identity credentials").
 */
export type FlexibleCredential = Omit<FederatedCredential, "subject">;

/** An application in a tenant. */
interface Registration {
  /** A UUID. */
  readonly clientId: string | undefined;
  /** A UUID. */
  readonly tenantId: string | undefined;
}

/** A managed identity, with the facts that its answer is computed from. */
export interface AzureTrustingIdentity extends TrustingIdentity {
  readonly facts: ManagedIdentity;
  /** The names of all managed identities, by client ID in lowercase. */
  readonly owners: ReadonlyMap<string, string>;
}

/** The facts of an identity; undefined if it is not one of Azure. */
export function factsOf(identity: TrustingIdentity | undefined): ManagedIdentity | undefined {
  return identity !== undefined && "facts" in identity ? (identity as AzureTrustingIdentity).facts : undefined;
}

const form =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/([\w-]+)$/i;

/** Tells whether a text is the resource ID of a managed identity. */
export function isIdentityId(text: string): boolean {
  return form.test(text);
}

/** The short name of a managed identity, from its resource ID. */
export function nameInId(id: string): string {
  return form.exec(id)?.[1] ?? id;
}

/** Tells whether two resource IDs or UUIDs are the same. Azure compares them without case. */
export function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const uuidForm = /^[0-9a-f-]{36}$/i;
const tenantForm = /^(?:[0-9a-f-]{36}|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** The environment that the Azure CLI uses unless told otherwise. */
const defaultCloud = "AzureCloud";

/**
 * The Azure CLI logs in with the token. It gets a new directory for its settings, so the user's login and its cached tokens
 * are neither used nor changed; the directory is removed.
 */
export function loginCommand(
  { identity, cluster }: AskedIdentity,
  tokenFile: string,
  word: (text: string) => string,
): string {
  const { sent, actual } = factsOf(identity) ?? {};
  // Anything can be in a Secret, so only an ID, or the domain of a tenant, is shown.
  const shown = (text: string | undefined, form: RegExp, instead: string) =>
    text !== undefined && form.test(text) ? text : instead;
  const client = shown(sent?.clientId ?? actual?.clientId, uuidForm, "CLIENT_ID");
  const tenant = shown(sent?.tenantId ?? actual?.tenantId, tenantForm, "TENANT_ID");
  const cloud = cliCloudOf(cluster);
  const steps = [
    "AZURE_CONFIG_DIR=$(mktemp -d)",
    "export AZURE_CONFIG_DIR",
    `trap 'rm -rf "$AZURE_CONFIG_DIR"' EXIT`,
    ...(cloud === defaultCloud ? [] : [`az cloud set --name ${word(cloud)}`]),
    `az login --service-principal -u ${word(client)} -t ${word(tenant)} --allow-no-subscriptions --federated-token "$(cat ${word(tokenFile)})" --output none`,
    "echo accepted",
  ];
  return `(${steps.join(" && ")})`;
}

function cliCloudOf(cluster: RenderedCluster | undefined): string {
  const cloud = cluster !== undefined && "cliCloud" in cluster ? cluster.cliCloud : undefined;
  return typeof cloud === "string" ? cloud : defaultCloud;
}

/** What a command of Azure says about a managed identity: its federated credentials, or its client ID and tenant. */
export interface IdentityAnswer {
  /** Its resource ID; undefined if the output does not name it. */
  readonly id: string | undefined;
  /** Undefined if the output does not contain them; "unknown" if one of them has an unknown form. */
  readonly credentials?: readonly FederatedCredential[] | "unknown";
  /** Undefined if the output does not contain credentials. */
  readonly flexible?: readonly FlexibleCredential[];
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
  if (!ids.every((one) => one !== undefined && isIdentityId(one) && isSameId(one, id ?? ""))) return undefined;
  // The Azure CLI prints the properties next to the ID, the API below "properties".
  const properties = list.map((one) => valueAt(one, ["properties"]) ?? one);
  const flexible = properties.flatMap((one) => readFlexible(one) ?? []);
  const credentials = properties
    .filter((one) => readFlexible(one) === undefined)
    .map((one) => (hasExpression(one) ? undefined : readCredential(one)));
  const isKnown = credentials.every((credential) => credential !== undefined);
  return { id, credentials: isKnown ? (credentials as readonly FederatedCredential[]) : "unknown", flexible };
}

function hasExpression(properties: Value): boolean {
  return (valueAt(properties, ["claimsMatchingExpression"]) ?? null) !== null;
}

// The expression takes the place of the subject, which the Azure CLI then prints as null.
function readFlexible(properties: Value): FlexibleCredential | undefined {
  if (!hasExpression(properties) || !isMap(properties) || (properties["subject"] ?? null) !== null) return undefined;
  return readCredential({ ...properties, subject: "" });
}

function readIdentity(answer: Value): IdentityAnswer | undefined {
  const id = textAt(answer, ["id"]);
  const properties = valueAt(answer, ["properties"]) ?? answer;
  const [clientId, tenantId] = [textAt(properties, ["clientId"]), textAt(properties, ["tenantId"])];
  if (!isMap(answer) || !isIdentityId(id) || clientId === "" || tenantId === "") return undefined;
  return { id, registration: { clientId, tenantId } };
}
