import { sha256 } from "../../../core/hash.ts";

const maxAccount = 111;

/**
 * The name of a federated credential: the service account, and a hash of what distinguishes its credentials, the issuer or the
 * subject (Azure REST API, Federated Identity Credentials: 3 to 120 letters, digits, hyphens and underscores).
 */
export function credentialName(serviceAccount: string, distinction: string): string {
  const hash = sha256(distinction).toString("hex").slice(0, 8);
  return `${serviceAccount.replaceAll(".", "-").slice(0, maxAccount)}-${hash}`;
}
