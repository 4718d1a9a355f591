import type { Resource } from "../../../core/resource.ts";
import { ofForm } from "../../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import type { Advice } from "../../inspector.ts";
import { authenticationAdvice, keyOf, namespaceAdvice, tokenFileAdvice } from "../../tokens.ts";
import { type CredentialsFile, readCredentialsFile, secretFile, settingForms } from "../rendered/secret.ts";

/**
 * Compares the package's manifests with a token and its role.
 *
 * @param items the Secrets, the Authentication and, if available, the requests and the ClusterIdentity.
 * @param roleArns the roles that exist.
 */
export function consistencyAdvice(
  items: readonly Resource[],
  token: Token | undefined,
  roleArn: string,
  roleArns: readonly string[],
): Advice[] {
  const files = items.flatMap((item) => readCredentialsFile(item) ?? []).sort(bySecret);
  const own = files.filter((file) => file.roleArn === roleArn);
  const lost = files.filter((file) => file.roleArn !== undefined && !roleArns.includes(file.roleArn));
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
