import type { Resource } from "../src/core/resource.ts";
import type { KrmFunction } from "../src/krm/function.ts";
import { concernsOperators } from "../src/requests/operators.ts";
import { configureOperators } from "./configure-operators/function.ts";
import { generateCloudCredentials } from "./generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "./generate-oidc-issuer/function.ts";
import { generateWorkloadIdentities } from "./generate-workload-identities/function.ts";

/** The functions that a ClusterIdentity configures. Together they generate everything that a cluster needs. */
export const generators: readonly KrmFunction[] = [
  generateOidcIssuer,
  generateCloudCredentials,
  configureOperators,
  generateWorkloadIdentities,
];

/** The generators that have something to do in a package with these items. */
export function generatorsFor(items: readonly Resource[]): readonly KrmFunction[] {
  return items.some(concernsOperators) ? generators : generators.filter((fn) => fn !== configureOperators);
}
