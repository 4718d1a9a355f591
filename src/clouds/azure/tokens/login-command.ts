import type { Asked } from "../../inspector.ts";
import type { RenderedCluster } from "../../rendered.ts";
import { factsOf } from "./managed-identity.ts";

/** The environment that the Azure CLI uses unless told otherwise. */
const defaultCloud = "AzureCloud";

/**
 * The Azure CLI logs in with the token. It gets a new directory for its settings, so the user's login and its cached tokens
 * are neither used nor changed; the directory is removed.
 */
export function loginCommand({ identity, cluster }: Asked, tokenFile: string, word: (text: string) => string): string {
  const { sent, actual } = factsOf(identity) ?? {};
  const client = sent?.clientId ?? actual?.clientId ?? "CLIENT_ID";
  const tenant = sent?.tenantId ?? actual?.tenantId ?? "TENANT_ID";
  const cloud = cliCloudOf(cluster);
  const steps = [
    "AZURE_CONFIG_DIR=$(mktemp -d)",
    "export AZURE_CONFIG_DIR",
    `trap 'rm -rf "$AZURE_CONFIG_DIR"' EXIT`,
    ...(cloud === defaultCloud ? [] : [`az cloud set --name ${word(cloud)}`]),
    `az login --service-principal -u ${word(client)} -t ${word(tenant)} --allow-no-subscriptions --federated-token "$(cat ${word(tokenFile)})" --output none`,
    "echo accepted",
  ];
  return `(${steps.join(" && ")})`;
}

function cliCloudOf(cluster: RenderedCluster | undefined): string {
  const cloud = cluster !== undefined && "cliCloud" in cluster ? cluster.cliCloud : undefined;
  return typeof cloud === "string" ? cloud : defaultCloud;
}
