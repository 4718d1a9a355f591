import { bundle, jsonFiles } from "../../../core/bundle.ts";
import { type Files, type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { shortHash } from "../../../core/sha256.ts";
import { identityFile } from "../../rendered.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "./role.ts";

/** Where roles are carried; a file for each. */
export const roleBundlePath = /^aws\/roles\/[^/]+\.yaml$/;

/** What names a role's files in a package, and their directory in an export. */
export function roleStem(secretNamespace: string, secretName: string): string {
  return `${secretNamespace}-${secretName}`;
}

/** The same of a Secret's key, `<namespace>/<name>`. */
export function roleStemOf(secretKey: string): string {
  const [namespace = "", name = ""] = secretKey.split("/");
  return roleStem(namespace, name);
}

/** The bundle of a role: the AWS CLI's input files for it, and its policies as people read them. */
export function roleBundle(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  const { secretNamespace, secretName, resource } = role.request;
  const stem = roleStem(secretNamespace, secretName);
  return bundle(`aws/roles/${stem}.yaml`, `aws-role-${stem}`, roleFiles(cluster, role), refOf(resource));
}

// Names and fields are those of the IAM API: `aws iam create-role --cli-input-json file://create-role.json`, and so on.
function roleFiles(cluster: AwsCluster, role: AwsRole): Files {
  const { name: RoleName, trust, permissions, trustText, permissionsText } = role;
  const { secretNamespace, secretName } = role.request;
  const files: Record<string, ValueMap> = {
    [identityFile]: { secret: `${secretNamespace}/${secretName}` },
    "trust-policy.json": trust,
    "permissions-policy.json": permissions,
    "create-role.json": {
      Path: cluster.rolePath,
      RoleName,
      AssumeRolePolicyDocument: trustText,
      Description: role.description,
      MaxSessionDuration: cluster.maxSessionDuration,
      ...(cluster.permissionsBoundaryArn === undefined ? {} : { PermissionsBoundary: cluster.permissionsBoundaryArn }),
      Tags: cluster.tags,
    },
    "update-role.json": { RoleName, Description: role.description, MaxSessionDuration: cluster.maxSessionDuration },
    "update-assume-role-policy.json": { RoleName, PolicyDocument: trustText },
    "put-role-policy.json": { RoleName, PolicyName: RoleName, PolicyDocument: permissionsText },
  };
  for (const PolicyArn of role.managedPolicyArns) files[attachmentName(PolicyArn)] = { RoleName, PolicyArn };
  return jsonFiles(files);
}

// The policy's name for people, without what a ConfigMap's key cannot hold, and a hash that tells apart an account's own
// policy and AWS's of the same name.
function attachmentName(policyArn: string): string {
  const name = policyArn.slice(policyArn.lastIndexOf("/") + 1).replace(/[^A-Za-z0-9_.-]/g, "_");
  return `attach-role-policy-${name}-${shortHash(policyArn)}.json`;
}
