import { type Finding, finding, hasError } from "../core/finding.ts";
import { invisibleCharacters } from "../core/invisible.ts";
import { compactJson } from "../core/json.ts";
import { describe, isSubdomain, type Resource, refOf, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { type SchemaValidator, type SchemaWords, schemaFindings } from "../core/validation.ts";
import type { Override } from "../generated/cluster-identity.ts";
import type { CredentialsRequest } from "../generated/credentials-request.ts";
import { credentialsRequestWords, validateCredentialsRequest } from "../generated/validate-credentials-request.js";
import { placeholders, providerSpecOf, requestCodes } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** A service account that may use a component identity. */
export interface KubernetesServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A CredentialsRequest with every value checked that the functions read for every cloud. */
export interface CheckedRequest<Spec extends ReadSpec> extends SelectedRequest {
  readonly name: string;
  readonly secretNamespace: string;
  readonly secretName: string;
  /** At least one. */
  readonly subjects: readonly KubernetesServiceAccount[];
  /** Where the component finds its token; undefined if the request uses the cluster's path. */
  readonly tokenPath: string | undefined;
  readonly providerSpec: Spec;
}

/** What every reader of `spec.providerSpec` gives in addition to the fields of its cloud. */
export interface ReadSpec {
  /** What was not read, in words: a request may ask for anything with it. */
  readonly unread: readonly string[];
}

/** How one cloud writes its requests. */
export interface RequestForm<Spec extends ReadSpec> {
  readonly validate: SchemaValidator<unknown>;
  words(): SchemaWords;
  /**
   * Reads `spec.providerSpec`, whether it is valid or not. No other code reads its fields. A field that it does not take is
   * `unread`.
   *
   * @param fields all but `apiVersion` and `kind`.
   */
  read(fields: ValueMap): Spec;
  /** Matches placeholders that only this cloud's authors use. */
  readonly placeholders: RegExp;
}

/** Reads `spec.providerSpec` of a request that may be invalid. One that is missing asks for nothing. */
export function readSpec<Spec extends ReadSpec>(request: Value, form: RequestForm<Spec>): Spec {
  return readFields(providerSpecOf(request) ?? {}, form);
}

/** Reads the `spec.providerSpec` of a request; undefined if it does not follow the schema of its cloud. */
export function readValidSpec<Spec extends ReadSpec>(provider: ValueMap, form: RequestForm<Spec>): Spec | undefined {
  return form.validate(provider) ? readFields(provider, form) : undefined;
}

function readFields<Spec extends ReadSpec>(provider: ValueMap, { read }: RequestForm<Spec>): Spec {
  const { apiVersion: _, kind: __, ...fields } = provider;
  return read(fields);
}

/**
 * Checks an included request, and applies the config's override for its Secret.
 *
 * @param override the config's override for its Secret
 * @param written fields that a function will overwrite, so they may still contain placeholders
 */
export function readRequest<Spec extends ReadSpec>(
  selected: SelectedRequest,
  form: RequestForm<Spec>,
  override: Override,
  written?: ReadonlySet<string>,
): { request: CheckedRequest<Spec> | undefined; findings: readonly Finding[] } {
  const { resource, value } = selected;
  const unfilled = placeholders(resource, value, form.placeholders).filter(
    ({ code, field = "" }) => code !== "request-placeholder" || written?.has(field) !== true,
  );
  const known = new Set(unfilled.map((finding) => finding.field));
  const wrong = [...unfilled, ...formFindings(selected, form).filter((finding) => !known.has(finding.field))];
  wrong.push(...invisibleCharacters(resource, valueAt(value, ["spec"]) ?? null, "spec", wrong));
  if (wrong.length > 0) return { request: undefined, findings: wrong };
  const { spec } = value as unknown as CredentialsRequest;
  const { namespace, name } = spec.secretRef;
  const findings: Finding[] = [];
  if (namespace.length + name.length > maxNamesLength) {
    const message = `"spec.secretRef": the namespace and the name together have ${namespace.length + name.length} characters, but must have at most ${maxNamesLength}, because a file name contains both.`;
    findings.push(finding("error", "request-invalid-field", message, { resource, field: "spec.secretRef" }));
  }
  const subjects = readSubjects(spec.serviceAccountNames ?? [], { namespace, name }, override, selected, findings);
  if (hasError(findings)) return { request: undefined, findings };
  const request: CheckedRequest<Spec> = {
    resource,
    value,
    secretKey: selected.secretKey,
    copies: selected.copies,
    ...(selected.workload === undefined ? {} : { workload: selected.workload }),
    name: resource.name,
    secretNamespace: namespace,
    secretName: name,
    subjects,
    tokenPath: spec.cloudTokenPath === "" ? undefined : spec.cloudTokenPath,
    providerSpec: readSpec(value, form),
  };
  return { request, findings };
}

/** The findings about fields of a request that do not follow the schema of every cloud's requests, or its own cloud's. */
export function formFindings(
  { resource, value }: SelectedRequest,
  { validate, words }: Pick<RequestForm<ReadSpec>, "validate" | "words">,
): Finding[] {
  const findings = validateCredentialsRequest(value)
    ? []
    : schemaFindings(
        validateCredentialsRequest.errors ?? [],
        value,
        { resource },
        requestCodes,
        credentialsRequestWords(),
      );
  // The common schema reports a provider spec that is missing or not a mapping.
  const provider = providerSpecOf(value);
  if (provider === undefined || validate(provider)) return findings;
  const ofProvider = schemaFindings(validate.errors ?? [], provider, { resource }, requestCodes, words(), providerPath);
  return [...findings, ...ofProvider];
}

const providerPath = ["spec", "providerSpec"];

/** The file name `<namespace>-<name>-credentials.yaml` may have 255 bytes; the name of a bundle ConfigMap 253. */
const maxNamesLength = 236;

function readSubjects(
  names: readonly string[],
  { namespace, name: secretName }: { readonly namespace: string; readonly name: string },
  override: Override,
  { resource }: SelectedRequest,
  findings: Finding[],
): KubernetesServiceAccount[] {
  const field = "spec.serviceAccountNames";
  if (override.serviceAccountNames !== undefined) {
    const named = override.serviceAccountNames.map((serviceAccountName) =>
      serviceAccountName.includes("/") ? serviceAccountName : `${namespace}/${serviceAccountName}`,
    );
    return [...new Set(named)].map((text) => {
      const [other, name] = text.split("/") as [string, string];
      if (other !== namespace) {
        const message = `allows the service account ${quote(text)}, which is in another namespace, to use its component identity, because its override says so; check that this is intended.`;
        findings.push(finding("warning", "subject-in-other-namespace", message, { resource, field }));
      }
      return { namespace: other, name };
    });
  }
  if (names.every((name) => name === "")) {
    const override = `"${namespace}/${secretName}": {"serviceAccountNames": ["NAME"]}`;
    const message = `does not name a service account in "${field}", so no pod could use its component identity. Add the service account of its pods there. To set it in the ClusterIdentity instead, replace NAME and add ${override} to "spec.overrides".`;
    findings.push(finding("error", "no-service-account", message, { resource, field }));
    return [];
  }
  names.forEach((name, index) => {
    if (isSubdomain(name)) return;
    const message = `"${field}[${index}]" is ${quote(name)}, but must be a DNS subdomain name: lowercase letters, digits, '-', and '.'.`;
    findings.push(finding("error", "request-invalid-field", message, { resource, field: `${field}[${index}]` }));
  });
  return Array.from(new Set(names), (name) => ({ namespace, name }));
}

/** How a request or a WorkloadIdentity gets fewer service accounts, as an imperative without a period. */
export function fewerAccounts({ secretKey = "", workload }: SelectedRequest): string {
  return workload === undefined
    ? `Name fewer service accounts in "spec.serviceAccountNames" of the request, or in "serviceAccountNames" in "spec.overrides" for ${quoteWhole(secretKey)}`
    : 'Name fewer service accounts in "spec.serviceAccounts", and the others in another WorkloadIdentity';
}

/*
 * Reads what has several fields, of which some may have a form that is not known. These are described in words, one text each:
 * what they mean is not known, so a caller must not treat them as missing.
 */

/**
 * The texts of a list. If the value has another form, there are none.
 *
 * @param noun what the list contains: `roles`.
 * @param unread to which a description of a value of another form is added.
 */
export function textsOf(list: Value | undefined, noun: string, unread: string[]): readonly string[] {
  if (list === undefined || list === null) return [];
  if (isTexts(list)) return list;
  unread.push(`its list of ${noun} has an unknown form: ${compactJson(list)}`);
  return [];
}

/** Whether a value is a list of texts. */
export function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** Descriptions of fields that are not read. An empty list means nothing. */
export function unreadFields(fields: ValueMap): string[] {
  const strange = Object.entries(fields).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return strange.map(([name, value]) => `${name} cannot be compared: ${compactJson(value)}`);
}

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

/** The variables in which an OLM operator expects its identity, and what is wrong with the list of them. */
export interface IdentityVariables {
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * The variables in which an operator expects a request's identity: those in the request's annotation, a list separated by
 * commas without spaces (library-go, credentialsrequestcontroller). An empty list means no variable: some operators read
 * the identity from a custom resource.
 *
 * @param noun the cloud's term for an identity
 * @param usual the variable of a request without the annotation
 * @param ofCluster the variables of the cluster, which the list may contain, too
 */
export function identityVariables(
  { resource }: SelectedRequest,
  noun: string,
  usual: string,
  ofCluster: readonly { readonly name: string }[] = [],
): IdentityVariables {
  const list = resource.annotations.get(variablesAnnotation);
  if (list === undefined) return { names: [usual], findings: [] };
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
  // library-go only checks that the listed variables are set, so the list may contain those of the cluster.
  const own = names.filter((name) => !ofCluster.some((variable) => variable.name === name));
  return { names: [...new Set(own)], findings: [] };
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
