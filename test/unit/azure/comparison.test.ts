import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  azureRequestIdentity,
  fieldOfRequest,
  knownRoles,
  nameOfRole,
  readRole,
} from "../../../src/clouds/azure/permissions/terms.ts";
import { readManagedIdentity } from "../../../src/clouds/azure/rendered/rendered.ts";
import { roleDefinitionsOf } from "../../../src/clouds/inspectors.ts";
import type { Value } from "../../../src/core/resource.ts";
import { describedDiff } from "../../../src/diff/described-diff.ts";
import { diffIdentities } from "../../../src/diff/diff.ts";
import { diffText } from "../../../src/diff/diff-text.ts";
import { covers } from "../../../src/permissions/gains.ts";
import type { CloudIdentity } from "../../../src/permissions/identity.ts";
import { atomsOf, type Permissions } from "../../../src/permissions/permissions.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import "../../helpers/seed.ts";

/** What a request with this provider spec asks for. */
const asks = (providerSpec: Any): CloudIdentity =>
  azureRequestIdentity({
    resource: { name: "one" },
    value: { spec: { providerSpec: { kind: "AzureProviderSpec", ...providerSpec } } },
    secretKey: "ns/secret",
    copies: [],
  } as never);
const roles = (...names: string[]) => ({ roleBindings: names.map((role) => ({ role })) });
const compared = (old: CloudIdentity, now: CloudIdentity, given?: Parameters<typeof roleDefinitionsOf>[0]) =>
  diffIdentities([old], [now], roleDefinitionsOf(given));
const verdict = (old: Any, now: Any) => compared(asks(old), asks(now)).verdict;
const text = (old: CloudIdentity, now: CloudIdentity) => diffText(describedDiff(compared(old, now)));

describe("what a request for Azure asks for", () => {
  it.each<[string, Any, Any, string]>([
    ["case does not matter", { permissions: ["M.C/disks/READ"] }, { permissions: ["m.c/Disks/read"] }, "none"],
    ["a wildcard", { permissions: ["M.C/disks/*"] }, { permissions: ["M.C/disks/read", "M.C/disks/*"] }, "none"],
    ["data actions", { permissions: ["M.C/disks/*"] }, { dataPermissions: ["M.C/disks/read"] }, "both"],
    ["an exception", { permissions: ["M.C/*"] }, { permissions: ["M.C/*"], notActions: ["M.C/a"] }, "narrowed"],
    [
      "an exception less",
      { permissions: ["*"], notActions: ["A/*", "B"] },
      { permissions: ["*"], notActions: ["B"] },
      "broadened",
    ],
    ["a vain exception", { permissions: ["M.C/a"] }, { permissions: ["M.C/a"], notActions: ["M.N/*"] }, "none"],
    ["what is excepted", { permissions: ["A"] }, { permissions: ["A", "B"], notActions: ["b"] }, "none"],
    ["another kind's exception", { permissions: ["A"] }, { permissions: ["A"], notDataActions: ["A"] }, "none"],
    ["data exceptions", { dataPermissions: ["*"] }, { dataPermissions: ["*"], notDataActions: ["A"] }, "narrowed"],
    ["a role by its definition", roles("Reader"), { permissions: ["*/read"] }, "none"],
    ["a role in another case", roles("Reader"), roles("reader"), "none"],
    ["exceptions of one role do not limit another", roles("Contributor", "Owner"), roles("Owner"), "none"],
    [
      "a permission that a role excepts",
      roles("Contributor"),
      { ...roles("Contributor"), permissions: ["Microsoft.Authorization/roleAssignments/write"] },
      "broadened",
    ],
    ["data that a role lacks", roles("Owner"), { ...roles("Owner"), dataPermissions: ["A"] }, "broadened"],
    ["a role of data", roles("Storage Blob Data Reader"), roles("Storage Blob Data Contributor"), "broadened"],
    [
      "IDs of the cloud-credential-operator",
      {},
      { azureClientID: "c", azureTenantID: "t", azureRegion: "r", azureSubscriptionID: "s" },
      "none",
    ],
    ["a list that is none", { permissions: ["A"] }, { permissions: "A" }, "both"],
    ["a name with a question mark", { permissions: ["A"] }, { permissions: ["A", "B?"] }, "both"],
    ["an unknown field", { permissions: ["A"] }, { permissions: ["A"], scopes: ["/"] }, "both"],
    ["a binding with more", roles("Reader"), { roleBindings: [{ role: "Reader", scope: "/" }] }, "both"],
  ])("%s", (_name, old, now, expected) => {
    expect(verdict(old, now)).toBe(expected);
  });

  it("is undecided about a role whose definition is not known, unless both sides have it", () => {
    const role = "Virtual Machine Contributor";
    expect(verdict(roles(role), roles(role.toUpperCase()))).toBe("none");
    expect(text(asks(roles(role)), asks({ permissions: ["M.C/a"] })).slice(0, 3)).toEqual([
      "perhaps broadened and narrowed: Azure ns/secret (one)",
      "  + permission M.C/a (undecided: Virtual Machine Contributor of OLD may include it: its definition is not known)",
      "  - role Virtual Machine Contributor (undecided: it is compared by its name: its definition is not known)",
    ]);
  });

  it("is certain about such a role beside nothing", () => {
    expect(text(asks({}), asks(roles("Virtual Machine Contributor")))).toContain(
      "  + role Virtual Machine Contributor",
    );
  });

  it("names the role that is replaced, and what is by name now", () => {
    const now = { permissions: ["Microsoft.Network/dnsZones/A/write"], dataPermissions: ["Microsoft.Storage/b/write"] };
    const lines = text(asks(roles("DNS Zone Contributor")), asks(now));
    expect(lines.slice(0, 4)).toEqual([
      "broadened and narrowed: Azure ns/secret (one)",
      "  + data permission Microsoft.Storage/b/write",
      "  - role DNS Zone Contributor  # NEW does not fully allow any of its 7 permissions: Microsoft.Authorization/*/read, Microsoft.Insights/alertRules/*, Microsoft.Network/dnsZones/*, Microsoft.ResourceHealth/availabilityStatuses/read, Microsoft.Resources/deployments/*, Microsoft.Resources/subscriptions/resourceGroups/read, Microsoft.Support/*",
      "  ~ by name now, and through a role in OLD: Microsoft.Network/dnsZones/A/write",
    ]);
    expect(lines).toContain("Role definitions of 2025-01: DNS Zone Contributor.");
    expect(lines).toContain("  revoke from ns/secret: role DNS Zone Contributor");
  });

  it("names what is by name now, too, if something else is unreadable", () => {
    const lines = text(asks({ ...roles("Reader"), scopes: ["/"] }), asks({ permissions: ["M.C/a/read"] }));
    expect(lines).toContain("  ~ by name now, and through a role in OLD: M.C/a/read");
  });

  it("compares what a statement names besides a role", () => {
    const grant = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;
    const permissions = [{ ...grant, actions: ["role Reader", "permission M.C/a/write"] }];
    expect(text(asks({}), { ...asks({}), permissions })).toContain("  + permission M.C/a/write");
  });

  it("says of a wildcard what it excepts", () => {
    const old = asks({ permissions: ["M.C/disks/read"] });
    const now = asks({ permissions: ["M.C/*"], notActions: ["M.C/disks/delete", "M.C/disks/write", "M.N/*"] });
    expect(text(old, now)).toContain(
      "  + permission M.C/* (except M.C/disks/delete, M.C/disks/write)  # had permission M.C/disks/read",
    );
  });

  it("is found in its fields", () => {
    const request = { spec: { providerSpec: { ...roles("Reader"), permissions: ["A", "B"], dataPermissions: ["C"] } } };
    const { permissions } = asks(request.spec.providerSpec);
    expect(atomsOf(permissions, "Allow").map((atom) => fieldOfRequest(request, atom))).toEqual([
      "spec.providerSpec.roleBindings[0].role",
      "spec.providerSpec.permissions[0]",
      "spec.providerSpec.permissions[1]",
      "spec.providerSpec.dataPermissions[0]",
    ]);
    expect(fieldOfRequest(request, undefined)).toBe("spec.providerSpec");
  });
});

/** Texts, with a letter that no set names. */
const letters = ["a", "b", "c"];
const words = letters.flatMap((one) => [
  one,
  ...letters.flatMap((two) => [
    one + two,
    ...letters.flatMap((three) => [one + two + three, ...letters.map((four) => one + two + three + four)]),
  ]),
]);
const glob = fc.constantFrom("a", "b", "*", "a*", "*a", "ab", "a*b", "*b*", "ba*");
const role = fc.record({
  actions: fc.array(glob, { minLength: 1, maxLength: 3 }),
  notActions: fc.array(glob, { maxLength: 2 }),
});
const several = fc.array(role, { maxLength: 3 });
type Role = { readonly actions: readonly string[]; readonly notActions: readonly string[] };

// Written without the project's own code: what Azure would answer.
function allows(all: readonly Role[], word: string): boolean {
  const isIn = (list: readonly string[]) =>
    list.some((set) => new RegExp(`^${set.replaceAll("*", ".*")}$`, "i").test(word));
  return all.some(({ actions, notActions }) => isIn(actions) && !isIn(notActions));
}

function grants(all: readonly Role[]): Permissions {
  const named = (list: readonly string[]) => list.map((name) => `permission ${name.toUpperCase()}`);
  return all.map(({ actions, notActions }) => ({
    effect: "Allow",
    principals: [""],
    actions: named(actions),
    ...(notActions.length === 0 ? {} : { except: named(notActions) }),
    resources: ["*"],
    condition: [],
  }));
}

describe("actions minus notActions", () => {
  it("are compared as Azure evaluates them, role by role", () => {
    fc.assert(
      fc.property(several, several, (inner, outer) => {
        const isSubset = words.every((word) => !allows(inner, word) || allows(outer, word));
        expect(covers(grants(outer), grants(inner))).toBe(isSubset);
      }),
      { numRuns: runs(400) },
    );
  });
});

const subscription = "/subscriptions/11111111-1111-4111-8111-111111111111";
const uuid = (digit: number) => `${digit}0000000-0000-5000-8000-000000000000`;
const readerId = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

/** A managed identity whose files assign roles, by their UUIDs, at scopes. A role with a definition is its own. */
function rendered(assigned: readonly (readonly [scope: string, role: string])[], own?: Any): CloudIdentity {
  const id = `${subscription}/resourceGroups/demo-oidc/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo`;
  const files: Record<string, Value> = {
    "identity.json": { secret: "ns/secret" },
    "managed-identity.json": { url: `${id}?api-version=2023-01-31`, body: {} },
    ...(own === undefined
      ? {}
      : {
          "role-definition.json": {
            url: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${uuid(9)}?api-version=2022-04-01`,
            body: { properties: { permissions: [own] } },
          },
        }),
  };
  for (const [index, [scope, role]] of assigned.entries()) {
    files[`role-assignment-${uuid(index)}.json`] = {
      url: `${scope}/providers/Microsoft.Authorization/roleAssignments/${uuid(index)}?api-version=2022-04-01`,
      body: {
        properties: { roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}` },
      },
    };
  }
  const texts = new Map(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]));
  const { compared } = readManagedIdentity({ directory: "azure/identities/x", resource: undefined, files: texts });
  if (compared === undefined) throw new Error("cannot be compared");
  return compared;
}

const group = (name: string) => `${subscription}/resourceGroups/${name}`;

describe("a rendered managed identity", () => {
  it.each<[string, readonly [string, string][], readonly [string, string][], string]>([
    [
      "a scope more",
      [[group("one"), readerId]],
      [
        [group("one"), readerId],
        [group("two"), readerId],
      ],
      "broadened",
    ],
    [
      "a scope less",
      [
        [group("one"), readerId],
        [group("two"), readerId],
      ],
      [[group("one"), readerId]],
      "narrowed",
    ],
    ["a scope in another case", [[group("one"), readerId]], [[group("ONE"), readerId]], "none"],
    ["the subscription", [[group("one"), readerId]], [[subscription, readerId]], "broadened"],
    [
      "a group in the subscription",
      [[subscription, readerId]],
      [
        [subscription, readerId],
        [group("one"), readerId],
      ],
      "none",
    ],
    ["a group whose name begins so", [[group("one"), readerId]], [[group("one-more"), readerId]], "both"],
    ["a scope with a wildcard", [[group("one"), readerId]], [[group("*"), readerId]], "both"],
    [
      "a role at the scope of another",
      [
        [group("one"), readerId],
        [group("two"), uuid(9)],
      ],
      [
        [group("two"), readerId],
        [group("one"), uuid(9)],
      ],
      "both",
    ],
  ])("is compared by its scopes: %s", (_name, old, now, expected) => {
    const own = { actions: ["M.C/disks/write"], notActions: [] };
    expect(compared(rendered(old, own), rendered(now, own)).verdict).toBe(expected);
  });

  it("names the scope on which a role is new", () => {
    const lines = text(
      rendered([[group("One"), readerId]]),
      rendered([
        [group("One"), readerId],
        [group("Two"), readerId],
      ]),
    );
    const scope = `${subscription}/resourcegroups/two/*`;
    expect(lines.slice(0, 2)).toEqual([
      "broadened: Azure ns/secret",
      `  + role Reader on ${scope}  # OLD does not fully allow its only permission: */read`,
    ]);
    expect(lines).toContain(`  grant ns/secret: role Reader on ${scope}`);
  });

  it("is compared with a request, which names no scopes", () => {
    const own = { actions: ["M.C/disks/read"], notActions: ["M.C/disks/write"], dataActions: [], notDataActions: [] };
    const old = rendered(
      [
        [group("one"), readerId],
        [group("one"), uuid(9)],
      ],
      own,
    );
    const same = { ...roles("Reader"), permissions: ["M.C/disks/read"] };
    expect(compared(old, asks(same)).verdict).toBe("none");
    expect(compared(old, asks({ ...same, permissions: ["M.C/disks/read", "M.C/disks/write"] })).verdict).toBe(
      "broadened",
    );
    // One role is missing at a scope that the other has.
    expect(
      compared(
        rendered(
          [
            [group("one"), readerId],
            [group("two"), uuid(9)],
          ],
          own,
        ),
        asks(same),
      ).verdict,
    ).toBe("broadened");
  });

  it("has a role that is not known under its UUID", () => {
    const old = rendered([[group("one"), uuid(7)]]);
    expect(compared(old, rendered([[group("one"), uuid(7)]])).verdict).toBe("none");
    expect(compared(old, rendered([[group("one"), readerId]])).verdict).toBe("both");
  });
});

describe("definitions of Azure's roles", () => {
  const files = readdirSync("src/clouds/azure/roles", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );

  it.each(files)("are those of %s", (file) => {
    const described = JSON.parse(readFileSync(`src/clouds/azure/roles/${file}`, "utf8"));
    if (described[0].permissions === undefined) {
      expect(nameOfRole(described[0].name)).toBe(described[0].roleName);
      expect(knownRoles().get(described[0].name)).toBeUndefined();
      return;
    }
    const read = readRole(described);
    if (typeof read !== "object") throw new Error(read);
    const [date, name] = file.split("/");
    expect(`${read.names[0]?.replaceAll(" ", "-")}.json`).toBe(name);
    for (const key of read.names)
      expect(knownRoles().get(key)).toEqual({ permissions: read.permissions, grants: read.grants, date });
  });

  const role = {
    roleName: "Mine",
    name: uuid(1),
    permissions: [{ actions: ["A"], notActions: [], conditionVersion: null }],
  };

  it("can be given, and win", () => {
    const read = readRole([role]);
    if (typeof read !== "object") throw new Error(read);
    expect(read.names).toEqual(["mine", uuid(1)]);
    const { names: _, ...definition } = read;
    const given = new Map([["Azure", new Map([["reader", { ...definition, file: "reader.json" }]])]]);
    expect(compared(asks(roles("Reader")), asks({ permissions: ["A"] }), given).verdict).toBe("none");
  });

  it.each<[string, Value, string | undefined]>([
    ["two roles", [role, role], "must contain one role"],
    ["no role", [], "must contain one role"],
    ["something else in a list", ["Reader"], "must contain one role"],
    ["another form", { name: "roles/dns.admin" }, undefined],
    [
      "a name that is not a UUID",
      [{ ...role, name: "Mine" }],
      'must have a "roleName" such as "Reader", and a UUID as "name"',
    ],
    ["a role without permissions", [{ ...role, permissions: [] }], 'describes "Mine" without actions in "permissions"'],
  ])("are not %s", (_name, value, problem) => {
    expect(readRole(value)).toBe(problem);
  });

  it("with a condition are undecided", () => {
    const read = readRole([{ ...role, permissions: [{ ...role.permissions[0], condition: "@Request[x]" }] }]);
    expect(typeof read === "object" && read.grants?.some(({ undecided }) => undecided !== undefined)).toBe(true);
  });
});
