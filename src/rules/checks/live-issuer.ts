import { ruleCode } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { issuerOf } from "../../openshift/authentication.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-issuer"),
  severity: "error",
  reads: "live",
  summary: "The cluster's Authentication names another issuer than the package.",
  why: "The cluster signs tokens in the name of the issuer that its own Authentication names, and the rendered roles believe the package's issuer. Where they differ, no component has access.",
  cure: "Apply the package's Authentication; how a running cluster moves to another issuer is in docs/guides/migration.md.",
  check: ({ live, authentications, documentIssuer }) => {
    const [own] = authentications;
    const expected = documentIssuer ?? (own === undefined ? undefined : issuerOf(own));
    if (typeof expected !== "string" || expected === "") return [];
    return live
      .filter((item) => isConfigObject(item, "Authentication") && issuerOf(item) !== expected)
      .map((item) => {
        const field = "spec.serviceAccountIssuer";
        const issuer = issuerOf(item) ?? "";
        const is = typeof issuer === "string" ? quoteWhole(issuer) : quote(issuer);
        const message = `"${field}" is ${is} in the cluster, and ${quoteWhole(expected)} in the package; apply the package's Authentication.`;
        return { message, resource: own ?? item, field };
      });
  },
};
