import { isMap, type Resource, valueAt } from "../core/resource.ts";

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
  const setting = (name: string) => new RegExp(`^${name}[ \\t]*=[ \\t]*(\\S+)[ \\t]*\\r?$`, "m").exec(text)?.[1];
  const roleArn = setting("role_arn");
  const tokenFile = setting("web_identity_token_file");
  return isMap(value) && (roleArn ?? tokenFile) !== undefined ? { secret, roleArn, tokenFile } : undefined;
}
