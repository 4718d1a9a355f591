import type { Asked } from "../../inspector.ts";
import type { RenderedCluster } from "../../rendered.ts";
import { factsOf } from "./managed-identity.ts";

const uuidForm = /^[0-9a-f-]{36}$/i;
const tenantForm = /^(?:[0-9a-f-]{36}|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** The environment that the Azure CLI uses unless told otherwise. */
const defaultCloud = "AzureCloud";

/**
 * The Azure CLI logs in with the token. It gets a new directory for its settings, so the user's login and its cached tokens
 * are neither used nor changed; the directory is removed.
 */
export function loginCommand({ identity, cluster }: Asked, tokenFile: string, word: (text: string) => string): string {
  const { sent, actual } = factsOf(identity) ?? {};
  // Anything can be in a Secret, so only an ID, or the domain of a tenant, is shown.
  const shown = (text: string | undefined, form: RegExp, instead: string) =>
    text !== undefined && form.test(text) ? text : instead;
  const client = shown(sent?.clientId ?? actual?.clientId, uuidForm, "CLIENT_ID");
  const tenant = shown(sent?.tenantId ?? actual?.tenantId, tenantForm, "TENANT_ID");
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
