import { describe, expect, it } from "vitest";
import { type Answer, answers, awks, type Call, File } from "../../helpers/awk.ts";
import { describeWith } from "../../helpers/need.ts";

const file = (value: unknown) => new File(JSON.stringify(value, null, 2));
const good = (...lines: string[]): Answer => ({ status: 0, lines });
const nothing = new File("");

const account = {
  url: "/x?api-version=1",
  body: {
    kind: "StorageV2",
    location: "eastus",
    sku: { name: "Standard_LRS" },
    properties: { allowBlobPublicAccess: true, networkAcls: { defaultAction: "Allow" } },
    tags: { owner: "Demo", empty: "" },
  },
};
const asCreated = {
  ...account.body,
  id: "/x",
  sku: { name: "Standard_LRS", tier: "Standard" },
  properties: { allowBlobPublicAccess: true, networkAcls: { defaultAction: "Allow", ipRules: [] }, more: null },
};
const drifted = {
  ...asCreated,
  location: "East US",
  sku: { name: "standard_lrs", tier: "Standard" },
  properties: { allowBlobPublicAccess: null, networkAcls: { ipRules: [{ value: "1.2.3.4" }], defaultAction: "Deny" } },
  tags: { OWNER: "demo", 'a"b': "c\\d" },
};
const accountLines = [
  "kind=storagev2",
  "location=eastus",
  "sku.name=standard_lrs",
  "properties.allowBlobPublicAccess=true",
  "properties.networkAcls.defaultAction=allow",
  "tags.owner=Demo",
  "tags.empty=",
];

const permissions = { actions: ["A/b/Read", "a/c/*"], notActions: [], dataActions: ["A/d"], notDataActions: [] };
const role = {
  url: "/x",
  body: { properties: { roleName: "Demo", description: "Owned by: Demo", permissions: [permissions] } },
};
const roleLines = [
  "properties.roleName=demo",
  "properties.description=Owned by: Demo",
  "properties.permissions.1.actions=a/b/read",
  "properties.permissions.1.actions=a/c/*",
  "properties.permissions.1.dataActions=a/d",
];
const moreRights = {
  properties: {
    ...role.body.properties,
    createdBy: "x",
    permissions: [permissions, { actions: ["*"] }],
  },
};

const guid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const assignment = {
  url: "/x",
  body: { properties: { roleDefinitionId: "/r", principalType: "ServicePrincipal" } },
};
const assignments = {
  value: [
    {
      name: "AB",
      properties: {
        principalId: "CD",
        roleDefinitionId: "/subscriptions/S/roleDefinitions/EF",
        scope: "/subscriptions/S",
      },
    },
    { name: "x", properties: { principalId: "y", roleDefinitionId: "z", scope: "/" } },
  ],
};
const credential = { issuer: "https://I", subject: "system:serviceaccount:n:S", audiences: ["openshift"] };
const action = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";
const allowing = (...list: unknown[]) => file({ value: list });

const table: readonly [what: string, call: Call, expected: Answer][] = [
  ["the fields of a request", ["wanted", file(account)], good(...accountLines)],
  ["the same fields of an answer", ["found", file(account), file(asCreated)], good(...accountLines)],
  [
    "the same fields of an answer that differs",
    ["found", file(account), file(drifted)],
    good(...accountLines.slice(0, 3), "properties.networkAcls.defaultAction=deny", "tags.owner=demo"),
  ],
  ["no answer", ["found", file(account), nothing], good()],
  ["a custom role", ["wanted", file(role)], good(...roleLines)],
  [
    "permissions that others added to a custom role",
    ["found", file(role), file(moreRights)],
    good(...roleLines, "properties.permissions.2.actions=*"),
  ],
  ["what cannot be changed, if nothing differs", ["fixed", file(account), file(drifted)], good()],
  [
    "what cannot be changed",
    ["fixed", file(account), file({ ...drifted, location: "westus", kind: "BlobStorage" })],
    good("kind\tBlobStorage\tStorageV2", "location\twestus\teastus"),
  ],
  ["a change of nothing", ["patch", file(account), file(asCreated)], good("{}")],
  [
    "a change, with what others have set",
    ["patch", file(account), file(drifted)],
    good(
      '{"properties": {"allowBlobPublicAccess": true, "networkAcls": {"ipRules": [{"value": "1.2.3.4"}], "defaultAction": "Allow"}}, "tags": {"a\\"b": "c\\\\d", "owner": "Demo", "empty": ""}}',
    ),
  ],
  [
    "a change of the kind of storage",
    ["patch", file(account), file({ ...asCreated, sku: { name: "Premium_LRS", tier: "Premium" } })],
    good('{"sku": {"name": "Standard_LRS"}}'),
  ],
  [
    "a change of a resource without tags",
    ["patch", file({ body: { tags: { a: "b" } } }), file({})],
    good('{"tags": {"a": "b"}}'),
  ],

  [
    "a body",
    ["body", file({ url: "/x", body: { a: ["b\u001b", 1], c: null } })],
    good('{"a": ["b\\u001b", 1], "c": null}'),
  ],
  [
    "the body of a role assignment",
    ["-v", `principal=${guid(1)}`, "body", file(assignment)],
    good(
      `{"properties": {"principalId": "${guid(1)}", "roleDefinitionId": "/r", "principalType": "ServicePrincipal"}}`,
    ),
  ],
  ["tags", ["tags", file({ tags: { A: "B", "c=d": "e\nf" } }), "tags"], good("a=B", "c=d=e\\nf")],
  ["no tags", ["tags", file({}), "tags"], good()],
  [
    "pages",
    ["pages", file({ value: [{ a: 1 }], nextLink: "x" }), file({ value: [] }), file({ value: [{ a: 2 }, { b: 3 }] })],
    good('{"value": [{"a": 1},', '{"a": 2},', '{"b": 3}]}'),
  ],
  ["role assignments", ["assignments", file(assignments)], good("ab cd ef /subscriptions/s", "x y z /")],
  ["no role assignments", ["assignments", file({ value: [] })], good()],
  [
    "a credential",
    ["credential", file({ body: credential }), "body"],
    good("https://I\tsystem:serviceaccount:n:S\topenshift"),
  ],
  [
    "credentials",
    ["credentials", file({ value: [{ name: "N", properties: { ...credential, audiences: ["b", "a"] } }] })],
    good("N\thttps://I\tsystem:serviceaccount:n:S\ta b"),
  ],
  [
    "a credential with characters that would move a cursor",
    ["credentials", file({ value: [{ name: "a\tb", properties: { ...credential, subject: "\n\u001b" } }] })],
    good("a\\tb\thttps://I\t\\n\\u001b\topenshift"),
  ],

  ["no permissions", ["grants", action, allowing()], good("no")],
  [
    "permissions for everything but data",
    ["grants", action, allowing({ actions: ["*"], dataActions: [] })],
    good("no"),
  ],
  ["permissions for data", ["grants", action, allowing({ dataActions: [action.toUpperCase()] })], good("yes")],
  [
    "permissions with a wildcard",
    ["grants", action, allowing({}, { dataActions: ["Microsoft.Storage/*/Write"] })],
    good("yes"),
  ],
  ["permissions that end elsewhere", ["grants", action, allowing({ dataActions: [`${action}/x`, "x/*"] })], good("no")],
  [
    "permissions with an exception",
    ["grants", action, allowing({ dataActions: ["*"], notDataActions: ["*/blobs/write"] })],
    good("no"),
  ],
  [
    "permissions with an exception in another role",
    ["grants", action, allowing({ dataActions: ["*"], notDataActions: ["*/write"] }, { dataActions: ["*"] })],
    good("yes"),
  ],
];

describe.each(awks)("azure.awk under %s", (awk, tool) => {
  describeWith([tool], "reads", () => {
    it("what each command prints", () => {
      const given = answers(
        awk,
        table.map(([, call]) => call),
        "azure",
      );
      const named = (list: readonly Answer[]) =>
        Object.fromEntries(list.map((answer, index) => [table[index]?.[0], answer]));
      expect(named(given)).toEqual(named(table.map(([, , expected]) => expected)));
    });

    it("nothing that is not JSON, and no principal into another request", () => {
      const calls: Call[] = [
        ["wanted", new File("<html>")],
        ["found", file(account), new File("ERROR: x")],
        ["assignments", new File('{"value": [')],
        ["-v", `principal=${guid(1)}`, "body", file({ body: { tags: {} } })],
      ];
      expect(answers(awk, calls, "azure").map(({ status }) => status !== 0)).toEqual(calls.map(() => true));
    });
  });
});
