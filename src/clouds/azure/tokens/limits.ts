import type { TokenLimits } from "../../../oidc/limits.ts";
import { keyLimits, maxIssuerUrl, maxKeys } from "../limits.ts";
import { documentCodes, documentsFailed, unknownKey } from "./refusals.ts";

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
    publish: "`azure/apply.sh`; a private container also responds with 404",
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
