import { isMap, listAt, type Resource, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Published } from "../../cloud.ts";
import { bundleAt, identityNameOf, jsonOf } from "../../rendered-files.ts";

import { ownerTagKey } from "../cluster/tags.ts";
import { clusterBundlePath, identityBundlePath, issuerBundlePath } from "./bundle-paths.ts";

/*
 * Reads what a package says about its last rendering, to tell the user what changes and to refuse what cannot change.
 * No output depends on it. A file that no longer has the form in which it was written is ignored.
 */

/** The resource prefix that a package was rendered with; undefined if it was not rendered. */
export function prefixBefore(items: readonly Resource[]): string | undefined {
  return clusterFact(items, "resourcePrefix") ?? prefixOfTags(jsonOf(roleBefore(items))("create-role.json"));
}

/** The name that the ClusterIdentity had when the package was rendered; undefined if it was not rendered. */
export function nameBefore(items: readonly Resource[]): string | undefined {
  return identityNameOf(clusterBefore(items) ?? roleBefore(items));
}

/** The account that a package was rendered for; undefined if it was not rendered. */
export function accountBefore(items: readonly Resource[]): string | undefined {
  return clusterFact(items, "accountID") ?? accountOfTrust(jsonOf(roleBefore(items))("trust-policy.json"));
}

/** The path of the roles that a package was rendered with; undefined if it contains no role. */
export function rolePathBefore(items: readonly Resource[]): string | undefined {
  return text(jsonOf(roleBefore(items))("create-role.json"), "Path");
}

/** What a package publishes: the issuer in its discovery document, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const keys = valueAt(jsonOf(bundleAt(items, issuerBundlePath))("keys.json"), ["keys"]);
  return {
    url: text(jsonOf(bundleAt(items, issuerBundlePath))("openid-configuration"), "issuer"),
    keyIds: Array.isArray(keys) ? keys.flatMap((key: Value) => text(key, "kid") ?? []) : [],
  };
}

/** The name of the role in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  return text(jsonOf(bundle)("create-role.json"), "RoleName") ?? "";
}

// A package whose issuer is managed elsewhere has no cluster bundle. Callers then read the values from a role.
function clusterFact(items: readonly Resource[], field: string): string | undefined {
  return text(jsonOf(clusterBefore(items))("cluster.json"), field);
}

function clusterBefore(items: readonly Resource[]): Resource | undefined {
  return bundleAt(items, clusterBundlePath);
}

function roleBefore(items: readonly Resource[]): Resource | undefined {
  return bundleAt(items, identityBundlePath);
}

/** The resource prefix in a role's owner tag, from the input that creates the role. */
export function prefixOfTags(create: Value): string | undefined {
  const marks = listAt(create, ["Tags"]).flatMap((tag) => text(tag, "Key") ?? []);
  return marks.find((key) => key.startsWith(ownerTagKey("")))?.slice(ownerTagKey("").length);
}

function accountOfTrust(trust: Value): string | undefined {
  const provider = textAt(trust, ["Statement", "0", "Principal", "Federated"]);
  return /^arn:[a-z-]+:iam::(\d{12}):/.exec(provider)?.[1];
}

function text(value: Value, field: string): string | undefined {
  const found = isMap(value) ? value[field] : undefined;
  return typeof found === "string" ? found : undefined;
}
