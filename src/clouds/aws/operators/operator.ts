import { type Finding, finding } from "../../../core/finding.ts";
import { type FieldChange, type FieldValues, valueAt } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { OperatorSetup } from "../../cloud.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import type { AwsRole } from "../identities/role.ts";
import { operatorSecret } from "../identities/secret.ts";

/** The variables in which an operator looks for a role, where its request does not say which. */
const variablesAnnotation = "credentials.openshift.io/role-arns-vars";
/** Where a request says so. */
export const variablesField = `metadata.annotations.${variablesAnnotation}`;

// A name that every program can read (POSIX.1-2017, Base Definitions, section 8.1); Kubernetes takes others, too.
const variableName = /^[a-zA-Z_][a-zA-Z0-9_]{0,254}$/;

// How programs start, and whom they talk to: an ARN there breaks the operator, or leads it elsewhere (ld.so(8), kubectl,
// Go's net/http, Node.js, Python, AWS SDKs and Tools Reference Guide).
const reserved =
  /^(?:PATH|HOME|SHELL|IFS|ENV|BASH_ENV|TMPDIR|LD_.*|GODEBUG|GOTRACEBACK|NODE_OPTIONS|PYTHON.*|JAVA_TOOL_OPTIONS|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO|ALL)_PROXY|KUBECONFIG|KUBERNETES_.*|OPERATOR_CONDITION_NAME|AWS_(?:(?:DEFAULT_)?(?:PROFILE|REGION)|CONFIG_FILE|SHARED_CREDENTIALS_FILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|WEB_IDENTITY_TOKEN_FILE|CA_BUNDLE|ENDPOINT_URL.*|CONTAINER_.*))$/i;

/**
 * The names of the variables in which an operator expects the ARN of a request's role: `ROLEARN`, or those of the request's
 * annotation, a list with commas and nothing else between them (library-go, credentialsrequestcontroller). An empty list
 * stands for none: some operators are told a role in a resource of their own.
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
      `"${variablesField}" is ${quote(list)}, and must be names of environment variables (letters, digits and "_", no digit first) with commas between them, and no spaces.`,
    );
  const taken = names.find((name) => reserved.test(name));
  if (taken !== undefined)
    return invalid(
      `"${variablesField}" names ${quote(taken)}, which programs and their libraries read for something else than a role; name the variable in which the operator looks for its role.`,
    );
  return { names: [...new Set(names)], findings: [] };
}

/** The role of a request, for the cloud-credential-operator (4.14 and later). */
export const arnField = "spec.providerSpec.stsIAMRoleARN";

/** Fields of an operator's request that are written: a template in one of them need not be filled in by hand. */
export const writtenFields: ReadonlySet<string> = new Set([arnField]);

/** Where the token is mounted. */
export const tokenField = "spec.cloudTokenPath";

/** What the cloud-credential-operator writes into a Secret as the token's path where a request for AWS has none. */
export const operatorsTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** What is wrong with a request that has none, for messages. */
export const noTokenPath = `no "${tokenField}", so the Secret made for it would name ${quote(operatorsTokenPath)}, the token for the API server, which no role believes`;

/** What its author does about it. */
export const setTokenPath = 'set it to where the operator mounts a token for the audience "openshift"';

/** How an operator learns of its role: by variables of its Subscription, by its request, or by a Secret. */
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
 * Writes into a request what lets the cloud-credential-operator (4.14 and later) make its Secret: the role, and where
 * the token is mounted.
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
    const message = `"${arnField}" was ${quoteWhole(before)}, and is replaced by ${quoteWhole(arn)}, the role that is made for it.`;
    findings.push(finding("warning", "role-arn-replaced", message, { resource, field: arnField }));
  }
  if (isGiven && tokenPath === undefined) {
    const message = `has a role and ${noTokenPath}; it is set to ${quote(cluster.tokenPath)}.`;
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

/** Says whether a text is the ARN of a role that was made for this cluster: by its name, which begins with the prefix. */
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
