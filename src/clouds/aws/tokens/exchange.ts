import { type JsonReading, readJson } from "../../../core/read-json.ts";
import { isMap, type Value, valueAt } from "../../../core/resource.ts";
import type { TokenExchange, TrustingIdentity } from "../../inspector.ts";
import { unknownIssuer } from "../../rendered.ts";
import { withoutScheme } from "../cluster/arn.ts";
import { readRendered } from "../rendered/rendered.ts";
import { consistencyAdvice } from "./consistency.ts";
import { awsTokenLimits } from "./limits.ts";
import { roleToAssume } from "./role-to-assume.ts";
import { answerFor } from "./verify.ts";

/** The exchange of a token by `sts:AssumeRoleWithWebIdentity`. */
export const awsExchange = {
  noun: "role",
  commands: {
    issuer: { command: "aws iam get-open-id-connect-provider", fields: '"Url" and "ClientIDList"' },
    identity: { command: "aws iam get-role", fields: '"Role" with "Arn" and "AssumeRolePolicyDocument"' },
  },
  limits: awsTokenLimits,
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
