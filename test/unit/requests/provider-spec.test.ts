import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { requestSubjects } from "../../../src/requests/credentials-request.ts";
import { request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const named = (name: string) => {
  const found = inspectors.find((inspector) => inspector.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

/** What a request with this provider spec asks for. */
const asked = (cloud: string, providerSpec: ValueMap) => {
  const value = { ...request("one"), spec: { providerSpec: { apiVersion: "v1", kind: "K", ...providerSpec } } };
  const selected = { resource: resourceOf(value), value, secretKey: "ns/secret", copies: [] };
  return named(cloud).requested(selected).identity.permissions;
};

/** Why what it asks for is undecided. */
const undecided = (cloud: string, providerSpec: ValueMap) => [
  ...new Set(asked(cloud, providerSpec).flatMap((grant) => grant.undecided ?? [])),
];

describe.each(["aws", "azure", "gcp"])("a request for %s", (cloud) => {
  const schema = JSON.parse(
    readFileSync(new URL(`../../../schemas/${cloud}-provider-spec.schema.json`, import.meta.url), "utf8"),
  ) as { readonly properties: Readonly<Record<string, { readonly type: string | readonly string[] }>> };

  it.each(Object.entries(schema.properties))("has the field %s of the schema, which is read", (field, { type }) => {
    const types = [type].flat();
    for (const empty of [types.includes("array") ? [] : "", ...(types.includes("null") ? [null] : [])])
      expect(asked(cloud, { [field]: empty })).toEqual([]);
  });

  it("has fields that are not read, and are not lost", () => {
    const more = { other: 12345678901234567890n, none: [], toString: null } as const;
    expect(undecided(cloud, more)).toEqual([
      "other cannot be compared: 12345678901234567890",
      "toString cannot be compared: null",
    ]);
    expect(new Set(asked(cloud, more).map(({ effect }) => effect))).toEqual(new Set(["Allow", "Deny"]));
  });
});

it.each<[string, ValueMap, string]>([
  ["aws", { statementEntries: ["x"] }, "a statement is not a mapping: {}"],
  ["aws", { statementEntries: { effect: "Allow" } }, 'a statement has an unknown form: {"Effect":"Allow"}'],
  ["azure", { roleBindings: [{ name: "x" }] }, 'its list of roles has an unknown form: [{"name":"x"}]'],
  ["azure", { roleBindings: [{ role: "Reader", scope: "/" }] }, 'scope cannot be compared: "/"'],
  [
    "azure",
    { permissions: ["A/b"], notActions: "x", dataPermissions: null },
    'its lists of actions have an unknown form: {"permissions":["A/b"],"notActions":"x"}',
  ],
  ["gcp", { predefinedRoles: ["roles/a", 1] }, 'its list of roles has an unknown form: ["roles/a",1]'],
  ["gcp", { permissions: { a: 1n } }, 'its list of permissions has an unknown form: {"a":1}'],
  [
    "gcp",
    { permissions: ["a.*"] },
    'its list of permissions contains a wildcard, which this cloud does not support: ["a.*"]',
  ],
])("a list of a request for %s that has another form is undecided as a whole", (cloud, providerSpec, why) => {
  expect(undecided(cloud, providerSpec)).toEqual([why]);
});

it("an empty name is not a service account", () => {
  const spec = { secretRef: { namespace: "ns", name: "x" }, serviceAccountNames: ["", "b", "other/a", "b"] };
  expect(requestSubjects({ spec })).toEqual(["system:serviceaccount:ns:b", "system:serviceaccount:other:a"]);
  expect(requestSubjects({ spec }, [""])).toEqual([]);
});
