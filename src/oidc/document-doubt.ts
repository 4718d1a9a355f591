import { type Value, valueAt } from "../core/resource.ts";
import type { TokenLimits } from "./limits.ts";

/**
 * What about a discovery document has undocumented effects besides its issuer and the URL of its keys: a predicate for a
 * sentence that begins with the document; undefined if nothing does.
 */
export function documentDoubt(document: Value, { reader, requiredLists = [] }: TokenLimits): string | undefined {
  const missing = requiredLists.filter((name) => {
    const list = valueAt(document, [name]);
    return !Array.isArray(list) || list.length === 0;
  });
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => `"${name}"`).join(", ");
  return `has no list ${names}, or an empty one; ${reader} is reported to refuse such documents`;
}
