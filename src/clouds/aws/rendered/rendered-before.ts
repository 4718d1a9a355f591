import { generatedBy, isMap, listAt, type Resource, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Published } from "../../cloud.ts";
import { ownerTagKey } from "../cluster/tags.ts";
import { roleBundlePath } from "../identities/role-bundle.ts";
import { issuerBundlePath } from "../issuer/issuer-bundle.ts";
import { clusterFactsPaths } from "./retired-scripts.ts";

/*
 * What a package says of its last rendering: read to tell a person what changes, and to refuse what cannot be changed.
 * Nothing that is emitted depends on it, and what is not as it was emitted says nothing.
 */

/** The resource prefix that a package was rendered with, where it was rendered. */
export function prefixBefore(items: readonly Resource[]): string | undefined {
  return clusterFact(items, "resourcePrefix") ?? prefixOfTags(fileOf(roleBefore(items))("create-role.json"));
}

/** The name that the ClusterIdentity had when a package was rendered, where it was rendered. */
export function nameBefore(items: readonly Resource[]): string | undefined {
  const owner = (clusterBefore(items) ?? roleBefore(items))?.annotations.get(generatedBy);
  return owner?.slice(owner.indexOf("/") + 1);
}

/** The account that a package was rendered for, where it was rendered. */
export function accountBefore(items: readonly Resource[]): string | undefined {
  return clusterFact(items, "accountID") ?? accountOfTrust(fileOf(roleBefore(items))("trust-policy.json"));
}

/** The path of the roles that a package was rendered with, where one of them says it. */
export function rolePathBefore(items: readonly Resource[]): string | undefined {
  return text(fileOf(roleBefore(items))("create-role.json"), "Path");
}

/** What a package publishes: its discovery document's issuer, and the IDs of its keys, in their order. */
export function publishedBy(items: readonly Resource[]): Published {
  const keys = valueAt(carried(items, issuerBundlePath)("keys.json"), ["keys"]);
  return {
    url: text(carried(items, issuerBundlePath)("openid-configuration"), "issuer"),
    keyIds: Array.isArray(keys) ? keys.flatMap((key: Value) => text(key, "kid") ?? []) : [],
  };
}

// A package whose issuer others make has no bundle of the cluster; then a role says what it was rendered with.
function clusterFact(items: readonly Resource[], field: string): string | undefined {
  return text(fileOf(clusterBefore(items))("cluster.json"), field);
}

function clusterBefore(items: readonly Resource[]): Resource | undefined {
  return clusterFactsPaths.map((path) => bundleAt(items, path)).find((one) => one !== undefined);
}

function roleBefore(items: readonly Resource[]): Resource | undefined {
  return items.find(
    ({ kind, path = "", annotations }) =>
      kind === "ConfigMap" && roleBundlePath.test(path) && annotations.has(generatedBy),
  );
}

/** The resource prefix that the owner tag of a role says, in the input that creates it. */
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

function carried(items: readonly Resource[], path: string): (file: string) => Value {
  return fileOf(bundleAt(items, path));
}

function fileOf(bundle: Resource | undefined): (file: string) => Value {
  const value = bundle?.value() ?? null;
  return (file) => {
    const json = valueAt(value, ["data", file]);
    try {
      return typeof json === "string" ? (JSON.parse(json) as Value) : null;
    } catch {
      return null;
    }
  };
}

function bundleAt(items: readonly Resource[], path: string): Resource | undefined {
  return items.find((item) => item.kind === "ConfigMap" && item.path === path && item.annotations.has(generatedBy));
}
