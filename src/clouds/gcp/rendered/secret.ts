import { readJson } from "../../../core/json.ts";
import { isMap, type Resource, textAt, type Value } from "../../../core/resource.ts";
import { pathForm, quoteSetting, type SettingForms, secretTexts } from "../../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { SecretFile } from "../../../rules/cloud.ts";
import type { Advice, AdviceInput } from "../../inspector.ts";
import { authenticationAdvice, keyOf, namespaceAdvice, tokenFileAdvice } from "../../tokens.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { secretFileKey } from "../identities/identity.ts";
import { quoteName } from "../tokens/checks.ts";

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
    // google.aip.dev/auth/4117: gcloud writes it, the in-cluster operator does not.
    defaults: { [setting.universe]: defaultUniverse },
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

/** Compares the package's manifests with a token, the provider and the service account. */
export function consistencyAdvice(input: AdviceInput, universe: string): Advice[] {
  const { items, token, id, ids } = input;
  const files = items.flatMap((item) => readCredentialsFile(item) ?? []).sort(bySecret);
  const own = files.filter(({ email }) => email === id);
  const lost = ids === undefined ? [] : files.filter(({ email }) => email === undefined || !ids.includes(email));
  const none: Advice = { about: "secret", fits: false, text: `no Secret names the service account ${quoteWhole(id)}` };
  return [
    ...(own.length === 0 ? [none] : own.flatMap((file) => secretAdvice(file, input, universe))),
    ...lost.map(lostAdvice),
    ...own.flatMap(({ secret }) => namespaceAdvice(secret, token)),
    ...own.map(({ secret, tokenFile }) => tokenFileAdvice(secret, '"credential_source.file"', tokenFile, items)),
    ...authenticationAdvice(items, token),
  ];
}

function bySecret(a: CredentialsFile, b: CredentialsFile): number {
  return compareText(keyOf(a.secret), keyOf(b.secret));
}

function lostAdvice({ secret, email }: CredentialsFile): Advice {
  const shown = quoteWhole(keyOf(secret));
  const text =
    email === undefined || !emailForm.test(email)
      ? `the Secret ${shown} does not name a service account; render again`
      : `the Secret ${shown} names ${quoteWhole(email)}, a service account that does not exist; render again`;
  return { about: "secret", fits: false, text };
}

/**
 * Compares each field that decides where a library sends the token, and what it requests. The libraries do not check the
 * URLs.
 */
function secretAdvice(
  { secret, value, email = "" }: CredentialsFile,
  { issuer }: AdviceInput,
  universe: string,
): Advice[] {
  const about = "secret";
  const shown = `the Secret ${quoteWhole(keyOf(secret))}`;
  const expected: readonly (readonly [path: readonly string[], text: string | undefined])[] = [
    [["type"], "external_account"],
    [["audience"], issuer.id === undefined ? undefined : `//iam.googleapis.com/${issuer.id}`],
    [["subject_token_type"], "urn:ietf:params:oauth:token-type:jwt"],
    [["token_url"], `https://sts.${universe}/v1/token`],
    [["service_account_impersonation_url"], impersonationUrl(universe, email)],
    [["universe_domain"], universe],
  ];
  const wrong = expected.flatMap(([path, text]): Advice[] => {
    const has = textAt(value, path) || (path[0] === "universe_domain" ? defaultUniverse : "");
    if (text === undefined || has === text) return [];
    const said = `"${path.join(".")}" is ${has === "" ? "missing" : quoteSetting(settingForms, path.join("."), has)}, but must be ${quoteName(text)}`;
    return [{ about, fits: false, text: `in ${shown}, ${said}; render again` }];
  });
  if (wrong.length > 0) return wrong;
  return [{ about, fits: true, text: `${shown} names the provider and the service account` }];
}

function impersonationUrl(universe: string, email: string): string {
  return `https://iamcredentials.${universe}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`;
}
