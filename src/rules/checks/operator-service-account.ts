import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { KnownCloud } from "../cloud.ts";
import { listed } from "../granted.ts";
import { meets, type Operator, type OperatorRequest } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const operatorServiceAccount: Rule = {
  code: ruleCode("operator-service-account"),
  severity: "warning",
  reads: "package",
  summary: "The request of an OLM operator names a service account that the operator is not installed with.",
  why: "The role trusts only the service accounts of `serviceAccountNames`, in the namespace of the Secret. The cloud refuses pods that run as another service account or in another namespace, although the Secret and the role look right.",
  cure: "Name the `serviceAccountName` of the Deployment that uses the Secret, and set `secretRef.namespace` to the operator's namespace. If the operator creates the account when it runs, for what it manages, accept the finding with that reason.",
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
  // For a request of the cluster's own cloud, a generator reports it.
  if (accounts.length === 0)
    return cloud === clusters
      ? undefined
      : `names no service account in "${field}", so no pod could use its identity; write ${running(operator)}.`;
  const unknown = accounts.filter((name) => !operator.accounts.has(name));
  if (unknown.length > 0)
    return `"${field}" names ${listed(unknown)}, but the operator is not installed with that service account; its pods run as ${running(operator)}. Correct the name. If the operator creates the account when it runs, accept the finding.`;
  if (
    meets(operator.namespaces, secretNamespace) ||
    operator.workloads.some((workload) => workload.namespaces.has(secretNamespace))
  )
    return undefined;
  return `"${field}" applies to the namespace ${quote(secretNamespace)} of its Secret, but the operator is for ${listed([...operator.namespaces].sort())}; use one namespace for both.`;
}

function running({ workloads }: Operator): string {
  return workloads.length === 0 ? "an unknown service account" : listed(workloads.map(({ account }) => account).sort());
}
