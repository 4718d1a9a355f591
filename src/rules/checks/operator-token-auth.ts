import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const operatorTokenAuthUndeclared: Rule = {
  code: ruleCode("operator-token-auth-undeclared"),
  severity: "warning",
  reads: "package",
  summary:
    "An OLM operator ships a request for a cloud, but its ClusterServiceVersion does not declare token authentication for it.",
  why: "Only this annotation makes the console list an operator for clusters with short-term credentials and ask for its role at installation. Without it an administrator installs the operator without a role, and the Secret never appears.",
  cure: 'Set the annotation `features.operators.openshift.io/token-auth-aws` (`-gcp`, `-azure`) of the ClusterServiceVersion to `"true"`. If the request is only for clusters with long-lived credentials, accept the finding with that reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const request = operator.requests.find((request) => request.cloud === cloud);
        const value = tokenAuth(operator, cloud);
        if (request === undefined || (value !== undefined && value !== "false")) return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const is = value === undefined ? "is not set" : 'is "false"';
        const message = `"${field}" ${is}, but ${describe(request.resource)} for ${cloud.title} is shipped with it; write ${cloud.tokenAuthAnnotation}: "true", with the quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};

export const operatorTokenAuthUnshipped: Rule = {
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

export const operatorTokenAuthValue: Rule = {
  code: ruleCode("operator-token-auth-value"),
  severity: "error",
  reads: "package",
  summary: 'A ClusterServiceVersion\'s token-auth annotation is not the string "true" or "false".',
  why: 'An annotation is a string: without quotes `true` is a boolean, and the API server refuses the object. Any other string, such as "True" or "yes", is treated as if the annotation were not set, so the console does not ask for a role.',
  cure: 'Write `"true"` or `"false"`, in quotes.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const value = tokenAuth(operator, cloud);
        if (value === undefined || value === "true" || value === "false") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is ${quote(value)}, but must be the string "true" or "false", in quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
