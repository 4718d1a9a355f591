import { type Finding, finding } from "../core/finding.ts";
import { asText } from "../core/json.ts";
import { groupOf, isMap, type Resource, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText, holdsPrivateKey, quote, quoteWhole } from "../core/text.ts";

/** The API group of CredentialsRequests. No other kind is in it. */
export const requestGroup = "cloudcredential.openshift.io";

/** The kind of CredentialsRequests. */
export const requestKind = "CredentialsRequest";

/** Whether an object is a CredentialsRequest, of any version. */
export function isCredentialsRequest(resource: Resource): boolean {
  return resource.kind === requestKind && groupOf(resource.apiVersion) === requestGroup;
}

/** The namespace of a release's requests: the ClusterOperator of the cloud-credential-operator shows the status of these. */
export const requestNamespace = "openshift-cloud-credential-operator";

/** The codes of findings about fields of a request that do not follow its cloud's schema. */
export const requestCodes = {
  unknown: "request-unknown-field",
  missing: "request-missing-field",
  invalid: "request-invalid-field",
} as const;

/** `spec.providerSpec` of a request, or undefined if it is missing. */
export function providerSpecOf(value: Value): ValueMap | undefined {
  const provider = valueAt(value, ["spec", "providerSpec"]);
  return isMap(provider) ? provider : undefined;
}

/** Whether a resource is a CredentialsRequest for the cloud whose `spec.providerSpec` has this kind. */
export function isRequestFor(resource: Resource, providerKind: string): boolean {
  return isCredentialsRequest(resource) && providerSpecOf(resource.value())?.["kind"] === providerKind;
}

/**
 * The key of the Secret of a request, `<namespace>/<name>`, or undefined if the request has no valid `spec.secretRef`.
 */
export function secretKeyOf(value: Value): string | undefined {
  const ref = valueAt(value, ["spec", "secretRef"]);
  if (!isMap(ref)) return undefined;
  const { namespace, name } = ref;
  return typeof namespace === "string" && typeof name === "string" ? `${namespace}/${name}` : undefined;
}

/**
 * The service accounts that may use what a request asks for: those that it names, in the namespace of its Secret,
 * sorted.
 *
 * @param instead accounts that replace those of the request, as `<name>` or `<namespace>/<name>`.
 */
export function requestSubjects(value: Value, instead?: readonly string[]): string[] {
  const namespace = asText(valueAt(value, ["spec", "secretRef", "namespace"]));
  const named = instead ?? valueAt(value, ["spec", "serviceAccountNames"]) ?? [];
  const names = (Array.isArray(named) ? (named as readonly Value[]) : [named as Value]).filter((name) => name !== "");
  const accounts = names
    .map(asText)
    .map((name) => (name.includes("/") ? name.replace("/", ":") : `${namespace}:${name}`));
  return [...new Set(accounts.map((account) => `system:serviceaccount:${account}`))].sort(compareText);
}

/** The path at which a request's component finds its token; "" if the request does not set one. */
export function requestTokenPath(value: Value): string {
  const path = valueAt(value, ["spec", "cloudTokenPath"]);
  return typeof path === "string" ? path : "";
}

/** The base name of the files of a request's component identity: `<secret namespace>-<secret name>`. */
export function baseName(secretNamespace: string, secretName: string): string {
  return `${secretNamespace}-${secretName}`;
}

/** The base name for a Secret's key, `<namespace>/<name>`. */
export function baseNameOf(secretKey: string): string {
  return secretKey.replace("/", "-");
}

// `$(oc get ...)`, `<role>`, `CRED-REQ-NAME`: placeholders that a person or script should have replaced, for any cloud.
const placeholder = /\$\(|\{\{|CRED-REQ-NAME|<[^<>]*>/;

/**
 * Whether an author or the cluster's administrator filled in the name of an identity: it is neither empty nor a placeholder
 * nor a private key, which no message may show.
 */
export function isFilledIn(name: string): boolean {
  return name !== "" && !/[<>${}]/.test(name) && !placeholder.test(name) && !holdsPrivateKey(name);
}

/**
 * Private keys in the annotations of a request. Annotations decide whether the request is included, so they are checked
 * first.
 */
export function keysInAnnotations(resource: Resource): Finding[] {
  const findings: Finding[] = [];
  resource.annotations.forEach((text, key) => {
    if (holdsPrivateKey(key)) findings.push(privateKeyAt("metadata.annotations", resource));
    else if (holdsPrivateKey(text)) findings.push(privateKeyAt(`metadata.annotations.${key}`, resource));
  });
  return findings;
}

/**
 * Texts that must not be in a request: placeholders that were not filled in, and private keys.
 *
 * @param own matches further placeholders in requests for the cloud: `${NAME}`, unless it is a variable of its
 *   policies.
 */
export function placeholders(resource: Resource, value: Value, own: RegExp): Finding[] {
  const findings: Finding[] = [];
  if (!isMap(value)) return findings;
  const { metadata, spec } = value;
  if (isMap(metadata)) {
    visit(metadata["name"] ?? null, ["metadata", "name"], { resource, own, findings });
    visit(metadata["namespace"] ?? null, ["metadata", "namespace"], { resource, own, findings });
  }
  visit(spec ?? null, ["spec"], { resource, own, findings });
  return findings;
}

// The path of a field is joined only for a finding, because nearly every text is fine.
type Step = string | number;

interface Search {
  readonly resource: Resource;
  readonly own: RegExp;
  readonly findings: Finding[];
}

function visit(value: Value, path: Step[], search: Search): void {
  const { resource, findings } = search;
  if (typeof value === "string") {
    const problem = problemOf(value, path, search);
    if (problem !== undefined) findings.push(problem);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      visit(value[index], path, search);
      path.pop();
    }
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      if (holdsPrivateKey(key)) {
        findings.push(privateKeyAt(fieldOf(path), resource));
        continue;
      }
      path.push(key);
      visit(value[key] as Value, path, search);
      path.pop();
    }
  }
}

function fieldOf(path: readonly Step[]): string {
  return path.map((step, depth) => (typeof step === "number" ? `[${step}]` : depth === 0 ? step : `.${step}`)).join("");
}

function problemOf(text: string, path: readonly Step[], { resource, own }: Search): Finding | undefined {
  if (placeholder.test(text) || own.test(text)) {
    const field = fieldOf(path);
    const message = `${quoteWhole(field)} is ${quote(text)}, a placeholder that was not filled in. Replace it with the value.`;
    return finding("error", "request-placeholder", message, { resource, field });
  }
  return holdsPrivateKey(text) ? privateKeyAt(fieldOf(path), resource) : undefined;
}

function privateKeyAt(field: string, resource: Resource): Finding {
  const message = `${quoteWhole(field)} contains a private key. Remove it, treat it as compromised, and create a new key pair.`;
  return finding("error", "private-key", message, { resource, field });
}
