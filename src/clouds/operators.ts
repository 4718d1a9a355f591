import type { FieldChange, FieldValues } from "../core/resource.ts";
import type { OperatorVariable } from "./cloud.ts";
import type { CheckedRequest, ReadSpec } from "./request.ts";

/** A variable that is the same for every OLM operator of a cluster. */
export interface ClusterVariable<Cluster> extends Pick<OperatorVariable, "name" | "meaning"> {
  readonly value: (cluster: Cluster) => string;
}

/** The variables of an OLM operator: those with its identity, and if there are any, those of the cluster. */
export function variableValues<Cluster>(
  ofIdentity: readonly OperatorVariable[],
  ofCluster: readonly ClusterVariable<Cluster>[],
  cluster: Cluster,
): OperatorVariable[] {
  if (ofIdentity.length === 0) return [];
  return [...ofIdentity, ...ofCluster.map((variable) => ({ ...variable, value: variable.value(cluster) }))];
}

/** Changes a request, and its copies, to what the cloud-credential-operator needs. @param providerSpec what differs. */
export function requestChanges(
  { resource, copies, tokenPath }: CheckedRequest<ReadSpec>,
  providerSpec: FieldValues,
  clusterTokenPath: string,
): readonly FieldChange[] {
  const value: FieldValues = {
    ...(Object.keys(providerSpec).length === 0 ? {} : { providerSpec }),
    ...(tokenPath === undefined ? { cloudTokenPath: clusterTokenPath } : {}),
  };
  if (Object.keys(value).length === 0) return [];
  return [resource, ...copies].map((one) => ({ resource: one, path: ["spec"], value }));
}
