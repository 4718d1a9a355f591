import { generatedBy, isMap, type Resource, type Value, valueAt } from "../../../core/resource.ts";
import { issuerOf } from "../../../openshift/authentication.ts";
import { isConfigObject } from "../../../openshift/config-object.ts";
import { scriptsBundlePath } from "../cluster/cluster-bundle.ts";
import { roleBundlePath } from "../identities/role-bundle.ts";
import { issuerBundlePath } from "../issuer/issuer-bundle.ts";

/*
 * What a package says of its last rendering: read to tell a person what changes, and to refuse what cannot be changed.
 * Nothing that is emitted depends on it, and what is not as it was emitted says nothing.
 */

/** The resource prefix that a package was rendered with, where it was rendered. */
export function prefixBefore(items: readonly Resource[]): string | undefined {
  return text(carried(items, scriptsBundlePath)("cluster.json"), "resourcePrefix");
}

/** The name that the ClusterIdentity had when a package was rendered, where it was rendered. */
export function nameBefore(items: readonly Resource[]): string | undefined {
  const owner = bundleAt(items, scriptsBundlePath)?.annotations.get(generatedBy);
  return owner?.slice(owner.indexOf("/") + 1);
}

/** The account that a package was rendered for, where it was rendered. */
export function accountBefore(items: readonly Resource[]): string | undefined {
  return text(carried(items, scriptsBundlePath)("cluster.json"), "accountID");
}

/** The path of the roles that a package was rendered with, where one of them says it. */
export function rolePathBefore(items: readonly Resource[]): string | undefined {
  const role = items.find(
    ({ kind, path = "", annotations }) =>
      kind === "ConfigMap" && roleBundlePath.test(path) && annotations.has(generatedBy),
  );
  return role === undefined ? undefined : text(fileOf(role)("create-role.json"), "Path");
}

/**
 * The issuer that a package was rendered with, and the IDs of its keys, in their order: the one whose document it publishes
 * or, where it publishes none yet, the one that its Authentication names.
 *
 * @param names the names that the ClusterIdentity has and had: what was made for another one says nothing of this one.
 */
export function issuerBefore(
  items: readonly Resource[],
  names: readonly (string | undefined)[],
): { url: string | undefined; keyIds: readonly string[] } {
  const own = items.filter(({ annotations }) => {
    const owner = annotations.get(generatedBy);
    return owner !== undefined && names.includes(owner.slice(owner.indexOf("/") + 1));
  });
  const file = carried(own, issuerBundlePath);
  const keys = valueAt(file("keys.json"), ["keys"]);
  return {
    url: text(file("openid-configuration"), "issuer") ?? authenticationBefore(own),
    keyIds: Array.isArray(keys) ? keys.flatMap((one: Value) => text(one, "kid") ?? []) : [],
  };
}

function authenticationBefore(items: readonly Resource[]): string | undefined {
  const item = items.find((one) => isConfigObject(one, "Authentication") && one.annotations.has(generatedBy));
  const issuer = item === undefined ? undefined : issuerOf(item);
  return typeof issuer === "string" ? issuer : undefined;
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
  return items.find((one) => one.kind === "ConfigMap" && one.path === path && one.annotations.has(generatedBy));
}
