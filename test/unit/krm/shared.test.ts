import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KrmFunction } from "../../../src/krm/function.ts";
import { fake, generated, runText } from "./fakes.ts";

const path = "generated/both.yaml";

/** A function that makes an object of its own, and one that another makes too. */
function maker(name: string, text = "same", identity = "x"): KrmFunction {
  const own = { ...generated(`generated/${name}.yaml`, name), shared: false };
  const both = { ...generated(path, "both", { text }), shared: true };
  const { run } = fake(() => ({ identity, objects: [own, both] }));
  return {
    name,
    summary: "Makes two objects.",
    emits: [
      { apiVersion: "v1", kind: "Secret", path: /^generated\/(?!both)[^/]+\.yaml$/ },
      { apiVersion: "v1", kind: "Secret", path: /^generated\/both\.yaml$/, shared: true },
    ],
    run,
  };
}

const empty = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n";
// biome-ignore lint/suspicious/noExplicitAny: objects of every kind
const itemsOf = (list: string): any[] => parse(list).items;
const owners = (list: string) =>
  itemsOf(list).map(({ metadata }) => [metadata.name, metadata.annotations["fn.cloudcredential.dev/generated-by"]]);

describe("an object that several functions make", () => {
  const expected = [
    ["both", "shared/x"],
    ["one", "one/x"],
    ["two", "two/x"],
  ];

  it("is there once, whether they run together or one after the other, in either order", () => {
    const together = runText([maker("one"), maker("two")], empty);
    expect(together.exitCode).toBe(0);
    expect(owners(together.stdout)).toEqual(expected);
    const inTurn = runText(maker("two"), runText(maker("one"), empty).stdout).stdout;
    const otherwise = runText(maker("one"), runText(maker("two"), empty).stdout).stdout;
    expect(owners(inTurn).sort()).toEqual(expected);
    expect(owners(otherwise).sort()).toEqual(expected);
    expect(runText([maker("one"), maker("two")], together.stdout).stdout).toBe(together.stdout);
    const alone = runText(maker("two"), together.stdout).stdout;
    expect(owners(alone).sort()).toEqual(expected);
    expect(runText(maker("two"), alone).stdout).toBe(alone);
  });

  it("is made anew by each of them", () => {
    const before = runText([maker("one", "old"), maker("two", "old")], empty).stdout;
    for (const fn of [maker("one", "new"), maker("two", "new")]) {
      const after = itemsOf(runText(fn, before).stdout).filter(({ metadata }) => metadata.name === "both");
      expect(after.map(({ stringData }) => stringData)).toEqual([{ text: "new" }]);
    }
  });

  it("is not taken from an identity of another name, nor from a person", () => {
    const other = runText(maker("one", "same", "y"), empty).stdout;
    const refused = runText(maker("two"), other);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toBe(
      'error: the package holds objects that were made for the ClusterIdentity "y", not "x"; if it was renamed, run "ccf render --only-ours --rename-from y" in the package\'s directory. [identity-renamed]\n',
    );
    const byHand = other.replaceAll(/.*generated-by:.*\n/g, "");
    const taken = runText(maker("two"), byHand);
    expect(taken.exitCode).toBe(1);
    expect(taken.stderr).toContain("is not two's own and is not overwritten");
  });

  it("is no licence to remove what only one of them makes", () => {
    const list = runText([maker("one"), maker("two")], empty).stdout.replace("one/x", "shared/x");
    const after = runText(maker("two"), list).stdout;
    expect(owners(after)).toContainEqual(["one", "shared/x"]);
  });
});
