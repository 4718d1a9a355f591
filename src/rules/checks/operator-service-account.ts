import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { KnownCloud } from "../cloud.ts";
import { listed } from "../granted.ts";
import { meets, type Operator, type OperatorRequest } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-service-account"),
  severity: "warning",
  reads: "package",
  summary: "An operator's request names a service account that the operator is not installed with.",
  why: "The role believes the service accounts of `serviceAccountNames`, in the namespace of the Secret, and nobody else. Pods that run as another one, or in another namespace, are refused by the cloud, while Secret and role look as they should.",
  cure: "Name the `serviceAccountName` of the Deployment that uses the Secret, and let `secretRef.namespace` be the operator's. Where the operator makes the account when it runs, for what it manages, accept it with that as reason.",
  check: ({ operators, cloud }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const problem = problemOf(operator, request, cloud);
        if (problem === undefined) return [];
        return [{ message: problem, resource: request.resource, field }];
      }),
    ),
};

const field = "spec.serviceAccountNames";

function problemOf(operator: Operator, request: OperatorRequest, clusters: KnownCloud): string | undefined {
  const { accounts, cloud, secretNamespace } = request;
  // Of a request for the cluster's own cloud a generator says so.
  if (accounts.length === 0)
    return cloud === clusters
      ? undefined
      : `names no service account in "${field}", so nobody could use its identity; write ${running(operator)}.`;
  const unknown = accounts.filter((name) => !operator.accounts.has(name));
  if (unknown.length > 0)
    return `"${field}" names ${listed(unknown)}, and the operator is not installed with that; its pods run as ${running(operator)}. Correct the name, or accept this where the operator makes the account when it runs.`;
  if (
    meets(operator.namespaces, secretNamespace) ||
    operator.workloads.some((workload) => workload.namespaces.has(secretNamespace))
  )
    return undefined;
  return `"${field}" counts in the namespace ${quote(secretNamespace)} of its Secret, and the operator is for ${listed([...operator.namespaces].sort())}; the two must be one.`;
}

function running({ workloads }: Operator): string {
  return workloads.length === 0 ? "nothing that is known here" : listed(workloads.map(({ account }) => account).sort());
}
