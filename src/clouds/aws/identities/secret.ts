import type { V1Secret } from "@kubernetes/client-node";
import { type GeneratedObject, refOf } from "../../../core/resource.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "./role.ts";

/** Where Secrets are written; the installer takes every manifest of that directory. */
export const secretPath = /^manifests\/[^/]+-credentials\.yaml$/;

/**
 * The Secret of a request: an AWS config file, with which the AWS SDKs exchange the component's token for its role
 * (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). The text is the one that ccoctl writes.
 */
export function credentialsSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  const { secretNamespace: namespace, secretName: name, resource } = role.request;
  const credentials = credentialsText(cluster, role);
  const content =
    cluster.secretEncoding === "data"
      ? { data: { credentials: Buffer.from(credentials, "utf8").toString("base64") } }
      : { stringData: { credentials } };
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    ...content,
  } satisfies V1Secret;
  return {
    path: `manifests/${namespace}-${name}-credentials.yaml`,
    object,
    origin: refOf(resource),
  };
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
