import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { shortHash } from "../../../core/hash.ts";
import { type Files, type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { identityFile } from "../../rendered.ts";
import { secretOf } from "../../secret.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import { identityBundleName, pathOfIdentity } from "../rendered/facts.ts";
import type { AwsRole } from "./identity.ts";

/**
 * The bundle of a role: which Secret it is for, its policies, and the AWS CLI's input files that create it, without the
 * policies: the CLI reads those from their own files. What changes a role follows from these, so only an export writes it.
 */
export function roleBundle(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  const { secretNamespace, secretName, resource } = role.request;
  const name = baseName(secretNamespace, secretName);
  return bundle(pathOfIdentity(name), `${identityBundleName}${name}`, roleFiles(cluster, role), refOf(resource));
}

// Names and fields are those of the IAM API: `aws iam create-role --cli-input-json file://create-role.json
// --assume-role-policy-document file://trust-policy.json`, and so on.
function roleFiles(cluster: AwsCluster, role: AwsRole): Files {
  const { name: RoleName, trust, permissions, request } = role;
  const files: Record<string, ValueMap> = {
    [identityFile]: { secret: `${request.secretNamespace}/${request.secretName}` },
    "trust-policy.json": trust,
    "permissions-policy.json": permissions,
    "create-role.json": {
      Path: cluster.rolePath,
      RoleName,
      Description: role.description,
      MaxSessionDuration: cluster.maxSessionDuration,
      ...(cluster.permissionsBoundaryArn === undefined ? {} : { PermissionsBoundary: cluster.permissionsBoundaryArn }),
      Tags: cluster.tags,
    },
    "put-role-policy.json": { RoleName, PolicyName: RoleName },
  };
  for (const PolicyArn of role.managedPolicyArns) files[attachmentName(PolicyArn)] = { RoleName, PolicyArn };
  return jsonFiles(files);
}

// The policy's name for readers, without the characters that a ConfigMap key cannot contain. The hash distinguishes a
// policy of the account from an AWS managed policy of the same name.
function attachmentName(policyArn: string): string {
  const name = policyArn.slice(policyArn.lastIndexOf("/") + 1).replace(/[^A-Za-z0-9_.-]/g, "_");
  return `attach-role-policy-${name}-${shortHash(policyArn)}.json`;
}

/**
 * The Secret of a request: an AWS config file, with which the AWS SDKs exchange the component's token for credentials of
 * its role (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). The content is the same as ccoctl's.
 */
export function credentialsSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  return secretOf(role.request, { credentials: credentialsText(cluster, role) }, cluster.secretEncoding);
}

/**
 * The Secret of an OLM operator's request, with the content that the cloud-credential-operator writes from 4.14 on, byte for
 * byte. It never contains a region, even if the config adds one to the platform's Secrets: otherwise this function and
 * the cloud-credential-operator would keep overwriting each other.
 */
export function operatorSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  return credentialsSecret({ ...cluster, includeRegion: false }, role);
}

function credentialsText(cluster: AwsCluster, { arn, request }: AwsRole): string {
  const region = cluster.includeRegion ? `\nregion = ${cluster.region}` : "";
  return `[default]
sts_regional_endpoints = regional
role_arn = ${arn}
web_identity_token_file = ${request.tokenPath ?? cluster.tokenPath}${region}`;
}
