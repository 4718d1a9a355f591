import { createHash } from "node:crypto";

/** The evaluated attributes of a resource. */
// biome-ignore lint/suspicious/noExplicitAny: every resource has its own attributes
export type Attributes = Readonly<Record<string, any>>;

/** The form of the ID by which each provider imports a resource, from the documentation of the provider. */
const ids: Readonly<Record<string, (of: Attributes, account: Account) => string>> = {
  aws_s3_bucket: ({ bucket, region }) => `${bucket}@${region}`,
  aws_s3_bucket_public_access_block: ({ bucket, region }) => `${bucket}@${region}`,
  aws_s3_bucket_policy: ({ bucket, region }) => `${bucket}@${region}`,
  aws_s3_object: ({ bucket, key, region }) => `${bucket}/${key}@${region}`,
  aws_iam_openid_connect_provider: ({ url }, { id, partition }) =>
    `arn:${partition}:iam::${id}:oidc-provider/${url.replace("https://", "")}`,
  aws_iam_role: ({ name }) => name,
  aws_iam_role_policy: ({ role, name }) => `${role}:${name}`,
  aws_iam_role_policy_attachment: ({ role, policy_arn }) => `${role}/${policy_arn}`,
  aws_cloudfront_distribution: ({ comment }) => `E${digest(comment).slice(0, 13).toUpperCase()}`,
  aws_cloudfront_origin_access_control: ({ name }) => `E${digest(name).slice(0, 13).toUpperCase()}`,
  azurerm_resource_group: ({ name }, { id }) => `/subscriptions/${id}/resourceGroups/${name}`,
  azurerm_storage_account: ({ name, resource_group_name }, { id }) =>
    `/subscriptions/${id}/resourceGroups/${resource_group_name}/providers/Microsoft.Storage/storageAccounts/${name}`,
  azurerm_storage_container: ({ name, storage_account_id }) =>
    `${storage_account_id}/blobServices/default/containers/${name}`,
  azurerm_storage_blob: ({ name, storage_account_name, storage_container_name }, { blobDomain }) =>
    `https://${storage_account_name}.${blobDomain}/${storage_container_name}/${name}`,
  azurerm_user_assigned_identity: ({ name, resource_group_name }, { id }) =>
    `/subscriptions/${id}/resourceGroups/${resource_group_name}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
  azurerm_federated_identity_credential: ({ name, parent_id }) => `${parent_id}/federatedIdentityCredentials/${name}`,
  azurerm_role_definition: ({ role_definition_id, scope }) =>
    `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role_definition_id}|${scope}`,
  azurerm_role_assignment: ({ name, scope }) => `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
  google_iam_workload_identity_pool: ({ project, workload_identity_pool_id }) =>
    `projects/${project}/locations/global/workloadIdentityPools/${workload_identity_pool_id}`,
  google_iam_workload_identity_pool_provider: (of) =>
    `projects/${of["project"]}/locations/global/workloadIdentityPools/${of["workload_identity_pool_id"]}/providers/${of["workload_identity_pool_provider_id"]}`,
  google_service_account: ({ project, account_id }) =>
    `projects/${project}/serviceAccounts/${emailOf(account_id, project)}`,
  google_project_iam_custom_role: ({ project, role_id }) => `projects/${project}/roles/${role_id}`,
  google_project_iam_member: ({ project, role, member }) => `${project} ${role} ${member}`,
  google_service_account_iam_member: ({ service_account_id, role, member }) =>
    `${service_account_id} ${role} ${member}`,
  google_storage_bucket: ({ project, name }) => `${project}/${name}`,
  google_storage_bucket_iam_member: ({ bucket, role, member }) => `b/${bucket} ${role} ${member}`,
  google_storage_bucket_object: ({ bucket, name }) => `${bucket}-${name}`,
};

/** The account of the credentials that the stand-in for a provider has. */
export interface Account {
  /** The account, the subscription, or the number of the project. */
  readonly id: string;
  /** The ID of the project with that number. */
  readonly project?: string;
  readonly partition?: string;
  readonly tenant?: string;
  readonly blobDomain?: string;
}

export function idOf(type: string, attributes: Attributes, account: Account): string {
  const id = ids[type]?.(attributes, account);
  if (id === undefined) throw new Error(`no ID for ${type}`);
  return id;
}

/** What a cloud assigns to a resource: always the same for the same resource. */
export function assigned(type: string, attributes: Attributes, attribute: string, account: Account): string {
  const id = idOf(type, attributes, account);
  if (attribute === "id") return id;
  if (attribute === "email") return emailOf(attributes["account_id"], attributes["project"]);
  const hash = digest(`${attribute} of ${id}`);
  if (/^(?:client|principal)_id$/.test(attribute))
    return [
      hash.slice(0, 8),
      hash.slice(8, 12),
      `4${hash.slice(13, 16)}`,
      `8${hash.slice(17, 20)}`,
      hash.slice(20, 32),
    ].join("-");
  return attribute === "domain_name" ? `d${hash.slice(0, 13)}.cloudfront.net` : hash;
}

function emailOf(account: string, project: string): string {
  return `${account}@${project.split(":").reverse().join(".")}.iam.gserviceaccount.com`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
