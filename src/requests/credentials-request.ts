import { groupOf, isMap, type Resource, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/** Says whether an object is a CredentialsRequest, of whatever version. */
export function isCredentialsRequest(resource: Resource): boolean {
  return resource.kind === "CredentialsRequest" && groupOf(resource.apiVersion) === "cloudcredential.openshift.io";
}

/** The namespace in which the cloud-credential-operator looks for requests. */
export const requestNamespace = "openshift-cloud-credential-operator";

/** What a field of a request that does not fit its cloud's schema is called. */
export const requestCodes = {
  unknown: "request-unknown-field",
  missing: "request-missing-field",
  invalid: "request-invalid-field",
} as const;

/** `spec.providerSpec` of a request, or undefined where there is none. */
export function providerSpecOf(value: Value): ValueMap | undefined {
  const provider = valueAt(value, ["spec", "providerSpec"]);
  return isMap(provider) ? provider : undefined;
}

/** What names the Secret of a request, `<namespace>/<name>`, or undefined where it is not written. */
export function secretKeyOf(value: Value): string | undefined {
  const ref = valueAt(value, ["spec", "secretRef"]);
  if (!isMap(ref)) return undefined;
  const { namespace, name } = ref;
  return typeof namespace === "string" && typeof name === "string" ? `${namespace}/${name}` : undefined;
}

/**
 * Who may use what a request asks for: the service accounts that it names, in the namespace of its Secret; sorted.
 *
 * @param instead accounts that count in the place of these, as `<name>` or `<namespace>/<name>`.
 */
export function requestSubjects(value: Value, instead?: readonly string[]): string[] {
  const namespace = String(valueAt(value, ["spec", "secretRef", "namespace"]));
  const named = instead ?? valueAt(value, ["spec", "serviceAccountNames"]) ?? [];
  const names = (Array.isArray(named) ? (named as readonly Value[]) : [named as Value]).filter((name) => name !== "");
  const accounts = names
    .map(String)
    .map((name) => (name.includes("/") ? name.replace("/", ":") : `${namespace}:${name}`));
  return [...new Set(accounts.map((account) => `system:serviceaccount:${account}`))].sort(compareText);
}

/** Where a request's component finds its token, or "" where it leaves that to the cluster. */
export function requestTokenPath(value: Value): string {
  const path = valueAt(value, ["spec", "cloudTokenPath"]);
  return typeof path === "string" ? path : "";
}
