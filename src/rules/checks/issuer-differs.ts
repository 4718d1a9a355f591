import { ruleCode } from "../../core/finding.ts";
import { generatedBy, textAt } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { issuerOf } from "../../openshift/authentication.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("issuer-differs"),
  severity: "error",
  reads: "package",
  summary:
    "The Authentication names another issuer than the discovery document in the package, or than a render writes.",
  why: "The cluster signs tokens in the name of the issuer that the Authentication names; the cloud fetches the keys of the issuer that the token names, and compares it with the document. Where they differ by a character, a slash at the end too, no token is believed, and every component loses its access.",
  cure: "Render again; the ClusterIdentity says which issuer is meant.",
  check: ({ authentications, documentIssuer, rendering }) => {
    const made = rendering.find(({ object }) => object.kind === "Authentication")?.object;
    return authentications.flatMap((resource) => {
      const isOurs = resource.annotations.has(generatedBy) && made !== undefined;
      const expected = documentIssuer ?? (isOurs ? textAt(made, ["spec", "serviceAccountIssuer"]) : undefined);
      const issuer = issuerOf(resource) ?? "";
      if (expected === undefined || issuer === expected) return [];
      const field = "spec.serviceAccountIssuer";
      const meant = documentIssuer === undefined ? "a render writes" : "the discovery document in the package is for";
      const message = `"${field}" is ${typeof issuer === "string" ? quoteWhole(issuer) : quote(issuer)}, and ${meant} ${quoteWhole(expected)}; render again.`;
      return [{ message, resource, field }];
    });
  },
};
