import { ruleCode } from "../../../core/finding.ts";
import { requestTokenPath } from "../../../requests/credentials-request.ts";
import { ownerOf, subscriptionsOf } from "../../../requests/operators.ts";
import { usersOf } from "../../../rules/operator.ts";
import type { Rule } from "../../../rules/rule.ts";
import { readSpec } from "../../request.ts";
import { awsRequestForm } from "../identities/request.ts";
import { noTokenPath, setTokenPath, tokenField } from "../operators/operator.ts";

export const rule: Rule = {
  code: ruleCode("request-token-path"),
  severity: "warning",
  reads: "package",
  summary: "A request for AWS names its role, but not the path of its token.",
  why: "For a request with `spec.providerSpec.stsIAMRoleARN`, the cloud-credential-operator creates a Secret that names the role and the path of a token. If the request has no `spec.cloudTokenPath`, the Secret names the default token of every pod. That token is for the API server, and AWS refuses it.",
  cure: "Set `spec.cloudTokenPath` to the path where the operator mounts a token for the audience `openshift`, usually `/var/run/secrets/openshift/serviceaccount/token`.",
  check({ requests, operators, items, identity }) {
    const subscriptions = subscriptionsOf(items);
    // If the package contains the Deployment, the rule operator-token-mount checks what it mounts.
    const judged = new Set(
      operators.flatMap((operator) =>
        operator.requests.flatMap((request) => (usersOf(operator, request).length > 0 ? [request.resource] : [])),
      ),
    );
    return requests.flatMap((request) => {
      const { resource, copies, value } = request;
      const isTold = readSpec(value, awsRequestForm).stsIAMRoleARN === "" || requestTokenPath(value) !== "";
      // A render writes the path and reports token-path-missing.
      const isWritten = identity !== undefined && ownerOf(request, subscriptions).isOperators;
      if (isTold || isWritten || [resource, ...copies].some((resource) => judged.has(resource))) return [];
      const message = `has a role but ${noTokenPath}; ${setTokenPath}.`;
      return [{ message, resource, field: tokenField }];
    });
  },
};
