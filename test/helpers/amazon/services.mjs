// Every operation that the stand-in knows, and how one is carried out.
import { cloudfrontAccess } from "./cloudfront-access.mjs";
import { cloudfrontDistributions } from "./cloudfront-distributions.mjs";
import { AwsError } from "./errors.mjs";
import { iamProviders } from "./iam-providers.mjs";
import { iamRoles } from "./iam-roles.mjs";
import { allowed } from "./policy.mjs";
import { s3Buckets } from "./s3-buckets.mjs";
import { s3Contents } from "./s3-contents.mjs";
import { s3Objects } from "./s3-objects.mjs";
import { sts } from "./sts.mjs";

/** @import { Operation, Situation, State, Value } from "./types.ts" */

/** By the names of the service and of the operation, as the API has them. @type {Record<"sts" | "s3" | "iam" | "cloudfront", Record<string, Operation>>} */
export const services = {
  sts,
  s3: { ...s3Buckets, ...s3Contents, ...s3Objects },
  iam: { ...iamRoles, ...iamProviders },
  cloudfront: { ...cloudfrontAccess, ...cloudfrontDistributions },
};

/**
 * Tells what the caller may do.
 *
 * @param {Value} policy what it has; everything if undefined. @param {State} state @param {string} region of the request.
 * @returns {Situation["allows"]}
 */
export function allowedBy(policy, state, region) {
  if (policy === undefined) return () => true;
  const keys = {
    "aws:PrincipalAccount": state.account,
    "aws:PrincipalArn": state.caller,
    "aws:SecureTransport": "true",
    "aws:RequestedRegion": region,
  };
  return (need) => allowed(policy, need, keys);
}

/**
 * @param {Operation} operation @param {Value} parameters @param {Situation} situation
 * @param {(action: string) => void} used hears of the IAM actions that the request needs.
 * @returns {Value}
 */
export function carryOut(operation, parameters, situation, used) {
  const needs = operation.needs(parameters, situation);
  for (const { action } of needs) used(action);
  for (const need of needs) {
    if (situation.allows(need)) continue;
    const who = `User: ${situation.state.caller} is not authorized to perform: ${need.action}`;
    const why = `because no identity-based policy allows the ${need.action} action`;
    throw new AwsError("AccessDenied", `${who} on resource: ${need.resource} ${why}`);
  }
  return operation.run(parameters, situation);
}
