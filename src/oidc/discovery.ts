/**
 * The discovery document of an issuer (OpenID Connect Discovery 1.0, section 3): what AWS, Google and Azure read before
 * they fetch the keys.
 */
export interface DiscoveryDocument {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly claims_supported: readonly string[];
}

/** The path of the discovery document, relative to the issuer. */
export const discoveryPath = ".well-known/openid-configuration";

/** The path of the keys, relative to the issuer. */
export const keysPath = "keys.json";

/**
 * Returns the discovery document of an issuer.
 * @param algorithms JWS algorithms of the keys.
 * @param keys the path of the keys, relative to the issuer
 */
export function discoveryDocument(
  issuer: string,
  algorithms: readonly string[],
  keys: string = keysPath,
): DiscoveryDocument {
  return {
    issuer,
    jwks_uri: `${issuer}/${keys}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(algorithms)].sort(),
    claims_supported: ["aud", "exp", "sub", "iat", "iss"],
  };
}

/** Returns whether a text is an https URL. */
export function isHttps(text: string): boolean {
  return URL.canParse(text) && text.startsWith("https://");
}
