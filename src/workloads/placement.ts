import { type Finding, finding } from "../core/finding.ts";
import { describe, generatedBy, groupOf, type Resource, refOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { isWorkloadIdentity } from "./workload-identity.ts";

/*
 * The directory of a package that teams may be given: CODEOWNERS can let a team change `workloads/<namespace>/`. So nothing there may
 * have an effect on anything but the workloads of that namespace.
 */

/** The directory, relative to the package. */
export const workloadsDirectory = "workloads";

// What the functions of this project read or replace, and kpt's configuration of them.
const read: ReadonlySet<string> = new Set([
  "cloudcredential.openshift.io",
  "config.openshift.io",
  "fn.cloudcredential.dev",
  "kpt.dev",
  "operators.coreos.com",
]);

/** The errors about objects in the directory of workloads that must not be there. */
export function misplacedWorkloads(items: readonly Resource[]): Finding[] {
  return items.flatMap((resource) => {
    const [top, directory, ...below] = (resource.path ?? "").split("/");
    if (top !== workloadsDirectory || directory === undefined) return [];
    if (isWorkloadIdentity(resource))
      return below.length > 0 && directory !== resource.namespace ? [otherNamespace(resource, directory)] : [];
    return isForFunctions(resource) ? [misplaced(resource)] : [];
  });
}

function isForFunctions({ apiVersion, annotations }: Resource): boolean {
  const isMarked = [...annotations.keys()].some((key) => key.startsWith("fn.cloudcredential.dev/"));
  return read.has(groupOf(apiVersion)) || isMarked;
}

function otherNamespace(resource: Resource, directory: string): Finding {
  const field = "metadata.namespace";
  const message = `is in "${workloadsDirectory}/${directory}", so its namespace must be ${quote(directory)}, but is ${quote(resource.namespace)}: who may change a directory may change the identities of its namespace only. Move the file, or correct the namespace.`;
  return finding("error", "workload-misplaced", message, { resource, field });
}

function misplaced(resource: Resource): Finding {
  const what = resource.annotations.has(generatedBy) ? "a generated object" : describe(refOf(resource));
  const message = `${what} must not be in "${workloadsDirectory}/", where the functions take WorkloadIdentities only: a team that may change that directory would decide about the cluster. Move the file to another directory of the package.`;
  return finding("error", "workload-misplaced", message, { resource });
}
