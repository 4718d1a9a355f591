import { describe, expect, it } from "vitest";
import { comparePermissions } from "../../../src/permissions/comparison.ts";
import type { Grant, Permissions } from "../../../src/permissions/permissions.ts";
import { nameComparison, roleEffect } from "../../../src/permissions/role-effect.ts";
import { literalGrants, type RoleDefinitions, undecidedGrants } from "../../../src/permissions/terms.ts";
import { wildcardRoleEffect } from "../../../src/permissions/wildcard-role-effect.ts";

const grant: Grant = { effect: "Allow", principals: [""], actions: ["permission a"], resources: ["*"], condition: [] };

describe("permissions", () => {
  it.each<[what: string, more: Partial<Grant>]>([
    ["a denial", { effect: "Deny" }],
    ["something unreadable", { undecided: "odd" }],
    ["a principal", { principals: ["x"] }],
    ["a resource", { resources: ["x"] }],
    ["a condition", { condition: [{ operator: "StringEquals", key: "k", values: ["v"] }] }],
    ["a wildcard", { actions: ["permission a*"] }],
    ["an action without a kind", { actions: ["a"] }],
  ])("with %s are not compared by name alone", (_, more) => {
    const other = { ...grant, ...more };
    expect([nameComparison([grant], [other]), nameComparison([other], [grant])]).toEqual([undefined, undefined]);
    expect(nameComparison([grant], [grant])).toMatchObject({ granted: [], taken: [] });
  });

  it("beside a role may be denied by something unreadable", () => {
    const roles: RoleDefinitions = new Map([["roles/a", { permissions: ["y"] }]]);
    const old = literalGrants("role", ["roles/a"]);
    const now: Permissions = [...old, grant, ...undecidedGrants("odd")];
    expect(roleEffect(old, now, comparePermissions(old, now), roles)?.comparison.granted).toContainEqual(
      expect.objectContaining({ action: "permission a", undecided: "the same side may deny it: odd" }),
    );
  });

  it.each<[what: string, more: Partial<Grant>]>([
    ["denies it", { effect: "Deny" }],
    ["cannot be read", { undecided: "odd" }],
  ])("do not come with a role if its statement %s", (_, more) => {
    const roles: RoleDefinitions = new Map([["x", { permissions: ["a"], grants: [grant] }]]);
    const named: Grant = { ...grant, actions: ["role X"] };
    expect(wildcardRoleEffect([], [named], roles)?.comparison.granted).toHaveLength(1);
    expect(wildcardRoleEffect([], [{ ...named, ...more }], roles)).toBeUndefined();
  });
});
