import { isMap, type Resource, valueAt } from "../../../core/resource.ts";

/** What a Secret tells an AWS SDK (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). */
export interface CredentialsFile {
  readonly secret: Resource;
  readonly roleArn: string | undefined;
  readonly tokenFile: string | undefined;
}

/** Reads the AWS config file in a Secret; undefined where the object is no Secret, or holds none. */
export function readCredentialsFile(secret: Resource): CredentialsFile | undefined {
  if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return undefined;
  const value = secret.value();
  const plain = valueAt(value, ["stringData", "credentials"]);
  const encoded = valueAt(value, ["data", "credentials"]);
  // The API server lets stringData win.
  const text =
    typeof plain === "string"
      ? plain
      : typeof encoded === "string"
        ? Buffer.from(encoded, "base64").toString("utf8")
        : "";
  const settings = defaultSettings(text);
  const roleArn = settings.get("role_arn");
  const tokenFile = settings.get("web_identity_token_file");
  return isMap(value) && (roleArn ?? tokenFile) !== undefined ? { secret, roleArn, tokenFile } : undefined;
}

/**
 * The settings of an AWS config file by name, in lower case: those of the profile that an SDK takes where nobody names
 * another (AWS SDKs and Tools Reference Guide, "Shared config and credentials files"). Others, and what stands before the
 * first profile, count for nothing. A setting that is there twice has all its values, one a line, and so is equal to no
 * other: some SDKs refuse it, some take the first value, and some the last.
 */
export function defaultSettings(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let counts = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    // In a config file the profile may have the longer name, too, and then that one counts.
    if (section !== undefined) counts = /^(?:profile\s+)?default$/.test(section.trim());
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (!counts || name === "") continue;
    const key = name.toLowerCase();
    const before = settings.get(key);
    settings.set(key, before === undefined ? value : `${before}\n${value}`);
  }
  return settings;
}
