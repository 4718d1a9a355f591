import { type Finding, finding } from "../core/finding.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** The annotation in which a request names the variables that its operator reads its identity from, on every cloud. */
const variablesAnnotation = "credentials.openshift.io/role-arns-vars";
/** The field path of the annotation. */
const variablesField = `metadata.annotations.${variablesAnnotation}`;

// A name that every program can read (POSIX.1-2017, Base Definitions, section 8.1). Kubernetes accepts more.
const variableName = /^[a-zA-Z_][a-zA-Z0-9_]{0,254}$/;

// Variables that control how programs start and what they connect to: the name of an identity in one of them breaks the
// operator or redirects it (ld.so(8), kubectl, Go's net/http, Node.js, Python, AWS SDKs and Tools Reference Guide, Google
// Cloud documentation "How Application Default Credentials works", gcloud topic configurations, Azure Identity client library
// "Environment variables" and its sources of managed identities). AZURE_CLIENT_ID is for the ID of a managed identity.
const reserved = new RegExp(
  `^(?:${[
    "PATH|HOME|SHELL|IFS|ENV|BASH_ENV|TMPDIR|LD_.*|GODEBUG|GOTRACEBACK|NODE_OPTIONS|PYTHON.*|JAVA_TOOL_OPTIONS",
    "SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO|ALL)_PROXY|KUBECONFIG|KUBERNETES_.*|OPERATOR_CONDITION_NAME",
    "AWS_(?:(?:DEFAULT_)?(?:PROFILE|REGION)|CONFIG_FILE|SHARED_CREDENTIALS_FILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY)",
    "AWS_(?:SESSION_TOKEN|WEB_IDENTITY_TOKEN_FILE|CA_BUNDLE|ENDPOINT_URL.*|CONTAINER_.*)",
    "GOOGLE_(?:APPLICATION_CREDENTIALS|API_.*|CLOUD_.*|EXTERNAL_ACCOUNT_.*)|CLOUDSDK_.*|GCE_METADATA_.*",
    "AZURE_(?!CLIENT_ID$).*|(?:IDENTITY|IMDS|MSI)_ENDPOINT|IDENTITY_(?:HEADER|SERVER_THUMBPRINT)|MSI_SECRET",
  ].join("|")})$`,
  "i",
);

/**
 * The variables in which an operator expects a request's identity: those in the request's annotation, a list separated by
 * commas without spaces (library-go, credentialsrequestcontroller). An empty list means no variable: some operators read
 * the identity from a custom resource.
 *
 * @param noun the cloud's term for an identity
 * @param usual the variables of a request without the annotation
 */
export function identityVariables(
  { resource }: SelectedRequest,
  noun: string,
  usual: readonly string[],
): { names: readonly string[]; findings: readonly Finding[] } {
  const list = resource.annotations.get(variablesAnnotation);
  if (list === undefined) return { names: usual, findings: [] };
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
      `"${variablesField}" names ${quote(taken)}, which programs and libraries use for another purpose; name the variable in which the operator expects its ${noun}.`,
    );
  return { names: [...new Set(names)], findings: [] };
}

/** Reports variables that two requests of one operator use: each contains the name of exactly one identity. */
export function sharedVariables(
  requests: readonly { readonly resource: Resource; readonly variables: readonly string[] }[],
  noun: string,
): Finding[] {
  const owners = new Map<string, Resource>();
  const found: Finding[] = [];
  for (const { resource, variables } of requests) {
    for (const name of variables) {
      const first = owners.get(name);
      owners.set(name, first ?? resource);
      if (first === undefined) continue;
      const message = `uses the variable ${quote(name)}, which ${describe(refOf(first))} also uses. In one of them, set "${variablesField}" to the variable in which the operator expects this ${noun}, or to "" if the operator gets the ${noun} in another way.`;
      found.push(finding("error", "variable-shared", message, { resource, field: variablesField }));
    }
  }
  return found;
}
