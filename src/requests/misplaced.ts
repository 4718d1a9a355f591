import { type Finding, finding } from "../core/finding.ts";
import { groupOf, isMap, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { listed } from "../core/words.ts";
import { isCredentialsRequest, requestGroup, requestKind } from "./credentials-request.ts";

/*
 * Objects that look as if they gave a cluster requests, but that no function reads. Without a finding, the components of these
 * requests would be missing in silence.
 */

/** The findings about requests in an object that is not read as a request; none for most objects. */
export function misplacedRequests(resource: Resource): Finding[] {
  const { apiVersion, kind } = resource;
  const group = groupOf(apiVersion);
  if (isCredentialsRequest(resource)) return [];
  if (kind.endsWith("List")) return inside(resource, "error", "is a list with", ofList);
  if (group === requestGroup) return [wrongKind(resource)];
  if (kind === requestKind && apiVersion.includes("cloudcredential")) return [wrongGroup(resource)];
  return containers.has(`${group}/${kind}`) ? inside(resource, "warning", "contains", ofContainer) : [];
}

// Templates of OpenShift, and the objects with which Hive and Open Cluster Management write objects to other clusters.
const containers: ReadonlySet<string> = new Set([
  "/Template",
  "template.openshift.io/Template",
  "hive.openshift.io/SelectorSyncSet",
  "hive.openshift.io/SyncSet",
  "work.open-cluster-management.io/ManifestWork",
]);

function wrongKind(resource: Resource): Finding {
  const message = `has the kind ${quote(resource.kind)}, which does not exist in ${quote(requestGroup)}, so it is not read. Write "kind: ${requestKind}".`;
  return finding("error", "request-misplaced", message, { resource, field: "kind" });
}

function wrongGroup(resource: Resource): Finding {
  const message = `has the apiVersion ${quote(resource.apiVersion)}, but a ${requestKind} has "${requestGroup}/v1", so it is not read. Correct it.`;
  return finding("error", "request-misplaced", message, { resource, field: "apiVersion" });
}

const ofList =
  'Write each as a separate document, without its "status" and without the fields of "metadata" that the API server sets.';
const ofContainer =
  "If this cluster needs one, write it as a separate document, and replace its parameters with their values.";

function inside(resource: Resource, severity: "error" | "warning", contains: string, cure: string): Finding[] {
  const found = requestsIn(resource.value(), "");
  const [field] = found;
  if (field === undefined) return [];
  const message = `${contains} ${counted(found.length)}, which ${found.length === 1 ? "is" : "are"} not read (${fields(found)}). ${cure}`;
  return [finding(severity, "request-misplaced", message, { resource, field })];
}

function counted(count: number): string {
  return count === 1 ? `a ${requestKind}` : `${count} ${requestKind}s`;
}

/** How many fields a message names. */
const maxFields = 5;

function fields(found: readonly string[]): string {
  return listed(found.map(quoteWhole), maxFields);
}

/** The paths of requests anywhere in a value. */
function requestsIn(value: Value, path: string): string[] {
  if (Array.isArray(value))
    return (value as readonly Value[]).flatMap((one, index) => requestsIn(one, `${path}[${index}]`));
  if (!isMap(value)) return [];
  const isRequest = textAt(value, ["kind"]) === requestKind && groupOf(textAt(value, ["apiVersion"])) === requestGroup;
  if (isRequest && path !== "") return [path];
  return Object.entries(value).flatMap(([key, one]) => requestsIn(one, path === "" ? key : `${path}.${key}`));
}

/** The finding about a request that SOPS encrypted, of which nothing can be read. */
export function encryptedRequest(resource: Resource, value: Value): Finding | undefined {
  if (!isMap(valueAt(value, ["sops"]))) return undefined;
  const message = `is encrypted with SOPS, so it cannot be read. A request contains nothing secret: decrypt the file, for example with "sops decrypt --in-place FILE", and exclude requests from encryption in ".sops.yaml".`;
  return finding("error", "request-encrypted", message, { resource, field: "sops" });
}
