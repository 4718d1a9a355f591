import { type Finding, finding, hasError } from "../../../core/finding.ts";
import type { Value, ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { schemaFindings } from "../../../core/validation.ts";
import type { AWSCredentialsRequest, StatementEntry } from "../../../generated/aws-credentials-request.ts";
import {
  awsCredentialsRequestWords,
  validateAwsCredentialsRequest,
} from "../../../generated/validate-aws-credentials-request.js";
import { requestCodes } from "../../../requests/credentials-request.ts";
import { placeholders } from "../../../requests/placeholders.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { RoleOverride } from "./overrides.ts";

/** A service account that may assume a role. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
}

/** A CredentialsRequest for AWS with every value checked. */
export interface AwsRequest extends SelectedRequest {
  readonly name: string;
  readonly secretNamespace: string;
  readonly secretName: string;
  /** At least one. */
  readonly subjects: readonly Subject[];
  /** Where the component finds its token; undefined if the request uses the cluster's path. */
  readonly tokenPath: string | undefined;
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
  const { resource, value } = selected;
  const unfilled = placeholders(resource, value, awsPlaceholders).filter(
    ({ code, field = "" }) => code !== "request-placeholder" || written?.has(field) !== true,
  );
  if (!validateAwsCredentialsRequest(value)) {
    const errors = validateAwsCredentialsRequest.errors ?? [];
    const wrong = schemaFindings(errors, value, { resource }, requestCodes, awsCredentialsRequestWords());
    const known = new Set(unfilled.map((finding) => finding.field));
    return { request: undefined, findings: [...unfilled, ...wrong.filter((finding) => !known.has(finding.field))] };
  }
  if (unfilled.length > 0) return { request: undefined, findings: unfilled };
  const { spec } = value as AWSCredentialsRequest;
  const { namespace, name } = spec.secretRef;
  const override = overrides.get(`${namespace}/${name}`) ?? {};
  const findings = conditionFindings(spec.providerSpec.statementEntries, selected);
  if (namespace.length + name.length > maxNamesLength) {
    const message = `"spec.secretRef": the namespace and the name together have ${namespace.length + name.length} characters, but must have at most ${maxNamesLength}, because a file name contains both.`;
    findings.push(finding("error", "request-invalid-field", message, { resource, field: "spec.secretRef" }));
  }
  const subjects = readSubjects(spec.serviceAccountNames ?? [], { namespace, name }, override, selected, findings);
  if (hasError(findings)) return { request: undefined, findings };
  const request: AwsRequest = {
    resource,
    value,
    secretKey: selected.secretKey,
    copies: selected.copies,
    name: resource.name,
    secretNamespace: namespace,
    secretName: name,
    subjects,
    tokenPath: spec.cloudTokenPath === "" ? undefined : spec.cloudTokenPath,
    statements: spec.providerSpec.statementEntries,
    override,
  };
  return { request, findings };
}

/** The file name `<namespace>-<name>-credentials.yaml` may have 255 bytes; the name `aws-role-<namespace>-<name>` 253. */
const maxNamesLength = 236;

const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

function readSubjects(
  names: readonly string[],
  { namespace, name: secretName }: { readonly namespace: string; readonly name: string },
  override: RoleOverride,
  { resource }: SelectedRequest,
  findings: Finding[],
): Subject[] {
  const field = "spec.serviceAccountNames";
  if (override.serviceAccountNames !== undefined) {
    const named = override.serviceAccountNames.map((serviceAccountName) =>
      serviceAccountName.includes("/") ? serviceAccountName : `${namespace}/${serviceAccountName}`,
    );
    return [...new Set(named)].map((text) => {
      const [other, name] = text.split("/") as [string, string];
      if (other !== namespace) {
        const message = `allows the service account ${quote(text)}, which is in another namespace, to assume the role, because its override says so; check that this is intended.`;
        findings.push(finding("warning", "subject-in-other-namespace", message, { resource, field }));
      }
      return { namespace: other, name };
    });
  }
  if (names.every((name) => name === "")) {
    const override = `"${namespace}/${secretName}": {"serviceAccountNames": ["NAME"]}`;
    const message = `does not name a service account in "${field}", so no pod could use its role. Add the service account of its pods there. To set it in the ClusterIdentity instead, replace NAME and add ${override} to "spec.overrides".`;
    findings.push(finding("error", "no-service-account", message, { resource, field }));
    return [];
  }
  names.forEach((name, index) => {
    if (name.length <= 253 && subdomain.test(name)) return;
    const message = `"${field}[${index}]" is ${quote(name)}, but must be a DNS subdomain name: lowercase letters, digits, '-', and '.'.`;
    findings.push(finding("error", "request-invalid-field", message, { resource, field: `${field}[${index}]` }));
  });
  return Array.from(new Set(names), (name) => ({ namespace, name }));
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
