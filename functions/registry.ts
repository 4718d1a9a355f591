import type { KrmFunction } from "../src/krm/function.ts";
import { generateCloudCredentials } from "./generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "./generate-oidc-issuer/function.ts";

/** Every function of this project. */
export const functions: readonly KrmFunction[] = [generateOidcIssuer, generateCloudCredentials];

/** The function of a name, or undefined. */
export function functionNamed(name: string): KrmFunction | undefined {
  return functions.find((fn) => fn.name === name);
}
