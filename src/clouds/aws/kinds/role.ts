import type { ValueMap } from "../../../core/resource.ts";
import { fieldsOf, viewOf } from "../../fields.ts";

/** The settings of a role (IAM API reference, CreateRole). Its trust policy and its tags are compared by what they mean. */
export type RoleSettings = {
  readonly Path: string;
  readonly Description: string;
  /** In seconds. */
  readonly MaxSessionDuration: number;
  /** The ARN of a policy; without one, nothing limits what the role's policies allow. */
  readonly PermissionsBoundary?: string;
};

export const roleFields = fieldsOf<RoleSettings>()({
  Path: { absent: "/", fixed: "IAM cannot move a role; keep the path, or delete the role first" },
  Description: {},
  MaxSessionDuration: { absent: 3600 },
  PermissionsBoundary: {},
});

/** The operation that changes each setting. */
export const changedBy: Readonly<Record<keyof RoleSettings, "UpdateRole" | "PutRolePermissionsBoundary" | undefined>> =
  {
    Path: undefined,
    Description: "UpdateRole",
    MaxSessionDuration: "UpdateRole",
    PermissionsBoundary: "PutRolePermissionsBoundary",
  };

/** The input of UpdateRole, which replaces all settings that it has. @param body of CreateRole. */
export function updateRole({ RoleName = "", ...settings }: ValueMap): ValueMap {
  const fields = Object.entries(viewOf(roleFields, settings));
  const own = fields.filter(([name]) => changedBy[name as keyof RoleSettings] === "UpdateRole");
  return { RoleName, ...Object.fromEntries(own) };
}
