import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, inMessage, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { withoutScheme } from "../cluster/resource-names.ts";
import type { RoleToAssume } from "./identity.ts";
import { invalidToken } from "./limits.ts";

/**
 * Finds the provider of a token's issuer. Host and path must match exactly (OpenID Connect Core 1.0,
 * section 3.1.3.7; IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM").
 */
export function providerOf({ iss = "" }: Token, providers: readonly RenderedIssuer[]): RenderedIssuer | undefined {
  return providers.find(({ url }) => url !== undefined && iss === `https://${url}`);
}

/** Checks that the role's account has a provider for the token's issuer. */
export function checkProvider(token: Token, providers: readonly RenderedIssuer[], role: RoleToAssume): Check {
  const { iss } = token;
  if (iss === undefined) return notReached("provider", "the token has no issuer");
  const error = invalidToken(`No OpenIDConnect provider found in your account for ${inMessage(iss)}`);
  const about = isNear(iss, providers) ? "issuer" : "foreign issuer";
  const fail = (cause: string, cure: string) => failed("provider", error, cause, cure, about);
  if (!iss.startsWith("https://"))
    return fail(`the token's issuer ${quoteWhole(iss)} does not begin with "https://"`, otherKind(iss));
  const provider = providerOf(token, providers);
  if (provider === undefined) {
    const named = providers.flatMap(({ url }) => url ?? []);
    if (named.length === 0) {
      const cause = `it is unknown whether the account ${role.accountId} has a provider for ${quoteWhole(iss)}`;
      return unknown("provider", cause, "pass the output of `aws iam get-open-id-connect-provider` as --provider-file");
    }
    return fail(difference(iss, named), correctIssuer(named[0] as string));
  }
  const home = /^arn:([a-z-]+):iam::(\d{12}):/.exec(provider.id ?? "");
  if (home !== null && (home[1] !== role.partition || home[2] !== role.accountId)) {
    const cause = `the provider is in the account ${home[2]} in the partition "${home[1]}", but the role is in ${role.accountId} in "${role.partition}"`;
    const cure = "use a role in the provider's account, or create the provider in the role's account too";
    return failed("provider", error, cause, cure);
  }
  return passed(
    "provider",
    `the provider ${quoteWhole(provider.url ?? "")} in the account ${role.accountId} is for the token's issuer`,
  );
}

function otherKind(iss: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this token is from a Secret; use the projected token that the pod mounts, or create one with `oc create token`";
  return "set the cluster's issuer (`spec.serviceAccountIssuer` of Authentication `cluster`) to an https URL that has a provider";
}

function correctIssuer(url: string): string {
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to "https://${url}" and get a new token, or render, export and apply with the token's issuer`;
}

const ways: readonly [(text: string) => string, string][] = [
  [(text) => text.replace(/\/+$/, ""), "by a trailing slash, which is significant"],
  [(text) => text.toLowerCase(), "in case, which is significant"],
  [(text) => text.replace(/^([^/]*):\d+/, "$1"), "by a port, which a provider cannot have"],
];

// The token's issuer may be a provider's issuer in another spelling. That provider's keys are then the token's keys.
function isNear(iss: string, providers: readonly RenderedIssuer[]): boolean {
  const plain = (text: string) => ways.reduce((so, [way]) => way(so), text.replace(/^https?:\/\//i, ""));
  return providers.some(({ url }) => url !== undefined && plain(url) === plain(iss));
}

function difference(iss: string, urls: readonly string[]): string {
  const host = withoutScheme(iss);
  for (const url of urls) {
    const way = ways.find(([plain]) => plain(url) === plain(host));
    if (way !== undefined)
      return `the token's issuer is ${quoteWhole(iss)}, but the provider's is ${quoteWhole(`https://${url}`)}: they differ ${way[1]}`;
  }
  return `the token's issuer is ${quoteWhole(iss)}, but the account's providers are for ${urls.map((url) => quoteWhole(`https://${url}`)).join(", ")}`;
}

const wrong = invalidToken("Incorrect token audience");

/** Checks that a token is for one of the provider's client IDs. */
export function checkAudience(token: Token, provider: RenderedIssuer | undefined): Check {
  const { aud, claims } = token;
  const [only] = aud;
  if (only === undefined) return notReached("audience", "the token has no audience");
  if (provider?.clientIds === undefined) {
    const cause = "the provider's client IDs are unknown";
    return unknown("audience", cause, "pass the output of `aws iam get-open-id-connect-provider` as --provider-file");
  }
  const ids = provider.clientIds;
  const azp = claims["azp"];
  const all = typeof azp === "string" ? [...aud, azp] : aud;
  const cure = `request a token for one of the provider's audiences: ${listed(ids)}; or add the token's audience to \`spec.issuer.audiences\`, render, export and apply`;
  if (!all.some((text) => ids.includes(text)))
    return failed(
      "audience",
      wrong,
      `the token is for ${listed(all)}, but the provider's client IDs are ${listed(ids)}`,
      cure,
      "audience",
    );
  if (aud.length > 1)
    return unknown(
      "audience",
      `the token has ${aud.length} audiences, ${listed(aud)}; AWS does not document this case`,
      cure,
    );
  if (azp !== undefined && azp !== only)
    return unknown(
      "audience",
      'the token has both an authorized party ("azp") and an audience; AWS does not document which of them must be a client ID',
      cure,
    );
  return passed("audience", `${quoteWhole(only)} is a client ID of the provider`);
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoteWhole).join(", ");
}
