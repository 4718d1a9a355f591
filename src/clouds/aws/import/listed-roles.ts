import { isMap, listAt, type Resource, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import { counted, listed } from "../../../core/words.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { byFrequency } from "../../live-cluster.ts";
import { defaultAudiences } from "../cluster/cluster.ts";
import { prefixOfTagKey } from "../cluster/resource-names.ts";

/** What a configuration says of all roles of a cluster. */
export interface RoleSettings {
  /** Fields of `spec.platform.aws.roles`. */
  readonly roles: Readonly<Record<string, Value | undefined>>;
  /** `spec.platform.aws.tags` */
  readonly tags: ValueMap;
  /** What was assumed, and which roles differ from the others: whole sentences. */
  readonly assumed: readonly string[];
}

/** What listings say of a role; a field is undefined if no listing contains it. */
interface ListedRole {
  /** An ARN, or "none". */
  boundary?: string;
  /** In seconds. */
  session?: string;
  /** Those that every statement of the trust policy requires, or "none". */
  audiences?: string;
  tags?: ReadonlyMap<string, string>;
}

const none = "none";
const defaultSession = String(defaults["spec.platform.aws.roles.maxSessionDuration"]);

/**
 * The settings of roles that no Secret contains, from what the AWS CLI prints: `get-account-authorization-details --filter Role`
 * (permissions boundaries, tags, and trust policies), `list-roles` (session durations), and `get-role` (all of them).
 *
 * @param listings the documents of the input that are not Kubernetes objects.
 * @param arns the roles of the cluster.
 */
export function roleSettings(listings: readonly Resource[], arns: readonly string[]): RoleSettings {
  if (arns.length === 0) return { roles: {}, tags: {}, assumed: [] };
  const found = readListings(listings);
  const roles = arns.map((arn) => ({ arn, ...found.get(arn) }));
  const boundary = commonOf(roles, "boundary", "permissions boundary", none);
  const session = commonOf(roles, "session", "maximum session duration", defaultSession);
  const audiences = commonOf(roles, "audiences", "audience condition", none);
  const tags = roles.flatMap((role) => role.tags ?? []);
  const untagged = roles.length - tags.length;
  const unread = [boundary, session, audiences].flatMap((one) => one.unread);
  return {
    roles: {
      permissionsBoundaryARN: boundary.value === none ? undefined : boundary.value,
      maxSessionDuration: session.value === defaultSession ? undefined : Number(session.value),
      requireAudience: audiences.value === none ? undefined : true,
    },
    tags: commonTags(tags),
    assumed: [
      ...(unread.length === 0
        ? []
        : [
            `The input does not contain ${unread.join(", ")}. The first "ccf apply" changes a role that differs. Pass the lists of roles with "--from", as "docs/guides/import.md" describes, or review "ccf apply --dry-run".`,
          ]),
      ...(untagged === 0
        ? []
        : [
            `The input does not contain the tags of ${counted(untagged, "role")}. Tags that the package does not have stay in the cloud, but new resources do not get them.`,
          ]),
      ...[boundary, session, audiences].flatMap(({ others }) => others),
      ...(audiences.value === none || audiences.value === audienceText(defaultAudiences)
        ? []
        : [
            `The trust policies require the audiences ${audiences.value}, but the package has ${audienceText(defaultAudiences)}. Set "spec.issuer.audiences".`,
          ]),
    ],
  };
}

type Setting = Exclude<keyof ListedRole, "tags">;

/** The value of most roles; what is not known of a role, and which roles have another value. */
function commonOf(
  roles: readonly (ListedRole & { readonly arn: string })[],
  setting: Setting,
  noun: string,
  fallback: string,
) {
  const [value = fallback] = byFrequency(roles.flatMap((role) => role[setting] ?? []));
  const unread = roles.filter((role) => role[setting] === undefined).length;
  const others = roles.filter((role) => role[setting] !== undefined && role[setting] !== value);
  const names = others.map(({ arn, ...role }) => `${arn.slice(arn.lastIndexOf("/") + 1)} has ${role[setting]}`);
  return {
    value,
    unread: unread === 0 ? [] : [`the ${noun} of ${counted(unread, "role")} (assumed: ${value})`],
    others:
      others.length === 0
        ? []
        : [
            `A package has one ${noun} for all roles: ${value}. The first "ccf apply" changes the others: ${listed(names, maxNamed)}.`,
          ],
  };
}

const maxNamed = 4;

// What only some roles have stays in the cloud. AWS itself sets tags that begin with "aws:".
function commonTags(all: readonly ReadonlyMap<string, string>[]): ValueMap {
  const [first = new Map<string, string>(), ...others] = all;
  const common = [...first].filter(
    ([key, value]) =>
      !key.startsWith("aws:") &&
      prefixOfTagKey(key) === undefined &&
      key !== "Name" &&
      others.every((tags) => tags.get(key) === value),
  );
  return Object.fromEntries(common.sort(([a], [b]) => compareText(a, b)));
}

function readListings(listings: readonly Resource[]): ReadonlyMap<string, ListedRole> {
  const found = new Map<string, ListedRole>();
  for (const listing of listings) {
    const value = listing.value();
    const whole = [...listAt(value, ["RoleDetailList"]), ...[valueAt(value, ["Role"]) ?? []].flat()];
    for (const role of [...whole, ...listAt(value, ["Roles"])]) {
      const arn = textAt(role, ["Arn"]);
      if (arn !== "") found.set(arn, { ...found.get(arn), ...readRole(role, whole.includes(role)) });
    }
  }
  return found;
}

/** @param isWhole the listing contains the boundary and the tags of a role that has them; ListRoles never does. */
function readRole(role: Value, isWhole: boolean): ListedRole {
  const session = valueAt(role, ["MaxSessionDuration"]);
  const policy = valueAt(role, ["AssumeRolePolicyDocument"]);
  const audiences = isMap(policy) ? audiencesOf(policy) : undefined;
  const boundary = textAt(role, ["PermissionsBoundary", "PermissionsBoundaryArn"]) || none;
  const tags = listAt(role, ["Tags"]).map((tag) => [textAt(tag, ["Key"]), textAt(tag, ["Value"])] as const);
  return {
    ...(isWhole ? { boundary, tags: new Map(tags) } : {}),
    ...(typeof session === "number" ? { session: String(session) } : {}),
    ...(audiences === undefined ? {} : { audiences }),
  };
}

// The audience is the condition key "<URL of the issuer>:aud". A statement without it lets every audience in.
function audiencesOf(policy: Value): string {
  const texts = (value: Value) => (Array.isArray(value) ? value : [value]).map(String);
  const statements = [valueAt(policy, ["Statement"]) ?? []].flat();
  const all = statements.map((statement) => {
    const operators = Object.values(valueAt(statement, ["Condition"]) ?? {}).filter(isMap);
    const keys = operators.flatMap((keys) => Object.entries(keys).filter(([key]) => key.endsWith(":aud")));
    return keys.length === 0 ? none : audienceText(keys.flatMap(([, value]) => texts(value)));
  });
  const [first = none] = all;
  return all.every((one) => one === first) ? first : none;
}

function audienceText(audiences: readonly string[]): string {
  return [...new Set(audiences)]
    .sort(compareText)
    .map((one) => quoteWhole(one))
    .join(", ");
}
