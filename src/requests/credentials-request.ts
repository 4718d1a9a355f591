import { asText } from "../core/json.ts";
import { groupOf, isMap, type Resource, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/** Whether an object is a CredentialsRequest, of any version. */
export function isCredentialsRequest(resource: Resource): boolean {
  return resource.kind === "CredentialsRequest" && groupOf(resource.apiVersion) === "cloudcredential.openshift.io";
}

/** The namespace in which the cloud-credential-operator looks for requests. */
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
