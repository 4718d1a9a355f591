import { isMap, type Value, valueAt } from "./resource.ts";

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
