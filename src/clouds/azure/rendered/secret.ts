import { generatedBy, isMap, type Resource, textAt, valueAt } from "../../../core/resource.ts";
import { pathForm, quoteSetting, type SettingForms, secretTexts } from "../../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import type { Advice, AdviceInput } from "../../inspector.ts";
import type { RenderedCluster } from "../../rendered.ts";
import { authenticationAdvice, keyOf, namespaceAdvice, tokenFileAdvice } from "../../tokens.ts";
import { factsOf, isSameId, type ManagedIdentity } from "../tokens/identity.ts";

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
export interface IdentitySecret {
  readonly secret: Resource;
  /** `<namespace>/<name>` */
  readonly key: string;
  /** Decoded, by key. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The Secrets that belong to components: those with one of the values that only components read. */
export function componentSecrets(items: readonly Resource[]): readonly IdentitySecret[] {
  return items.flatMap((secret) => {
    if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return [];
    const texts = secretTexts(secret.value());
    const isComponents = texts.has(secretKeys.client) || texts.has(secretKeys.tokenFile);
    return isComponents ? [{ secret, key: keyOf(secret), texts }] : [];
  });
}

/** The Secret with which the cloud-credential-operator deploys the webhook that gives pods their tokens. */
const webhookSecret = { namespace: "openshift-cloud-credential-operator", name: "azure-credentials" } as const;

/** Compares the package's manifests with a token and the managed identity. */
export function consistencyAdvice(input: AdviceInput): Advice[] {
  const { items, token, id } = input;
  const facts = readRenderedFacts(input.cluster);
  const secrets = [...componentSecrets(items)].sort((a, b) => compareText(a.key, b.key));
  const key = facts.keys.get(id.toLowerCase());
  const identity = factsOf(input.identity);
  const own = secrets.filter((secret) => (key === undefined ? namesIt(secret, identity) : secret.key === key));
  const known = new Set(facts.keys.values());
  const lost = key === undefined ? [] : secrets.filter((secret) => !known.has(secret.key) && isFederated(secret));
  return [
    ...(own.length === 0 ? [withoutSecret(key)] : own.flatMap((secret) => secretAdvice(secret, identity, facts))),
    ...lost.map(lostAdvice),
    ...own.flatMap(({ secret }) => namespaceAdvice(secret, token)),
    ...own.map(({ secret, texts }) =>
      tokenFileAdvice(secret, `"${secretKeys.tokenFile}"`, texts.get(secretKeys.tokenFile), items),
    ),
    webhookAdvice(items, facts.tenantId),
    ...authenticationAdvice(items, token),
  ];
}

function namesIt({ texts }: IdentitySecret, identity: ManagedIdentity | undefined): boolean {
  const client = identity?.actual.clientId ?? identity?.sent.clientId;
  return client !== undefined && isSameId(texts.get(secretKeys.client) ?? "", client);
}

function isFederated({ texts }: IdentitySecret): boolean {
  return texts.has(secretKeys.tokenFile);
}

function withoutSecret(key: string | undefined): Advice {
  const text =
    key === undefined
      ? "no Secret contains the client ID of the managed identity"
      : `the Secret ${quoteWhole(key)} is missing: run \`ccf apply\`, which stores the client ID and renders the package`;
  return { about: "secret", fits: false, text };
}

function lostAdvice({ key }: IdentitySecret): Advice {
  const text = `the Secret ${quoteWhole(key)} belongs to no managed identity of the package; render again`;
  return { about: "secret", fits: false, text };
}

// Each value of a Secret decides what a component asks for, and where.
function secretAdvice(
  { key, texts }: IdentitySecret,
  identity: ManagedIdentity | undefined,
  { tenantId, subscriptionId, region }: RenderedFacts,
): Advice[] {
  const about = "secret";
  const shown = `the Secret ${quoteWhole(key)}`;
  const { client, tenant, subscription } = secretKeys;
  const expected: readonly (readonly [name: string, text: string | undefined])[] = [
    [client, identity?.actual.clientId],
    [tenant, identity?.actual.tenantId ?? tenantId],
    [subscription, subscriptionId],
    [secretKeys.region, region],
  ];
  const wrong = expected.flatMap(([name, text]): Advice[] => {
    const has = texts.get(name) ?? "";
    if (has !== "" && (text === undefined || isSameId(has, text))) return [];
    const must = text === undefined ? "" : `, but must be ${quoteWhole(text)}`;
    const said = `"${name}" is ${has === "" ? "missing" : quoteSetting(settingForms, name, has)}${must}`;
    return [{ about, fits: false, text: `in ${shown}, ${said}; render again` }];
  });
  if (wrong.length > 0) return wrong;
  return [{ about, fits: true, text: `${shown} contains the client ID, tenant, subscription and region` }];
}

function webhookAdvice(items: readonly Resource[], tenantId: string | undefined): Advice {
  const about = "webhook";
  const { namespace, name } = webhookSecret;
  const shown = `the Secret ${quoteWhole(`${namespace}/${name}`)}`;
  const secret = items.find((item) => item.kind === "Secret" && item.namespace === namespace && item.name === name);
  if (secret === undefined) {
    const text = `${shown} is missing, so the cloud-credential-operator does not deploy the webhook that gives pods their tokens; render again`;
    return { about, fits: false, text };
  }
  const tenant = secretTexts(secret.value()).get(secretKeys.tenant) ?? "";
  if (tenant !== "" && (tenantId === undefined || isSameId(tenant, tenantId)))
    return { about, fits: true, text: `${shown} contains the tenant` };
  const must = tenantId === undefined ? "" : `, but must be ${quoteWhole(tenantId)}`;
  const said = `"${secretKeys.tenant}" is ${tenant === "" ? "missing" : quoteSetting(settingForms, secretKeys.tenant, tenant)}${must}`;
  return { about, fits: false, text: `in ${shown}, ${said}; render again` };
}

/** What a package says about its cluster, as far as it does. */
interface RenderedFacts {
  readonly tenantId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly region: string | undefined;
  /** `<secret namespace>/<secret name>` by the resource ID of the managed identity, in lowercase. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The facts of a cluster on Azure that Secrets repeat. */
function readRenderedFacts(cluster: RenderedCluster | undefined): RenderedFacts {
  const tenant = cluster !== undefined && "tenantId" in cluster ? cluster.tenantId : undefined;
  return {
    tenantId: typeof tenant === "string" ? tenant : undefined,
    subscriptionId: cluster?.account,
    region: cluster?.region,
    keys: new Map(
      (cluster?.identities ?? []).flatMap(({ id, key }) =>
        id === undefined || key === undefined ? [] : [[id.toLowerCase(), key] as const],
      ),
    ),
  };
}

/**
 * The client IDs that Azure assigned, by `<secret namespace>/<secret name>`: those in the ConfigMap of a package, and those in
 * overrides. An export contains none.
 */
export function assignedClientIds(items: readonly Resource[]): ReadonlyMap<string, string> {
  const config = items.find(({ kind }) => kind === "ClusterIdentity")?.value() ?? null;
  const platform = valueAt(config, ["spec", "platform", "azure"]) ?? null;
  const name = textAt(platform, ["identities"]) || defaults["spec.platform.azure.identities"];
  const map = items.find(
    (item) => item.kind === "ConfigMap" && item.name === name && !item.annotations.has(generatedBy),
  );
  const data = map === undefined ? undefined : valueAt(map.value(), ["data"]);
  const overrides = valueAt(platform, ["overrides"]);
  return new Map([
    ...Object.entries(isMap(data) ? data : {}).flatMap(([key, id]): [string, string][] =>
      typeof id === "string" ? [[key.replace("_", "/"), id]] : [],
    ),
    ...Object.entries(isMap(overrides) ? overrides : {}).flatMap(([key, override]): [string, string][] => {
      const id = isMap(override) ? textAt(override, ["clientID"]) : "";
      return id === "" ? [] : [[key, id]];
    }),
  ]);
}
