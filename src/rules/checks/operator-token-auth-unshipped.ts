import { ruleCode } from "../../core/finding.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-token-auth-unshipped"),
  severity: "warning",
  reads: "package",
  summary:
    "A ClusterServiceVersion declares token authentication for a cloud, and no request for that cloud is beside it.",
  why: "The annotation promises that the operator can be given a role. Which permissions that role needs, and which service accounts it must trust, is said by a CredentialsRequest and by nothing else that tools can read: without one each administrator makes the role from a page of text.",
  cure: 'Put the request beside the ClusterServiceVersion, or set the annotation to `"false"`. Where the code builds its request when it runs, write down the same as a manifest, or accept it with that as reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const isThere = operator.requests.some((request) => request.cloud === cloud) || operator.undecided.has(cloud);
        if (isThere || tokenAuth(operator, cloud) !== "true") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is "true", and no CredentialsRequest for ${cloud.title} (${cloud.providerKind}) is beside it; ship one, or write "false".`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
