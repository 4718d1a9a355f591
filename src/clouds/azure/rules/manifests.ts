import { ruleCode } from "../../../core/finding.ts";
import { generatedBy, isMap, type Resource, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { quoteSetting } from "../../../core/secret-texts.ts";
import { compareText, quote } from "../../../core/text.ts";
import { hintsAmong } from "../../../core/words.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { fieldOfText } from "../../../rules/cloud.ts";
import type { Facts, Rule } from "../../../rules/rule.ts";
import { clientIdKey } from "../cluster/client-ids.ts";
import { type AzureCluster, azureIdentity } from "../cluster/cluster.ts";
import { groupId } from "../cluster/resource-names.ts";
import { settingForms } from "../rendered/secret.ts";

export const clientSecret: Rule = {
  code: ruleCode("client-secret"),
  severity: "error",
  reads: "package",
  summary: "A Secret contains a long-lived credential of Azure: a client secret, or a client certificate.",
  why: "Anyone who has read a client secret can use it, from any machine, until it expires or is deleted. A client secret in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no secret to leak.",
  cure: "Treat the client secret as compromised: delete it in Microsoft Entra ID, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const key = clientSecretIn(secret.texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a client secret or certificate. Treat it as compromised: delete it in Microsoft Entra ID, and use short-term credentials.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

// The names in any spelling: as a key of a Secret, as an environment variable, in JSON, in a cloud provider's configuration.
const name = /(?:azure|aad|arm)?client(?:secret|certificate)(?:path|password|data)?(?![a-z])/;

/** The first key of a Secret that is, or whose text contains, a client secret or certificate. */
export function clientSecretIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((name) => isCredential(texts, name));
}

function isCredential(texts: ReadonlyMap<string, string>, key: string): boolean {
  const text = texts.get(key) ?? "";
  if (text === "") return false;
  const isNamed = (one: string) => name.test(one.toLowerCase().replace(/[-_]/g, ""));
  return isNamed(key) || /["']?(?:azure|aad|arm)?[-_]?client[-_]?secret["']?\s*[:=]\s*["']?[^\s"',]/i.test(text);
}

export const clientIdUnused: Rule = {
  code: ruleCode("client-id-unused"),
  severity: "warning",
  reads: "package",
  summary: "The ConfigMap with the client IDs contains one that neither a request nor a WorkloadIdentity needs.",
  why: "A key is `<secret namespace>_<secret name>`, or `<namespace>_<name>` of a WorkloadIdentity. If it is misspelled, the request has no client ID, and its Secret is not generated. If the component no longer exists, its managed identity may still exist in Azure.",
  cure: "Correct the key, or remove it. `ccf set-identities` writes the ConfigMap. `ccf apply --prune` deletes managed identities that the package no longer contains.",
  check: (facts) => {
    if (facts.requests.length === 0) return [];
    const known = [...facts.requests.flatMap(({ secretKey }) => secretKey ?? []), ...facts.workloads].map(clientIdKey);
    const keys = new Set(known);
    const hint = hintsAmong(known);
    return clientIdsIn(facts).flatMap((resource) => {
      const data = valueAt(resource.value(), ["data"]);
      const unused = Object.keys(isMap(data) ? data : {}).filter((key) => !keys.has(key));
      return unused.sort(compareText).map((key) => {
        const message = `no request needs the client ID of ${quote(key)}${hint(key)}. Correct the key, or remove it.`;
        return { message, resource, field: `data.${key}` };
      });
    });
  },
};

function clientIdsIn({ items, identity }: Facts): readonly Resource[] {
  const given = identity?.platform.name === "azure" ? azureIdentity(identity).azure.identities : undefined;
  const name = given ?? defaults["spec.platform.azure.identities"];
  return items.filter((item) => item.kind === "ConfigMap" && item.name === name && !item.annotations.has(generatedBy));
}

export const secretOtherTenant: Rule = {
  code: ruleCode("secret-other-tenant"),
  severity: "error",
  reads: "package",
  summary: "A Secret names a different tenant or subscription from that in the ClusterIdentity.",
  why: "The component sends its token to the tenant in the Secret. Another tenant does not know the managed identity and refuses the token, or belongs to someone else, who then learns it. In another subscription, the managed identity has no roles.",
  cure: "Find out who edited the Secret, and render again.",
  check: ({ filedSecrets, identity }) => {
    if (identity?.platform.name !== "azure") return [];
    const { tenantID, subscriptionID } = azureIdentity(identity).azure;
    const own = [
      ["azure_tenant_id", tenantID],
      ["azure_subscription_id", subscriptionID],
    ] as const;
    return filedSecrets.flatMap((secret) => {
      const wrong = own.find(([key, must]) => (secret.texts.get(key) ?? must).toLowerCase() !== must.toLowerCase());
      if (wrong === undefined) return [];
      const [key, must] = wrong;
      const field = fieldOfText(secret, key);
      const message = `"${field}" is ${quoteSetting(settingForms, key, secret.texts.get(key) ?? "")}, but the ClusterIdentity has ${quote(must)}; render again.`;
      return [{ message, resource: secret.resource, field }];
    });
  },
};

export const webhookSecretMissing: Rule = {
  code: ruleCode("webhook-secret-missing"),
  severity: "error",
  reads: "package",
  summary: "The package has an issuer, but not the Secret with which the cluster deploys the webhook for tokens.",
  why: "The cloud-credential-operator deploys the Azure workload identity webhook only if the Secret `openshift-cloud-credential-operator/azure-credentials` contains the tenant. Without the webhook, pods that rely on it get no token.",
  cure: "Render again; `generate-oidc-issuer` generates the Secret.",
  check: ({ secrets, items, documentIssuer }) => {
    if (documentIssuer === undefined) return [];
    const isThere = secrets.some(
      ({ key, texts }) => key === webhookSecret && (texts.get("azure_tenant_id") ?? "") !== "",
    );
    const [issuer] = items.filter(({ kind, name }) => kind === "ConfigMap" && name === "azure-issuer");
    if (isThere || issuer === undefined) return [];
    const message = `the package has no Secret "${webhookSecret}" with "azure_tenant_id", so the cluster does not deploy the webhook that gives pods their tokens; render again.`;
    return [{ message, resource: issuer }];
  },
};

const webhookSecret = "openshift-cloud-credential-operator/azure-credentials";

export const liveAzureCredentials: Rule = {
  code: ruleCode("live-azure-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the installer's service principal, `kube-system/azure-credentials`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the subscription.",
  cure: "When every component uses its own managed identity, delete the Secret in the cluster and the client secret in Microsoft Entra ID.",
  check: ({ liveSecrets, cloud: { rootSecret } }) =>
    liveSecrets
      .filter(({ key }) => key === rootSecret)
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the installer's client secret; delete the Secret in the cluster and the client secret in Microsoft Entra ID.";
        return { message, resource };
      }),
};

export const installConfigAzure: Rule = {
  code: ruleCode("install-config-azure"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different region, cloud, or resource group from those in the ClusterIdentity.",
  why: "The roles of the managed identities apply to the resource groups in the ClusterIdentity. If the installer uses another group, including for the DNS zone or the network, the components have no permissions there. An install-config without `resourceGroupName` makes the installer create a group with a random name. The region and the cloud are in the Secrets and in the issuer's URL.",
  cure: "Set the field in the install-config, or correct `spec.platform.azure` and render again.",
  check: ({ installConfig, cluster }) => {
    if (installConfig === undefined || cluster === undefined) return [];
    const value = installConfig.value();
    if (textAt(value, ["platform", "azure", "region"]) === "") return [];
    return compared(value, cluster as AzureCluster).flatMap(({ field, is, must }) => {
      if (is === must || is.toLowerCase() === must?.toLowerCase()) return [];
      const said = is === "" ? "is not set" : `is ${quote(is)}`;
      const own = must === undefined ? "the package names none" : `the package is for ${quote(must)}`;
      const message = `"platform.azure.${field}" ${said}, but ${own}; correct the install-config, or "spec.platform.azure" and render again.`;
      return [{ message, resource: installConfig, field: `platform.azure.${field}` }];
    });
  },
};

interface Compared {
  readonly field: string;
  readonly is: string;
  /** Undefined if the package has no such value. */
  readonly must: string | undefined;
}

// A group that the install-config does not name is not used, except the cluster's own.
function compared(value: Value, cluster: AzureCluster): Compared[] {
  const at = (field: string) => textAt(value, ["platform", "azure", field]);
  const group = (field: string, own: string | undefined): Compared[] => {
    const is = at(field);
    const isSame = own?.toLowerCase() === groupId(cluster, is).toLowerCase();
    return is === "" || isSame ? [] : [{ field, is, must: own?.split("/").at(-1) }];
  };
  return [
    { field: "region", is: at("region"), must: cluster.region },
    { field: "cloudName", is: at("cloudName") || "AzurePublicCloud", must: cluster.environment },
    { field: "resourceGroupName", is: at("resourceGroupName"), must: cluster.installResourceGroup },
    ...group("baseDomainResourceGroupName", cluster.dnsZoneGroupId),
    ...group("networkResourceGroupName", cluster.networkGroupId),
  ];
}
