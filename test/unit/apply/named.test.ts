import { expect, it } from "vitest";
import { named, namingProblem } from "../../../src/apply/named.ts";

const [role, bucket, pool, provider, nested] = [
  { kind: "role", name: "one" },
  { kind: "bucket", name: "both" },
  { kind: "workload identity pool", name: "both" },
  { kind: "provider", name: "example.com/both" },
  { kind: "bucket", name: "role/one" },
] as const;
const all = [role, bucket, pool, provider, nested];

it.each([
  ["a kind and a name", ["role/one"], [role]],
  ["a name that one kind has", ["one"], [role]],
  ["a kind with spaces", ["workload identity pool/both"], [pool]],
  ["a name with a slash", ["provider/example.com/both"], [provider]],
  ["a name with a slash, alone", ["example.com/both"], [provider]],
  ["a name that is also a kind and a name", ["bucket/role/one"], [nested]],
  ["several values, of which some mean the same", ["bucket/both", "role/one", "one"], [bucket, role]],
  ["a name that two kinds have", ["both"], []],
  ["a kind alone", ["role", "role/"], []],
  ["another kind", ["bucket/one"], []],
  ["another case", ["Role/one", "ONE"], []],
  ["a part of a name", ["on", "role/on", "/one"], []],
  ["nothing", ["", "/"], []],
])("%s names what has it", (_what, values, expected) => {
  expect(named(values, all)).toEqual(expected);
});

const problem = (values: readonly string[], ...packages: (readonly { kind: string; name: string }[])[]) =>
  namingProblem("--adopt", values, packages, "resource of the package");

it.each([
  ["nothing has the name", ["one", "typo"], "--adopt typo: no resource of the package has this name"],
  ["nothing has the kind and the name", ["bucket/one"], "--adopt bucket/one: no resource of the package has this name"],
  [
    "two kinds have the name",
    ["both"],
    "--adopt both: resources of several kinds have this name; use --adopt bucket/both or --adopt 'workload identity pool/both'",
  ],
])("is refused if %s", (_what, values, expected) => {
  expect(problem(values, all)).toBe(expected);
});

it("is judged for each package", () => {
  expect(problem(["both"], [bucket], [pool])).toBeUndefined();
  expect(problem(["both"], [role], [bucket, pool])).toMatch(/resources of several kinds/);
  expect(problem(["one", "bucket/both"], [role], [bucket])).toBeUndefined();
  expect(problem(["one", "provider/one"], [role], [bucket])).toMatch(/^--adopt provider\/one: no resource/);
});
