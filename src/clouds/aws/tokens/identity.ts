import type { JsonReading } from "../../../core/read-json.ts";
import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { maxRoleName, maxTagKey, maxTags, maxTagValue } from "../limits.ts";

/** A role that a token can be exchanged for. */
export interface RoleToAssume {
  readonly arn: string;
  readonly name: string;
  readonly partition: string;
  readonly accountId: string;
  readonly trust: JsonReading;
}

/** Parses the ARN of a role; undefined if the text is not a role's ARN (IAM User Guide, "IAM identifiers"). */
export function roleToAssume(arn: string, trust: JsonReading): RoleToAssume | undefined {
  const [, partition, accountId, name] =
    /^arn:([a-z-]+):iam::(\d{12}):role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]+)$/.exec(arn) ?? [];
  if (partition === undefined || accountId === undefined || name === undefined || name.length > maxRoleName)
    return undefined;
  return { arn, name, partition, accountId, trust };
}

/** An action that a role's trust policy must allow in addition to the exchange, and the claim that requires it. */
export interface SessionAction {
  readonly action: "sts:TagSession" | "sts:SetSourceIdentity";
  readonly claim: string;
}

/** What a token's claims request for the session, and the reason if that is not fully known. */
export interface SessionClaims {
  readonly actions: readonly SessionAction[];
  readonly doubt?: string;
}

const vendor = "https://aws.amazon.com/";
const tags = `${vendor}tags`;
const principalTags = `${tags}/principal_tags`;
const transitiveKeys = `${tags}/transitive_tag_keys`;
const sourceIdentity = `${vendor}source_identity`;

/**
 * Reads what the claims request for a session: session tags, nested in one claim or in one claim each (IAM User Guide, "Pass
 * session tags in AWS STS", AssumeRoleWithWebIdentity), and a source identity (IAM User Guide, "Monitor and control actions
 * taken with assumed roles"). The role's trust policy must allow each with its own action. AWS documents no other form.
 */
export function sessionClaims(claims: ValueMap): SessionClaims {
  const names = Object.keys(claims)
    .filter((name) => name.toLowerCase().startsWith(vendor))
    .sort();
  const tag = names.find((name) => name === tags || name.startsWith(`${tags}/`));
  const odd = names.find((name) => !isKnown(name, claims[name] as Value));
  return {
    actions: [
      ...(tag === undefined ? [] : [{ action: "sts:TagSession", claim: tag } as const]),
      ...(names.includes(sourceIdentity) ? [{ action: "sts:SetSourceIdentity", claim: sourceIdentity } as const] : []),
    ],
    ...(odd === undefined
      ? {}
      : { doubt: `it is unknown how AWS treats the token's claim ${quote(odd)} with this value` }),
  };
}

function isKnown(name: string, value: Value): boolean {
  if (name === sourceIdentity) return typeof value === "string" && /^[\w+=,.@-]{2,64}$/.test(value);
  if (name === principalTags) return areTags(value);
  if (name === transitiveKeys) return areKeys(value);
  if (name.startsWith(`${principalTags}/`)) return isTag(name.slice(principalTags.length + 1), value);
  if (name !== tags || !isMap(value)) return false;
  const { principal_tags, transitive_tag_keys = [], ...rest } = value;
  return Object.keys(rest).length === 0 && areTags(principal_tags as Value) && areKeys(transitive_tag_keys);
}

function areTags(value: Value): boolean {
  const entries = isMap(value) ? Object.entries(value) : [];
  return entries.length > 0 && entries.length <= maxTags && entries.every(([key, one]) => isTag(key, one));
}

function isTag(key: string, value: Value): boolean {
  const [text, ...more] = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return isKey(key) && more.length === 0 && typeof text === "string" && text.length <= maxTagValue;
}

function areKeys(value: Value): boolean {
  return (
    Array.isArray(value) && (value as readonly Value[]).every((value) => typeof value === "string" && isKey(value))
  );
}

function isKey(text: string): boolean {
  return text.length >= 1 && text.length <= maxTagKey;
}
