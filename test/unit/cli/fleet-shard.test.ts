import fc from "fast-check";
import { expect, it } from "vitest";
import { isInShard, readShard } from "../../../src/cli/fleet/select-packages.ts";

const count = fc.integer({ min: 1, max: 50 });

function shardsOf(path: string, count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1).filter((index) => isInShard(path, { index, count }));
}

it("each package is in exactly one shard, whatever its path", () => {
  fc.assert(fc.property(fc.string(), count, (path, count) => shardsOf(path, count).length === 1));
});

it("the shard of a package stays the same in later versions", () => {
  // printf %s clusters/c01 | sha256sum | cut -c1-12, as a number, modulo N, plus 1
  expect(shardsOf("clusters/c01", 4)).toEqual([1]);
  expect(shardsOf("clusters/c02", 7)).toEqual([4]);
});

it("packages spread over the shards", () => {
  const shards = Array.from({ length: 1000 }, (_, at) => shardsOf(`clusters/c${at}`, 10)[0]);
  const sizes = Array.from({ length: 10 }, (_, at) => shards.filter((shard) => shard === at + 1).length);
  expect(Math.min(...sizes)).toBeGreaterThan(60);
  expect(Math.max(...sizes)).toBeLessThan(140);
});

it.each([
  ["1/1", { index: 1, count: 1 }],
  ["4/4", { index: 4, count: 4 }],
  ["10000/10000", { index: 10_000, count: 10_000 }],
])("reads %s", (text, shard) => {
  expect(readShard(text)).toEqual(shard);
});

it.each(["0/4", "5/4", "1/0", "1/10001", "1", "1/", "/1", "-1/4", "1/4/2", "a/b", " 1/4", "1.0/4", ""])(
  "refuses %j",
  (text) => {
    expect(() => readShard(text)).toThrow(
      `--shard must be I/N with I from 1 to N and N up to 10000, such as "1/4", not "${text}"; a CI system or a Job that counts from 0 must add 1`,
    );
  },
);
