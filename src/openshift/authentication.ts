import { type Finding, finding } from "../core/finding.ts";
import { listed } from "../core/listed.ts";
import {
  compareLocations,
  type FieldChange,
  type GeneratedObject,
  generatedBy,
  isMap,
  isToolAnnotation,
  type Resource,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import { isConfigObject } from "./config-object.ts";
import { neverPruned } from "./never-pruned.ts";

/** The installer's bootstrap reads this name and no other. */
export const authenticationPath = "manifests/cluster-authentication-02-config.yaml";

/** What tells the cluster who its issuer is: a change of the Authentication that is there, or a new one. */
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

/** Authentications that are more than the one a cluster has, some of them not ours to make anew: which one is meant? */
export function repeatedAuthentications(items: readonly Resource[]): Finding[] {
  const all = authentications(items);
  if (all.length < 2 || all.every(isAsGenerated)) return [];
  const files = [...new Set(all.flatMap(({ path }) => (path === undefined ? [] : quoteWhole(path))))];
  const where = files.length === 0 ? "" : ` (${listed(files, maxFiles)})`;
  const message = `appears ${all.length} times in the package${where}; a cluster has exactly one. Remove all but one.`;
  return all.slice(1, 2).map((resource) => finding("error", "authentication-repeated", message, { resource }));
}

// In one order, whatever order the list had.
function authentications(items: readonly Resource[]): Resource[] {
  return items.filter((item) => isConfigObject(item, "Authentication")).sort(compareLocations);
}

/**
 * Sets the issuer in the cluster's Authentication: that field alone where somebody else wrote one, or wrote something
 * of their own into ours; else in a new object.
 */
export function authenticationFor(issuer: string, items: readonly Resource[]): AuthenticationOutput {
  const repeated = repeatedAuthentications(items);
  if (repeated.length > 0) return { objects: [], changes: [], preserved: [], findings: repeated };
  const [existing] = authentications(items);
  if (existing === undefined || isAsGenerated(existing)) {
    const findings = existing === undefined ? [] : replacementFindings(existing, issuer);
    return { objects: [authentication(issuer)], changes: [], preserved: [], findings };
  }
  const findings = [...replacementFindings(existing, issuer), ...locationFindings(existing)];
  const changes = issuerOf(existing) === issuer ? [] : [{ resource: existing, path: fieldPath, value: issuer }];
  return { objects: [], changes, preserved: [existing], findings };
}

/** Leaves the Authentication as it is, while the issuer that it will name is not known. */
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

// What we made and nobody has added to: it can be made anew.
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
      ([key, text]) => key === generatedBy || isToolAnnotation(key) || neverPruned[key] === text,
    ) &&
    plain(spec, ["serviceAccountIssuer"])
  );
}

function replacementFindings(existing: Resource, issuer: string): Finding[] {
  const current = issuerOf(existing);
  if (typeof current !== "string" || current === "" || current === issuer) return [];
  const message = `named the issuer ${quoteWhole(current)}; it is replaced by ${quoteWhole(issuer)}. In a cluster that runs, tokens of the old issuer count for 24 hours more.`;
  return [finding("warning", "issuer-replaced", message, { resource: existing, field })];
}

/** `spec.serviceAccountIssuer` of an Authentication. */
export function issuerOf(resource: Resource): unknown {
  return valueAt(resource.value(), fieldPath);
}

function locationFindings(existing: Resource): Finding[] {
  if (existing.path === undefined || existing.path === authenticationPath) return [];
  const message = `stands in another file than "${authenticationPath}"; the installer reads that name and no other. Move it there for a new cluster.`;
  return [finding("info", "authentication-misplaced", message, { resource: existing })];
}
