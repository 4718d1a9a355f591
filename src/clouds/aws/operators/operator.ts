import { type Finding, finding } from "../../../core/finding.ts";
import { type FieldChange, type FieldValues, valueAt } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { OperatorSetup } from "../../cloud.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "../identities/role.ts";
import { operatorSecret } from "../identities/secret.ts";

/** The annotation in which a request names the variables that its operator reads the role from. */
const variablesAnnotation = "credentials.openshift.io/role-arns-vars";
/** The field path of the annotation. */
export const variablesField = `metadata.annotations.${variablesAnnotation}`;

// A name that every program can read (POSIX.1-2017, Base Definitions, section 8.1). Kubernetes accepts more.
const variableName = /^[a-zA-Z_][a-zA-Z0-9_]{0,254}$/;

// Variables that control how programs start and what they connect to: an ARN in one of them breaks the operator or redirects
// it (ld.so(8), kubectl, Go's net/http, Node.js, Python, AWS SDKs and Tools Reference Guide).
const reserved =
  /^(?:PATH|HOME|SHELL|IFS|ENV|BASH_ENV|TMPDIR|LD_.*|GODEBUG|GOTRACEBACK|NODE_OPTIONS|PYTHON.*|JAVA_TOOL_OPTIONS|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO|ALL)_PROXY|KUBECONFIG|KUBERNETES_.*|OPERATOR_CONDITION_NAME|AWS_(?:(?:DEFAULT_)?(?:PROFILE|REGION)|CONFIG_FILE|SHARED_CREDENTIALS_FILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|WEB_IDENTITY_TOKEN_FILE|CA_BUNDLE|ENDPOINT_URL.*|CONTAINER_.*))$/i;

/**
 * The variables in which an operator expects the ARN of a request's role: `ROLEARN`, or those in the request's annotation, a
 * list separated by commas without spaces (library-go, credentialsrequestcontroller). An empty list means no variable: some
 * operators read the role from a custom resource.
 */
export function roleVariables({ resource }: SelectedRequest): {
  names: readonly string[];
  findings: readonly Finding[];
} {
  const list = resource.annotations.get(variablesAnnotation);
  if (list === undefined) return { names: ["ROLEARN"], findings: [] };
  const names = list === "" ? [] : list.split(",");
  const invalid = (message: string) => ({
    names: [],
    findings: [finding("error", "variable-invalid", message, { resource, field: variablesField })],
  });
  if (!names.every((name) => variableName.test(name)))
    return invalid(
      `"${variablesField}" is ${quote(list)}, but must be a comma-separated list of environment variable names (letters, digits and "_", not starting with a digit) without spaces.`,
    );
  const taken = names.find((name) => reserved.test(name));
  if (taken !== undefined)
    return invalid(
      `"${variablesField}" names ${quote(taken)}, which programs and libraries use for another purpose; name the variable in which the operator expects its role.`,
    );
  return { names: [...new Set(names)], findings: [] };
}

/** The role of a request, for the cloud-credential-operator (4.14 and later). */
export const arnField = "spec.providerSpec.stsIAMRoleARN";

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
  const { names, findings: wrong } = roleVariables(role.request);
  return {
    secret: () => operatorSecret(cluster, role),
    variables: names.map((name) => ({ name, value: role.arn })),
    changes,
    findings: [...findings, ...wrong],
  };
}

/**
 * Adds to a request what the cloud-credential-operator (4.14 and later) needs to create its Secret: the role, and the path
 * where the token is mounted.
 */
function completeRequest(
  cluster: AwsCluster,
  { arn, request }: AwsRole,
): { changes: readonly FieldChange[]; findings: readonly Finding[] } {
  const { resource, value, copies, tokenPath } = request;
  const findings: Finding[] = [];
  const before = textAt(value, arnField);
  const isGiven = before.startsWith("arn:");
  if (isGiven && before !== arn) {
    const message = `"${arnField}" was ${quoteWhole(before)} and is replaced with ${quoteWhole(arn)}, the role generated for this request; check which role is intended.`;
    findings.push(finding("warning", "role-arn-replaced", message, { resource, field: arnField }));
  }
  if (isGiven && tokenPath === undefined) {
    const message = `has a role but ${noTokenPath}. The field is set to ${quote(cluster.tokenPath)}; check that the operator mounts its token there.`;
    findings.push(finding("warning", "token-path-missing", message, { resource, field: tokenField }));
  }
  if (before === arn && tokenPath !== undefined) return { changes: [], findings };
  const spec: FieldValues = {
    ...(before === arn ? {} : { providerSpec: { stsIAMRoleARN: arn } }),
    ...(tokenPath === undefined ? { cloudTokenPath: cluster.tokenPath } : {}),
  };
  const changes = [resource, ...copies].map((resource) => ({ resource: resource, path: ["spec"], value: spec }));
  return { changes, findings };
}

function textAt(value: SelectedRequest["value"], field: string): string {
  const found = valueAt(value, field.split("."));
  return typeof found === "string" ? found : "";
}

/** Tells whether a text is the ARN of a role of this cluster: its name has the prefix, or the config sets it. */
export function isRoleOf({
  partition,
  accountId,
  rolePath,
  prefix,
  givenRoleNames,
}: AwsCluster): (text: string) => boolean {
  const base = `arn:${partition}:iam::${accountId}:role${rolePath}`;
  return (text) =>
    text.startsWith(`${base}${prefix}-`) || (text.startsWith(base) && givenRoleNames.includes(text.slice(base.length)));
}
