import type { Resource } from "../../../core/resource.ts";
import { pathForm, type SettingForms, secretTexts } from "../../../core/secret-texts.ts";
import { keyOf } from "../../tokens.ts";

/** The keys of a component's Secret (cloud-credential-operator, actuator for Azure). */
export const secretKeys = {
  client: "azure_client_id",
  tenant: "azure_tenant_id",
  subscription: "azure_subscription_id",
  region: "azure_region",
  tokenFile: "azure_federated_token_file",
} as const;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The values that are not secret, by key. */
export const settingForms: SettingForms = {
  [secretKeys.client]: uuid,
  [secretKeys.tenant]: uuid,
  [secretKeys.subscription]: uuid,
  [secretKeys.region]: /^[a-z]{5,30}\d?$/,
  [secretKeys.tokenFile]: pathForm,
};

/** The Secret from which a component reads how to ask for its managed identity. */
export interface ComponentSecret {
  readonly secret: Resource;
  /** `<namespace>/<name>` */
  readonly key: string;
  /** Decoded, by key. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The Secrets that belong to components: those with one of the values that only components read. */
export function componentSecrets(items: readonly Resource[]): readonly ComponentSecret[] {
  return items.flatMap((secret) => {
    if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return [];
    const texts = secretTexts(secret.value());
    const isComponents = texts.has(secretKeys.client) || texts.has(secretKeys.tokenFile);
    return isComponents ? [{ secret, key: keyOf(secret), texts }] : [];
  });
}
