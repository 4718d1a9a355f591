import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { applierFact, clusterFile, markFact } from "../../rendered.ts";
import { roleKind } from "../kinds/custom-role.ts";
import { poolKind } from "../kinds/pool.ts";
import { providerKind } from "../kinds/provider.ts";
import { permissionsOf } from "../kinds/requests.ts";
import { accountKind } from "../kinds/service-account.ts";
import { gcpBundles } from "../rendered/facts.ts";
import type { GcpCluster } from "./cluster.ts";
import { ownerDescription } from "./resource-names.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts about the cluster, and
 * `admin-role.json` the permissions that the administrator needs to apply the package. It depends only on the config, so another
 * request does not change it.
 */
export function clusterBundle(cluster: GcpCluster, identity: Identity): GeneratedObject {
  const values = {
    [clusterFile]: { ...clusterFacts(cluster, identity), ...applierFact(identity) },
    "admin-role.json": adminRole(cluster, identity),
  };
  return bundle(gcpBundles.cluster, "gcp-cluster", jsonFiles(values));
}

function clusterFacts(cluster: GcpCluster, identity: Identity): ValueMap {
  return {
    projectID: cluster.projectId,
    projectNumber: cluster.projectNumber,
    region: cluster.region,
    universeDomain: cluster.universeDomain,
    resourcePrefix: cluster.prefix,
    owner: ownerDescription(cluster.prefix, cluster.mark),
    ...markFact(cluster, identity),
    keyStorage: cluster.keyStorage,
    issuer: cluster.issuerUrl,
    pool: cluster.poolId,
    provider: cluster.providerId,
    ...(cluster.bucket === undefined ? {} : { bucket: cluster.bucket }),
  };
}

/**
 * The permissions for `ccf apply`, `status` and `destroy`: those of the requests that they make (IAM, Cloud Resource Manager, Service Usage and Cloud
 * Storage references, "Authorization" of each method), as a custom role in the form of `gcloud iam roles create --file`.
 *
 * A custom role cannot limit which roles its holder grants, so an administrator with this role can reach every permission
 * of the project.
 */
function adminRole({ prefix, keyStorage }: GcpCluster, { workloads }: Identity): ValueMap {
  const ofWorkloads = workloads === undefined ? [] : policy.map((verb) => `storage.buckets.${verb}`);
  const permissions = [...new Set([...always, ...ofKeyStorage[keyStorage], ...ofWorkloads])];
  return {
    title: `Cluster identity ${prefix}`.slice(0, maxTitle),
    description: `Permissions to apply the cloud credentials of the cluster ${prefix}`,
    stage: "GA",
    includedPermissions: permissions.sort(),
  };
}

/** IAM v1 reference, projects.roles: the maximum number of bytes in a role's title. */
const maxTitle = 100;

const policy = ["getIamPolicy", "setIamPolicy"];

const always = [
  ...[poolKind, providerKind, accountKind, roleKind].flatMap(permissionsOf),
  ...policy.map((verb) => `${accountKind.permission}.${verb}`),
  ...["get", ...policy].map((verb) => `resourcemanager.projects.${verb}`),
  "serviceusage.services.list",
];

/** To delete a bucket. With the keys in the pool, the bucket is deleted that the issuer had before. */
const ofFormerBucket = [
  "storage.buckets.delete",
  "storage.buckets.get",
  "storage.buckets.getIamPolicy",
  "storage.multipartUploads.list",
  "storage.objects.delete",
  "storage.objects.list",
];

const ofBucket = [
  ...ofFormerBucket,
  "storage.buckets.create",
  "storage.buckets.setIamPolicy",
  "storage.buckets.update",
  "storage.objects.create",
  "storage.objects.get",
];

const ofKeyStorage = { Bucket: ofBucket, PoolJWKFile: ofFormerBucket, External: [] };
