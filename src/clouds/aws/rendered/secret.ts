import { isMap, type Resource } from "../../../core/resource.ts";
import { ofForm, pathForm, type SettingForms, secretTexts } from "../../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import type { SecretFile } from "../../../rules/cloud.ts";
import type { Advice } from "../../inspector.ts";
import { authenticationAdvice, keyOf, namespaceAdvice, tokenFileAdvice } from "../../tokens.ts";

/** The settings in a Secret for an AWS SDK (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). */
export interface CredentialsFile {
  readonly secret: Resource;
  readonly roleArn: string | undefined;
  readonly tokenFile: string | undefined;
}

/** Reads the AWS config file in a Secret; undefined if the object is not a Secret, or contains no such file. */
export function readCredentialsFile(secret: Resource): CredentialsFile | undefined {
  if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return undefined;
  const value = secret.value();
  const settings = defaultSettings(secretTexts(value).get(secretFile.key) ?? "");
  const roleArn = settings.get(secretFile.form.identity);
  const tokenFile = settings.get(secretFile.form.token);
  return isMap(value) && (roleArn ?? tokenFile) !== undefined ? { secret, roleArn, tokenFile } : undefined;
}

/**
 * The settings of an AWS config file by lowercase name: those of the default profile (AWS SDKs and Tools Reference Guide,
 * "Shared config and credentials files"). Other profiles, and settings before the first profile, are ignored. A setting that
 * appears twice has all its values, one per line, so that it equals no single value: some SDKs reject it, some use the first
 * value, and some the last.
 */
function defaultSettings(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let isDefault = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    // In a config file the profile can also be named "profile default".
    if (section !== undefined) isDefault = /^(?:profile\s+)?default$/.test(section.trim());
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (!isDefault || name === "") continue;
    const key = name.toLowerCase();
    const before = settings.get(key);
    settings.set(key, before === undefined ? value : `${before}\n${value}`);
  }
  return settings;
}

/** The AWS config file in a Secret. */
export const secretFile = {
  key: "credentials",
  variables: ["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"],
  form: { settings: defaultSettings, identity: "role_arn", token: "web_identity_token_file", isCopied },
} as const satisfies SecretFile;

/** The settings of that file that are not secret (IAM User Guide, "IAM identifiers"). */
export const settingForms: SettingForms = {
  [secretFile.form.identity]: /^arn:[a-z-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/,
  [secretFile.form.token]: pathForm,
  sts_regional_endpoints: /^(?:regional|legacy)$/,
  region: /^[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}$/,
};

function isCopied(text: string): boolean {
  return /<[^<>\n]*>|^\s*role_name\b|^\s*(?:role_arn|web_identity_token_file|sts_regional_endpoints|region)\s*:/m.test(
    text,
  );
}

/**
 * Compares the package's manifests with a token and its role.
 *
 * @param items the Secrets, the Authentication and, if available, the requests and the ClusterIdentity.
 * @param roleArns the roles that exist; undefined if not all of them are known.
 */
export function consistencyAdvice(
  items: readonly Resource[],
  token: Token | undefined,
  roleArn: string,
  roleArns: readonly string[] | undefined,
): Advice[] {
  const files = items.flatMap((item) => readCredentialsFile(item) ?? []).sort(bySecret);
  const own = files.filter((file) => file.roleArn === roleArn);
  const lost = files.filter((file) => file.roleArn !== undefined && roleArns?.includes(file.roleArn) === false);
  return [
    ...secretAdvice(own, lost, roleArn),
    ...own.flatMap(({ secret }) => namespaceAdvice(secret, token)),
    ...own.map(({ secret, tokenFile }) => tokenFileAdvice(secret, "web_identity_token_file", tokenFile, items)),
    ...authenticationAdvice(items, token),
  ];
}

function bySecret(a: CredentialsFile, b: CredentialsFile): number {
  return compareText(keyOf(a.secret), keyOf(b.secret));
}

function secretAdvice(own: readonly CredentialsFile[], lost: readonly CredentialsFile[], roleArn: string): Advice[] {
  const about = "secret";
  const found = own.map(
    (file): Advice => ({ about, fits: true, text: `the Secret ${quoteWhole(keyOf(file.secret))} names the role` }),
  );
  const none =
    own.length === 0 ? [{ about, fits: false, text: `no Secret names the role ${quoteWhole(roleArn)}` } as const] : [];
  const dangling = lost.map((file): Advice => {
    const arn = ofForm(settingForms, secretFile.form.identity, file.roleArn);
    const names = arn === undefined ? "does not name a role" : `names ${quoteWhole(arn)}, a role that does not exist`;
    const text = `the Secret ${quoteWhole(keyOf(file.secret))} ${names}; render again`;
    return { about, fits: false, text };
  });
  return [...found, ...none, ...dangling];
}
