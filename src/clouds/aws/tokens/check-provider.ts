import { quoteWhole } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import type { RenderedIssuer } from "../../rendered.ts";
import { withoutScheme } from "../cluster/arn.ts";
import { invalidToken } from "./refusals.ts";
import type { RoleToAssume } from "./role-to-assume.ts";

/**
 * The provider of a token's issuer: host and path must be the same to the last character (OpenID Connect Core 1.0,
 * section 3.1.3.7; IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM").
 */
export function providerOf({ iss = "" }: Token, providers: readonly RenderedIssuer[]): RenderedIssuer | undefined {
  return providers.find(({ url }) => url !== undefined && iss === `https://${url}`);
}

/** Whether the role's account has a provider for the token's issuer. */
export function checkProvider(token: Token, providers: readonly RenderedIssuer[], role: RoleToAssume): Check {
  const { iss } = token;
  if (iss === undefined) return notReached("provider", "the token names no issuer");
  const error = invalidToken(`No OpenIDConnect provider found in your account for ${shownIn(iss)}`);
  const about = isNear(iss, providers) ? "issuer" : "foreign issuer";
  const fail = (cause: string, cure: string) => failed("provider", error, cause, cure, about);
  if (!iss.startsWith("https://"))
    return fail(`the token's issuer ${quoteWhole(iss)} does not begin with "https://"`, otherKind(iss));
  const provider = providerOf(token, providers);
  if (provider === undefined) {
    const named = providers.flatMap(({ url }) => url ?? []);
    if (named.length === 0) {
      const cause = `whether the account ${role.accountId} has a provider for ${quoteWhole(iss)} is not known`;
      return unknown(
        "provider",
        cause,
        "give what `aws iam get-open-id-connect-provider` says of it as --provider-file",
      );
    }
    return fail(difference(iss, named), correctIssuer(named[0] as string));
  }
  const home = /^arn:([a-z-]+):iam::(\d{12}):/.exec(provider.id ?? "");
  if (home !== null && (home[1] !== role.partition || home[2] !== role.accountId)) {
    const cause = `the provider is of the account ${home[2]} in the partition "${home[1]}", and the role of ${role.accountId} in "${role.partition}"`;
    const cure = "take a role of the provider's account, or create the provider in the role's account, too";
    return failed("provider", error, cause, cure);
  }
  return passed(
    "provider",
    `the provider ${quoteWhole(provider.url ?? "")} of the account ${role.accountId} is for the token's issuer`,
  );
}

// AWS repeats the issuer; what could be a key or a token is left out here.
function shownIn(iss: string): string {
  const quoted = quoteWhole(iss);
  return quoted.startsWith('"') ? quoted.slice(1, -1) : quoted;
}

function otherKind(iss: string): string {
  if (iss === "kubernetes/serviceaccount")
    return "this is the token of a Secret; use the projected one that the pod mounts, or one of `oc create token`";
  return "set the cluster's issuer (`spec.serviceAccountIssuer` of Authentication `cluster`) to an https URL that has a provider";
}

function correctIssuer(url: string): string {
  return `set the cluster's issuer (\`spec.serviceAccountIssuer\` of Authentication \`cluster\`) to "https://${url}" and take a new token, or render and apply with the token's issuer`;
}

const ways: readonly [(text: string) => string, string][] = [
  [(text) => text.replace(/\/+$/, ""), "by a slash at the end, which counts"],
  [(text) => text.toLowerCase(), "in case, which counts"],
  [(text) => text.replace(/^([^/]*):\d+/, "$1"), "by a port, and no provider has one"],
];

// Whether a provider's issuer is meant, and only written in another form: then its keys are those of the token.
function isNear(iss: string, providers: readonly RenderedIssuer[]): boolean {
  const plain = (text: string) => ways.reduce((so, [way]) => way(so), text.replace(/^https?:\/\//i, ""));
  return providers.some(({ url }) => url !== undefined && plain(url) === plain(iss));
}

function difference(iss: string, urls: readonly string[]): string {
  const host = withoutScheme(iss);
  for (const url of urls) {
    const way = ways.find(([plain]) => plain(url) === plain(host));
    if (way !== undefined)
      return `the token's issuer is ${quoteWhole(iss)}, and the provider's ${quoteWhole(`https://${url}`)}: they differ ${way[1]}`;
  }
  return `the token's issuer is ${quoteWhole(iss)}, and the account's providers are for ${urls.map((url) => quoteWhole(`https://${url}`)).join(", ")}`;
}
