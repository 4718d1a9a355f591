import { expect, it } from "vitest";
import { digestOfWanted, type WantedResource } from "../../../src/core/wanted-resource.ts";

const one: WantedResource = { kind: "role", id: "a", name: "A", needs: [], body: { x: 1 } };
const two: WantedResource = { kind: "role", id: "b", name: "B", needs: ["a"], body: {}, assigned: { id: "1" } };

it("the digest of resources does not depend on their order, and not on how they are applied", () => {
  const digest = digestOfWanted([one, two]);
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(digestOfWanted([two, one])).toBe(digest);
  expect(digestOfWanted([{ ...one, needs: ["b"], kept: "stays", source: "aws/x", shared: true, part: "b" }, two])).toBe(
    digest,
  );
  expect(digestOfWanted([{ ...one, assigned: {} }, two])).toBe(digest);
});

it.each<[string, Partial<WantedResource>]>([
  ["kind", { kind: "policy" }],
  ["ID", { id: "c" }],
  ["name", { name: "C" }],
  ["fields", { body: { x: 2 } }],
  ["assigned values", { assigned: { id: "2" } }],
])("the digest depends on the %s", (_what, change) => {
  expect(digestOfWanted([{ ...one, ...change }, two])).not.toBe(digestOfWanted([one, two]));
});
