import { generateWorkloadIdentities } from "../../functions/generate-workload-identities/function.ts";
import { type Any, type Made, make } from "./cluster.ts";

/** A WorkloadIdentity in the namespace `shop`, for every cloud; `spec` and `metadata` are merged into it. */
export function workload(
  name: string,
  { spec = {}, metadata = {}, path = `workloads/shop/${name}.yaml` }: Any = {},
): Any {
  const { annotations = {}, ...rest } = metadata;
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "WorkloadIdentity",
    metadata: {
      name,
      namespace: "shop",
      ...rest,
      annotations: {
        "config.kubernetes.io/local-config": "true",
        "config.kubernetes.io/path": path,
        ...annotations,
      },
    },
    spec: {
      serviceAccounts: [name],
      aws: { statements: [{ effect: "Allow", action: ["s3:GetObject"], resource: "arn:aws:s3:::shop/*" }] },
      gcp: { predefinedRoles: ["roles/storage.objectViewer"] },
      azure: { roles: [{ role: "Reader", scope: shopGroup }] },
      ...spec,
    },
  };
}

/** A resource group of the namespace `shop` on Azure. */
export const shopGroup = "/subscriptions/31098765-4321-4321-8321-310987654321/resourceGroups/shop";

/** Generates the identities of WorkloadIdentities. */
export const makeWorkloads = (config: Any, items: readonly Any[]): Made =>
  make([generateWorkloadIdentities], config, items);
