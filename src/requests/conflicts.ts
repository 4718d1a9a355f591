import { type Finding, finding } from "../core/finding.ts";
import { asText, canonicalJson } from "../core/json.ts";
import {
  compareLocations,
  describe,
  entryOf,
  isMap,
  isToolAnnotation,
  type Resource,
  refOf,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";
import { providerSpecOf, requestTokenPath, secretKeyOf } from "./credentials-request.ts";

/** The fields of an included request that are compared. */
interface Included {
  readonly resource: Resource;
  readonly secretKey: string | undefined;
  readonly copies: readonly Resource[];
}

/**
 * Different requests that name the same Secret: an error for each beyond the first, in the order of their files.
 *
 * @param requests sorted by Secret.
 */
export function sharedSecrets(requests: readonly Included[]): Finding[] {
  const findings: Finding[] = [];
  for (let start = 0; start < requests.length; ) {
    const { secretKey } = requests[start] as Included;
    let end = start + 1;
    while (end < requests.length && requests[end]?.secretKey === secretKey) end++;
    if (secretKey !== undefined) findings.push(...sharing(requests.slice(start, end), secretKey));
    start = end;
  }
  return findings;
}

/**
 * Requests with one name and namespace but different Secrets: a cluster can contain only one of them, so the others
 * come from another release. A warning for each beyond the first, in the order of their files.
 */
export function repeatedNames(requests: readonly Included[]): Finding[] {
  const byName = new Map<string, Included[]>();
  for (const request of requests) {
    const name = `${request.resource.namespace}/${request.resource.name}`;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [request]);
    else if (same.every(({ secretKey }) => secretKey !== request.secretKey)) same.push(request);
  }
  return [...byName.values()].flatMap((same) => {
    const [first, ...others] = byLocation(same);
    return others.map((included) => {
      const location = { resource: included.resource, field: "spec.secretRef" };
      return finding("warning", "request-repeated", sameName(first, included), location);
    });
  });
}

function sharing(sorted: readonly Included[], secretKey: string): Finding[] {
  const inOrder = byLocation(sorted);
  const [first, ...others] = inOrder;
  return others.map((included) => {
    const same = inOrder.find(({ resource }) => resource.name === included.resource.name) ?? included;
    const message = same === included ? differentNames(first, secretKey) : sameName(same, included);
    return finding("error", "secret-shared", message, { resource: included.resource, field: "spec.secretRef" });
  });
}

// Requests with equal locations keep their order, which is deterministic too.
function byLocation(requests: readonly Included[]): [Included, ...Included[]] {
  return [...requests].sort((a, b) => compareLocations(a.resource, b.resource)) as [Included, ...Included[]];
}

/** A common mistake of an upgrade: the files of two releases, with different names, are both in the package. */
function sameName(first: Included, second: Included): string {
  const what = `the same ${describe(refOf(second.resource))}`;
  const { path } = first.resource;
  const files = `${shownFiles(first)} and ${shownFiles(second)}`;
  const where =
    path !== undefined && path !== second.resource.path
      ? `${files} contain ${what}`
      : `${path === undefined ? "the package" : quoteWhole(path)} contains ${what} more than once`;
  const [last, ...before] = differences(first.resource.value(), second.resource.value()).reverse();
  const how =
    last === undefined
      ? ", formatted differently"
      : ` with different ${[before.reverse().join(", "), last].filter((part) => part !== "").join(" and ")}`;
  return `${where}${how}. Keep one.`;
}

function shownFiles({ resource, copies }: Included): string {
  const [first = "", ...others] = [resource, ...copies].map(({ path = "" }) => quoteWhole(path));
  return others.length === 0 ? first : `${first} (and ${others.join(", ")})`;
}

function differentNames(first: Included, secretKey: string): string {
  const { resource } = first;
  return `names the same Secret ${quoteWhole(secretKey)} in "spec.secretRef" as ${describe(refOf(resource))}${inFile(resource)}. Each request needs its own Secret. Remove the request that this cluster does not need, or correct the wrong "spec.secretRef".`;
}

function inFile({ path }: Resource): string {
  return path === undefined ? "" : ` in ${quoteWhole(path)}`;
}

/** How many names of each kind a message contains. */
const maxNames = 5;

/**
 * How two requests differ, for a message that calls them "the first" and "the second":
 * `permissions (only the first: s3:GetObject)`, `service accounts (only the second: "a")`. Empty if they differ only in
 * formatting, for example in the order of entries.
 *
 * Permissions are compared by name: a wildcard does not match the names that it covers.
 */
function differences(first: Value, second: Value): string[] {
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
