import { readJson } from "../../../core/json.ts";
import { isMap, type Resource, textAt, type Value } from "../../../core/resource.ts";
import { pathForm, type SettingForms, secretTexts } from "../../../core/secret-texts.ts";
import type { SecretFile } from "../../../rules/cloud.ts";
import { secretFileKey } from "../identities/identity.ts";

/** The names of settings in a credential configuration (google.aip.dev/auth/4117), as {@link settingsOf} gives them. */
export const setting = {
  type: "type",
  audience: "audience",
  tokenUrl: "token_url",
  impersonation: "service_account_impersonation_url",
  tokenFile: "credential_source.file",
  universe: "universe_domain",
} as const;

/**
 * The settings of a credential configuration by name. The name of a setting inside another one has both names, with a dot. A
 * text that is not a JSON object has none, and so has one with a duplicate key: libraries disagree about its value.
 */
function settingsOf(text: string): ReadonlyMap<string, string> {
  const reading = readJson(text);
  return "value" in reading ? new Map(flat(reading.value, "")) : new Map();
}

function flat(value: Value, name: string): [string, string][] {
  if (!isMap(value)) return name === "" ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, one]) => flat(one, name === "" ? key : `${name}.${key}`));
}

/** The email of the service account in an impersonation URL; undefined if it has another form. */
function accountIn(url: string): string | undefined {
  return /^https:\/\/[^/]+\/v1\/projects\/-\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url)?.[1];
}

/** The credential configuration in a Secret. */
export const secretFile = {
  key: secretFileKey,
  variables: ["GOOGLE_APPLICATION_CREDENTIALS"],
  form: {
    settings: settingsOf,
    identity: setting.impersonation,
    identityIn: accountIn,
    token: setting.tokenFile,
    audience: setting.audience,
    isCopied,
  },
} as const satisfies SecretFile;

const email = "[a-z0-9-]{1,63}@[a-z0-9.-]{1,200}\\.iam\\.gserviceaccount\\.com";

/** The form of the email of a service account. */
export const emailForm = new RegExp(`^${email}$`);

/** The settings of a configuration that are not secret. */
export const settingForms: SettingForms = {
  [setting.type]: /^(?:external_account|service_account|authorized_user)$/,
  [setting.audience]:
    /^\/\/iam\.googleapis\.com\/projects\/\d{1,19}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{1,32}\/providers\/[a-z0-9-]{1,32}$/,
  subject_token_type: /^urn:ietf:params:oauth:token-type:[a-z0-9_-]{1,32}$/,
  [setting.tokenUrl]: /^https:\/\/sts[a-z0-9.-]{1,200}\/v1\/token$/,
  [setting.impersonation]: new RegExp(
    `^https://iamcredentials[a-z0-9.-]{1,200}/v1/projects/-/serviceAccounts/${email}:generateAccessToken$`,
  ),
  [setting.tokenFile]: pathForm,
  "credential_source.format.type": /^(?:text|json)$/,
  [setting.universe]: /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/,
};

// The forms of placeholders in documentation and in the files of "ccoctl gcp --dry-run".
const placeholder =
  /<[^<>\n]*>|\$\{|\b(?:PROJECT|POOL|PROVIDER|WORKLOAD_(?:IDENTITY_)?POOL|SERVICE_ACCOUNT)_(?:ID|NUMBER|NAME|EMAIL)\b/;

function isCopied(text: string): boolean {
  if (text.trim() === "") return false;
  const reading = readJson(text);
  return !("value" in reading) || !isMap(reading.value) || placeholder.test(text);
}

/** A credential configuration in a Secret, as Google's libraries read it. */
export interface CredentialsFile {
  readonly secret: Resource;
  readonly value: Value;
  /** The service account at the end of the impersonation URL; undefined if the URL has another end. */
  readonly email: string | undefined;
  readonly tokenFile: string | undefined;
}

/** Reads the configuration in a Secret; undefined if the object is not a Secret, or contains no configuration. */
export function readCredentialsFile(secret: Resource): CredentialsFile | undefined {
  if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return undefined;
  const text = secretTexts(secret.value()).get(secretFileKey);
  if (text === undefined) return undefined;
  const reading = readJson(text);
  const value = "value" in reading && isMap(reading.value) ? reading.value : {};
  // google-auth-library, ExternalAccountClient.getServiceAccountEmail: it does not check the rest of the URL.
  const email = /serviceAccounts\/([^:/]+):generateAccessToken$/.exec(textAt(value, [setting.impersonation]))?.[1];
  return { secret, value, email, tokenFile: textAt(value, setting.tokenFile.split(".")) || undefined };
}
