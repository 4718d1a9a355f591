import { generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { issuerCarrierPath } from "./issuer-carrier.ts";
import { scriptsCarrierPath } from "./scripts-carrier.ts";

/**
 * What a package says of its last rendering: read to tell a person what changes, and to refuse what cannot be changed.
 * Nothing that is emitted depends on it.
 */
export interface RenderedBefore {
  /** The resource prefix, where the package was rendered before. */
  readonly prefix: string | undefined;
  /** The issuer of the document that it publishes. */
  readonly issuer: string | undefined;
  /** IDs of the keys that it publishes, in their order. */
  readonly keyIds: readonly string[];
}

/** Reads the carriers among a package's items. What is not as it was emitted says nothing. */
export function renderedBefore(items: readonly Resource[]): RenderedBefore {
  const prefix = valueAt(carried(items, scriptsCarrierPath, "cluster.json"), ["resourcePrefix"]);
  const issuer = valueAt(carried(items, issuerCarrierPath, "openid-configuration"), ["issuer"]);
  const keys = valueAt(carried(items, issuerCarrierPath, "keys.json"), ["keys"]);
  return {
    prefix: typeof prefix === "string" ? prefix : undefined,
    issuer: typeof issuer === "string" ? issuer : undefined,
    keyIds: Array.isArray(keys)
      ? keys.flatMap((one: Value) => (isMap(one) && typeof one["kid"] === "string" ? one["kid"] : []))
      : [],
  };
}

function carried(items: readonly Resource[], path: string, file: string): Value {
  const item = items.find((one) => one.kind === "ConfigMap" && one.path === path && one.annotations.has(generatedBy));
  const text = item === undefined ? undefined : valueAt(item.value(), ["data", file]);
  try {
    return typeof text === "string" ? (JSON.parse(text) as Value) : null;
  } catch {
    return null;
  }
}
