import { ruleCode } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { issuerOf } from "../../openshift/authentication.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-issuer"),
  severity: "error",
  reads: "live",
  summary: "The issuer of the cluster's Authentication differs from the package's.",
  why: "The cluster signs its tokens as the issuer that its own Authentication names, and the rendered roles trust the package's issuer. If the two differ, no component has access.",
  cure: "Apply the package's Authentication. To move a running cluster to another issuer, see docs/guides/migration.md.",
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
        const message = `"${field}" is ${is} in the cluster, but ${quoteWhole(expected)} in the package; apply the package's Authentication.`;
        return { message, resource: own ?? item, field };
      });
  },
};
