import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clouds } from "../../../src/clouds/index.ts";
import { type Any, expectFinding, identity } from "../../helpers/cluster.ts";
import { makeWorkloads, workload } from "../../helpers/workloads.ts";

const outside = (cloud: string, section: Any, rails: Any) =>
  clouds.find(({ name }) => name === cloud)?.renderer.workloads.outside(section, rails) ?? [];
const action = (...names: string[]) => ({ statements: [{ effect: "Allow", action: names, resource: "*" }] });
const policy = { ...action("s3:GetObject"), managedPolicyARNs: ["arn:aws:iam::aws:policy/AdministratorAccess"] };
const scope = "/subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/shop";
const role = (name: string, at = scope) => ({ roles: [{ role: name, scope: at }] });
const azureRails = { allowedRoles: ["Storage Blob Data *"], allowedScopes: [scope] };

/** The cloud, what is asked for, the guard rails, and what of it they refuse: fields and words of the reason. */
const table: [string, Any, Any, ...string[]][] = [
  ["aws", action("iam:CreateUser"), {}],
  ["aws", action("s3:GetObject"), { allowedActions: ["s3:Get*"] }],
  ["aws", action("S3:getobject"), { allowedActions: ["s3:Get*"] }],
  ["aws", action("s3:Get*"), { allowedActions: ["S3:get*"] }],
  ["aws", action("s3:*"), { allowedActions: ["s3:Get*"] }, "statements[0].action[0]: does not contain all"],
  ["aws", action("*"), { allowedActions: ["s3:*"] }, "statements[0].action[0]: does not contain all"],
  ["aws", action("*"), { allowedActions: ["*"] }],
  [
    "aws",
    action("s3:?etObject"),
    { allowedActions: ["s3:GetObject"] },
    "statements[0].action[0]: does not contain all",
  ],
  [
    "aws",
    action("s3:GetObject", "IAM:passrole"),
    { deniedActions: ["iam:*"] },
    'statements[0].action[1]: contains "iam:*"',
  ],
  ["aws", action("*"), { deniedActions: ["iam:PassRole"] }, 'statements[0].action[0]: contains "iam:PassRole"'],
  [
    "aws",
    action("i*:PassRole"),
    { deniedActions: ["iam:PassRole"] },
    'statements[0].action[0]: contains "iam:PassRole"',
  ],
  [
    "aws",
    action("s3:DeleteObject"),
    { allowedActions: ["s3:*"], deniedActions: ["s3:Delete*"] },
    'statements[0].action[0]: contains "s3:Delete*"',
  ],
  ["aws", action("s3:GetObject"), { allowedActions: [] }, "statements[0].action[0]: is empty or not stated"],
  [
    "aws",
    action(`s3:*a${"?".repeat(18)}`),
    { allowedActions: [`s3:*?${"?".repeat(18)}`] },
    'statements[0].action[0]: it cannot be decided whether "spec.workloads.aws.allowedActions" contains all of it',
  ],
  ["aws", { statements: [{ effect: "Deny", action: ["iam:*"], resource: "*" }] }, { allowedActions: ["s3:*"] }],
  ["aws", policy, {}],
  ["aws", policy, { allowedActions: ["*"] }, "managedPolicyARNs[0]: cannot be compared"],
  ["aws", policy, { deniedActions: ["iam:*"] }, "managedPolicyARNs[0]: cannot be compared"],
  ["gcp", { predefinedRoles: ["roles/owner"] }, {}],
  ["gcp", { predefinedRoles: ["roles/storage.objectViewer"] }, { allowedRoles: ["roles/storage.*"] }],
  [
    "gcp",
    { predefinedRoles: ["roles/Storage.objectViewer"] },
    { allowedRoles: ["roles/storage.*"] },
    "predefinedRoles[0]: does not contain all",
  ],
  [
    "gcp",
    { predefinedRoles: ["roles/storage.admin"] },
    { allowedPermissions: ["storage.*"] },
    "predefinedRoles[0]: is empty or not stated",
  ],
  [
    "gcp",
    { permissions: ["storage.objects.get"] },
    { allowedRoles: ["roles/storage.*"] },
    "permissions[0]: is empty or not stated",
  ],
  ["gcp", { permissions: ["storage.objects.get"] }, { allowedPermissions: ["storage.*"] }],
  [
    "gcp",
    { resources: [{ bucket: "b", roles: ["roles/x", "roles/storage.admin"] }] },
    { allowedRoles: ["roles/x"] },
    "resources[0].roles[1]: does not contain all",
  ],
  ["azure", role("Owner"), {}],
  ["azure", role("storage blob data reader"), azureRails],
  ["azure", role("Storage Blob Data Reader", `${scope}/providers/Microsoft.Storage/storageAccounts/x`), azureRails],
  [
    "azure",
    role("Storage Blob Data Reader", scope.toUpperCase().replace("/SUBSCRIPTIONS", "/subscriptions")),
    azureRails,
  ],
  ["azure", role("Storage Blob Data Reader", `${scope}2`), azureRails, "roles[0].scope: does not contain all"],
  [
    "azure",
    role("Storage Blob Data Reader", scope.replace(/\/resource.*/, "")),
    azureRails,
    "roles[0].scope: does not contain all",
  ],
  ["azure", role("Owner"), azureRails, "roles[0].role: does not contain all"],
  ["azure", role("Reader"), { allowedRoles: ["Reader"] }, "roles[0].scope: is empty or not stated"],
  [
    "azure",
    { permissions: ["Microsoft.Storage/*"], scopes: [scope] },
    { allowedPermissions: ["microsoft.storage/storageAccounts/*"], allowedScopes: [scope] },
    "permissions[0]: does not contain all",
  ],
  [
    "azure",
    { dataPermissions: ["A/b/read"], scopes: [scope] },
    { allowedPermissions: ["*"], allowedScopes: ["*"] },
    "dataPermissions[0]: is empty or not stated",
  ],
  [
    "azure",
    { permissions: ["A/b/read"], scopes: [scope] },
    { allowedPermissions: ["A/*"], allowedScopes: ["/subscriptions/*"] },
  ],
];

describe("what guard rails refuse", () => {
  it.each(table)("on %s: %j within %j", (cloud, section, rails, ...wanted) => {
    const found = outside(cloud, section, rails);
    expect(found.map(({ field }) => field)).toEqual(wanted.map((text) => text.split(": ")[0]));
    wanted.forEach((text, at) => {
      expect(found[at]?.why).toContain(text.slice(text.indexOf(": ") + 2));
    });
  });

  it("is an error of the render, in the field of the WorkloadIdentity, which no acceptance softens", () => {
    const accept = [{ rule: "workload-not-allowed", reason: "It is fine.", object: "shop/cart" }];
    const config = identity({
      spec: { workloads: { namespaces: ["shop"], aws: { allowedActions: ["sqs:*"] } }, accept },
    });
    const made = makeWorkloads(config, [workload("cart")]);
    expect(expectFinding(made, "error", "workload-not-allowed")).toContain(
      '"spec.workloads.aws.allowedActions" does not contain',
    );
    expect(made.results[0]?.field).toEqual({ path: "spec.aws.statements[0].action[0]" });
  });
});

// Names over two letters, so that every name of some length can be tried.
const glob = fc.array(fc.constantFrom("a", "b", "*"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const globs = fc.array(glob, { maxLength: 3 });
const maybe = fc.option(globs, { nil: undefined });
const names = ["", "a", "b"].flatMap((x) => ["a", "b"].flatMap((y) => ["", "a", "b"].map((z) => `${x}${y}${z}`)));
const isIn = (patterns: readonly string[]) => (name: string) =>
  patterns.some((one) => new RegExp(`^${one.replaceAll("*", ".*")}$`).test(name));
const stated = (lists: Any) => Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined));

describe("nothing that is accepted lies outside of the guard rails", () => {
  it("on AWS", () => {
    fc.assert(
      fc.property(globs, maybe, maybe, (asked, allowed, denied) => {
        const [service, rails] = [
          (one: string) => `s:${one}`,
          stated({
            allowedActions: allowed?.map((one) => `s:${one}`),
            deniedActions: denied?.map((one) => `s:${one}`),
          }),
        ];
        const refused = new Set(outside("aws", action(...asked.map(service)), rails).map(({ name }) => name));
        for (const one of asked.filter((name) => !refused.has(service(name)))) {
          for (const name of names.filter(isIn([one]))) {
            if (allowed !== undefined) expect(isIn(allowed)(name)).toBe(true);
            expect(isIn(denied ?? [])(name)).toBe(false);
          }
        }
      }),
    );
  });

  it("on GCP and Azure", () => {
    fc.assert(
      fc.property(globs, globs, maybe, maybe, maybe, (roles, permissions, allowedRoles, allowedPermissions, scopes) => {
        const isLimited = allowedRoles !== undefined || allowedPermissions !== undefined;
        const plain = roles.map((one) => one.replaceAll("*", ""));
        const gcp = outside(
          "gcp",
          { predefinedRoles: plain, permissions: permissions.map((one) => one.replaceAll("*", "")) },
          stated({ allowedRoles, allowedPermissions }),
        );
        const kept = (field: string, all: readonly string[], found: readonly Any[]) =>
          all.filter((_, at) => !found.some((one) => one.field === `${field}[${at}]`));
        if (isLimited) {
          expect(kept("predefinedRoles", plain, gcp).every(isIn(allowedRoles ?? []))).toBe(true);
          expect(
            kept("permissions", permissions, gcp).every((one) =>
              isIn(allowedPermissions ?? [])(one.replaceAll("*", "")),
            ),
          ).toBe(true);
        }
        const rails = stated({ allowedRoles, allowedPermissions, allowedScopes: scopes });
        const azure = outside("azure", { permissions, scopes: plain }, rails);
        if (Object.keys(rails).length === 0) return;
        for (const one of kept("permissions", permissions, azure))
          for (const name of names.filter(isIn([one]))) expect(isIn(allowedPermissions ?? [])(name)).toBe(true);
        const below = (scopes ?? []).flatMap((one) => [one, `${one}/*`]);
        expect(kept("scopes", plain, azure).every(isIn(below))).toBe(true);
      }),
    );
  });
});
