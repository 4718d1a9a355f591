import { type Finding, finding } from "../core/finding.ts";
import {
  type FieldChange,
  type GeneratedObject,
  isMap,
  type Resource,
  type Value,
  type ValueMap,
} from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import { isConfigObject } from "./config-object.ts";

/** The installer's bootstrap reads this name and no other. */
export const authenticationPath = "manifests/cluster-authentication-02-config.yaml";

/** What tells the cluster who its issuer is: a change of the Authentication that is there, or a new one. */
export interface AuthenticationOutput {
  readonly objects: readonly GeneratedObject[];
  readonly changes: readonly FieldChange[];
  readonly keeps: readonly Resource[];
  readonly findings: readonly Finding[];
}

const field = "spec.serviceAccountIssuer";

/**
 * Sets the issuer in the cluster's Authentication: that field alone where somebody else wrote one, or wrote something
 * of their own into ours; else in a new object.
 */
export function authenticationFor(issuer: string, items: readonly Resource[]): AuthenticationOutput {
  const [existing, ...more] = items.filter((item) => isConfigObject(item, "Authentication"));
  if (existing === undefined || isAsGenerated(existing)) {
    const findings = existing === undefined ? [] : replacementFindings(existing, issuer);
    return { objects: [authentication(issuer)], changes: [], keeps: [], findings };
  }
  if (more[0] !== undefined) {
    const message = `stands ${more.length + 1} times in the package, and a cluster has one. Remove the others.`;
    const repeated = finding("error", "authentication-repeated", message, { resource: more[0] });
    return { objects: [], changes: [], keeps: [], findings: [repeated] };
  }
  const findings = [...replacementFindings(existing, issuer), ...placeFindings(existing)];
  const changes = issuerOf(existing) === issuer ? [] : [{ resource: existing, path: field.split("."), value: issuer }];
  return { objects: [], changes, keeps: [existing], findings };
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
  };
}

// What we made and nobody has added to: it can be made anew.
function isAsGenerated(existing: Resource): boolean {
  const value = existing.value();
  if (!existing.annotations.has("fn.cloudcredential.dev/generated-by") || !isMap(value)) return false;
  const { metadata, spec } = value;
  const plain = (map: unknown, keys: string[]) =>
    isMap(map as Value) && Object.keys(map as ValueMap).every((key) => keys.includes(key));
  return (
    plain(value, ["apiVersion", "kind", "metadata", "spec"]) &&
    plain(metadata, ["name", "annotations"]) &&
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
  const value = resource.value();
  const spec = isMap(value) ? value["spec"] : undefined;
  return isMap(spec) ? spec["serviceAccountIssuer"] : undefined;
}

function placeFindings(existing: Resource): Finding[] {
  if (existing.path === undefined || existing.path === authenticationPath) return [];
  const message = `stands in another file than "${authenticationPath}"; the installer reads that name and no other. Move it there for a new cluster.`;
  return [finding("info", "authentication-misplaced", message, { resource: existing })];
}
