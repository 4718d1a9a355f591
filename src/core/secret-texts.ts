import { isMap, type Value, valueAt } from "./resource.ts";
import { notShown } from "./text.ts";

/** The decoded texts of a Secret by key. As in the API server, `stringData` overrides `data`. */
export function secretTexts(value: Value): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, text] of entries(valueAt(value, ["data"])))
    texts.set(key, Buffer.from(text, "base64").toString("utf8"));
  for (const [key, text] of entries(valueAt(value, ["stringData"]))) texts.set(key, text);
  return texts;
}

function entries(value: Value | undefined): [string, string][] {
  return isMap(value) ? Object.entries(value).filter((one): one is [string, string] => typeof one[1] === "string") : [];
}

/**
 * The values of a Secret that may be shown: the form of each, by the name of its setting. Anything can be in a Secret of a
 * cluster, also a key where the name of an identity should be, so a value of another form is never shown.
 */
export type SettingForms = Readonly<Record<string, RegExp>>;

/** The form of a path. A part of a key does not have it, except by chance. */
export const pathForm = /^\/[a-z]+(?:\/[\w.-]+)*$/;

/** A value that has the form of its setting; undefined for any other. */
export function ofForm(forms: SettingForms, name: string, value: string | undefined): string | undefined {
  return value !== undefined && Object.hasOwn(forms, name) && forms[name]?.test(value) === true ? value : undefined;
}

/** A value for a message: in quotes if it has the form of its setting, otherwise {@link notShown}. */
export function quoteSetting(forms: SettingForms, name: string, value: string): string {
  return ofForm(forms, name, value) === undefined ? notShown : `"${value}"`;
}

/** The name of a setting, or {@link notShown}: a line of a key can look like a setting, with its text as the name. */
export function settingName(name: string): string {
  return name.length <= 60 && /^[a-z]+(?:[._-][a-z0-9]+)*$/i.test(name) ? name : notShown;
}
