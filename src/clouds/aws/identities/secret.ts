import type { GeneratedObject } from "../../../core/resource.ts";
import { secretOf } from "../../secret.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "./role.ts";

/**
 * The Secret of a request: an AWS config file, with which the AWS SDKs exchange the component's token for its role
 * (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). The text is the one that ccoctl writes.
 */
export function credentialsSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  return secretOf(role.request, { credentials: credentialsText(cluster, role) }, cluster.secretEncoding);
}

/**
 * The Secret of an operator's request, with the text that the cloud-credential-operator writes for it from 4.14 on, byte
 * for byte: without a region, also where the config adds that to the platform's, or the two would take turns.
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
