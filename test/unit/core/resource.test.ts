import { describe, expect, it } from "vitest";
import { allByKey, firstByKey, isLabel, isSubdomain, maxObjectName } from "../../../src/core/resource.ts";

// Kubernetes documentation, "Object Names and IDs".
it.each<[string, boolean, boolean]>([
  ["a", true, true],
  ["a-1", true, true],
  ["1-a", true, true],
  ["a".repeat(63), true, true],
  ["a".repeat(64), false, true],
  ["a.b", false, true],
  ["a".repeat(maxObjectName), false, true],
  ["a".repeat(maxObjectName + 1), false, false],
  ["", false, false],
  ["-a", false, false],
  ["a-", false, false],
  ["A", false, false],
  ["a_b", false, false],
  ["a..b", false, false],
  ["a.-b", false, false],
  [".a", false, false],
  ["a.", false, false],
  ["a\n", false, false],
])("%j is a label: %s, a subdomain: %s", (text, label, subdomain) => {
  expect([isLabel(text), isSubdomain(text)]).toEqual([label, subdomain]);
});

describe("members of a list by a key", () => {
  const list = [
    { key: "b", at: 0 },
    { key: undefined, at: 1 },
    { key: "a", at: 2 },
    { key: "b", at: 3 },
  ];

  it("are the first of each key, without those that have none", () => {
    expect([...firstByKey(list, ({ key }) => key)]).toEqual([
      ["b", list[0]],
      ["a", list[2]],
    ]);
  });

  it("are all of each key in their order, without those that have none", () => {
    expect([...allByKey(list, ({ key }) => key)]).toEqual([
      ["b", [list[0], list[3]]],
      ["a", [list[2]]],
    ]);
  });
});
