import { generatedBy, type Resource } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { issuerOf } from "../openshift/authentication.ts";
import { isConfigObject } from "../openshift/config-object.ts";
import { baseName } from "../requests/base-name.ts";
import type { Published, Renderer } from "./cloud.ts";
import { secretForm } from "./secret.ts";

/*
 * Reads what a package says about its last rendering, to tell the user what changes and to refuse what cannot change.
 * No output depends on it. An object that no longer has the form in which it was written is ignored.
 */

/** What a function rendered before: one object of each identity by the identity's base name, preferably its Secret. */
export type RenderedBefore = ReadonlyMap<string, Resource>;

/**
 * Finds what a function rendered before for a ClusterIdentity.
 *
 * @param previousName the name that the ClusterIdentity had before, if it was renamed.
 */
export function renderedBefore(
  items: readonly Resource[],
  fn: string,
  { name }: Identity,
  previousName: string | undefined,
  renderer: Renderer,
): RenderedBefore {
  const owners = new Set([`${fn}/${name}`, `${fn}/${previousName ?? name}`]);
  const found = new Map<string, Resource>();
  for (const item of items) {
    const owner = item.annotations.get(generatedBy);
    const key = owner !== undefined && owners.has(owner) ? baseNameOfObject(item, renderer) : undefined;
    if (key !== undefined && (item.kind === "Secret" || !found.has(key))) found.set(key, item);
  }
  return found;
}

function baseNameOfObject(
  { kind, namespace, name, path }: Resource,
  { emits, bundleName }: Renderer,
): string | undefined {
  const isAt = (form: RegExp) => path === undefined || form.test(path);
  if (kind === secretForm.kind) return isAt(secretForm.path) ? baseName(namespace, name) : undefined;
  const isBundle =
    name.startsWith(bundleName) && emits.identities.some((form) => form.kind === kind && isAt(form.path));
  return isBundle ? name.slice(bundleName.length) : undefined;
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
  const own = items.filter(({ annotations }) => {
    const owner = annotations.get(generatedBy);
    return owner !== undefined && names.includes(owner.slice(owner.indexOf("/") + 1));
  });
  const { url, keyIds } = publishedBy(own);
  return { url: url ?? authenticationBefore(own), keyIds };
}

function authenticationBefore(items: readonly Resource[]): string | undefined {
  const item = items.find((item) => isConfigObject(item, "Authentication"));
  const issuer = item === undefined ? undefined : issuerOf(item);
  return typeof issuer === "string" ? issuer : undefined;
}
