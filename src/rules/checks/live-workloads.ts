import { ruleCode } from "../../core/finding.ts";
import { generatedBy, listAt, type Resource, textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Facts, Rule } from "../rule.ts";

/*
 * What pods of workloads get from a running cluster: the annotations of their ServiceAccounts, and what the webhook of the
 * cloud-credential-operator writes into pods because of them.
 */

export const livePodIdentity: Rule = {
  code: ruleCode("live-pod-identity"),
  severity: "warning",
  reads: "live",
  summary: "A pod that uses an annotated ServiceAccount was started without its identity, or with a former one.",
  why: "The webhook changes pods when they are created. A pod that is older than the annotations of its ServiceAccount, or that was created in the same moment, or without the label that a webhook asks for, keeps what it was given: it has no identity, or the one before.",
  cure: "Restart the pods: `oc rollout restart`. If a finding of `ccf render` names a label that their template lacks, set it first.",
  check: (facts) => {
    const { webhook } = facts.cloud;
    const accounts = new Map(renderedAccounts(facts).map((item) => [keyOf(item), item]));
    return facts.live.flatMap((pod) => {
      const account = pod.kind === "Pod" ? accounts.get(accountOf(pod)) : undefined;
      if (account === undefined) return [];
      const wanted = webhook.isValue ? account.annotations.get(webhook.annotation) : undefined;
      const found = variablesOf(pod, webhook.variable);
      const isRight = found.length > 0 && found.every((value) => wanted === undefined || value === wanted);
      if (isRight) return [];
      const is =
        found.length === 0 ? `has no variable ${webhook.variable}` : `has a former value of ${webhook.variable}`;
      const message = `the pod ${quote(keyOf(pod))} ${is}, although it runs as this service account: it was created before the annotations, or the webhook did not change it. Restart it.`;
      return [{ message, resource: account }];
    });
  },
};

export const liveServiceAccount: Rule = {
  code: ruleCode("live-service-account"),
  severity: "error",
  reads: "live",
  summary:
    "The annotations of a workload's ServiceAccount in the cluster differ from the rendered ones, or the ServiceAccount is missing.",
  why: "The webhook reads the annotations in the cluster. If they are not those that were reviewed, pods get no identity, or another one.",
  cure: "Apply the rendered ServiceAccount, or the patch in the team's kustomization, and restart the pods.",
  check: (facts) => {
    const live = new Map(facts.live.filter(({ kind }) => kind === "ServiceAccount").map((item) => [keyOf(item), item]));
    const seen = new Set([...live.values()].map(({ namespace }) => namespace));
    return renderedAccounts(facts).flatMap((resource) => {
      const found = live.get(keyOf(resource));
      if (found === undefined)
        return seen.has(resource.namespace)
          ? [
              {
                message: "is not in the cluster, although other ServiceAccounts of its namespace are; apply it.",
                resource,
              },
            ]
          : [];
      const names = [...resource.annotations]
        .filter(([name, value]) => name !== generatedBy && isForWebhook(name) && found.annotations.get(name) !== value)
        .map(([name]) => name);
      if (names.length === 0) return [];
      const message = `differs from the one in the cluster in the annotations ${listed(names.map(quote), 4)}; apply the rendered one, and restart its pods.`;
      return [{ message, resource }];
    });
  },
};

export const liveWebhookMissing: Rule = {
  code: ruleCode("live-webhook-missing"),
  severity: "error",
  reads: "live",
  summary: "The webhook that gives pods their identity is not in the cluster.",
  why: "The cloud-credential-operator deploys it in newer releases of OpenShift (docs/guides/workloads.md), but not in clusters with an external control plane. Without it, annotated ServiceAccounts have no effect. The rule needs the MutatingWebhookConfigurations of the cluster.",
  cure: "Upgrade the cluster, or set `spec.delivery` of the WorkloadIdentities to `Secret`.",
  check: (facts) => {
    const hooks = facts.live.filter(({ kind }) => kind === "MutatingWebhookConfiguration");
    const [resource] = renderedAccounts(facts);
    if (resource === undefined || hooks.length === 0 || hooks.some(({ name }) => name === webhookName)) return [];
    const message = `has annotations for the webhook ${quote(webhookName)}, which is not in the cluster, so its pods get no identity.`;
    return [{ message, resource }];
  },
};

/** The name of its MutatingWebhookConfiguration on every cloud (cloud-credential-operator, bindata). */
const webhookName = "pod-identity-webhook";

// Without a ClusterIdentity, the rules are checked for each cloud, and the annotations say which one it is.
function renderedAccounts({ items, cloud: { webhook } }: Facts): readonly Resource[] {
  return items.filter(
    ({ kind, annotations }) =>
      kind === "ServiceAccount" &&
      annotations.has(webhook.annotation) &&
      annotations.get(generatedBy)?.startsWith("generate-workload-identities/") === true,
  );
}

// Other annotations, such as those of Argo CD, are not read by the webhook.
function isForWebhook(name: string): boolean {
  return !name.startsWith("argocd.argoproj.io/") && !/^(?:internal\.)?config\.(?:kubernetes|k8s)\.io\//.test(name);
}

function keyOf({ namespace, name }: Resource): string {
  return `${namespace}/${name}`;
}

function accountOf(pod: Resource): string {
  return `${pod.namespace}/${textAt(pod.value(), ["spec", "serviceAccountName"]) || "default"}`;
}

/** The values of a variable in the containers of a pod; one for each container that has it. */
function variablesOf(pod: Resource, variable: string): string[] {
  return listAt(pod.value(), ["spec", "containers"]).flatMap((container) =>
    listAt(container, ["env"]).flatMap((one) => (textAt(one, ["name"]) === variable ? [textAt(one, ["value"])] : [])),
  );
}
