import { describe, expect, it } from "vitest";
import { type Answer, answers, awks, type Call, File } from "../../helpers/awk.ts";
import { describeWith } from "../../helpers/need.ts";

const file = (value: unknown) => new File(JSON.stringify(value, null, 2));
const good = (...lines: string[]): Answer => ({ status: 0, lines });
const nothing = new File("");

const policy = {
  version: 3,
  bindings: [
    { role: "roles/b", members: ["user:b@example.com", "serviceAccount:a"] },
    { role: "roles/c", members: ["user:c"], condition: { title: "c", expression: 'x == "y"' } },
    { role: "roles/a", members: ["allUsers"] },
    { role: "roles/none" },
    { role: "roles/null", members: ["user:n"], condition: null },
  ],
};
const key = { kty: "EC", crv: "P-256", x: "X", y: "Y", kid: "k" };
const provider = {
  name: "n",
  displayName: "d",
  description: "Owned by: demo",
  disabled: false,
  attributeMapping: { "google.subject": "assertion.sub" },
  attributeCondition: 'a == "b\\c"\n&& d',
  oidc: { issuerUri: "https://x", allowedAudiences: ["b", "a,b"] },
};
const lines = [
  "displayName=d",
  "description=Owned by: demo",
  "attributeMapping.google.subject=assertion.sub",
  'attributeCondition=a == \\"b\\\\c\\"\\n&& d',
  "issuerUri=https://x",
  "allowedAudiences=b",
  "allowedAudiences=a,b",
];
const keyLine = 'key "k": crv="P-256" kty="EC" x="X" y="Y"';
const withKeys = (jwksJson: string) => ({ ...provider, oidc: { ...provider.oidc, jwksJson } });

const table: readonly [what: string, call: Call, expected: Answer][] = [
  [
    "bindings without a condition",
    ["bindings", file(policy), "."],
    good("roles/b user:b@example.com", "roles/b serviceAccount:a", "roles/a allUsers", "roles/null user:n"),
  ],
  ["bindings with a condition", ["-v", "conditional=1", "bindings", file(policy), "."], good("roles/c user:c")],
  ["an empty policy", ["bindings", file({ etag: "ACAB" }), "."], good()],
  ["no policy", ["bindings", nothing, "."], good()],
  [
    "a member with a line break",
    ["bindings", file({ bindings: [{ role: "r", members: ["a\nr b\u001b"] }] }), "."],
    good("r a\\nr b\\u001b"),
  ],

  ["a string as a flag takes it", ["raw", file(provider), "attributeCondition"], good('a == "b\\c"', "&& d")],
  ["a list as a flag takes it", ["raw", file(provider), "oidc/allowedAudiences"], good("b", "a,b")],
  ["a string that is not there", ["raw", file(provider), "oidc/jwksJson"], good()],

  ["a provider", ["provider", file(provider), "."], good(...lines)],
  [
    "a provider with what Google omits",
    ["provider", file({ oidc: {}, attributeCondition: "", disabled: true }), "."],
    good("disabled=true"),
  ],
  [
    "a provider with keys",
    ["provider", file(withKeys(JSON.stringify({ keys: [key] }, null, 2))), "."],
    good(...lines, keyLine),
  ],
  ["a provider with cleared keys", ["provider", file(withKeys("")), "."], good(...lines)],
  ["no provider", ["provider", nothing, "."], good()],
  [
    "keys in any order of their fields",
    ["keys", file({ keys: [Object.fromEntries(Object.entries(key).reverse())] }), "."],
    good(keyLine),
  ],
  ["keys of nothing", ["keys", nothing, "."], good()],
];

describe.each(awks)("gcp.awk under %s", (awk, tool) => {
  describeWith([tool], "reads", () => {
    it("what each command prints", () => {
      const given = answers(
        awk,
        table.map(([, call]) => call),
        "gcp",
      );
      const named = (list: readonly Answer[]) =>
        Object.fromEntries(list.map((answer, index) => [table[index]?.[0], answer]));
      expect(named(given)).toEqual(named(table.map(([, , expected]) => expected)));
    });

    it("nothing from keys that are not JSON, and no character that moves a cursor", () => {
      const calls: Call[] = [
        ["provider", file(withKeys("{")), "."],
        ["provider", file(withKeys("<html>")), "."],
        ["raw", file({ a: "\u001b[31m" }), "a"],
        ["bindings", new File("ERROR: x"), "."],
      ];
      expect(answers(awk, calls, "gcp").map(({ status }) => status !== 0)).toEqual(calls.map(() => true));
    });
  });
});
