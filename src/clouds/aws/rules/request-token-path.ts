import { ruleCode } from "../../../core/finding.ts";
import { textAt } from "../../../core/resource.ts";
import { requestTokenPath } from "../../../requests/credentials-request.ts";
import { ownerOf, subscriptionsOf } from "../../../requests/operators.ts";
import { usersOf } from "../../../rules/operator.ts";
import type { Rule } from "../../../rules/rule.ts";
import { arnField, noTokenPath, setTokenPath, tokenField } from "../operators/operator.ts";

export const rule: Rule = {
  code: ruleCode("request-token-path"),
  severity: "warning",
  reads: "package",
  summary: "A request for AWS names its role, and not where its token is.",
  why: "From a request with `spec.providerSpec.stsIAMRoleARN` the cloud-credential-operator makes a Secret that names the role and a token. Where the request has no `spec.cloudTokenPath` it names the token that every pod has. That one is for the API server, and AWS refuses it.",
  cure: "Write into `spec.cloudTokenPath` where the operator mounts a token for the audience `openshift`: `/var/run/secrets/openshift/serviceaccount/token`, most often.",
  check({ requests, operators, items, identity }) {
    const subscriptions = subscriptionsOf(items);
    // A Deployment that is there is judged by what it mounts: operator-token-mount.
    const judged = new Set(
      operators.flatMap((operator) =>
        operator.requests.flatMap((request) => (usersOf(operator, request).length > 0 ? [request.resource] : [])),
      ),
    );
    return requests.flatMap((request) => {
      const { resource, copies, value } = request;
      const isTold = textAt(value, arnField.split(".")) === "" || requestTokenPath(value) !== "";
      // A render writes the path, and says so: token-path-missing.
      const isWritten = identity !== undefined && ownerOf(request, subscriptions).isOperators;
      if (isTold || isWritten || [resource, ...copies].some((resource) => judged.has(resource))) return [];
      const message = `has a role and ${noTokenPath}; ${setTokenPath}.`;
      return [{ message, resource, field: tokenField }];
    });
  },
};
