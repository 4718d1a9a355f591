import { type JsonReading, readJson } from "../../../core/json.ts";
import { isMap, type Value, valueAt } from "../../../core/resource.ts";
import { firstFailureAnswer, notReached, type TokenAnswer } from "../../../oidc/answer.ts";
import { checkDiscovery, checkSignature, checkTime } from "../../../oidc/checks.ts";
import type { TokenReading } from "../../../oidc/token.ts";
import type { TokenExchange, TrustingIdentity } from "../../inspector.ts";
import { type RenderedIssuer, unknownIssuer } from "../../rendered.ts";
import { withoutScheme } from "../cluster/resource-names.ts";
import { readRendered } from "../rendered/rendered.ts";
import { consistencyAdvice } from "../rendered/secret.ts";
import { checkAudience, checkForm, checkProvider, checkTrust, providerOf } from "./checks.ts";
import { type RoleToAssume, roleToAssume } from "./identity.ts";
import { awsTimeLimits, awsTokenLimits } from "./limits.ts";

/** The checks, in the order in which AWS presumably makes them. */
const checkNames = ["shape", "provider", "discovery", "signature", "time", "audience", "trust policy"] as const;

/**
 * Predicts the answer of `sts:AssumeRoleWithWebIdentity` to a token, for a role. Works offline: the caller provides what AWS
 * would fetch from the issuer. Every check that does not depend on another one runs, so that all causes are reported.
 *
 * @param time in seconds since the epoch.
 * @param providers the known providers in the account, the intended one first.
 */
export async function answerFor(
  reading: TokenReading,
  time: number,
  providers: readonly RenderedIssuer[],
  role: RoleToAssume,
): Promise<TokenAnswer> {
  const { token } = reading;
  const shape = checkForm(reading);
  if (token === undefined) {
    const rest = checkNames.slice(1).map((name) => notReached(name, "the token cannot be read"));
    return firstFailureAnswer([shape, ...rest]);
  }
  // If no provider matches its issuer, the token is checked against the intended provider.
  const provider = providerOf(token, providers) ?? providers[0];
  const checks = [
    shape,
    checkProvider(token, providers, role),
    checkDiscovery(token, provider, awsTokenLimits),
    await checkSignature(token, shape, provider, awsTokenLimits),
    checkTime(token, time, awsTimeLimits),
    checkAudience(token, provider),
    checkTrust(token, role, provider),
  ];
  return firstFailureAnswer(checks);
}

/** The exchange of a token by `sts:AssumeRoleWithWebIdentity`. */
export const awsExchange = {
  noun: "role",
  commands: {
    issuer: { command: "aws iam get-open-id-connect-provider", fields: '"Url" and "ClientIDList"' },
    identity: { command: "aws iam get-role", fields: '"Role" with "Arn" and "AssumeRolePolicyDocument"' },
  },
  limits: awsTokenLimits,
  applied: new Set(["provider", "discovery", "signature", "audience", "trust policy"]),
  // The URL may lack its scheme.
  readIssuer(answer) {
    const url = valueAt(answer, ["Url"]);
    const ids = valueAt(answer, ["ClientIDList"]) ?? [];
    if (typeof url !== "string" || !Array.isArray(ids) || !ids.every((value) => typeof value === "string"))
      return undefined;
    return { ...unknownIssuer, url: withoutScheme(url), clientIds: ids as readonly string[] };
  },
  readIdentity(answer) {
    const role = valueAt(answer, ["Role"]) ?? answer;
    const arn = valueAt(role, ["Arn"]);
    const policy = valueAt(role, ["AssumeRolePolicyDocument"]);
    return typeof arn === "string" && policy !== undefined ? trusting(arn, trustOf(policy)) : undefined;
  },
  identities: (bundles) =>
    (readRendered(bundles)?.identities ?? []).flatMap(({ id = "", trust }) => trusting(id, trust) ?? []),
  advise: ({ items, token, id, ids }) => consistencyAdvice(items, token, id, ids),
  command: ({ id, cluster }, tokenFile, word) =>
    [
      "aws sts assume-role-with-web-identity",
      ...(cluster?.region === undefined ? [] : ["--region", word(cluster.region)]),
      ...["--role-arn", word(id), "--role-session-name ccf-verify-token"],
      ...["--web-identity-token", word(`file://${tokenFile}`)],
    ].join(" "),
  notes: () => [],
} as const satisfies TokenExchange;

function trusting(arn: string, trust: JsonReading): TrustingIdentity | undefined {
  const role = roleToAssume(arn, trust);
  if (role === undefined) return undefined;
  return { id: arn, name: role.name, answer: ({ token, time, issuers }) => answerFor(token, time, issuers, role) };
}

// The CLI returns the trust policy as an object, the API as URL-encoded JSON (RFC 3986).
function trustOf(policy: Value): JsonReading {
  if (isMap(policy)) return { value: policy };
  if (typeof policy !== "string") return { problem: "is not an object or a string" };
  if (policy.trimStart().startsWith("{")) return readJson(policy);
  try {
    return readJson(decodeURIComponent(policy));
  } catch {
    return { problem: "is not URL-encoded JSON" };
  }
}
