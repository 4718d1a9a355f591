import { identityRenamed, removableName } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import { generatedBy, isMap, type Resource, valueAt } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isConfigObject, issuerOf } from "../openshift/config-objects.ts";
import { baseNameOf, isCredentialsRequest, secretKeyOf } from "../requests/credentials-request.ts";
import type { Published, Renderer } from "./cloud.ts";
import { secretForm } from "./make-identities.ts";
import { bundleOf, secretKeyIn } from "./rendered.ts";

/*
 * Reads what a package says about its last rendering, to tell the user what changes and to refuse what cannot change.
 * No output depends on it. An object that no longer has the form in which it was written is ignored.
 */

/** What a function rendered before for one identity: a Secret or ServiceAccounts, a bundle ConfigMap, or both. */
export interface IdentityBefore {
  /** The key of its Secret, `<namespace>/<name>`; `<kind>/<name>` of its bundle if the package does not say it. */
  readonly key: string;
  readonly secret: Resource | undefined;
  readonly bundle: Resource | undefined;
  /** Everything but the bundle. A ServiceAccount whose bundle does not name it belongs to no identity. */
  readonly manifests: readonly Resource[];
}

/** What a function rendered before, by {@link IdentityBefore.key}. */
export type RenderedBefore = ReadonlyMap<string, IdentityBefore>;

/**
 * Finds what a function rendered before for a ClusterIdentity.
 *
 * @param fn its name; undefined for all functions.
 * @param previousName the name that the ClusterIdentity had before, if it was renamed.
 */
export function renderedBefore(
  items: readonly Resource[],
  fn: string | undefined,
  { name }: Identity,
  previousName: string | undefined,
  renderer: Renderer,
): RenderedBefore {
  const [secrets, bundles, accounts] = [
    new Map<string, Resource>(),
    new Map<string, Resource>(),
    new Map<string, Resource>(),
  ];
  for (const item of items) {
    const owner = item.annotations.get(generatedBy);
    const slash = owner?.indexOf("/") ?? -1;
    if (owner === undefined || (fn !== undefined && owner.slice(0, slash) !== fn)) continue;
    const cluster = owner.slice(slash + 1);
    if (cluster !== name && cluster !== previousName) continue;
    if (isSecret(item)) secrets.set(`${item.namespace}/${item.name}`, item);
    else if (item.kind === "ServiceAccount") accounts.set(`${item.namespace}/${item.name}`, item);
    else if (isIdentityBundle(item, renderer)) bundles.set(item.name.slice(renderer.bundleName.length), item);
  }
  const found = new Map<string, IdentityBefore>();
  for (const [key, secret] of secrets) {
    const base = baseNameOf(key);
    found.set(key, { key, secret, bundle: bundles.get(base), manifests: [secret] });
    bundles.delete(base);
  }
  for (const [base, bundle] of bundles) {
    const key = secretKeyIn(bundleOf(bundle)) ?? keyOfRequest(items, base) ?? removableName(bundle);
    const manifests = accounts.size === 0 ? [] : serviceAccountsIn(bundle).flatMap((name) => accounts.get(name) ?? []);
    found.set(key, { key, secret: undefined, bundle, manifests });
  }
  return found;
}

/**
 * The service accounts that a bundle names, as `<namespace>/<name>`, sorted. Every cloud writes the subjects of tokens in the form that
 * Kubernetes defines.
 */
export function serviceAccountsIn(bundle: Resource): string[] {
  const data = valueAt(bundle.value(), ["data"]);
  const text = Object.values(isMap(data) ? data : {}).join("\n");
  const found = [...text.matchAll(/system:serviceaccount:([a-z0-9.-]+):([a-z0-9.-]+)/g)];
  return [...new Set(found.map(([, namespace, name]) => `${namespace}/${name}`))].sort(compareText);
}

function isSecret({ kind, path }: Resource): boolean {
  return kind === secretForm.kind && (path === undefined || secretForm.path.test(path));
}

function isIdentityBundle({ kind, name, path }: Resource, { emits, bundleName }: Renderer): boolean {
  const isAt = (form: RegExp) => path === undefined || form.test(path);
  return name.startsWith(bundleName) && emits.identities.some((form) => form.kind === kind && isAt(form.path));
}

// A bundle that was edited may no longer name its Secret.
function keyOfRequest(items: readonly Resource[], base: string): string | undefined {
  const keys = items.filter(isCredentialsRequest).map((item) => secretKeyOf(item.value()) ?? "");
  return keys.find((key) => baseNameOf(key) === base);
}

/**
 * The issuer that a package was rendered with, and the IDs of its keys in order: the issuer in its discovery document or,
 * if it publishes none yet, the issuer in its Authentication.
 *
 * @param names the current and the previous name of the ClusterIdentity: objects of another one are ignored.
 */
export function issuerBefore(
  items: readonly Resource[],
  names: readonly (string | undefined)[],
  { publishedBy }: Renderer,
): Published {
  const own = generatedFor(items, names);
  const { url, keyIds } = publishedBy(own);
  return { url: url ?? authenticationBefore(own), keyIds };
}

/** The items that were generated for a ClusterIdentity of one of these names. */
export function generatedFor(items: readonly Resource[], names: readonly (string | undefined)[]): Resource[] {
  return items.filter(({ annotations }) => {
    const owner = annotations.get(generatedBy);
    return owner !== undefined && names.includes(owner.slice(owner.indexOf("/") + 1));
  });
}

function authenticationBefore(items: readonly Resource[]): string | undefined {
  const item = items.find((item) => isConfigObject(item, "Authentication"));
  const issuer = item === undefined ? undefined : issuerOf(item);
  return typeof issuer === "string" ? issuer : undefined;
}

/**
 * Refuses a resource prefix that differs from the one that the package was rendered with.
 *
 * @param before the previous prefix, and the name that the ClusterIdentity then had; undefined if they are not known.
 */
export function prefixChange(
  { name, prefix, resource }: Identity,
  before: { readonly prefix: string | undefined; readonly name: string | undefined },
): Finding[] {
  if (before.prefix === undefined || before.prefix === prefix) return [];
  const field = "spec.resourcePrefix";
  // The prefix is derived from the name, so adopting the previous name's objects keeps the prefix.
  if (before.name !== undefined && before.name !== name && valueAt(resource.value(), field.split(".")) === undefined)
    return [identityRenamed(before.name, name, resource)];
  const message = `the resource prefix is ${quote(prefix)}, but the package was rendered with ${quote(before.prefix)}. Cloud resources cannot be renamed, so those with the old prefix would be orphaned. Set "${field}" to ${quote(before.prefix)}, or create a new package for a new set of resources.`;
  return [finding("error", "prefix-changed", message, { resource, field })];
}
