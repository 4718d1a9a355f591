import { type Value, valueAt } from "../../../core/resource.ts";

/** A federated credential: whose tokens a managed identity accepts. Microsoft Entra compares all texts exactly. */
export interface FederatedCredential {
  /** With `https://`. */
  readonly issuer: string;
  readonly subject: string;
  /** Microsoft Entra allows exactly one. */
  readonly audiences: readonly string[];
}

/**
 * Reads the properties of a federated credential; undefined if the value is something else (Azure REST API, Federated
 * Identity Credentials, FederatedIdentityCredentialProperties).
 */
export function readCredential(properties: Value | undefined): FederatedCredential | undefined {
  const at = (field: string) => valueAt(properties ?? null, [field]);
  const [issuer, subject, audiences] = [at("issuer"), at("subject"), at("audiences")];
  if (typeof issuer !== "string" || typeof subject !== "string" || !Array.isArray(audiences)) return undefined;
  return audiences.every((audience) => typeof audience === "string")
    ? { issuer, subject, audiences: audiences as readonly string[] }
    : undefined;
}
