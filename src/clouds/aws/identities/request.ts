import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { textOf, type Value, type ValueMap } from "../../../core/resource.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import type { AWSOverride, Override } from "../../../generated/cluster-identity.ts";
import { awsProviderSpecWords, validateAwsProviderSpec } from "../../../generated/validate-aws-provider-spec.js";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { covers } from "../../../permissions/gains.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { Merged } from "../../../requests/transition.ts";
import {
  type CheckedRequest,
  type ReadSpec,
  type RequestForm,
  readRequest,
  readValidSpec,
  unreadFields,
} from "../../request.ts";
import { type AwsIdentity, awsIdentity } from "../cluster/cluster.ts";
import { requestedPermissions } from "../permissions/permissions.ts";
import { mistakenActions } from "./mistaken-actions.ts";

/** `spec.providerSpec` of a CredentialsRequest for AWS, as written. */
export interface AwsSpec extends ReadSpec {
  readonly statementEntries: readonly Value[];
  /** "" if the request does not name it. */
  readonly stsIAMRoleARN: string;
}

function readAwsSpec({ statementEntries = null, stsIAMRoleARN, ...others }: ValueMap): AwsSpec {
  const whole = statementEntries === null ? [] : [statementEntries];
  return {
    statementEntries: Array.isArray(statementEntries) ? (statementEntries as readonly Value[]) : whole,
    stsIAMRoleARN: textOf(stsIAMRoleARN),
    unread: unreadFields(others),
  };
}

/** A CredentialsRequest for AWS with every value checked. */
export interface AwsRequest extends CheckedRequest<AwsSpec> {
  readonly statements: readonly StatementEntry[];
  readonly override: RoleOverride;
}

/**
 * Matches `${NAMESPACE}`, except variables that IAM fills in (IAM User Guide, "IAM policy elements: Variables and tags"),
 * and `arn:aws:s3:::BUCKET`, because a bucket's name has no uppercase letters (Amazon S3 User Guide, "General purpose bucket
 * naming rules"). Buckets in us-east-1 from before March 2018 may have some; a name of uppercase letters alone still counts
 * as a placeholder.
 */
export const awsPlaceholders = /\$\{(?![a-z0-9.-]+:[A-Za-z]|[*?$]\})|^arn:[a-z-]*:s3:::[A-Z][A-Z0-9_.-]*(?:\/|$)/;

/** Requests for AWS. */
export const awsRequestForm: RequestForm<AwsSpec> = {
  validate: validateAwsProviderSpec,
  words: awsProviderSpecWords,
  read: readAwsSpec,
  placeholders: awsPlaceholders,
};

/**
 * Checks an included request, and applies the config's override for its Secret.
 *
 * @param written fields that a function will overwrite, so they may still contain placeholders.
 */
export function readAwsRequest(
  selected: SelectedRequest,
  overrides: ReadonlyMap<string, RoleOverride>,
  written?: ReadonlySet<string>,
): { request: AwsRequest | undefined; findings: readonly Finding[] } {
  const override = overrides.get(selected.secretKey ?? "") ?? {};
  const { request, findings } = readRequest(selected, awsRequestForm, override, written);
  if (request === undefined) return { request, findings };
  const statements = validStatements(request.providerSpec);
  const wrong = [...findings, ...conditionFindings(statements, selected), ...actionFindings(statements, selected)];
  if (hasError(wrong)) return { request: undefined, findings: wrong };
  return { request: { ...request, statements, override }, findings: wrong };
}

/** The statements of a provider spec that follows the schema. */
function validStatements({ statementEntries }: AwsSpec): readonly StatementEntry[] {
  return statementEntries as readonly unknown[] as readonly StatementEntry[];
}

function actionFindings(statements: readonly StatementEntry[], { resource }: SelectedRequest): Finding[] {
  return statements.flatMap(({ action }, index) => mistakenActions(action, index, resource));
}

// Condition values are copied into the policy unchanged, so they must be strings, numbers, booleans, or lists of these.
function conditionFindings(statements: readonly StatementEntry[], request: SelectedRequest): Finding[] {
  const found: Finding[] = [];
  statements.forEach(({ policyCondition }, index) => {
    if (policyCondition === undefined) return;
    found.push(...conditionProblems(policyCondition as Record<string, ValueMap>, index, request));
  });
  return found;
}

function conditionProblems(
  condition: Record<string, ValueMap>,
  index: number,
  { resource }: SelectedRequest,
): Finding[] {
  const found: Finding[] = [];
  for (const operator of Object.keys(condition)) {
    const keys = condition[operator] as ValueMap;
    for (const key of Object.keys(keys)) {
      if (isConditionValue(keys[key] as Value)) continue;
      const field = `spec.providerSpec.statementEntries[${index}].policyCondition.${operator}.${key}`;
      const message = `"${field}" must be a string, a number, true, false, or a list of these.`;
      found.push(finding("error", "request-invalid-field", message, { resource, field }));
    }
  }
  return found;
}

function isConditionValue(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isSingleValue) : isSingleValue(value);
}

function isSingleValue(value: Value): boolean {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    typeof value === "bigint" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

/** The config's override for one request: the settings for every cloud and those for AWS alone. */
export type RoleOverride = Override & AWSOverride;

/** The overrides from both sections of the config, by `<secret namespace>/<secret name>`. */
export function roleOverrides({ overrides, aws }: AwsIdentity): ReadonlyMap<string, RoleOverride> {
  const all = new Map<string, RoleOverride>(Object.entries(overrides));
  for (const [key, one] of Object.entries(aws.overrides ?? {})) all.set(key, { ...all.get(key), ...one });
  return all;
}

/** The config's override for one request, by `<secret namespace>/<secret name>`; empty without a config. */
export function overrideFor(identity: Identity | undefined, key = ""): RoleOverride {
  return identity === undefined ? {} : { ...identity.overrides[key], ...awsIdentity(identity).aws.overrides?.[key] };
}

/**
 * Merges what requests of two releases ask for: the statements of the new one, then those actions of the previous one that
 * they do not cover. A denial counts for all statements of a policy (IAM User Guide, "Policy evaluation logic"), so with one
 * there is no policy that is right for both.
 */
export function mergeAws(newer: ValueMap, older: ValueMap): Merged | undefined {
  const specs = [newer, older].map((one) => readValidSpec(one, awsRequestForm));
  const [own, before] = specs.map((spec) => (spec === undefined ? undefined : validStatements(spec)));
  if (own === undefined || before === undefined) return undefined;
  const denies = (statements: readonly StatementEntry[]) => statements.some(({ effect }) => effect === "Deny");
  const conflict = `a statement with the effect "Deny" would count for both releases`;
  if (denies(own)) return { conflict };
  if (denies(before))
    return {
      conflict,
      remedy: `remove the statements with the effect "Deny" from this request, if its component may do what they deny until the upgrade is finished`,
    };
  const allowed = requestedPermissions(asValues(own));
  const left = before.flatMap((statement) => {
    const isLeft = (one: string) => !covers(allowed, requestedPermissions(asValues([{ ...statement, action: [one] }])));
    const [first, ...others] = statement.action.filter(isLeft);
    return first === undefined ? [] : [{ ...statement, action: [first, ...others] as const }];
  });
  return { providerSpec: { ...newer, statementEntries: asValues([...own, ...left]) } };
}

function asValues(statements: readonly object[]): readonly Value[] {
  return statements as readonly Value[];
}
