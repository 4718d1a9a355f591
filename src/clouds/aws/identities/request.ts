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

/** A CredentialsRequest for AWS whose every value has been checked. */
export interface AwsRequest extends SelectedRequest {
  readonly name: string;
  readonly secretNamespace: string;
  readonly secretName: string;
  /** At least one. */
  readonly subjects: readonly Subject[];
  /** Where the component finds its token; undefined where the request leaves it to the cluster. */
  readonly tokenPath: string | undefined;
  readonly statements: readonly StatementEntry[];
  readonly override: RoleOverride;
}

/**
 * `${NAMESPACE}`, but for variables that IAM fills in (IAM User Guide, "IAM policy elements: Variables and tags"). And
 * `arn:aws:s3:::BUCKET`: a bucket's name has no upper case letters (Amazon S3 User Guide, "General purpose bucket naming
 * rules"). Buckets of us-east-1 from before March 2018 may have some, so that a name of these alone is taken for a gap.
 */
export const awsPlaceholders = /\$\{(?![a-z0-9.-]+:[A-Za-z]|[*?$]\})|^arn:[a-z-]*:s3:::[A-Z][A-Z0-9_.-]*(?:\/|$)/;

/**
 * Checks a request that counts, and applies the config's override for its Secret.
 *
 * @param written fields that a function is going to write: what stands in them need not be meant.
 */
export function readAwsRequest(
  selected: SelectedRequest,
  overrides: ReadonlyMap<string, RoleOverride>,
  written?: ReadonlySet<string>,
): { request: AwsRequest | undefined; findings: readonly Finding[] } {
  const { resource, value } = selected;
  const strange = placeholders(resource, value, awsPlaceholders).filter(
    ({ code, field = "" }) => code !== "request-placeholder" || written?.has(field) !== true,
  );
  if (!validateAwsCredentialsRequest(value)) {
    const errors = validateAwsCredentialsRequest.errors ?? [];
    const wrong = schemaFindings(errors, value, { resource }, requestCodes, awsCredentialsRequestWords());
    const known = new Set(strange.map((finding) => finding.field));
    return { request: undefined, findings: [...strange, ...wrong.filter((finding) => !known.has(finding.field))] };
  }
  if (strange.length > 0) return { request: undefined, findings: strange };
  const { spec } = value as AWSCredentialsRequest;
  const { namespace, name } = spec.secretRef;
  const override = overrides.get(`${namespace}/${name}`) ?? {};
  const findings = conditionFindings(spec.providerSpec.statementEntries, selected);
  if (namespace.length + name.length > longestNames) {
    const message = `"spec.secretRef": namespace and name have ${namespace.length + name.length} characters together, and must have at most ${longestNames}; a file is named after them.`;
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

/** A file name has at most 255 bytes: `<namespace>-<name>-credentials.yaml`; an object's name 253: `aws-role-<namespace>-<name>`. */
const longestNames = 236;

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
        const message = `lets the service account ${quote(text)} of another namespace assume the role, as the config's override says.`;
        findings.push(finding("warning", "subject-in-other-namespace", message, { resource, field }));
      }
      return { namespace: other, name };
    });
  }
  if (names.every((name) => name === "")) {
    const override = `"${namespace}/${secretName}": {"serviceAccountNames": ["NAME"]}`;
    const message = `names no service account in "${field}", so that no pod could use its role. Write the service account of its pods there, or, as NAME, into the ClusterIdentity: add ${override} to "spec.overrides".`;
    findings.push(finding("error", "no-service-account", message, { resource, field }));
    return [];
  }
  names.forEach((name, index) => {
    if (name.length <= 253 && subdomain.test(name)) return;
    const message = `"${field}[${index}]" is ${quote(name)}, and must be a DNS subdomain name: lower case letters, digits, '-' and '.'.`;
    findings.push(finding("error", "request-invalid-field", message, { resource, field: `${field}[${index}]` }));
  });
  return Array.from(new Set(names), (name) => ({ namespace, name }));
}

// Values of conditions go into the policy as they are: texts, numbers, booleans, or lists of these.
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
      const message = `"${field}" must be a text, a number, true or false, or a list of these.`;
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
