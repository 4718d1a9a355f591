import { type Finding, finding } from "../../../core/finding.ts";
import type { FieldValues } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { isFilledIn } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { GivenIdentity, OperatorSetup, OperatorWords } from "../../cloud.ts";
import { requestChanges } from "../../operators.ts";
import { type IdentityVariables, identityVariables, readSpec } from "../../request.ts";
import { type AwsCluster, awsNames } from "../cluster/cluster.ts";
import { roleArn } from "../cluster/resource-names.ts";
import { type AwsRole, nameOfRole, operatorSecret, roleNameField } from "../identities/identity.ts";
import { awsRequestForm, type RoleOverride } from "../identities/request.ts";

/** The variable that tells an operator its role (OpenShift documentation, "Token-based authentication"). */
const roleVariable = "ROLEARN";

/** The variables in which an operator expects the ARN of a request's role. */
export function roleVariables(request: SelectedRequest): IdentityVariables {
  return identityVariables(request, awsNames.identityNoun, roleVariable);
}

/** The role of a request, for the cloud-credential-operator (4.14 and later). */
const arnField = "spec.providerSpec.stsIAMRoleARN";

/** Fields of an OLM operator's request that a function writes, so they may contain placeholders. */
export const writtenFields: ReadonlySet<string> = new Set([arnField]);

/** The field with the path where the token is mounted. */
export const tokenField = "spec.cloudTokenPath";

/** The token path that the cloud-credential-operator writes into a Secret if a request for AWS has none. */
export const operatorsTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** Says in messages what is wrong with a request without a token path. */
export const noTokenPath = `no "${tokenField}", so its Secret would name ${quote(operatorsTokenPath)}, the pod's API server token, which AWS refuses`;

/** Says in messages how the author fixes it. */
export const setTokenPath = 'set the field to the path where the operator mounts a token for the audience "openshift"';

/** How an OLM operator learns its role: from variables of its Subscription, from its request, or from a Secret. */
export function operatorSetup(cluster: AwsCluster, role: AwsRole): OperatorSetup {
  const { changes, findings } = completeRequest(cluster, role);
  const { names, findings: variableFindings } = roleVariables(role.request);
  return {
    secret: () => operatorSecret(cluster, role),
    variables: names.map((name) => ({ name, value: role.arn, meaning: "the role of its request" })),
    changes,
    findings: [...findings, ...variableFindings],
  };
}

/**
 * Adds to a request what the cloud-credential-operator (4.14 and later) needs to create its Secret: the role, and the path
 * where the token is mounted.
 */
function completeRequest(cluster: AwsCluster, { arn, request }: AwsRole): Pick<OperatorSetup, "changes" | "findings"> {
  const { resource, providerSpec, tokenPath } = request;
  const findings: Finding[] = [];
  const before = providerSpec.stsIAMRoleARN;
  if (isFilledIn(before) && tokenPath === undefined) {
    const message = `has a role but ${noTokenPath}. The field is set to ${quote(cluster.tokenPath)}; check that the operator mounts its token there.`;
    findings.push(finding("warning", "token-path-missing", message, { resource, field: tokenField }));
  }
  const spec: FieldValues = before === arn ? {} : { stsIAMRoleARN: arn };
  return { changes: requestChanges(request, spec, cluster.tokenPath), findings };
}

/** The role that a request names, if it is not the one that is generated for the request. */
export function givenRole(
  cluster: AwsCluster,
  overrides: ReadonlyMap<string, RoleOverride>,
  { value: request, secretKey = "" }: SelectedRequest,
): GivenIdentity | undefined {
  const value = readSpec(request, awsRequestForm).stsIAMRoleARN;
  if (!isFilledIn(value)) return undefined;
  const [namespace = "", secret = ""] = secretKey.split("/");
  const ours = nameOfRole(cluster, namespace, secret, overrides.get(secretKey) ?? {});
  const wanted = ours === undefined ? undefined : roleArn(cluster, cluster.rolePath, ours);
  if (value === wanted) return undefined;
  const start = roleArn(cluster, cluster.rolePath, "");
  const name = value.split("/").at(-1);
  const isPossible = value === `${start}${name}`;
  const keep = isPossible ? `set ${roleNameField(secretKey)} to ${quoteWhole(name ?? "")}` : undefined;
  return { field: arnField, value, name, wanted, keep };
}

/** What messages about OLM operators say of AWS. */
export const operatorWords: OperatorWords = {
  secretsSince: "4.14",
  identityVariable: roleVariable,
  isName: (value) => value.startsWith("arn:"),
};

/** Finds ARNs of roles of this cluster: their names have the prefix, or the config sets them. */
export function ownVariable({
  partition,
  accountId,
  rolePath,
  prefix,
  givenRoleNames,
}: AwsCluster): (value: string) => string | undefined {
  const base = `arn:${partition}:iam::${accountId}:role${rolePath}`;
  return (value) => {
    const isGiven = value.startsWith(base) && givenRoleNames.includes(value.slice(base.length));
    return isGiven || value.startsWith(`${base}${prefix}-`) ? "a role" : undefined;
  };
}
