import { readJson } from "../../../core/read-json.ts";
import { isMap, type Resource, textAt, type Value } from "../../../core/resource.ts";
import { secretTexts } from "../../../core/secret-texts.ts";
import { secretFileKey } from "../identities/secret.ts";

/** A credential configuration in a Secret, as Google's libraries read it (google.aip.dev/auth/4117). */
export interface CredentialsFile {
  readonly secret: Resource;
  readonly value: Value;
  /** The service account in the impersonation URL; undefined if the URL has another form. */
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
  // google-auth-library, ExternalAccountClient.getServiceAccountEmail.
  const email = /serviceAccounts\/([^:/]+):generateAccessToken$/.exec(
    textAt(value, ["service_account_impersonation_url"]),
  )?.[1];
  return { secret, value, email, tokenFile: textAt(value, ["credential_source", "file"]) || undefined };
}
