import { textAt } from "../../../core/resource.ts";
import { quoteSetting } from "../../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { Advice, AdviceInput } from "../../inspector.ts";
import { authenticationAdvice, keyOf, namespaceAdvice, tokenFileAdvice } from "../../tokens.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { type CredentialsFile, emailForm, readCredentialsFile, settingForms } from "../rendered/secret.ts";
import { quoteName } from "./checks.ts";

/** Compares the package's manifests with a token, the provider and the service account. */
export function consistencyAdvice(input: AdviceInput, universe: string): Advice[] {
  const { items, token, id, ids } = input;
  const files = items.flatMap((item) => readCredentialsFile(item) ?? []).sort(bySecret);
  const own = files.filter(({ email }) => email === id);
  const lost = files.filter(({ email }) => email === undefined || !ids.includes(email));
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
