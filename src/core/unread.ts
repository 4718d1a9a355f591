import { compactJson } from "./json.ts";
import type { Value, ValueMap } from "./resource.ts";

/*
 * Reads what has several fields, of which some may have a form that is not known. These are described in words, one text each:
 * what they mean is not known, so a caller must not treat them as missing.
 */

/**
 * The texts of a list. If the value has another form, there are none.
 *
 * @param noun what the list contains: `roles`.
 * @param unread to which a description of a value of another form is added.
 */
export function textsOf(list: Value | undefined, noun: string, unread: string[]): readonly string[] {
  if (list === undefined || list === null) return [];
  if (isTexts(list)) return list;
  unread.push(`its list of ${noun} has an unknown form: ${compactJson(list)}`);
  return [];
}

/** Whether a value is a list of texts. */
export function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** Descriptions of fields that are not read. An empty list means nothing. */
export function unreadFields(fields: ValueMap): string[] {
  const strange = Object.entries(fields).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return strange.map(([name, value]) => `${name} cannot be compared: ${compactJson(value)}`);
}
