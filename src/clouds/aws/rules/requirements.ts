import { isMap, listAt, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { AWSPolicy } from "../../../generated/review-policy.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { allowingSome, findInGranted, quotedList } from "../../../rules/granted.ts";
import type { Requirement } from "../../../rules/policy.ts";
import type { Facts, Violation } from "../../../rules/rule.ts";
import { bundlesAmong, valueIn } from "../../rendered.ts";
import { isIdentityBundle, roleFiles } from "../rendered/facts.ts";

/** What a policy demands of clusters on AWS. */
export function awsRequirements({
  roles = {},
  tags,
  issuerHosting,
  forbiddenActions,
}: AWSPolicy): readonly Requirement[] {
  return [
    ...(roles.permissionsBoundaryARN === undefined ? [] : [boundary]),
    ...(roles.path === undefined ? [] : [path(roles.path)]),
    ...(roles.requireAudience === undefined ? [] : [audience]),
    ...(tags ?? []).map((key, index) => tag(key, index)),
    ...(issuerHosting === undefined ? [] : [hosting(issuerHosting)]),
    ...(forbiddenActions ?? []).map((set, index) => forbiddenAction(set, index)),
  ];
}

const ofAws = "spec.platform.aws";

/**
 * A requirement that a field of the ClusterIdentity decides for all roles. If it does, the files of roles are checked, too: they
 * may have been edited.
 *
 * @param lacks says what the configuration, below `spec.platform.aws`, or the input that creates a role lacks.
 */
function ofRoles(
  field: string,
  configured: string,
  lacks: { readonly config: (aws: Value) => string | undefined; readonly role: (create: Value) => string | undefined },
): Requirement {
  return {
    field: `${ofAws}.${field}`,
    code: "policy-required",
    check: (facts) => {
      const ofConfig = inConfig(facts, configured, lacks.config);
      return ofConfig.length > 0 ? ofConfig : inRoles(facts, lacks.role);
    },
  };
}

function inConfig(
  { identity }: Facts,
  configured: string,
  lacks: (aws: Value) => string | undefined,
): readonly Violation[] {
  const message = identity === undefined ? undefined : lacks(identity.platform.spec);
  if (identity === undefined || message === undefined) return [];
  return [{ message, resource: identity.resource, field: `${ofAws}.${configured}` }];
}

function inRoles({ items }: Facts, lacks: (create: Value) => string | undefined): Violation[] {
  return bundlesAmong(items)
    .filter(isIdentityBundle)
    .flatMap((bundle): Violation[] => {
      const create = valueIn(bundle, roleFiles.create);
      const at = { ...(bundle.resource && { resource: bundle.resource }), field: `data.${roleFiles.create}` };
      if (create === null) return [{ message: `"${at.field}" cannot be read.`, isUndecided: true, ...at }];
      const message = lacks(create);
      return message === undefined ? [] : [{ message, ...at }];
    });
}

const boundary = ofRoles("roles.permissionsBoundaryARN", "roles.permissionsBoundaryARN", {
  config: (aws) =>
    textAt(aws, ["roles", "permissionsBoundaryARN"]) === "" ? "the roles have no permissions boundary." : undefined,
  role: (create) => (textAt(create, ["PermissionsBoundary"]) === "" ? "has no permissions boundary." : undefined),
});

function path(prefix: string): Requirement {
  const lacks = (given: string) =>
    given.startsWith(prefix) ? undefined : `the path ${quoteWhole(given)} is not ${quoteWhole(prefix)} or below it.`;
  return ofRoles("roles.path", "roles.path", {
    config: (aws) => lacks(textAt(aws, ["roles", "path"]) || defaults["spec.platform.aws.roles.path"]),
    role: (create) => lacks(textAt(create, ["Path"]) || defaults["spec.platform.aws.roles.path"]),
  });
}

function tag(key: string, index: number): Requirement {
  const message = `the tag ${quoteWhole(key)} is missing.`;
  return ofRoles(`tags[${index}]`, "tags", {
    config: (aws) => {
      const tags = valueAt(aws, ["tags"]);
      return isMap(tags) && Object.hasOwn(tags, key) ? undefined : message;
    },
    role: (create) => (listAt(create, ["Tags"]).some((one) => textAt(one, ["Key"]) === key) ? undefined : message),
  });
}

function hosting(types: readonly string[]): Requirement {
  const field = "issuerHosting";
  return {
    field: `${ofAws}.${field}`,
    code: "policy-required",
    check: (facts) =>
      inConfig(facts, `${field}.type`, (aws) => {
        const type = textAt(aws, [field, "type"]) || defaults["spec.platform.aws.issuerHosting.type"];
        return types.includes(type) ? undefined : `the hosting is ${quote(type)}, not ${quotedList(types)}.`;
      }),
  };
}

const audience: Requirement = {
  field: `${ofAws}.roles.requireAudience`,
  code: "policy-required",
  check: (facts) => {
    const ofConfig = inConfig(facts, "roles.requireAudience", (aws) =>
      valueAt(aws, ["roles", "requireAudience"]) === true
        ? undefined
        : "trust policies have no condition on the audience.",
    );
    if (ofConfig.length > 0) return ofConfig;
    return facts.rendered.flatMap(({ resource, trustFiles }) =>
      trustFiles.flatMap(({ field, permissions }): Violation[] => {
        const allowing = permissions.filter(({ effect }) => effect === "Allow");
        const at = { ...(resource && { resource }), field };
        if (allowing.some((grant) => limitsAudience(grant) === false))
          return [{ message: `"${field}" has a statement without a condition on the audience.`, ...at }];
        if (allowing.every((grant) => limitsAudience(grant) === true)) return [];
        return [
          {
            message: `"${field}" has a statement of which it is undecided which audiences it allows.`,
            isUndecided: true,
            ...at,
          },
        ];
      }),
    );
  },
};

// Other operators may hold for a token without an audience, or for any audience.
function limitsAudience({ condition, undecided }: Grant): boolean | undefined {
  if (undecided !== undefined) return undefined;
  const clauses = condition.filter(({ key }) => key.endsWith(":aud"));
  if (clauses.length === 0) return false;
  return clauses.some(({ operator }) => /^(?:ForAnyValue:)?StringEquals$/i.test(operator)) || undefined;
}

function forbiddenAction(set: string, index: number): Requirement {
  return {
    field: `${ofAws}.forbiddenActions[${index}]`,
    code: "policy-forbidden",
    check: ({ identity, granted, rendered, documents }) => [
      ...findInGranted(granted, (judged) => {
        const found = allowingSome(judged, set.toLowerCase());
        if (found.length === 0) return undefined;
        const actions = quotedList(found.map(({ action }) => action));
        return { message: `allows ${actions}, which ${quoteWhole(set)} contains or meets.`, part: found[0] };
      }),
      // Those whose documents are known are among what is granted.
      ...rendered.flatMap(({ resource, managedPolicies }): Violation[] => {
        const unknown = managedPolicies.filter((arn) => !documents.has(arn));
        return unknown.length === 0 || resource === undefined
          ? []
          : [{ ...mayAllow(unknown, set, notKnown), resource }];
      }),
      // A package that was not rendered since attaches nothing yet.
      ...(identity === undefined ? [] : overridesOf(identity.platform.spec)).flatMap(([key, arns]): Violation[] => {
        const known = rendered.find((one) => one.key === key)?.managedPolicies ?? [];
        const added = arns.filter((arn) => !known.includes(arn));
        const field = `${ofAws}.overrides.${key}.managedPolicyARNs`;
        return added.length === 0 || identity === undefined
          ? []
          : [{ ...mayAllow(added, set, notRendered), resource: identity.resource, field }];
      }),
    ],
  };
}

const notKnown = 'their documents are not known; pass them with "ccf validate --policy-documents FILE"';
const notRendered = "no role has them before the next render";

function mayAllow(arns: readonly string[], set: string, why: string): Pick<Violation, "message" | "isUndecided"> {
  const message = `attached managed policies may allow ${quoteWhole(set)}: ${quotedList(arns)}; ${why}.`;
  return { message, isUndecided: true };
}

function overridesOf(aws: Value): readonly [key: string, arns: readonly string[]][] {
  const overrides = valueAt(aws, ["overrides"]);
  if (!isMap(overrides)) return [];
  return Object.entries(overrides).map(([key, one]) => [
    key,
    listAt(one, ["managedPolicyARNs"]).filter((arn) => typeof arn === "string"),
  ]);
}
