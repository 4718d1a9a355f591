import type { Value, ValueMap } from "../../../core/resource.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import type { Subject } from "../../request.ts";
import type { TrustedIssuer } from "../cluster/cluster.ts";
import { inPartition, withoutScheme } from "../cluster/resource-names.ts";

/** The policy language's version (IAM User Guide, "IAM JSON policy elements: Version"). */
const version = "2012-10-17";

/** A policy document, with its elements in the order that AWS uses. */
export interface PolicyDocument extends ValueMap {
  readonly Version: string;
  readonly Statement: readonly ValueMap[];
}

/**
 * The trust policy of a role: only these service accounts can assume it, with tokens from these issuers. One statement
 * for each issuer.
 *
 * @param audiences adds a condition on the token's audience; without it, only the provider's client IDs restrict it.
 */
export function trustPolicy(
  issuers: readonly TrustedIssuer[],
  subjects: readonly Subject[],
  audiences: readonly string[] | undefined,
): PolicyDocument {
  const names = subjects.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`);
  return {
    Version: version,
    Statement: issuers.map(({ url, providerArn }) => {
      const issuer = withoutScheme(url);
      return {
        Effect: "Allow",
        Principal: { Federated: providerArn },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            [`${issuer}:sub`]: oneOrMore(names),
            ...(audiences === undefined ? {} : { [`${issuer}:aud`]: oneOrMore(audiences) }),
          },
        },
      };
    }),
  };
}

/**
 * The permissions policy of a role, with one statement for each entry of the request. Condition values keep their types.
 *
 * @returns the policy, and the resources whose partition was changed to the cluster's.
 */
export function permissionsPolicy(
  statements: readonly StatementEntry[],
  partition: string,
): { policy: PolicyDocument; rewritten: readonly string[] } {
  const rewritten: string[] = [];
  const Statement = statements.map(({ effect, action, resource, policyCondition }) => {
    const own = inPartition(resource, "aws", partition);
    if (own !== resource) rewritten.push(resource);
    return {
      Effect: effect,
      Action: oneOrMore(action),
      Resource: own,
      ...(Object.keys(policyCondition ?? {}).length === 0 ? {} : { Condition: policyCondition as ValueMap }),
    };
  });
  return { policy: { Version: version, Statement }, rewritten };
}

function oneOrMore(list: readonly string[]): Value {
  return list.length === 1 ? (list[0] as string) : list;
}

/** The size that IAM measures: characters, without whitespace ("IAM and AWS STS quotas"). */
export function policySize(json: string): number {
  return json.replace(/\s/g, "").length;
}
