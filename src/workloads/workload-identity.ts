import { type Finding, finding } from "../core/finding.ts";
import { isMap, listAt, localConfig, type Resource, type Value, type ValueMap } from "../core/resource.ts";
import { schemaFindings } from "../core/validation.ts";
import { validateWorkloadIdentity, workloadIdentityWords } from "../generated/validate-workload-identity.js";
import type { WorkloadTerms } from "../requests/select.ts";

/** A WorkloadIdentity that follows its schema. */
export interface Workload {
  readonly resource: Resource;
  /** See {@link workloadKey}. */
  readonly key: string;
  /** Names in the namespace. */
  readonly serviceAccounts: readonly string[];
  readonly delivery: WorkloadTerms["delivery"];
  /** The sections of `spec`, by the name of their cloud. */
  readonly sections: ReadonlyMap<string, ValueMap>;
}

/** Whether an object is a WorkloadIdentity, of any version. */
export function isWorkloadIdentity({ kind, apiVersion }: Pick<Resource, "kind" | "apiVersion">): boolean {
  return kind === "WorkloadIdentity" && apiVersion.startsWith("fn.cloudcredential.dev/");
}

/** The key of a WorkloadIdentity, `<namespace>/<name>`: what the key of its Secret is to a request. */
export function workloadKey({ namespace, name }: Pick<Resource, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}

/** The names of the service accounts of a WorkloadIdentity, which all are in its namespace. */
export function serviceAccountsOf(resource: Resource): readonly string[] {
  return listAt(resource.value(), ["spec", "serviceAccounts"]).filter((name) => typeof name === "string");
}

/** The codes of findings about fields that do not follow the schema. */
const codes = {
  unknown: "workload-unknown-field",
  missing: "workload-missing-field",
  invalid: "workload-invalid-field",
} as const;

/** Checks a WorkloadIdentity; undefined if there is a finding. */
export function readWorkload(resource: Resource): {
  readonly workload: Workload | undefined;
  readonly findings: readonly Finding[];
} {
  const value: Value = resource.value();
  const follows: (value: unknown) => boolean = validateWorkloadIdentity;
  if (!follows(value)) {
    const errors = validateWorkloadIdentity.errors ?? [];
    return {
      workload: undefined,
      findings: schemaFindings(errors, value, { resource }, codes, workloadIdentityWords()),
    };
  }
  if (resource.annotations.get(localConfig) !== "true") {
    const field = `metadata.annotations.${localConfig}`;
    const message = `lacks the annotation ${localConfig}: "true", so a tool would apply it to the cluster, which does not know the kind. Add the annotation.`;
    return { workload: undefined, findings: [finding("error", codes.missing, message, { resource, field })] };
  }
  const { delivery = "ServiceAccount", ...rest } = (value as { readonly spec: ValueMap }).spec;
  const sections = Object.entries(rest).filter((entry): entry is [string, ValueMap] => isMap(entry[1]));
  const workload: Workload = {
    resource,
    key: workloadKey(resource),
    serviceAccounts: serviceAccountsOf(resource),
    delivery: delivery as Workload["delivery"],
    sections: new Map(sections),
  };
  return { workload, findings: [] };
}
