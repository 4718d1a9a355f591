import { asText, canonicalJson } from "../core/json.ts";
import { entryOf, isMap, isToolAnnotation, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";
import { providerSpecOf, requestTokenPath, secretKeyOf } from "./credentials-request.ts";

/** How many names of each kind a message contains. */
const maxNames = 5;

/**
 * How two requests differ, for a message that calls them "the first" and "the second":
 * `permissions (only the first: s3:GetObject)`, `service accounts (only the second: "a")`. Empty if they differ only in
 * formatting, for example in the order of entries.
 *
 * Permissions are compared by name: a wildcard does not match the names that it covers.
 */
export function differences(first: Value, second: Value): string[] {
  const accounts = oneSided(accountsOf(first), accountsOf(second), quote);
  const [path, otherPath] = [requestTokenPath(first), requestTokenPath(second)];
  const [secret, otherSecret] = [secretKeyOf(first) ?? "", secretKeyOf(second) ?? ""];
  const fields = otherFields(withoutCompared(first), withoutCompared(second), "").map(quoteWhole);
  return [
    ...(secret === otherSecret ? [] : [`Secrets (${quoteWhole(secret)} and ${quoteWhole(otherSecret)})`]),
    ...inBrackets("permissions", permissionDifferences(first, second)),
    ...inBrackets("service accounts", accounts),
    ...(path === otherPath ? [] : [`token paths (${quote(path)} and ${quote(otherPath)})`]),
    ...inBrackets("fields", fields.length === 0 ? [] : [listed(fields, maxNames)]),
  ];
}

function inBrackets(what: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`${what} (${parts.join("; ")})`];
}

/** A permission of a request: its name, and a text that also includes its resources and conditions. */
interface Grant {
  readonly name: string;
  readonly whole: string;
}

/**
 * The permissions of `spec.providerSpec`, for any cloud (cloud-credential-operator, pkg/apis/cloudcredential/v1): names
 * in lists (`permissions`, `predefinedRoles`), and entries with names in `action` or `role`.
 */
function grantsOf(request: Value): Grant[] {
  const grants: Grant[] = [];
  for (const [field, list] of Object.entries(providerSpecOf(request) ?? {})) {
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly Value[]) grants.push(...grantsIn(field, entry));
  }
  return grants;
}

function grantsIn(field: string, entry: Value): Grant[] {
  if (!isMap(entry)) return [{ name: asText(entry), whole: canonicalJson({ [field]: entry }) }];
  const { action, role, ...rest } = entry;
  const named = action ?? role ?? [];
  const isDenial = entry["effect"] === "Deny";
  return (Array.isArray(named) ? (named as readonly Value[]) : [named]).map((value) => ({
    name: `${isDenial ? "Deny " : ""}${asText(value)}`,
    whole: canonicalJson({ ...rest, name: asText(value).toLowerCase(), resource: sortedResource(entry) }),
  }));
}

function sortedResource(entry: ValueMap): Value {
  const { resource = null } = entry;
  return Array.isArray(resource)
    ? [...(resource as readonly Value[])].sort((a, b) => compareText(asText(a), asText(b)))
    : resource;
}

function permissionDifferences(first: Value, second: Value): string[] {
  const [a, b] = [grantsOf(first), grantsOf(second)];
  const names = oneSided(namesOf(a), namesOf(b), shownName);
  const [known, otherKnown] = [namesOf(a), namesOf(b)].map(lowerCased) as [Set<string>, Set<string>];
  const elsewhere = [...without(a, b), ...without(b, a)]
    .map(({ name }) => name)
    .filter((name) => known.has(name.toLowerCase()) && otherKnown.has(name.toLowerCase()));
  if (elsewhere.length === 0) return names;
  return [...names, `on other resources or conditions: ${listed(unique(elsewhere).map(shownName), maxNames)}`];
}

function without(grants: readonly Grant[], others: readonly Grant[]): Grant[] {
  const known = new Set(others.map(({ whole }) => whole));
  return grants.filter(({ whole }) => !known.has(whole));
}

function namesOf(grants: readonly Grant[]): string[] {
  return unique(grants.map(({ name }) => name));
}

// Permissions are not case-sensitive in any cloud.
function lowerCased(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** `only the first: …` and `only the second: …`, each only if there is a difference. */
function oneSided(a: readonly string[], b: readonly string[], show: (name: string) => string): string[] {
  const [inA, inB] = [lowerCased(a), lowerCased(b)];
  const [onlyA, onlyB] = [
    a.filter((text) => !inB.has(text.toLowerCase())),
    b.filter((text) => !inA.has(text.toLowerCase())),
  ];
  return [
    ...(onlyA.length === 0 ? [] : [`only the first: ${listed(onlyA.map(show), maxNames)}`]),
    ...(onlyB.length === 0 ? [] : [`only the second: ${listed(onlyB.map(show), maxNames)}`]),
  ];
}

function shownName(name: string): string {
  return /^[\w.:*?/ -]{1,128}$/.test(name) && quote(name).startsWith('"') ? name : quote(name);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort(compareText);
}

function accountsOf(request: Value): string[] {
  const names = valueAt(request, ["spec", "serviceAccountNames"]) ?? [];
  return unique((Array.isArray(names) ? (names as readonly Value[]) : [names]).map(asText));
}

// The rest of a request, without the fields that are compared separately.
function withoutCompared(request: Value): Value {
  const { spec, metadata, ...rest } = isMap(request) ? request : {};
  const {
    providerSpec,
    secretRef: _,
    serviceAccountNames: __,
    cloudTokenPath: ___,
    ...fields
  } = isMap(spec) ? spec : {};
  const provider = isMap(providerSpec)
    ? Object.fromEntries(Object.entries(providerSpec).filter(([, one]) => !Array.isArray(one)))
    : {};
  return { ...rest, metadata: withoutToolAnnotations(metadata), spec: { ...fields, providerSpec: provider } };
}

function withoutToolAnnotations(metadata: Value | undefined): Value {
  if (!isMap(metadata)) return metadata ?? null;
  const { annotations, ...rest } = metadata;
  if (!isMap(annotations)) return rest;
  return {
    ...rest,
    annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !isToolAnnotation(key))),
  };
}

/**
 * The paths of fields that differ between two values. If only one value has a mapping there, the path of the mapping.
 */
function otherFields(a: Value | undefined, b: Value | undefined, path: string): string[] {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return [];
  if (!isMap(a) || !isMap(b)) return [path];
  return unique([...Object.keys(a), ...Object.keys(b)]).flatMap((key) =>
    otherFields(entryOf(a, key), entryOf(b, key), path === "" ? key : `${path}.${key}`),
  );
}
