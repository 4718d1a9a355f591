import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { meets, usersOf } from "../operator.ts";
import type { Rule } from "../rule.ts";
import { refersTo } from "../workload.ts";

export const rule: Rule = {
  code: ruleCode("operator-secret-unused"),
  severity: "warning",
  reads: "package",
  summary: "No Deployment of an OLM operator mounts or names the Secret of its request.",
  why: "The operator receives its role through the Secret of `secretRef`. A Deployment that runs as one of the request's service accounts but does not refer to the Secret usually uses another name, and waits for a Secret that never exists.",
  cure: "Mount the Secret, or pass its name to the code in a variable or argument. If the operator creates its request itself, mount it with `optional: true`, because the pod must start before the Secret exists. If the code knows the name and reads the Secret from the API server, accept the finding with that reason.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const { secretName, secretNamespace } = request;
        const [user] = usersOf(operator, request);
        if (user === undefined || secretName === "") return [];
        const near = operator.workloads.filter(({ namespaces }) => meets(namespaces, secretNamespace));
        if (near.some(({ containers }) => containers.some((container) => refersTo(container, secretName)))) return [];
        const { resource, field, name } = user;
        const message = `Deployment ${quote(name)} runs as a service account of ${describe(request.resource)}, but no container mounts or names its Secret ${quoteWhole(secretName)}; add the volume {name: cloud-credentials, secret: {secretName: ${quoteWhole(secretName)}, optional: true}} and a mount of it.`;
        return [{ message, resource, field }];
      }),
    ),
};
