import type { TrustingIdentity } from "../../inspector.ts";
import type { FederatedCredential } from "../rendered/identity.ts";

/** A managed identity that a token can be exchanged for, and how a component asks for it. */
export interface ManagedIdentity {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  /** Undefined if they cannot be read. */
  readonly credentials: readonly FederatedCredential[] | undefined;
  /** What a component sends: the values in its Secret or, without one, those of the package. */
  readonly sent: Registration;
  /** What the identity has, as far as the package or the output of a command says. */
  readonly actual: Registration;
}

/** An application in a tenant. */
export interface Registration {
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
export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
