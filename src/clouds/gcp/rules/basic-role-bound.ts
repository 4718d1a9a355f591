import { ruleCode } from "../../../core/finding.ts";
import { namedAction } from "../../../permissions/permissions.ts";
import { listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { basicRoleNames, basicRoles } from "../permissions/basic-roles.ts";

export const rule: Rule = {
  code: ruleCode("basic-role-bound"),
  severity: "error",
  reads: "package",
  summary: "A rendered service account is bound to a basic role.",
  why: `Basic roles (${basicRoleNames}) apply to every resource of the project. A render refuses a request that names one (\`basic-role\`), so the file was edited.`,
  cure: "Render again. If the component needs more, name predefined roles or permissions in its request.",
  escalates: true,
  check: ({ rendered }) =>
    rendered.flatMap(({ resource, permissionFiles }) => {
      for (const { field, permissions } of permissionFiles) {
        const roles = permissions.flatMap(({ actions }) =>
          actions.flatMap((action) => namedAction(action)?.name ?? []),
        );
        const found = roles.filter((role) => basicRoles.has(role));
        if (found.length === 0 || resource === undefined) continue;
        return [{ message: `"${field}" binds the basic role ${listed(found)}; render again.`, resource, field }];
      }
      return [];
    }),
};
