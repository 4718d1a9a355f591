import { ruleCode } from "../../core/finding.ts";
import { generatedBy, textAt } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { issuerOf } from "../../openshift/config-objects.ts";
import type { Rule } from "../rule.ts";

export const issuerDiffers: Rule = {
  code: ruleCode("issuer-differs"),
  severity: "error",
  reads: "package",
  summary:
    "The issuer of the Authentication differs from the discovery document in the package, or from what a render writes.",
  why: "The cluster signs its tokens as the issuer that the Authentication names. The cloud fetches the keys of the issuer that the token names, and compares that issuer with the document. If the two differ by one character, such as a trailing slash, the cloud refuses every token and every component loses access.",
  cure: "Render again. The issuer comes from the ClusterIdentity.",
  check: ({ authentications, documentIssuer, rendering }) => {
    const made = rendering.find(({ object }) => object.kind === "Authentication")?.object;
    return authentications.flatMap((resource) => {
      const isOurs = resource.annotations.has(generatedBy) && made !== undefined;
      const expected = documentIssuer ?? (isOurs ? textAt(made, ["spec", "serviceAccountIssuer"]) : undefined);
      const issuer = issuerOf(resource) ?? "";
      if (expected === undefined || issuer === expected) return [];
      const field = "spec.serviceAccountIssuer";
      const meant = documentIssuer === undefined ? "a render writes" : "the discovery document in the package is for";
      const message = `"${field}" is ${typeof issuer === "string" ? quoteWhole(issuer) : quote(issuer)}, but ${meant} ${quoteWhole(expected)}; render again.`;
      return [{ message, resource, field }];
    });
  },
};
