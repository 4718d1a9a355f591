import { clusterMark } from "../../../core/owner-mark.ts";
import type { GcpCluster } from "./cluster.ts";

/*
 * Resource names of the IAM API (IAM v1 reference: projects.locations.workloadIdentityPools, projects.serviceAccounts,
 * projects.roles; "Principal identifiers" for principals).
 */

type Pool = Pick<GcpCluster, "projectNumber" | "poolId">;

/** The name of the cluster's workload identity pool. Google Cloud identifies it by the project's number. */
export function poolName({ projectNumber, poolId }: Pool): string {
  return `projects/${projectNumber}/locations/global/workloadIdentityPools/${poolId}`;
}

const poolForm = "projects/(\\d+)/locations/global/workloadIdentityPools/([^/]+)";
const providerForm = new RegExp(`^${poolForm}/providers/([^/]+)$`);

/** Reads the name of a provider; undefined if the text is something else. */
export function readProviderName(text: string): (Pool & Pick<GcpCluster, "providerId">) | undefined {
  const [, projectNumber, poolId, providerId] = providerForm.exec(text) ?? [];
  return projectNumber === undefined || poolId === undefined || providerId === undefined
    ? undefined
    : { projectNumber, poolId, providerId };
}

/** The name of the cluster's provider in its pool. */
export function providerName(cluster: Pool & Pick<GcpCluster, "providerId">): string {
  return `${poolName(cluster)}/providers/${cluster.providerId}`;
}

/**
 * A name as an audience and a principal contain it: the host is `iam.googleapis.com` in every universe
 * (cloud-credential-operator, ccoctl gcp).
 */
const iamHost = "iam.googleapis.com";

/** The audience of a token exchange: the full resource name of the provider. */
export function exchangeAudience(cluster: Pool & Pick<GcpCluster, "providerId">): string {
  return `//${iamHost}/${providerName(cluster)}`;
}

/** The full name of a bucket of Cloud Storage (Google Cloud documentation, "Full resource names"). */
export function bucketResource(bucket: string): string {
  return `//storage.googleapis.com/projects/_/buckets/${bucket}`;
}

/** The principal of a Kubernetes service account, in an IAM policy. */
export function principalOf(pool: Pool, subject: string): string {
  return `principal://${iamHost}/${poolName(pool)}/subject/${subject}`;
}

const principalForm = new RegExp(`^principal://iam\\.googleapis\\.com/${poolForm}/subject/(.+)$`, "s");

/** Reads the principal of a subject in a pool; undefined if the text is something else. */
export function readPrincipal(text: string): (Pool & { readonly subject: string }) | undefined {
  const [, projectNumber, poolId, subject] = principalForm.exec(text) ?? [];
  return projectNumber === undefined || poolId === undefined || subject === undefined
    ? undefined
    : { projectNumber, poolId, subject };
}

/**
 * The email address of a service account. In a project of a domain, `example.com:my-project`, the project's ID comes
 * before the domain.
 */
export function accountEmail({ projectId }: Pick<GcpCluster, "projectId">, accountId: string): string {
  const [domain = "", id] = projectId.split(":");
  const project = id === undefined ? projectId : `${id}.${domain}`;
  return `${accountId}@${project}.iam.gserviceaccount.com`;
}

/** The name of a service account. */
export function accountName({ projectId }: Pick<GcpCluster, "projectId">, email: string): string {
  return `projects/${projectId}/serviceAccounts/${email}`;
}

/** The project in the name of a service account; undefined if the text is something else. */
export function projectOfAccount(name: string): string | undefined {
  return /^projects\/([^/]+)\/serviceAccounts\//.exec(name)?.[1];
}

/** The name of a custom role of the project. */
export function customRoleName({ projectId }: Pick<GcpCluster, "projectId">, roleId: string): string {
  return `projects/${projectId}/roles/${roleId}`;
}

/** The description that marks pools, providers, service accounts and roles as those of a prefix. */
export function ownerDescription(prefix: string, mark: string = clusterMark): string {
  return `Owned by: ${prefix}${mark === clusterMark ? "" : `, ${mark}`}`;
}

/** The resource prefix in such a description; undefined if it is another. */
export function prefixOfDescription(text: string): string | undefined {
  const start = ownerDescription("");
  return text.startsWith(start) ? text.slice(start.length).split(", ", 1)[0] : undefined;
}

/** The key of the label that marks the bucket of a prefix. */
export const ownerLabel = "openshift-cloud-credential-operator";

/**
 * Says what is wrong with a bucket's name, as a predicate to put after the name; undefined if the name is valid. The rules
 * are those of "Bucket naming guidelines" (Cloud Storage), without dots: a name with dots requires a verified domain.
 */
export function bucketNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9][a-z0-9_-]*[a-z0-9]$/.test(name)) {
    return "must contain only lowercase letters, digits, '-' and '_', and start and end with a letter or digit";
  }
  if (name.startsWith("goog")) return 'must not start with "goog"';
  return name.includes("google") ? 'must not contain "google"' : undefined;
}

/** The role with which everyone reads the documents in the bucket of an issuer, and cannot list them. */
export const publicRole = "roles/storage.legacyObjectReader";
