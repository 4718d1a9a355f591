import { defaultSettings } from "../clouds/aws/rendered/credentials-file.ts";
import { isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/** A Secret, as far as rules may look into it. Nothing of its texts may stand in a message. */
export interface CredentialsSecret {
  readonly resource: Resource;
  /** `<namespace>/<name>`. */
  readonly key: string;
  /** Its texts by key, decoded; `stringData` takes the place of `data`, as the API server has it. */
  readonly texts: ReadonlyMap<string, string>;
  /** The AWS config file in it, or "". */
  readonly credentials: string;
  /** The settings of that file by name, as {@link defaultSettings} has them. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The Secrets among objects. */
export function credentialsSecrets(items: readonly Resource[]): CredentialsSecret[] {
  return items.filter(({ kind, apiVersion }) => kind === "Secret" && apiVersion === "v1").map(readSecret);
}

function readSecret(resource: Resource): CredentialsSecret {
  const { namespace, name } = resource;
  const texts = textsOf(resource.value());
  const credentials = texts.get("credentials") ?? "";
  return { resource, key: `${namespace}/${name}`, texts, credentials, settings: defaultSettings(credentials) };
}

/** The texts of a Secret's value by key, decoded. */
export function textsOf(value: Value): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, text] of entries(valueAt(value, ["data"])))
    texts.set(key, Buffer.from(text, "base64").toString("utf8"));
  for (const [key, text] of entries(valueAt(value, ["stringData"]))) texts.set(key, text);
  return texts;
}

/**
 * The names of what is not the same in two Secrets: settings of the profile `[default]`, and texts beside the credentials;
 * sorted.
 */
export function differences(one: SecretTexts, other: SecretTexts): string[] {
  const names = [
    ...differing(defaultSettings(one.get("credentials") ?? ""), defaultSettings(other.get("credentials") ?? "")),
    ...differing(without(one), without(other)),
  ];
  return [...new Set(names)].sort(compareText);
}

type SecretTexts = ReadonlyMap<string, string>;

function without(texts: SecretTexts): SecretTexts {
  return new Map([...texts].filter(([key]) => key !== "credentials"));
}

function differing(a: SecretTexts, b: SecretTexts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

function entries(value: Value | undefined): [string, string][] {
  return isMap(value) ? Object.entries(value).filter((one): one is [string, string] => typeof one[1] === "string") : [];
}

/** Says whether a credentials text was copied from a page and not filled in, or is written as no reader of it reads. */
export function isCopied({ credentials }: CredentialsSecret): boolean {
  return /<[^<>\n]*>|^\s*role_name\b|^\s*(?:role_arn|web_identity_token_file|sts_regional_endpoints|region)\s*:/m.test(
    credentials,
  );
}

/** The field of a Secret that holds a text. */
export function fieldOfText({ resource }: CredentialsSecret, key: string): string {
  const inStringData = valueAt(resource.value(), ["stringData", key]) !== undefined;
  return `${inStringData ? "stringData" : "data"}.${key}`;
}
