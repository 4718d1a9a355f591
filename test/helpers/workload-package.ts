import { join } from "node:path";
import { dump } from "js-yaml";
import { azureIdentities, azureIdentity, azureRequest, clientIdNumber } from "./azure-requests.ts";
import { run } from "./ccf.ts";
import { type Any, identity, request } from "./cluster.ts";
import { succeed } from "./cluster-package.ts";
import { gcpIdentity, gcpRequest } from "./gcp-requests.ts";
import { keptTemporary, writeTree } from "./temporary.ts";
import { shopGroup, workload } from "./workloads.ts";

/** The clouds of the packages here. */
export const cloudNames = ["aws", "gcp", "azure"] as const;
export type CloudName = (typeof cloudNames)[number];

/** The key of each workload of the packages here, and how it is delivered. */
export const deliveries = { "shop/cart": "ServiceAccount", "shop/queue": "Patch", "shop/legacy": "Secret" } as const;

const rails: Readonly<Record<CloudName, Any>> = {
  aws: { allowedActions: ["s3:*", "sqs:*"] },
  gcp: { allowedRoles: ["roles/storage.*", "roles/pubsub.*"] },
  azure: { allowedRoles: ["*"], allowedScopes: [shopGroup] },
};

const queues: Any = {
  aws: {
    statements: [
      { effect: "Allow", action: ["sqs:SendMessage"], resource: "arn:aws:sqs:us-east-2:123456789012:demo-orders" },
    ],
  },
  gcp: { predefinedRoles: ["roles/pubsub.publisher"] },
  azure: { roles: [{ role: "Storage Blob Data Contributor", scope: shopGroup }] },
};
const bucket: Any = { gcp: { resources: [{ bucket: "shop-data", roles: ["roles/storage.objectViewer"] }] } };

/** The WorkloadIdentities of the packages here: one for each delivery. */
export const workloadObjects: readonly Any[] = [
  workload("cart", { spec: { ...bucket, serviceAccounts: ["cart", "cart-jobs"] } }),
  workload("queue", { spec: { ...queues, delivery: "Patch" } }),
  workload("legacy", { spec: { delivery: "Secret" } }),
];

/** The IDs of the identities in a package on Azure, as `ccf apply` stores them. */
const ids = azureIdentities({
  "ns-one_credentials": clientIdNumber(1),
  shop_cart: clientIdNumber(2),
  shop_queue: clientIdNumber(3),
  shop_legacy: clientIdNumber(4),
});

const functions = [
  "generate-oidc-issuer",
  "generate-cloud-credentials",
  "generate-workload-identities",
  "configure-operators",
];
const mutators = functions.map((name) => ({ exec: `ccf ${name}`, configPath: "cluster-identity.yaml" }));

/** The component of the packages here. */
export const componentOf: Readonly<Record<CloudName, () => Any>> = {
  aws: () => request("one"),
  gcp: () => gcpRequest("one"),
  azure: () => azureRequest("one"),
};

const made: Readonly<Record<CloudName, (parts: Any) => Any>> = {
  aws: identity,
  gcp: gcpIdentity,
  azure: azureIdentity,
};

/** What a package of {@link writeWorkloadPackage} has besides what they all have. */
export interface Changes {
  readonly objects?: readonly Any[];
  readonly spec?: Any;
  /** Fields of the platform. */
  readonly platform?: Any;
  readonly rails?: Any;
  /** Whether the cloud has not assigned IDs yet. */
  readonly isFirst?: boolean;
}

/** Writes a package with a component, and with a workload for each delivery; not rendered yet. */
export function writeWorkloadPackage(
  directory: string,
  cloud: CloudName,
  { objects = workloadObjects, spec = {}, platform = {}, rails: more = {}, isFirst = false }: Changes = {},
): void {
  const workloads = { namespaces: ["shop"], [cloud]: { ...rails[cloud], ...more } };
  const config = made[cloud]({
    spec: { workloads, ...spec },
    [cloud]: platform,
    metadata: { annotations: { "config.kubernetes.io/local-config": "true" } },
  });
  writeTree(directory, {
    Kptfile: dump({
      apiVersion: "kpt.dev/v1",
      kind: "Kptfile",
      metadata: { name: "demo" },
      pipeline: { mutators },
    }),
    "cluster-identity.yaml": dump(config),
    "credentials-requests/one.yaml": dump(componentOf[cloud]()),
    ...Object.fromEntries(objects.map((object) => [object.metadata.annotations[pathKey], dump(withoutPath(object))])),
    ...(cloud === "azure" && !isFirst ? { "azure-identities.yaml": dump(ids) } : {}),
  });
}

const pathKey = "config.kubernetes.io/path";

function withoutPath({ metadata, ...object }: Any): Any {
  const { [pathKey]: _, ...annotations } = metadata.annotations;
  return { ...object, metadata: { ...metadata, annotations } };
}

/** A rendered package of each cloud, for all tests of a file. */
export function workloadPackages(changes: Changes = {}): {
  readonly packages: Readonly<Record<CloudName, string>>;
  remove(): void;
} {
  const { directory, remove } = keptTemporary();
  const packages = Object.fromEntries(cloudNames.map((cloud) => [cloud, join(directory, cloud)]));
  for (const cloud of cloudNames) {
    writeWorkloadPackage(join(directory, cloud), cloud, changes);
    succeed(run(["render", join(directory, cloud)]));
  }
  return { packages: packages as Readonly<Record<CloudName, string>>, remove };
}
