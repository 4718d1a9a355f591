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
  summary: "No Deployment of an operator mounts or names the Secret of its request.",
  why: "The Secret of `secretRef` is where the role comes to the operator. A Deployment that runs as one of the request's service accounts, and knows nothing of the Secret, most often has another name for it, and waits for a Secret that nobody makes.",
  cure: "Mount the Secret, with `optional: true` where the operator makes its request itself, because its pod must start before the Secret is there; or hand its name to the code in a variable or argument. Where the code knows the name and reads the Secret from the API server, accept it with that as reason.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const { secretName, secretNamespace } = request;
        const [user] = usersOf(operator, request);
        if (user === undefined || secretName === "") return [];
        const near = operator.workloads.filter(({ namespaces }) => meets(namespaces, secretNamespace));
        if (near.some(({ containers }) => containers.some((container) => refersTo(container, secretName)))) return [];
        const { resource, field, name } = user;
        const message = `Deployment ${quote(name)} runs as a service account of ${describe(request.resource)}, and no container mounts or names its Secret ${quoteWhole(secretName)}; add the volume {name: cloud-credentials, secret: {secretName: ${quoteWhole(secretName)}, optional: true}} and a mount of it.`;
        return [{ message, resource, field }];
      }),
    ),
};
