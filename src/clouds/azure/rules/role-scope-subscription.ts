import { ruleCode } from "../../../core/finding.ts";
import { listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { isWideScope } from "../permissions/scope.ts";

export const rule: Rule = {
  code: ruleCode("role-scope-subscription"),
  severity: "warning",
  reads: "package",
  summary: "A rendered managed identity has a role on a whole subscription, or on more.",
  why: "A role applies to everything below its scope. On a subscription, it applies to all resource groups: also to other clusters, and to the managed identities of this one. The scopes that a render computes are resource groups.",
  cure: "Name resource groups in `scopes` of the override. If the component needs the whole subscription, accept the finding with the reason.",
  check: ({ rendered }) =>
    rendered.flatMap(({ resource, permissions }) => {
      const scopes = permissions.flatMap(({ resources, undecided }) => (undecided === undefined ? resources : []));
      const wide = scopes.filter(isWideScope);
      if (wide.length === 0 || resource === undefined) return [];
      const message = `has roles on ${listed(wide)}, which is more than a resource group; name resource groups in "scopes" of its override, or accept the finding with the reason.`;
      return [{ message, resource }];
    }),
};
