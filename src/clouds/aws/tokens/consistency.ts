import { type Resource, valueAt } from "../../../core/resource.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { configTexts } from "../../../openshift/config-object.ts";
import { isCredentialsRequest, requestTokenPath, secretKeyOf } from "../../../requests/credentials-request.ts";
import type { Advice } from "../../inspector.ts";
import { type CredentialsFile, readCredentialsFile } from "../rendered/credentials-file.ts";

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
    ...(token?.sub === undefined ? [] : own.flatMap((file) => namespaceAdvice(file, token.sub as string))),
    ...own.map((file) => tokenFileAdvice(file, items)),
    ...(token?.iss === undefined ? [] : authenticationAdvice(items, token.iss)),
  ];
}

function bySecret(a: CredentialsFile, b: CredentialsFile): number {
  return compareText(nameOf(a), nameOf(b));
}

function nameOf({ secret }: CredentialsFile): string {
  return `${secret.namespace}/${secret.name}`;
}

function secretAdvice(own: readonly CredentialsFile[], lost: readonly CredentialsFile[], roleArn: string): Advice[] {
  const about = "secret";
  const found = own.map(
    (file): Advice => ({ about, fits: true, text: `the Secret ${quoteWhole(nameOf(file))} names the role` }),
  );
  const none =
    own.length === 0 ? [{ about, fits: false, text: `no Secret names the role ${quoteWhole(roleArn)}` } as const] : [];
  const dangling = lost.map((file): Advice => {
    const text = `the Secret ${quoteWhole(nameOf(file))} names ${quoteWhole(file.roleArn ?? "")}, a role that does not exist; render again`;
    return { about, fits: false, text };
  });
  return [...found, ...none, ...dangling];
}

function namespaceAdvice(file: CredentialsFile, sub: string): Advice[] {
  const namespace = /^system:serviceaccount:([^:]+):[^:]+$/.exec(sub)?.[1];
  if (namespace === undefined)
    return [
      { about: "namespace", fits: false, text: `the token's subject ${quoteWhole(sub)} is not a service account` },
    ];
  const fits = file.secret.namespace === namespace;
  const text = fits
    ? `the Secret ${quoteWhole(nameOf(file))} is in the subject's namespace`
    : `the Secret ${quoteWhole(nameOf(file))} is not in the subject's namespace ${quoteWhole(namespace)}, where its pod looks for it`;
  return [{ about: "namespace", fits, text }];
}

const usualPath = "/var/run/secrets/openshift/serviceaccount/token";

function tokenFileAdvice(file: CredentialsFile, items: readonly Resource[]): Advice {
  const expected = mountedPath(file, items);
  const fits = file.tokenFile === expected;
  const shown = quoteWhole(file.tokenFile ?? "");
  const text = fits
    ? `web_identity_token_file is ${shown}: the pod must mount its token there`
    : `web_identity_token_file is ${shown}, but the pod mounts its token at ${quoteWhole(expected)}`;
  return { about: "token file", fits, text };
}

function mountedPath(file: CredentialsFile, items: readonly Resource[]): string {
  const request = items.find((item) => isCredentialsRequest(item) && secretKeyOf(item.value()) === nameOf(file));
  const asked = request === undefined ? "" : requestTokenPath(request.value());
  const config = items.find(({ kind }) => kind === "ClusterIdentity");
  const set = config === undefined ? undefined : valueAt(config.value(), ["spec", "tokenPath"]);
  return asked !== "" ? asked : typeof set === "string" ? set : usualPath;
}

function authenticationAdvice(items: readonly Resource[], iss: string): Advice[] {
  const about = "authentication";
  const [issuer, ...more] = configTexts(items, "Authentication", ["spec", "serviceAccountIssuer"]);
  if (issuer === undefined)
    return [{ about, fits: false, text: 'no Authentication "cluster" names the cluster\'s issuer' }];
  const fits = issuer === iss && more.length === 0;
  const text = fits
    ? "the Authentication names the token's issuer"
    : `the Authentication names ${[issuer, ...more].map(quoteWhole).join(" and ")}, but the token's issuer is ${quoteWhole(iss)}`;
  return [{ about, fits, text }];
}
