import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { unmatchedOverrides } from "../../../requests/unmatched-overrides.ts";
import type { ComponentIdentity, Scope } from "../../cloud.ts";
import { makeIdentities } from "../../make-identities.ts";
import type { AzureCluster } from "../cluster/cluster.ts";
import { configRoles } from "../cluster/config-roles.ts";
import type { AzureIdentity } from "../cluster/platform.ts";
import { operatorSetup, writtenFields } from "../operators/operator.ts";
import { pathOfIdentity } from "../rendered/bundle-paths.ts";
import { collisions, type Taken } from "./collisions.ts";
import { contradictingRoles } from "./contradicting-roles.ts";
import { type AzureManagedIdentity, managedIdentityFor } from "./identity.ts";
import { identityBundle } from "./identity-bundle.ts";
import { overrideFor } from "./overrides.ts";
import { quotaFindings } from "./quotas.ts";
import { readAzureRequest } from "./request.ts";
import { credentialsSecret } from "./secret.ts";

/**
 * Generates the managed identities of a scope. The requests of other functions only reserve their names.
 *
 * @param cluster undefined if it could not be read: requests are then only checked.
 */
export function managedIdentitiesOf(
  config: AzureIdentity,
  cluster: AzureCluster | undefined,
  scope: Scope,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const { resource, azure } = config;
  const identities: AzureManagedIdentity[] = [];
  const taken: Taken = { identities: new Map(), roles: new Map() };
  const written = scope.completesRequests ? writtenFields : undefined;
  const known = configRoles(azure);
  const { made, findings } = makeIdentities(config, scope, {
    bundlePath: pathOfIdentity,
    make(selected) {
      const { request, findings } = readAzureRequest(selected, overrideFor(config, selected.secretKey), known, written);
      if (request === undefined || cluster === undefined) return { made: undefined, findings };
      const { identity, findings: refused } = managedIdentityFor(cluster, request);
      const all = [...findings, ...refused, ...collisions(config, selected, taken)];
      if (identity === undefined) return { made: undefined, findings: all };
      identities.push(identity);
      const made: ComponentIdentity = {
        request: selected,
        bundle: identityBundle(identity),
        secret: () => credentialsSecret(cluster, identity),
        operator: () => operatorSetup(cluster, identity),
      };
      return { made, findings: all };
    },
    // The other function reports what is wrong with its request.
    reserve: (selected) => (cluster === undefined ? [] : collisions(config, selected, taken)),
  });
  const unmatched = unmatchedOverrides(
    resource,
    "spec.platform.azure.overrides",
    azure.overrides ?? {},
    scope.selected,
  );
  const ofConfig = [...previousIssuers(resource, cluster), ...contradictingRoles(config), ...unmatched];
  const limits = cluster === undefined ? [] : quotaFindings(identities, cluster.environment, resource);
  return { made, findings: [...ofConfig, ...findings, ...limits] };
}

function previousIssuers(resource: Resource, cluster: AzureCluster | undefined): Finding[] {
  return (cluster?.previousIssuers ?? []).map((url) => {
    const message = `managed identities still trust the previous issuer ${quoteWhole(url)}. When the cluster has moved, remove it from "spec.issuer.previous", render, export, and run "apply.sh".`;
    return finding("info", "previous-issuer", message, { resource, field: "spec.issuer.previous" });
  });
}
