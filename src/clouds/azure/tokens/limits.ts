import { inMessage, type TokenRefusal } from "../../../oidc/answer.ts";
import type { TokenLimits } from "../../../oidc/limits.ts";
import { keyLimits, maxIssuerUrl, maxKeys } from "../cluster/cluster.ts";

/*
 * Microsoft Entra's error responses to a token. The codes are from "Microsoft Entra authentication and authorization error
 * codes" and from logs that users have published; the texts lack the link and the trace IDs at their end. Microsoft may
 * change both.
 */

function refusal(code: number, httpStatus: number, message: string): TokenRefusal {
  return { code: `AADSTS${code}`, httpStatus, message };
}

/** The tenant does not exist in this cloud. */
export function unknownTenant(tenant: string): TokenRefusal {
  const text = `Tenant '${inMessage(tenant)}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`;
  return refusal(90002, 400, text);
}

/** The tenant has no application with the client ID. */
export function unknownApplication(client: string, tenant: string): TokenRefusal {
  const text = `Application with identifier '${inMessage(client)}' was not found in the directory '${inMessage(tenant)}'.`;
  return refusal(700016, 400, text);
}

/** The application has no federated credential at all. */
export function noCredentials(name: string): TokenRefusal {
  return refusal(70025, 401, `The client '${inMessage(name)}' has no configured federated identity credentials.`);
}

const compareAll =
  "Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.";

function noRecord(code: number, what: string, text: string, more = ""): TokenRefusal {
  const found = `No matching federated identity record found for presented assertion ${what} '${inMessage(text)}'.`;
  return refusal(code, 401, `${found}${more} ${compareAll}`);
}

/** No federated credential has the token's issuer. */
export function noIssuer(iss: string): TokenRefusal {
  return noRecord(700211, "issuer", iss);
}

/** No federated credential has the token's audience. */
export function noAudience(aud: string): TokenRefusal {
  return noRecord(700212, "audience", aud);
}

/** No federated credential has the token's subject. */
export function noSubject(sub: string): TokenRefusal {
  return noRecord(700213, "subject", sub);
}

/** A federated credential has the token's subject in another case. */
export function otherCase(sub: string): TokenRefusal {
  const more = " The subject matches with case-insensitive comparison, but not with case-sensitive comparison.";
  return noRecord(7002138, "subject", sub, more);
}

/** The issuer's documents cannot be fetched or read. */
export const documentsFailed: TokenRefusal = refusal(50166, 400, "Request to External OIDC endpoint failed.");

/** All codes with the text of {@link documentsFailed}; which one stands for which problem is not documented. */
export const documentCodes = "AADSTS50166, AADSTS501661 or AADSTS90061";

/** The issuer's keys do not contain the token's. */
function unknownKey(kid: string, iss: string): TokenRefusal {
  const text = `The certificate with identifier ${inMessage(kid)} used to sign the federated credential could not be found in the metadata of identity provider ${inMessage(iss)}.`;
  return refusal(7000272, 401, text);
}

/** The token is expired, or not valid yet. */
export const outOfTime: TokenRefusal = refusal(700024, 401, "Client assertion is not within its valid time range.");

/** The limits of Microsoft Entra for tokens and issuers. */
export const azureTokenLimits: TokenLimits = {
  ...keyLimits,
  // Not documented.
  characters: [1, 1 << 20],
  keys: { reader: keyLimits.reader, maxPerAlgorithm: maxKeys, others: "unknown" },
  // Ports are not documented.
  issuerUrl: { reader: keyLimits.reader, max: maxIssuerUrl, port: "unknown" },
  // Azure/AKS issue 4029: AADSTS501661 if the list is empty.
  requiredLists: ["subject_types_supported"],
  timeout: undefined,
  cures: {
    publish: "`ccf apply`; a private container also responds with 404",
    forbidden:
      "make it publicly readable: check `allowBlobPublicAccess`, the firewall (`publicNetworkAccess`, `networkAcls`) and the policies of the storage account, and the public access of the container, or publish the documents elsewhere with the hosting type External",
    // PublicAccessNotPermitted has the status 409 (Azure Storage documentation, "Blob Storage error codes").
    forbiddenStatuses: [403, 409],
    untrusted: "pass the certificate authority as --ca-file; Microsoft has its own list of authorities",
  },
  refusals: {
    // The response to a malformed token is not documented.
    form: undefined,
    documents: documentsFailed,
    unreachable: documentCodes,
    keys: ({ kid = "", iss = "" }) => unknownKey(kid, iss),
    otherIssuer: documentsFailed,
    signature: undefined,
    unusableKey: undefined,
  },
};

/**
 * In seconds. Microsoft Entra does not document how much it tolerates if clocks differ; Microsoft's libraries tolerate five
 * minutes (Microsoft.IdentityModel.Tokens, TokenValidationParameters.DefaultClockSkew).
 */
export const longestSkew = 300;
