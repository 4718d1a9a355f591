import { isUuid } from "../../../core/hash.ts";
import { generatedBy, isMap, type Resource, textAt, valueAt } from "../../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import type { Report } from "../../cloud.ts";
import { bundlesAt, identityFile, identityKey, valueIn } from "../../rendered.ts";
import { azureBundles } from "../rendered/facts.ts";
import type { AzureIdentity } from "./cluster.ts";

/** The name of the ConfigMap with the client IDs. */
export function clientIdsName({ azure }: AzureIdentity): string {
  return azure.identities ?? defaults["spec.platform.azure.identities"];
}

/** The annotations that say whose client IDs a ConfigMap contains, with their values for a cluster. */
export function clientIdsAnnotations({ azure, prefix }: AzureIdentity): Readonly<Record<string, string>> {
  return {
    "fn.cloudcredential.dev/azure-subscription": azure.subscriptionID.toLowerCase(),
    "fn.cloudcredential.dev/azure-tenant": azure.tenantID.toLowerCase(),
    "fn.cloudcredential.dev/resource-prefix": prefix,
  };
}

/** The key of a client ID in the ConfigMap. A namespace contains no underscore, so keys are unambiguous. */
export function clientIdKey(secretKey: string): string {
  return secretKey.replace("/", "_");
}

/**
 * The client IDs that Azure assigned, in lowercase, by `<secret namespace>/<secret name>`: those in the ConfigMap that the
 * config names, and those in overrides.
 */
export function readClientIds(
  identity: AzureIdentity,
  items: readonly Resource[],
  report: Report,
): ReadonlyMap<string, string> {
  const name = clientIdsName(identity);
  const found = items.filter(
    (item) =>
      item.kind === "ConfigMap" && item.apiVersion === "v1" && item.name === name && !item.annotations.has(generatedBy),
  );
  const field = "spec.platform.azure.identities";
  if (found.length > 1) {
    const message = `the ConfigMap ${quote(name)} with the client IDs appears ${found.length} times in the package; remove all but one.`;
    report("error", "client-ids-invalid", field, message);
  }
  const ids = new Map<string, string>();
  for (const item of found.slice(0, 1)) readConfigMap(item, identity, ids, report);
  for (const [key, { clientID }] of Object.entries(identity.azure.overrides ?? {})) {
    if (clientID === undefined) continue;
    const other = ids.get(key);
    if (other !== undefined && other !== clientID.toLowerCase()) {
      const message = `"clientID" in "spec.platform.azure.overrides" for ${quoteWhole(key)} is ${quote(clientID)}, but the ConfigMap ${quote(name)} contains ${quote(other)}; remove the wrong one.`;
      report("error", "client-ids-invalid", `spec.platform.azure.overrides.${key}`, message);
    }
    ids.set(key, clientID.toLowerCase());
  }
  checkDistinct(ids, field, report);
  checkAssigned(ids, identity, report);
  return ids;
}

function readConfigMap(item: Resource, identity: AzureIdentity, ids: Map<string, string>, report: Report): void {
  const field = "spec.platform.azure.identities";
  for (const [name, expected] of Object.entries(clientIdsAnnotations(identity))) {
    const given = item.annotations.get(name);
    if (given?.toLowerCase() === expected.toLowerCase()) continue;
    const said = given === undefined ? "is missing" : `is ${quote(given)}`;
    const message = `the annotation ${quote(name)} of the ConfigMap ${quote(item.name)} ${said}, but must be ${quote(expected)}: the client IDs may belong to another cluster. If the package is a copy for another cluster, delete the ConfigMap, and render: Azure assigns new IDs when you apply the export. Otherwise, write the ConfigMap with "ccf set-identities".`;
    report("error", "client-ids-invalid", field, message);
  }
  const data = valueAt(item.value(), ["data"]);
  for (const [key, id] of Object.entries(isMap(data) ? data : {}).sort(([a], [b]) => compareText(a, b))) {
    if (typeof id === "string" && isUuid(id)) {
      ids.set(key.replace("_", "/"), id.toLowerCase());
      continue;
    }
    const message = `${quote(key)} in the ConfigMap ${quote(item.name)} must be a client ID, a UUID. Write the ConfigMap with "ccf set-identities".`;
    report("error", "client-ids-invalid", field, message);
  }
}

/** The UUID that nothing has. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

// Azure shows several UUIDs beside each other, and assigns none of them twice.
function checkAssigned(ids: ReadonlyMap<string, string>, { azure }: AzureIdentity, report: Report): void {
  const others = new Map([
    [azure.subscriptionID.toLowerCase(), "the ID of the subscription"],
    [azure.tenantID.toLowerCase(), "the ID of the tenant"],
    [nilUuid, "not an ID: it contains only zeros"],
  ]);
  for (const [key, id] of [...ids].sort(([a], [b]) => compareText(a, b))) {
    const what = others.get(id);
    if (what === undefined) continue;
    const isOverride = azure.overrides?.[key]?.clientID !== undefined;
    const field = isOverride ? `spec.platform.azure.overrides.${key}` : "spec.platform.azure.identities";
    const message = `the client ID of ${quoteWhole(key)} is ${quote(id)}, which is ${what}; write the client ID of its managed identity.`;
    report("error", "client-ids-invalid", field, message);
  }
}

function checkDistinct(ids: ReadonlyMap<string, string>, field: string, report: Report): void {
  const owners = new Map<string, string>();
  for (const [key, id] of [...ids].sort(([a], [b]) => compareText(a, b))) {
    const other = owners.get(id);
    owners.set(id, key);
    if (other === undefined) continue;
    const message = `the client ID ${quote(id)} belongs to both ${quoteWhole(other)} and ${quoteWhole(key)}, but each request has its own managed identity; correct one.`;
    report("error", "client-ids-invalid", field, message);
  }
}

/**
 * Reports client IDs that are not those of the last rendering: a component whose Secret has the ID of another identity gets
 * no token.
 *
 * @param ids by `<secret namespace>/<secret name>`.
 */
export function changedClientIds(ids: ReadonlyMap<string, string>, items: readonly Resource[], report: Report): void {
  for (const bundle of bundlesAt(items, azureBundles.identities)) {
    const facts = valueIn(bundle, identityFile);
    const [key, before] = [identityKey(facts), textAt(facts, ["clientID"]).toLowerCase()];
    const now = ids.get(key);
    if (now === undefined || !isUuid(before) || now === before) continue;
    const message = `the client ID of ${quoteWhole(key)} is ${quote(now)}, but the package was rendered with ${quote(before)}. A component with the ID of another identity gets no token. Check that its managed identity was created again: after the next render, "ccf status" compares the IDs with the cloud.`;
    report("warning", "client-id-changed", "spec.platform.azure.identities", message);
  }
}
