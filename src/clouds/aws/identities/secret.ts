import type { GeneratedObject } from "../../../core/resource.ts";
import { secretOf } from "../../secret.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "./role.ts";

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
