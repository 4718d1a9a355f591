import type { Any } from "./cluster.ts";
import type { CloudName } from "./workload-package.ts";

/*
 * The webhooks that the cloud-credential-operator deploys, and what each of them does to a pod that is created. They are written
 * down here from their sources; no code of the project reads this.
 */

/** A webhook, as its source has it. */
export interface Webhook {
  /** Where it is, and where the operator says how it is started. */
  readonly sources: readonly string[];
  /** The annotations that it reads from a ServiceAccount. */
  readonly annotations: readonly string[];
  /** The annotations without which a pod gets nothing. */
  readonly required: readonly string[];
  /** The label of the pod without which it is not called. */
  readonly label?: readonly [name: string, value: string];
  /** The audience of the token, if no annotation has another. */
  readonly audience: string;
  /** The annotation with another audience; missing if there is none. */
  readonly audienceAnnotation?: string;
  /** Of the token, in seconds. */
  readonly expiration: { readonly usual: number; readonly least: number };
  readonly tokenFile: string;
  /** The variables of the containers. @param given the annotations. */
  variables(given: Any, tokenFile: string): Readonly<Record<string, string>>;
}

export const webhooks: Readonly<Record<CloudName, Webhook>> = {
  aws: {
    sources: [
      "openshift/cloud-credential-operator@b187feee bindata/v4.1.0/aws-pod-identity-webhook/deployment.yaml",
      "openshift/aws-pod-identity-webhook@3e5b2ce4 pkg/handler/handler.go, pkg/annotations.go, pkg/constants.go",
    ],
    annotations: [
      "eks.amazonaws.com/audience",
      "eks.amazonaws.com/role-arn",
      "eks.amazonaws.com/sts-regional-endpoints",
      "eks.amazonaws.com/token-expiration",
    ],
    required: ["eks.amazonaws.com/role-arn"],
    audience: "sts.amazonaws.com",
    audienceAnnotation: "eks.amazonaws.com/audience",
    expiration: { usual: 86_400, least: 600 },
    tokenFile: "/var/run/secrets/eks.amazonaws.com/serviceaccount/token",
    variables: (given, tokenFile) => ({
      AWS_ROLE_ARN: given["eks.amazonaws.com/role-arn"],
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      ...(given["eks.amazonaws.com/sts-regional-endpoints"] === "true"
        ? { AWS_STS_REGIONAL_ENDPOINTS: "regional" }
        : {}),
    }),
  },
  gcp: {
    sources: [
      "openshift/cloud-credential-operator@4bc16458 bindata/v4.1.0/gcp-pod-identity-webhook/deployment.yaml",
      "pfnet-research/gcp-workload-identity-federation-webhook@06d4e548 webhooks/constants.go, @0532f097 webhooks/annotations.go",
      "openshift/gcp-workload-identity-federation-webhook, a fork, for the annotation injection-mode",
    ],
    annotations: [
      "cloud.google.com/audience",
      "cloud.google.com/gcloud-run-as-user",
      "cloud.google.com/injection-mode",
      "cloud.google.com/service-account-email",
      "cloud.google.com/token-expiration",
      "cloud.google.com/workload-identity-provider",
    ],
    required: ["cloud.google.com/service-account-email", "cloud.google.com/workload-identity-provider"],
    audience: "sts.googleapis.com",
    audienceAnnotation: "cloud.google.com/audience",
    expiration: { usual: 86_400, least: 3600 },
    tokenFile: "/var/run/secrets/sts.googleapis.com/serviceaccount/token",
    // In the mode "direct", the file is one of the pod's own annotations.
    variables: (given) =>
      given["cloud.google.com/injection-mode"] === "direct"
        ? { GOOGLE_APPLICATION_CREDENTIALS: "/var/run/secrets/workload-identity/federation.json" }
        : { GOOGLE_APPLICATION_CREDENTIALS: "/var/run/secrets/gcloud/config/federation.json" },
  },
  azure: {
    sources: [
      "openshift/azure-workload-identity@4d75d946 pkg/webhook/webhook.go",
      "openshift/cloud-credential-operator@fed7cf40 bindata/v4.1.0/azure-pod-identity-webhook/mutatingwebhook.yaml",
    ],
    annotations: [
      "azure.workload.identity/client-id",
      "azure.workload.identity/service-account-token-expiration",
      "azure.workload.identity/tenant-id",
    ],
    required: ["azure.workload.identity/client-id"],
    label: ["azure.workload.identity/use", "true"],
    audience: "api://AzureADTokenExchange",
    expiration: { usual: 3600, least: 3600 },
    tokenFile: "/var/run/secrets/azure/tokens/azure-identity-token",
    variables: (given, tokenFile) => ({
      AZURE_CLIENT_ID: given["azure.workload.identity/client-id"],
      AZURE_TENANT_ID: given["azure.workload.identity/tenant-id"],
      AZURE_FEDERATED_TOKEN_FILE: tokenFile,
      AZURE_AUTHORITY_HOST: "https://login.microsoftonline.com/",
    }),
  },
};

/** What a pod gets when it is created: variables, and a token with an audience. Undefined if the webhook leaves it as it is. */
export function mutated(
  webhook: Webhook,
  account: Any,
  labels: Any = {},
): { readonly variables: Readonly<Record<string, string>>; readonly audience: string } | undefined {
  const given = account.metadata.annotations ?? {};
  const { label, required, audience, audienceAnnotation = "", tokenFile } = webhook;
  if (label !== undefined && labels[label[0]] !== label[1]) return undefined;
  if (required.some((name) => given[name] === undefined)) return undefined;
  return { variables: webhook.variables(given, tokenFile), audience: given[audienceAnnotation] ?? audience };
}
