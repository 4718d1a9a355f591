import { isUuid } from "../../../core/hash.ts";
import { generatedBy, isMap, listAt, type Resource, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Published } from "../../cloud.ts";
import {
  bundleAt,
  bundleNames,
  bundleOf,
  clusterFile,
  issuerKeyIds,
  jsonIn,
  nameBefore,
  type RenderedBundle,
  type RenderedFacts,
  valueAmong,
  valueIn,
} from "../../rendered.ts";
import { prefixOfTagKey, readIdentityUrl } from "../cluster/resource-names.ts";

/** The facts about a cluster on Azure. The account is the ID of its subscription. */
export interface AzureFacts extends RenderedFacts {
  readonly tenantId: string | undefined;
  readonly environment: string | undefined;
  /** The environment, as the Azure CLI names it: `AzureCloud`. */
  readonly cliCloud: string | undefined;
  readonly oidcResourceGroup: string | undefined;
  /** The resource group that the installer fills. */
  readonly installResourceGroup: string | undefined;
  /** The region of the managed identities. */
  readonly identityRegion: string | undefined;
  /** The URL of the issuer. */
  readonly issuer: string | undefined;
  readonly previousIssuers: readonly string[];
}

/** The names of the files in a bundle that other modules read. */
export const managedIdentityFile = "managed-identity.json";
export const credentialFile = /^federated-credential-.+\.json$/;
export const discoveryFile = "openid-configuration";
export const keysFile = "keys.json";

/** The bundles of a package for Azure. */
export const azureBundles = bundleNames("azure", "identities", "azure-identity-");

/** Tells whether a bundle is a managed identity's, even if some of its files are missing or broken. */
export function isIdentityBundle({ files }: RenderedBundle): boolean {
  return files.has(managedIdentityFile) || [...files.keys()].some((name) => credentialFile.test(name));
}

/** Reads the facts about a cluster. */
export function readFacts(bundles: readonly RenderedBundle[]): AzureFacts {
  const facts = valueAmong(bundles, clusterFile);
  const fact = (field: string) => textAt(facts, [field]) || undefined;
  const identity = valueIn(bundles.find(isIdentityBundle), managedIdentityFile);
  const { subscriptionId, resourceGroup } = readIdentityUrl(textAt(identity, ["url"])) ?? {};
  return {
    account: fact("subscriptionID") ?? subscriptionId,
    region: fact("region"),
    resourcePrefix: fact("resourcePrefix") ?? prefixOfTags(valueAt(identity, ["body", "tags"])),
    tenantId: fact("tenantID"),
    environment: fact("cloud"),
    cliCloud: fact("cliCloud"),
    oidcResourceGroup: fact("oidcResourceGroup") ?? resourceGroup,
    installResourceGroup: fact("installResourceGroup"),
    identityRegion: textAt(identity, ["body", "location"]) || undefined,
    issuer: fact("issuer"),
    previousIssuers: listAt(facts, ["previousIssuers"]).filter((text) => typeof text === "string"),
  };
}

/** The facts about the cluster that a package was rendered for, and the name that its ClusterIdentity had then. */
export function factsBefore(items: readonly Resource[]): AzureFacts & { readonly name: string | undefined } {
  const bundles = [azureBundles.cluster, azureBundles.identities].flatMap((path) => bundleAt(items, path) ?? []);
  const facts = readFacts(bundles);
  return { ...facts, tenantId: facts.tenantId ?? tenantInSecrets(items), name: nameBefore(bundles) };
}

/** What a package publishes: the issuer in its discovery document, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const bundle = bundleAt(items, azureBundles.issuer);
  const url = textAt(valueIn(bundle, discoveryFile), ["issuer"]) || undefined;
  return { url, keyIds: issuerKeyIds({ keys: jsonIn(bundle, keysFile) }) };
}

/** The name of the managed identity in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  return readIdentityUrl(textAt(valueIn(bundleOf(bundle), managedIdentityFile), ["url"]))?.name ?? "";
}

function prefixOfTags(tags: Value | undefined): string | undefined {
  return Object.keys(isMap(tags) ? tags : {})
    .map(prefixOfTagKey)
    .find((prefix) => prefix !== undefined);
}

// Every Secret for Azure names the tenant.
function tenantInSecrets(items: readonly Resource[]): string | undefined {
  const secrets = items.filter(({ kind, annotations }) => kind === "Secret" && annotations.has(generatedBy));
  for (const secret of secrets) {
    const encoded = textAt(secret.value(), ["data", "azure_tenant_id"]);
    const text = textAt(secret.value(), ["stringData", "azure_tenant_id"]) || Buffer.from(encoded, "base64").toString();
    if (isUuid(text)) return text;
  }
  return undefined;
}

/** The path of the Secret with which the cloud-credential-operator deploys the webhook. */
export const webhookSecretPath = "manifests/azure-ad-pod-identity-webhook-config.yaml";
