import { ruleCode } from "../../core/finding.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-token-auth-unshipped"),
  severity: "warning",
  reads: "package",
  summary: "A ClusterServiceVersion declares token authentication for a cloud, but ships no request for that cloud.",
  why: "The annotation promises that the operator can use a role. Only a CredentialsRequest tells tools which permissions that role needs and which service accounts it must trust. Without one, each administrator creates the role from a page of prose.",
  cure: 'Ship the request with the ClusterServiceVersion, or set the annotation to `"false"`. If the code builds its request at run time, ship the same request as a manifest, or accept the finding with that reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const isThere = operator.requests.some((request) => request.cloud === cloud) || operator.undecided.has(cloud);
        if (isThere || tokenAuth(operator, cloud) !== "true") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is "true", but no CredentialsRequest for ${cloud.title} (${cloud.providerKind}) is shipped with it; add one, or write "false".`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
