import { type Finding, finding } from "../core/finding.ts";
import {
  compareLocations,
  entryOf,
  type FieldChange,
  type GeneratedObject,
  generatedBy,
  groupOf,
  isMap,
  isToolAnnotation,
  type Resource,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { compareText, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";

/**
 * The texts at a path of a cluster-wide configuration object of OpenShift (config.openshift.io, always named
 * `cluster`), sorted and without duplicates. There can be more than one if a list contains the object more than once.
 */
export function configTexts(items: readonly Resource[], kind: string, path: readonly string[]): readonly string[] {
  const values = items.filter((item) => isConfigObject(item, kind)).map((item) => valueAt(item.value(), path));
  return [...new Set(values.filter((value) => typeof value === "string"))]
    .filter((text) => text !== "")
    .sort(compareText);
}

/** Whether an object is the cluster-wide configuration object of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}

/** The annotation that sets the sync options of a single object in Argo CD. */
export const syncOptions = "argocd.argoproj.io/sync-options";

/**
 * Annotations of an object that exists once in a cluster and that the cluster needs. Tools that prune objects which are
 * no longer in Git keep it, whichever tool applies the package. These tools read the annotations of the object in the
 * cluster, so the annotations also protect it after its file is deleted.
 *
 * Sources: Argo CD, "Sync Options"; Config Sync and `kpt live`, "Prevent removal"; Flux, "Kustomization", field prune.
 */
export const neverPruned: Readonly<Record<string, string>> = {
  [syncOptions]: "Prune=false,Delete=false",
  "client.lifecycle.config.k8s.io/deletion": "detach",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
};

/** The only file name that the installer's bootstrap reads. */
export const authenticationPath = "manifests/cluster-authentication-02-config.yaml";

/** How the cluster learns its issuer: a change to the existing Authentication, or a new one. */
export interface AuthenticationOutput {
  readonly objects: readonly GeneratedObject[];
  readonly changes: readonly FieldChange[];
  readonly preserved: readonly Resource[];
  readonly findings: readonly Finding[];
}

/** How many files a message names. */
const maxFiles = 5;

const fieldPath = ["spec", "serviceAccountIssuer"];
const field = fieldPath.join(".");

/** An error if the package has more than one Authentication, unless all of them can be generated again. */
export function repeatedAuthentications(items: readonly Resource[]): Finding[] {
  const all = authentications(items);
  if (all.length < 2 || all.every(isAsGenerated)) return [];
  const files = [...new Set(all.flatMap(({ path }) => (path === undefined ? [] : quoteWhole(path))))];
  const where = files.length === 0 ? "" : ` (${listed(files, maxFiles)})`;
  const message = `appears ${all.length} times in the package${where}; a cluster has exactly one. Remove all but one.`;
  return all.slice(1, 2).map((resource) => finding("error", "authentication-repeated", message, { resource }));
}

// The result must not depend on the order of the list.
function authentications(items: readonly Resource[]): Resource[] {
  return items.filter((item) => isConfigObject(item, "Authentication")).sort(compareLocations);
}

/**
 * Sets the issuer in the cluster's Authentication. If the Authentication is the user's, or the user has edited a
 * generated one, only that field changes. Otherwise the whole object is generated.
 */
export function authenticationFor(issuer: string, items: readonly Resource[]): AuthenticationOutput {
  const repeatedFindings = repeatedAuthentications(items);
  if (repeatedFindings.length > 0) return { objects: [], changes: [], preserved: [], findings: repeatedFindings };
  const [existing] = authentications(items);
  if (existing === undefined || isAsGenerated(existing)) {
    const findings = existing === undefined ? [] : replacementFindings(existing, issuer);
    return { objects: [authentication(issuer)], changes: [], preserved: [], findings };
  }
  const findings = [...replacementFindings(existing, issuer), ...locationFindings(existing)];
  const changes = issuerOf(existing) === issuer ? [] : [{ resource: existing, path: fieldPath, value: issuer }];
  return { objects: [], changes, preserved: [existing], findings };
}

/** Keeps the Authentication unchanged while its future issuer is unknown. */
export function authenticationAsBefore(items: readonly Resource[]): AuthenticationOutput {
  const findings = repeatedAuthentications(items);
  return { objects: [], changes: [], preserved: findings.length > 0 ? [] : authentications(items), findings };
}

function authentication(issuer: string): GeneratedObject {
  return {
    path: authenticationPath,
    object: {
      apiVersion: "config.openshift.io/v1",
      kind: "Authentication",
      metadata: { name: "cluster" },
      spec: { serviceAccountIssuer: issuer },
    },
    annotations: neverPruned,
  };
}

// Whether an object is generated and unedited, so that it can be generated again.
function isAsGenerated(existing: Resource): boolean {
  const value = existing.value();
  if (!existing.annotations.has(generatedBy) || !isMap(value)) return false;
  const { metadata, spec } = value;
  const plain = (map: unknown, keys: string[]) =>
    isMap(map as Value) && Object.keys(map as ValueMap).every((key) => keys.includes(key));
  return (
    plain(value, ["apiVersion", "kind", "metadata", "spec"]) &&
    plain(metadata, ["name", "annotations"]) &&
    [...existing.annotations].every(
      ([key, text]) => key === generatedBy || isToolAnnotation(key) || entryOf(neverPruned, key) === text,
    ) &&
    plain(spec, ["serviceAccountIssuer"])
  );
}

function replacementFindings(existing: Resource, issuer: string): Finding[] {
  const current = issuerOf(existing);
  if (typeof current !== "string" || current === "" || current === issuer) return [];
  const message = `named the issuer ${quoteWhole(current)}, which is replaced by ${quoteWhole(issuer)}. A running cluster accepts tokens of the old issuer for another 24 hours.`;
  return [finding("warning", "issuer-replaced", message, { resource: existing, field })];
}

/** `spec.serviceAccountIssuer` of an Authentication. */
export function issuerOf(resource: Resource): unknown {
  return valueAt(resource.value(), fieldPath);
}

function locationFindings(existing: Resource): Finding[] {
  if (existing.path === undefined || existing.path === authenticationPath) return [];
  const message = `is not in the file "${authenticationPath}", the only one that the installer reads. For a new cluster, move it there.`;
  return [finding("info", "authentication-misplaced", message, { resource: existing })];
}
