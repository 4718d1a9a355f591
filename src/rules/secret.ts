import { type Resource, valueAt } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import { compareText } from "../core/text.ts";
import type { KnownCloud } from "./cloud.ts";

/** The part of a Secret that rules may read. No value of it may appear in a message. */
export interface CredentialsSecret {
  readonly resource: Resource;
  /** `<namespace>/<name>`. */
  readonly key: string;
  /** Its decoded values by key; `stringData` takes precedence over `data`, as in the API server. */
  readonly texts: ReadonlyMap<string, string>;
  /** The file that the cloud's libraries read, or "". */
  readonly credentials: string;
  /** The settings of that file by name; if rules do not read the file, the Secret's values by key. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The Secrets among objects. */
export function credentialsSecrets(items: readonly Resource[], cloud: KnownCloud): CredentialsSecret[] {
  return items
    .filter(({ kind, apiVersion }) => kind === "Secret" && apiVersion === "v1")
    .map((resource) => {
      const { namespace, name } = resource;
      const texts = secretTexts(resource.value());
      const credentials = texts.get(cloud.secret.file?.key ?? "") ?? "";
      return { resource, key: `${namespace}/${name}`, texts, credentials, settings: settingsOf(texts, cloud) };
    });
}

/** The names of the settings and other keys that differ between two Secrets; sorted. */
export function differences(one: SecretTexts, other: SecretTexts, cloud: KnownCloud): string[] {
  const read = cloud.secret.file?.key;
  const without = (texts: SecretTexts) => new Map([...texts].filter(([key]) => key !== read));
  const names = [
    ...differing(settingsOf(one, cloud), settingsOf(other, cloud)),
    ...differing(without(one), without(other)),
  ];
  return [...new Set(names)].sort(compareText);
}

type SecretTexts = ReadonlyMap<string, string>;

function settingsOf(texts: SecretTexts, { secret: { file } }: KnownCloud): ReadonlyMap<string, string> {
  return file?.form.settings(texts.get(file.key) ?? "") ?? texts;
}

function differing(a: SecretTexts, b: SecretTexts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

/** The field of a Secret that contains a key. */
export function fieldOfText({ resource }: CredentialsSecret, key: string): string {
  const inStringData = valueAt(resource.value(), ["stringData", key]) !== undefined;
  return `${inStringData ? "stringData" : "data"}.${key}`;
}
