import { type Finding, finding } from "../core/finding.ts";
import { groupOf, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { serviceAccountsOf } from "./workload-identity.ts";

/** The label without which a webhook leaves a pod as it is. */
export interface PodLabel {
  readonly name: string;
  readonly value: string;
}

// The path of the pod's metadata and spec in each kind that makes pods.
const templates: Readonly<Record<string, readonly string[]>> = {
  "/Pod": [],
  "apps/DaemonSet": ["spec", "template"],
  "apps/Deployment": ["spec", "template"],
  "apps/ReplicaSet": ["spec", "template"],
  "apps/StatefulSet": ["spec", "template"],
  "apps.openshift.io/DeploymentConfig": ["spec", "template"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template"],
  "batch/Job": ["spec", "template"],
};

/**
 * Warns of pods in the package that use a service account of a WorkloadIdentity, but lack the label that the webhook asks for: they
 * would start without the identity. Pods that are in other repositories are not seen.
 *
 * @param label undefined if the webhook needs none.
 */
export function podFindings(
  requests: readonly SelectedRequest[],
  items: readonly Resource[],
  label: PodLabel | undefined,
): Finding[] {
  if (label === undefined) return [];
  const accounts = new Set(
    requests.flatMap(({ resource, workload }) =>
      workload?.delivery === "Secret" ? [] : serviceAccountsOf(resource).map((name) => `${resource.namespace}/${name}`),
    ),
  );
  if (accounts.size === 0) return [];
  return items.flatMap((resource) => {
    const path = templates[`${groupOf(resource.apiVersion)}/${resource.kind}`];
    const pod = path === undefined ? undefined : valueAt(resource.value(), path);
    if (path === undefined || pod === undefined || !accounts.has(accountOf(pod, resource))) return [];
    if (textAt(pod, ["metadata", "labels", label.name]) === label.value) return [];
    const field = [...path, "metadata", "labels", label.name].join(".");
    const message = `uses the service account ${quote(accountOf(pod, resource))} of a WorkloadIdentity, but its pods lack the label ${label.name}: "${label.value}", so the webhook leaves them as they are, and they get no identity. Set ${quote(field)}; a label of the ${resource.kind} itself does not count.`;
    return [finding("warning", "pod-label-missing", message, { resource, field })];
  });
}

function accountOf(pod: Value, { namespace }: Resource): string {
  const name = textAt(pod, ["spec", "serviceAccountName"]) || textAt(pod, ["spec", "serviceAccount"]);
  return `${namespace}/${name === "" ? "default" : name}`;
}
