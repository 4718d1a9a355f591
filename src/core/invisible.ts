import { type Finding, finding } from "./finding.ts";
import { isMap, type Resource, type Value } from "./resource.ts";
import { codePointOf, invisibleCharacterIn, quoteWhole } from "./text.ts";

/**
 * Errors about characters that a reader cannot see, or cannot tell from a space: in a name, a policy, a path, or a Secret, the
 * value would not be what a reviewer reads. One for each field; if the key of a mapping contains one, about the key.
 *
 * @param path of the value in the object: `spec`
 * @param known other findings about the object: a field that they name is not named again.
 */
export function invisibleCharacters(
  resource: Resource,
  value: Value,
  path: string,
  known: readonly Finding[] = [],
): Finding[] {
  const fields = new Set(known.map(({ field }) => field));
  return visit(value, path)
    .filter(([field]) => !fields.has(field))
    .map(([field, character]) => {
      const message = `${quoteWhole(field)} contains the character ${codePointOf(character)}, which a reader cannot see, or cannot tell from a space. Remove it, or replace it with the character that is meant.`;
      return finding("error", "invisible-character", message, { resource, field });
    });
}

function visit(value: Value, path: string): [field: string, character: string][] {
  if (typeof value === "string") {
    const found = invisibleCharacterIn(value);
    return found === undefined ? [] : [[path, found]];
  }
  if (Array.isArray(value)) return value.flatMap((one: Value, index) => visit(one, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const found = invisibleCharacterIn(key);
    return found === undefined ? visit(one, `${path}.${key}`) : [[`${path}.${key}`, found] as [string, string]];
  });
}
