import { type Finding, finding, hasError } from "../core/finding.ts";
import { compactJson } from "../core/json.ts";
import { isSubdomain, type Value, type ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { type SchemaValidator, type SchemaWords, schemaFindings } from "../core/validation.ts";
import type { Override } from "../generated/cluster-identity.ts";
import type { CredentialsRequest } from "../generated/credentials-request.ts";
import { credentialsRequestWords, validateCredentialsRequest } from "../generated/validate-credentials-request.js";
import { placeholders, providerSpecOf, requestCodes } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** A service account that may use a component identity. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
}

/** A CredentialsRequest with every value checked that the functions read for every cloud. */
export interface CheckedRequest<Spec extends ReadSpec> extends SelectedRequest {
  readonly name: string;
  readonly secretNamespace: string;
  readonly secretName: string;
  /** At least one. */
  readonly subjects: readonly Subject[];
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
  const wrong = formFindings(selected, form);
  if (wrong.length > 0) {
    const known = new Set(unfilled.map((finding) => finding.field));
    return { request: undefined, findings: [...unfilled, ...wrong.filter((finding) => !known.has(finding.field))] };
  }
  if (unfilled.length > 0) return { request: undefined, findings: unfilled };
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
): Subject[] {
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
