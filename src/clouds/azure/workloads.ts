import type { ValueMap } from "../../core/resource.ts";
import type { WorkloadTerms } from "../../requests/select.ts";
import {
  mapsIn,
  nameOutside,
  namesOutside,
  type Outside,
  type Rail,
  railAmong,
  textsIn,
  type WorkloadRenderer,
} from "../workloads.ts";
import type { AzureCluster } from "./cluster/cluster.ts";
import { ownerTagKey } from "./cluster/resource-names.ts";

const lists = ["allowedRoles", "allowedScopes", "allowedPermissions", "allowedDataPermissions"] as const;

/** Workloads on Azure: a managed identity for each, which the webhook of Microsoft Entra Workload ID offers to pods. */
export const azureWorkloads: WorkloadRenderer = {
  providerSpec: ({ permissions, dataPermissions, ...section }) => ({
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "AzureProviderSpec",
    roleBindings: mapsIn(section, "roles").map(({ role = "" }) => ({ role })),
    ...(permissions === undefined ? {} : { permissions }),
    ...(dataPermissions === undefined ? {} : { dataPermissions }),
  }),
  fields: { roleBindings: "roles" },
  names: ["identityName", "roleDefinitionID", "clientID"],
  outside: (section, rails) => [
    ...mapsIn(section, "roles").flatMap((one, at) => [
      ...nameOutside(String(one["role"]), `roles[${at}].role`, "the role", railOf(rails, "allowedRoles")),
      ...scopeOutside(String(one["scope"]), `roles[${at}].scope`, rails),
    ]),
    ...namesOutside(section, "permissions", "the action", railOf(rails, "allowedPermissions")),
    ...namesOutside(section, "dataPermissions", "the action on data", railOf(rails, "allowedDataPermissions")),
    ...(textsIn(section, "scopes") ?? []).flatMap((scope, at) => scopeOutside(scope, `scopes[${at}]`, rails)),
  ],
  // Microsoft Entra Workload ID, "Service account labels and annotations": pods without it are not mutated.
  podLabel: { name: "azure.workload.identity/use", value: "true" },
};

function railOf(rails: ValueMap, list: (typeof lists)[number]): Rail {
  return railAmong(rails, list, lists, { base: "spec.workloads.azure", ignoresCase: true });
}

// A role applies to its scope and to everything below it.
function scopeOutside(scope: string, field: string, rails: ValueMap): Outside[] {
  const { allowed, ...rail } = railOf(rails, "allowedScopes");
  const withBelow = allowed?.flatMap((one) => [one, `${one.replace(/\/+$/, "")}/*`]);
  return nameOutside(scope.replace(/\/+$/, ""), field, "a role at the scope", { ...rail, allowed: withBelow });
}

/** The audience of the tokens that the webhook mounts; no annotation changes it (Microsoft Entra Workload ID, "Concepts"). */
export const webhookAudience = "api://AzureADTokenExchange";

/** The cluster as the identity of a workload sees it: the federated credentials accept the audience of the pods' tokens. */
export function clusterOfWorkload(cluster: AzureCluster, { delivery }: WorkloadTerms): AzureCluster {
  return delivery === "Secret" ? cluster : { ...cluster, audience: webhookAudience };
}

/** The scopes of a workload: those of each of its roles, by the role's name in lowercase, and those of its custom role. */
export function scopesOfWorkload({ section }: WorkloadTerms): {
  readonly roles: ReadonlyMap<string, readonly string[]>;
  readonly custom: readonly string[];
} {
  const roles = new Map<string, string[]>();
  for (const { role, scope } of mapsIn(section, "roles")) {
    const name = String(role).toLowerCase();
    roles.set(name, [...(roles.get(name) ?? []), String(scope)]);
  }
  return { roles, custom: textsIn(section, "scopes") ?? [] };
}

/** The annotations of a ServiceAccount from which the webhook reads an identity (Microsoft Entra Workload ID, as above). */
export function identityAnnotations(
  { tenantId }: Pick<AzureCluster, "tenantId">,
  { clientId }: { readonly clientId: string | undefined },
): Readonly<Record<string, string>> | undefined {
  if (clientId === undefined) return undefined;
  return {
    "azure.workload.identity/client-id": clientId,
    "azure.workload.identity/tenant-id": tenantId,
  };
}

/** The part of a team's ClusterIdentity about Azure. The resource groups belong to the cluster. */
export function platformForTeams(cluster: AzureCluster): ValueMap {
  const { [ownerTagKey(cluster.prefix)]: _, ...tags } = cluster.tags;
  return {
    subscriptionID: cluster.subscriptionId,
    tenantID: cluster.tenantId,
    region: cluster.region,
    identityRegion: cluster.identityRegion,
    cloud: cluster.environment,
    oidcResourceGroup: cluster.oidcResourceGroup,
    installResourceGroup: cluster.installResourceGroup,
    issuerHosting: { type: "External" },
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
  };
}
