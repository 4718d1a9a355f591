import { type Resource, valueAt } from "../core/resource.ts";
import { pathForm } from "../core/secret-texts.ts";
import { notShown, quoteWhole } from "../core/text.ts";
import { defaultTokenPath } from "../identity/cluster-identity.ts";
import type { Token } from "../oidc/token.ts";
import { configTexts } from "../openshift/config-object.ts";
import { isCredentialsRequest, requestTokenPath, secretKeyOf } from "../requests/credentials-request.ts";
import type { Advice } from "./inspector.ts";

/*
 * What must fit beside the exchange of a token, in every cloud: the Secret's namespace, the path of the token, and the
 * cluster's issuer.
 */

/** `<namespace>/<name>` of a Secret. */
export function keyOf({ namespace, name }: Resource): string {
  return `${namespace}/${name}`;
}

/** Compares a Secret's namespace with that of the token's subject. */
export function namespaceAdvice(secret: Resource, token: Token | undefined): Advice[] {
  const about = "namespace";
  const sub = token?.sub;
  if (sub === undefined) return [];
  const namespace = /^system:serviceaccount:([^:]+):[^:]+$/.exec(sub)?.[1];
  if (namespace === undefined)
    return [{ about, fits: false, text: `the token's subject ${quoteWhole(sub)} is not a service account` }];
  const fits = secret.namespace === namespace;
  const text = fits
    ? `the Secret ${quoteWhole(keyOf(secret))} is in the subject's namespace`
    : `the Secret ${quoteWhole(keyOf(secret))} is not in the subject's namespace ${quoteWhole(namespace)}, where its pod looks for it`;
  return [{ about, fits, text }];
}

/**
 * Compares the path of the token in a Secret with the path where the pod mounts it.
 *
 * @param setting the name of the Secret's setting.
 */
export function tokenFileAdvice(
  secret: Resource,
  setting: string,
  path: string | undefined,
  items: readonly Resource[],
): Advice {
  const expected = mountedPath(secret, items);
  const fits = path === expected;
  const shown = path !== undefined && !fits && !pathForm.test(path) ? notShown : quoteWhole(path ?? "");
  const text = fits
    ? `${setting} is ${shown}: the pod must mount its token there`
    : `${setting} is ${shown}, but the pod mounts its token at ${quoteWhole(expected)}`;
  return { about: "token file", fits, text };
}

function mountedPath(secret: Resource, items: readonly Resource[]): string {
  const request = items.find((item) => isCredentialsRequest(item) && secretKeyOf(item.value()) === keyOf(secret));
  const asked = request === undefined ? "" : requestTokenPath(request.value());
  const config = items.find(({ kind }) => kind === "ClusterIdentity");
  const set = config === undefined ? undefined : valueAt(config.value(), ["spec", "tokenPath"]);
  return asked !== "" ? asked : typeof set === "string" ? set : defaultTokenPath;
}

/** Compares the cluster's issuer with the token's. */
export function authenticationAdvice(items: readonly Resource[], token: Token | undefined): Advice[] {
  const about = "authentication";
  const iss = token?.iss;
  if (iss === undefined) return [];
  const [issuer, ...more] = configTexts(items, "Authentication", ["spec", "serviceAccountIssuer"]);
  if (issuer === undefined)
    return [{ about, fits: false, text: 'no Authentication "cluster" names the cluster\'s issuer' }];
  const fits = issuer === iss && more.length === 0;
  const text = fits
    ? "the Authentication names the token's issuer"
    : `the Authentication names ${[issuer, ...more].map(quoteWhole).join(" and ")}, but the token's issuer is ${quoteWhole(iss)}`;
  return [{ about, fits, text }];
}
