import { type Finding, finding } from "../core/finding.ts";
import { listAt, type Resource, textAt } from "../core/resource.ts";
import { counted } from "../core/words.ts";

/** The function that generates the identities of WorkloadIdentities. */
export const workloadsFunction = "generate-workload-identities";

/**
 * The error that the pipeline of a package does not contain the function that generates what its WorkloadIdentities ask for. A package
 * without a Kptfile is rendered with all functions.
 *
 * @param count of the WorkloadIdentities.
 */
export function withoutFunction(items: readonly Resource[], count: number): Finding[] {
  const kptfile = items.find(({ kind, path }) => kind === "Kptfile" && (path === undefined || path === "Kptfile"));
  if (kptfile === undefined) return [];
  const entries = listAt(kptfile.value(), ["pipeline", "mutators"]);
  const runs = entries.some((entry) =>
    [textAt(entry, ["image"]), textAt(entry, ["exec"])].some((text) => text.includes(workloadsFunction)),
  );
  if (runs || entries.length === 0) return [];
  const message = `The package contains ${counted(count, "WorkloadIdentity").replace(/Identitys$/, "Identities")}, but the pipeline of the Kptfile does not run "${workloadsFunction}", so pods would get no identity. Add it to "pipeline.mutators", after "generate-cloud-credentials".`;
  return [finding("error", "workload-function-missing", message, { resource: kptfile, field: "pipeline.mutators" })];
}
