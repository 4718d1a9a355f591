import { type Resource, valueAt } from "../core/resource.ts";
import { pathForm } from "../core/secret-texts.ts";
import { notShown, quoteWhole } from "../core/text.ts";
import { defaultTokenPath } from "../identity/cluster-identity.ts";
import { type Check, failed, passed, unknown } from "../oidc/answer.ts";
import type { TokenLimits } from "../oidc/limits.ts";
import { clusterToken, copyWholeToken, type Token, type TokenProblem } from "../oidc/token.ts";
import { configTexts } from "../openshift/config-objects.ts";
import { isCredentialsRequest, requestTokenPath, secretKeyOf } from "../requests/credentials-request.ts";
import type { Advice } from "./inspector.ts";

/** What a cloud says about the form of tokens beyond {@link TokenLimits}. */
interface ShapeLimits {
  readonly limits: TokenLimits;
  /** The fields without which the cloud may accept a token. */
  readonly open: ReadonlySet<TokenProblem["field"]>;
}

/**
 * Checks the form of a token for a cloud that documents neither what it accepts beyond the standard nor its answer to a
 * malformed token.
 *
 * @param problems those that this cloud has with the token.
 */
export function checkTokenShape(
  token: Token | undefined,
  problems: readonly TokenProblem[],
  { limits, open }: ShapeLimits,
): Check {
  const all = [...problems, ...moreProblems(token)];
  const [first] = all;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = all.map(({ cause }) => cause).join("; ");
  const certain = all.find(({ field, isReadBySome }) => !open.has(field) && isReadBySome !== true);
  if (certain !== undefined) return failed("shape", limits.refusals.form, causes, certain.cure);
  return unknown("shape", `${causes}; how ${limits.reader} handles that is not documented`, first.cure);
}

/** In characters: longer than tokens of Kubernetes are. The cloud does not document whether it accepts longer tokens. */
const longestKnown = 16_384;

function moreProblems(token: Token | undefined): TokenProblem[] {
  if (token === undefined) return [];
  const { kid, text } = token;
  const cause = `the token has ${text.length} characters, more than ${longestKnown}`;
  return [
    ...(kid === undefined
      ? [{ cause: 'the token\'s header has no "kid", so it does not name a key', cure: clusterToken }]
      : []),
    ...(text.length > longestKnown ? [{ cause, cure: copyWholeToken, isReadBySome: true } as const] : []),
  ];
}

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

/** An answer that may be unknown (Kleene's three-valued logic). */
export type Truth = boolean | "unknown";

/** False if any answer is false; otherwise unknown if any is unknown. */
export function all(answers: readonly Truth[]): Truth {
  if (answers.includes(false)) return false;
  return answers.includes("unknown") ? "unknown" : true;
}

/** True if any answer is true; otherwise unknown if any is unknown. */
export function any(answers: readonly Truth[]): Truth {
  if (answers.includes(true)) return true;
  return answers.includes("unknown") ? "unknown" : false;
}

/** The opposite of true or false; unknown stays unknown. */
export function not(answer: Truth): Truth {
  return answer === "unknown" ? answer : !answer;
}
