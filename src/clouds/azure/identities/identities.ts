import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { unmatchedOverrides } from "../../../requests/unknown-names.ts";
import type { ComponentIdentity, Scope } from "../../cloud.ts";
import { collision, makeIdentities } from "../../make-identities.ts";
import {
  type AzureCluster,
  type AzureIdentity,
  configRoles,
  contradictingRoles,
  maxAssignments,
  maxRoles,
} from "../cluster/cluster.ts";
import { subscriptionOf } from "../cluster/resource-names.ts";
import { operatorSetup, writtenFields } from "../operators/operator.ts";
import { azureBundles } from "../rendered/facts.ts";
import { clusterOfWorkload, identityAnnotations } from "../workloads.ts";
import {
  type AzureManagedIdentity,
  credentialsSecret,
  identityBundle,
  identityNameOf,
  managedIdentityFor,
  roleDefinitionGuid,
} from "./identity.ts";
import { overrideFor, readAzureRequest } from "./request.ts";

/**
 * Generates the managed identities of a scope. The requests of other functions only reserve their names.
 *
 * @param cluster undefined if it could not be read: requests are then only checked.
 */
export function managedIdentitiesOf(
  config: AzureIdentity,
  given: AzureCluster | undefined,
  scope: Scope,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const { resource, azure } = config;
  const identities: AzureManagedIdentity[] = [];
  const taken: Taken = { identities: new Map(), roles: new Map() };
  const written = scope.completesRequests ? writtenFields : undefined;
  const known = configRoles(azure);
  const { made, findings } = makeIdentities(config, scope, {
    bundlePath: azureBundles.identity,
    make(selected) {
      const { request, findings } = readAzureRequest(selected, overrideFor(config, selected.secretKey), known, written);
      if (request === undefined || given === undefined) return { made: undefined, findings };
      const cluster = selected.workload === undefined ? given : clusterOfWorkload(given, selected.workload);
      const { identity, findings: refused } = managedIdentityFor(cluster, request);
      const all = [...findings, ...refused, ...collisions(config, selected, taken)];
      if (identity === undefined) return { made: undefined, findings: all };
      identities.push(identity);
      const made: ComponentIdentity = {
        request: selected,
        bundle: identityBundle(identity),
        secret: () => credentialsSecret(cluster, identity),
        operator: () => operatorSetup(cluster, identity),
        serviceAccount: () => identityAnnotations(cluster, identity),
      };
      return { made, findings: all };
    },
    // The other function reports what is wrong with its request.
    reserve: (selected) => (given === undefined ? [] : collisions(config, selected, taken)),
  });
  const unmatched = unmatchedOverrides(resource, "spec.platform.azure.overrides", azure.overrides ?? {}, scope);
  const ofConfig = [...previousIssuers(resource, given), ...contradictingRoles(config), ...unmatched];
  const limits = given === undefined ? [] : quotaFindings(identities, given.environment, resource);
  return { made, findings: [...ofConfig, ...findings, ...limits] };
}

function previousIssuers(resource: Resource, cluster: AzureCluster | undefined): Finding[] {
  return (cluster?.previousIssuers ?? []).map((url) => {
    const message = `managed identities still trust the previous issuer ${quoteWhole(url)}. When the cluster has moved, remove it from "spec.issuer.previous", render, and run "ccf apply --prune".`;
    return finding("info", "previous-issuer", message, { resource, field: "spec.issuer.previous" });
  });
}

/** The requests by the names of their managed identities in lowercase, and by the UUIDs of their custom roles. */
interface Taken {
  readonly identities: Map<string, Resource>;
  readonly roles: Map<string, Resource>;
}

/**
 * Reports a request that would get the managed identity or the custom role of an earlier one. Azure compares names without
 * case. Two requests with the same identity would share its permissions, and two with the same role overwrite each other's.
 */
function collisions(config: AzureIdentity, request: SelectedRequest, taken: Taken): readonly Finding[] {
  const { secretKey } = request;
  if (secretKey === undefined) return [];
  const [namespace = "", secret = ""] = secretKey.split("/");
  const { identityName, roleDefinitionID } = overrideFor(config, secretKey);
  const code = "identity-id-collision";
  const cure = (field: string) => `. Set "${field}" in "spec.platform.azure.overrides" for ${quoteWhole(secretKey)}`;
  const name = identityNameOf(config.prefix, namespace, secret, identityName);
  const identity = { code, noun: "managed identity", name, rest: `${cure("identityName")} to another name.` } as const;
  const ofIdentity = collision(request, name.toLowerCase(), taken.identities, identity);
  // The ID of a role is computed from the identity's name.
  if (ofIdentity.length > 0) return ofIdentity;
  const id = roleDefinitionID ?? roleDefinitionGuid(config.azure.subscriptionID, name);
  const role = { code, noun: "custom role", name: id, rest: `${cure("roleDefinitionID")} to another ID.` } as const;
  return collision(request, id.toLowerCase(), taken.roles, role);
}

/**
 * Warns if the identities of one function alone exceed a limit of Azure. All clusters of a tenant or a subscription share it.
 *
 * @param environment as the config names it: `AzurePublicCloud`
 */
export function quotaFindings(
  identities: readonly Pick<AzureManagedIdentity, "roleDefinition" | "roleAssignments">[],
  environment: string,
  resource: Resource,
): Finding[] {
  const roles = identities.filter(({ roleDefinition }) => roleDefinition !== undefined).length;
  const assignments = new Map<string, number>();
  for (const { url } of identities.flatMap(({ roleAssignments }) => Object.values(roleAssignments)))
    assignments.set(subscriptionOf(url), (assignments.get(subscriptionOf(url)) ?? 0) + 1);
  const counts: [count: number, max: number, what: string][] = [
    [roles, maxRoles[environment as keyof typeof maxRoles], "custom roles; Azure allows MAX in a tenant"],
    ...[...assignments].map(([subscription, count]): [number, number, string] => [
      count,
      maxAssignments[environment as keyof typeof maxAssignments],
      `role assignments in ${quote(subscription)}; Azure allows MAX there`,
    ]),
  ];
  return counts
    .filter(([count, max]) => count > max)
    .map(([count, max, what]) => {
      const message = `the package needs ${count} ${what.replace("MAX", String(max))}. Request fewer roles, or name fewer scopes in the overrides.`;
      return finding("warning", "role-limit", message, { resource });
    });
}
