import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { textOf, type Value, type ValueMap } from "../../../core/resource.ts";
import { unreadFields } from "../../../core/unread.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import { awsProviderSpecWords, validateAwsProviderSpec } from "../../../generated/validate-aws-provider-spec.js";
import type { SelectedRequest } from "../../../requests/select.ts";
import { type CheckedRequest, type ReadSpec, type RequestForm, readRequest } from "../../request.ts";
import type { RoleOverride } from "./overrides.ts";

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
  const wrong = [...findings, ...conditionFindings(statements, selected)];
  if (hasError(wrong)) return { request: undefined, findings: wrong };
  return { request: { ...request, statements, override }, findings: wrong };
}

/** The statements of a provider spec that follows the schema. */
export function validStatements({ statementEntries }: AwsSpec): readonly StatementEntry[] {
  return statementEntries as readonly unknown[] as readonly StatementEntry[];
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
