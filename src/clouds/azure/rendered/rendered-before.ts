import { generatedBy, isMap, listAt, type Resource, textAt, valueAt } from "../../../core/resource.ts";
import { isUuid } from "../../../core/uuid.ts";
import type { Published } from "../../cloud.ts";
import { clusterFile } from "../../rendered.ts";
import { bundleAt, identityNameOf, jsonOf } from "../../rendered-files.ts";
import { clusterBundlePath, identityBundlePath, issuerBundlePath } from "./bundle-paths.ts";

/*
 * Reads what a package says about its last rendering, to tell the user what changes and to refuse what cannot change.
 * No output depends on it. A file that no longer has the form in which it was written is ignored.
 */

/** The facts that Secrets and resource IDs depend on, as far as the package still contains them. */
export type FactsBefore = Readonly<
  Partial<
    Record<"subscriptionID" | "tenantID" | "environment" | "oidcResourceGroup" | "region" | "identityRegion", string>
  >
>;

const ownerTag = "openshift.io_cloud-credential-operator_";

/** The resource prefix that a package was rendered with; undefined if it was not rendered. */
export function prefixBefore(items: readonly Resource[]): string | undefined {
  const tags = valueAt(managedIdentityBefore(items), ["body", "tags"]);
  const owner = Object.keys(isMap(tags) ? tags : {}).find((key) => key.startsWith(ownerTag));
  return factOf(items)("resourcePrefix") ?? owner?.slice(ownerTag.length);
}

/** The name that the ClusterIdentity had when the package was rendered; undefined if it was not rendered. */
export function nameBefore(items: readonly Resource[]): string | undefined {
  return identityNameOf(bundleAt(items, clusterBundlePath) ?? bundleAt(items, identityBundlePath));
}

/** The subscription, tenant, environment, resource group and regions that a package was rendered for. */
export function factsBefore(items: readonly Resource[]): FactsBefore {
  const fact = factOf(items);
  const [, subscriptionID, oidcResourceGroup] =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\//.exec(textAt(managedIdentityBefore(items), ["url"])) ?? [];
  const facts = {
    subscriptionID: fact("subscriptionID") ?? subscriptionID,
    tenantID: fact("tenantID") ?? tenantBefore(items),
    environment: fact("cloud"),
    oidcResourceGroup: fact("oidcResourceGroup") ?? oidcResourceGroup,
    region: fact("region"),
    identityRegion: textAt(managedIdentityBefore(items), ["body", "location"]) || undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
}

/** What a package publishes: the issuer in its discovery document, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const file = jsonOf(bundleAt(items, issuerBundlePath));
  const keyIds = listAt(file("keys.json"), ["keys"]).map((key) => textAt(key, ["kid"]));
  return {
    url: textAt(file("openid-configuration"), ["issuer"]) || undefined,
    keyIds: keyIds.filter((kid) => kid !== ""),
  };
}

/** The name of the managed identity in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  const url = textAt(jsonOf(bundle)("managed-identity.json"), ["url"]);
  return /\/userAssignedIdentities\/([^/?]+)/.exec(url)?.[1] ?? "";
}

function factOf(items: readonly Resource[]): (field: string) => string | undefined {
  const facts = jsonOf(bundleAt(items, clusterBundlePath))(clusterFile);
  return (field) => textAt(facts, [field]) || undefined;
}

// A package whose issuer is managed elsewhere may have no cluster bundle.
function managedIdentityBefore(items: readonly Resource[]) {
  return jsonOf(bundleAt(items, identityBundlePath))("managed-identity.json");
}

// Every Secret for Azure names the tenant.
function tenantBefore(items: readonly Resource[]): string | undefined {
  const secrets = items.filter(({ kind, annotations }) => kind === "Secret" && annotations.has(generatedBy));
  for (const secret of secrets) {
    const encoded = textAt(secret.value(), ["data", "azure_tenant_id"]);
    const text = textAt(secret.value(), ["stringData", "azure_tenant_id"]) || Buffer.from(encoded, "base64").toString();
    if (isUuid(text)) return text;
  }
  return undefined;
}
