import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Plan, planApply, type Step } from "../../../src/apply/plan.ts";
import { planDestroy } from "../../../src/apply/plan-destroy.ts";
import { pace } from "../../../src/apply/requests.ts";
import type { WantedResource } from "../../../src/core/wanted-resource.ts";
import { runs } from "../../helpers/effort.ts";
import { extraToy, liveToy, ToyCloud, toy } from "../../helpers/toy-cloud.ts";

/*
 * In which order a run does what a plan says, and what it does not do after a failure. A test of the state at the end would not see an
 * unsafe step in between.
 */

// Files share the modules that they import.
beforeAll(() => {
  const { second } = pace;
  pace.second = 0;
  return () => {
    pace.second = second;
  };
});

const pruning = { prune: true, adopt: [], allow: [] };

/** The plan for a cloud as it is, which also removes what the package does not have. */
function planFor(
  cloud: ToyCloud,
  wanted: readonly WantedResource[],
  extras: readonly ReturnType<typeof extraToy>[] = [],
): Plan {
  for (const { id, live } of extras) cloud.live.set(id, live);
  return planApply(cloud.target(wanted), cloud.state(wanted, { extras: { found: extras } }), pruning);
}

const at = (cloud: ToyCloud, event: string) => cloud.events.indexOf(event);

describe("creations and changes", () => {
  it("begin when everything that they need is complete", async () => {
    const cloud = new ToyCloud();
    const wanted = [toy("a"), toy("b", { needs: ["a"] }), toy("c", { needs: ["a", "b"] })];
    const { done } = await cloud.run(planFor(cloud, wanted));
    expect(done).toEqual(["a", "b", "c"]);
    expect(cloud.events).toEqual(["create a", "created a", "create b", "created b", "create c", "created c"]);
  });

  it("do not wait for what exists and is in sync", async () => {
    const cloud = new ToyCloud();
    cloud.live.set("a", liveToy("a"));
    const { done } = await cloud.run(planFor(cloud, [toy("a"), toy("b", { needs: ["a", "elsewhere"] })]));
    expect(done).toEqual(["b"]);
  });

  it("of what does not need each other run at the same time, but not all", async () => {
    const cloud = new ToyCloud();
    const wanted = Array.from({ length: 20 }, (_, index) => toy(`t${String(index).padStart(2, "0")}`));
    const { done } = await cloud.run(planFor(cloud, wanted));
    expect(done).toHaveLength(20);
    expect(cloud.most).toBe(6);
  });

  it("of parts of one whole never run at the same time", async () => {
    const cloud = new ToyCloud();
    cloud.live.set("whole", liveToy("whole"));
    const parts = ["a", "b", "c"].map((id) => toy(id, { part: "whole", needs: ["whole"] }));
    await cloud.run(planFor(cloud, [toy("whole"), ...parts, toy("other")]));
    expect(cloud.events.filter((event) => event.startsWith("created"))).toHaveLength(4);
    const together = cloud.overlaps.filter((ids) => ids.every((id) => ["a", "b", "c"].includes(id)));
    expect(together).toEqual([]);
    expect(cloud.overlaps.flat()).toContain("other");
  });

  it("are skipped if what they need failed, and others are not", async () => {
    const cloud = new ToyCloud();
    cloud.failing.add("a");
    const wanted = [toy("a"), toy("b", { needs: ["a"] }), toy("c", { needs: ["b"] }), toy("d")];
    const { done, failed, skipped, told } = await cloud.run(planFor(cloud, wanted));
    expect({ done, failed, skipped }).toEqual({ done: ["d"], failed: ["a"], skipped: ["b", "c"] });
    expect(told).toEqual(["failed a: create a: 500.", "done d"]);
    expect(cloud.events).not.toContain("create b");
  });

  it("are skipped, too, if the plan has them before what they need", async () => {
    const cloud = new ToyCloud();
    cloud.failing.add("a");
    const wanted = [toy("c", { needs: ["b"] }), toy("b", { needs: ["a"] }), toy("a")];
    const { failed, skipped } = await cloud.run(planFor(cloud, wanted));
    expect({ failed, skipped }).toEqual({ failed: ["a"], skipped: ["b", "c"] });
  });

  it("that need each other are a bug in a cloud's list, not an endless wait", async () => {
    const cloud = new ToyCloud();
    const plan = planFor(cloud, [toy("a", { needs: ["b"] }), toy("b", { needs: ["a"] })]);
    await expect(cloud.run(plan)).rejects.toThrow("resources need each other: a, b");
  });

  it("begin no more when the user ends the run, and what runs is completed", async () => {
    const cloud = new ToyCloud();
    const wanted = Array.from({ length: 9 }, (_, index) => toy(`t${index}`));
    const plan = planFor(cloud, [...wanted], [extraToy("old")]);
    const { done, skipped, outcome } = await cloud.run(plan, () => cloud.events.length > 0);
    expect(outcome.isStopped).toBe(true);
    expect(done).toEqual(["t0", "t1", "t2", "t3", "t4", "t5"]);
    expect(skipped).toEqual(["old", "t6", "t7", "t8"]);
    expect([...cloud.live.keys()].sort()).toEqual(["old", ...done]);
  });
});

describe("removals", () => {
  it("wait until every creation and change has succeeded", async () => {
    const cloud = new ToyCloud();
    cloud.live.set("b", liveToy("b", { value: { color: "blue" } }));
    const { done } = await cloud.run(planFor(cloud, [toy("a"), toy("b")], [extraToy("old")]));
    expect(done).toEqual(["a", "b", "old"]);
    expect(at(cloud, "remove old")).toBeGreaterThan(at(cloud, "created a"));
    expect(at(cloud, "remove old")).toBeGreaterThan(at(cloud, "updated b"));
  });

  it.each(["a", "b"])("are not done after the failure of %s, although nothing of them needs it", async (broken) => {
    const cloud = new ToyCloud();
    cloud.live.set("b", liveToy("b", { value: { color: "blue" } }));
    cloud.failing.add(broken);
    const { failed, skipped } = await cloud.run(
      planFor(cloud, [toy("a"), toy("b")], [extraToy("old"), extraToy("older")]),
    );
    expect({ failed, skipped }).toEqual({ failed: [broken], skipped: ["old", "older"] });
    expect(cloud.events.filter((event) => event.startsWith("remove"))).toEqual([]);
  });

  it("of what takes the place of something wanted come first, and the others last", async () => {
    const cloud = new ToyCloud();
    await cloud.run(planFor(cloud, [toy("a")], [extraToy("old"), extraToy("in-the-way", { first: true })]));
    expect(cloud.events.filter((event) => !event.includes("d "))).toEqual([
      "remove in-the-way",
      "create a",
      "remove old",
    ]);
  });

  it("are not done after one that had to come first failed", async () => {
    const cloud = new ToyCloud();
    cloud.failing.add("in-the-way");
    const { skipped } = await cloud.run(
      planFor(cloud, [toy("a")], [extraToy("old"), extraToy("in-the-way", { first: true })]),
    );
    expect(skipped).toEqual(["old"]);
  });

  it("go from what needs something to what is needed", async () => {
    const cloud = new ToyCloud();
    const wanted = [toy("a"), toy("b", { needs: ["a"] }), toy("c", { needs: ["b"] })];
    for (const { id } of wanted) cloud.live.set(id, liveToy(id));
    await cloud.run(await planDestroy(cloud.target(wanted), cloud.state(wanted)), undefined, wanted);
    expect(cloud.events.filter((event) => event.startsWith("removed"))).toEqual([
      "removed c",
      "removed b",
      "removed a",
    ]);
    expect(cloud.overlaps).toEqual([]);
  });

  it("stop at what fails, and leave what it needs", async () => {
    const cloud = new ToyCloud();
    const wanted = [toy("a"), toy("b", { needs: ["a"] }), toy("c")];
    for (const { id } of wanted) cloud.live.set(id, liveToy(id));
    cloud.failing.add("b");
    const { done, failed, skipped } = await cloud.run(
      await planDestroy(cloud.target(wanted), cloud.state(wanted)),
      undefined,
      wanted,
    );
    expect({ done, failed, skipped }).toEqual({ done: ["c"], failed: ["b"], skipped: ["a"] });
    expect([...cloud.live.keys()].sort()).toEqual(["a", "b"]);
  });

  it.each<[string, boolean, () => WantedResource[], number[]]>([
    ["a new part replaces what is removed", false, () => [toy("part", { part: "whole", needs: [] })], [0]],
    ["nothing new is a part", false, () => [toy("alone")], []],
    ["the new part failed", true, () => [toy("part", { part: "whole", needs: [] })], []],
  ])("wait until what is new is in effect everywhere: %s", async (_what, fails, wanted, waits) => {
    const cloud = new ToyCloud();
    if (fails) cloud.failing.add("part");
    const { waited } = await cloud.run(planFor(cloud, wanted(), [extraToy("old")]));
    expect(waited).toEqual(waits);
    expect((await new ToyCloud().run(planFor(new ToyCloud(), wanted()))).waited).toEqual([]);
  });
});

describe("a resource that changed after the plan", () => {
  const changed = async (
    plan: (cloud: ToyCloud) => Plan | Promise<Plan>,
    change: (cloud: ToyCloud) => void,
    wanted: WantedResource[] = [toy("a")],
  ) => {
    const cloud = new ToyCloud();
    const made = await plan(cloud);
    change(cloud);
    const { outcome } = await cloud.run(made, undefined, wanted);
    return { problems: outcome.failed.map(({ problem }) => problem), events: cloud.events };
  };
  const blue = { value: { color: "blue" } };
  const update = (cloud: ToyCloud) => {
    cloud.live.set("a", liveToy("a", blue));
    return planFor(cloud, [toy("a")]);
  };
  const destroy = (cloud: ToyCloud) => {
    cloud.live.set("a", liveToy("a"));
    return planDestroy(cloud.target([toy("a")]), cloud.state([toy("a")]));
  };
  const create = (cloud: ToyCloud) => planFor(cloud, [toy("a")]);

  it.each<[string, (cloud: ToyCloud) => Plan | Promise<Plan>, (cloud: ToyCloud) => void, string]>([
    [
      "it appeared, and differs",
      create,
      (cloud) => cloud.live.set("a", liveToy("a", blue)),
      "it exists now, and differs",
    ],
    [
      "it appeared as another's",
      create,
      (cloud) => cloud.live.set("a", liveToy("a", { owner: "none" })),
      "another one now has its name",
    ],
    ["it is gone", update, (cloud) => cloud.live.delete("a"), "it no longer exists"],
    [
      "it differs in another way",
      update,
      (cloud) => cloud.live.set("a", liveToy("a", { value: { color: "green" } })),
      "it differs in another way now",
    ],
    [
      "it was deleted, and differs in another way",
      (cloud) => {
        cloud.live.set("a", liveToy("a", { ...blue, deleted: true }));
        return planFor(cloud, [toy("a")]);
      },
      (cloud) => cloud.live.set("a", liveToy("a", { value: { color: "green" }, deleted: true })),
      "it differs in another way now",
    ],
    [
      "it is another's",
      update,
      (cloud) => cloud.live.set("a", liveToy("a", { ...blue, owner: "other" })),
      "another one now has its name",
    ],
    [
      "it lost its mark before a removal",
      destroy,
      (cloud) => cloud.live.set("a", liveToy("a", { owner: "none" })),
      "it is no longer this package's",
    ],
    [
      "it must not be removed",
      destroy,
      (cloud) => cloud.live.set("a", liveToy("a", { refusal: { reason: "why" } })),
      "it is no longer this package's",
    ],
    ["it has another ID", destroy, (cloud) => cloud.live.set("a", liveToy("b")), "it has another ID"],
    [
      "others put something inside",
      destroy,
      (cloud) => cloud.contents.set("a", [{ kind: "leaf", name: "x", isForeign: true }]),
      "it contains leaf x",
    ],
  ])("is left alone: %s", async (_what, plan, change, reason) => {
    const { problems, events } = await changed(plan, change);
    expect(problems).toEqual([
      expect.stringMatching(/^It changed after the plan was made: .*Run the same command again/),
    ]);
    expect(problems[0]).toContain(reason);
    expect(events).toEqual([]);
  });

  it.each<[string, (cloud: ToyCloud) => Plan | Promise<Plan>, (cloud: ToyCloud) => void]>([
    ["it was created as it is wanted", create, (cloud) => cloud.live.set("a", liveToy("a"))],
    ["it was changed as it is wanted", update, (cloud) => cloud.live.set("a", liveToy("a"))],
    ["it was removed", destroy, (cloud) => cloud.live.delete("a")],
    [
      "others created what others may use",
      (cloud) => planFor(cloud, [toy("a", { shared: true })]),
      (cloud) => cloud.live.set("a", liveToy("a", { ...blue, owner: "other" })),
    ],
  ])("needs nothing if another run did the same: %s", async (_what, plan, change) => {
    expect(await changed(plan, change)).toEqual({ problems: [], events: [] });
  });

  it("is restored with what it is part of", async () => {
    expect(await changed(create, (cloud) => cloud.live.set("a", liveToy("a", { ...blue, deleted: true })))).toEqual({
      problems: [],
      events: ["update a", "updated a"],
    });
  });

  it("is not written if it cannot be read", async () => {
    expect(await changed(update, (cloud) => cloud.unread.set("a", "GET a: 503."))).toEqual({
      problems: ["GET a: 503."],
      events: [],
    });
  });
});

it("keeps the order of any plan, whatever fails", async () => {
  const plans = fc.record({
    needs: fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    parts: fc.array(fc.constantFrom(undefined, "x", "y"), { minLength: 12, maxLength: 12 }),
    failing: fc.array(fc.nat(11), { maxLength: 2 }),
    extras: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ needs, parts, failing, extras }) => {
      const cloud = new ToyCloud();
      const wanted = needs.map((before, index) => {
        const part = parts[index];
        return toy(`t${index}`, {
          needs: [...new Set(before.filter((one) => one < index).map((one) => `t${one}`))],
          ...(part === undefined ? {} : { part }),
        });
      });
      for (const one of failing) cloud.failing.add(`t${one}`);
      const plan = planFor(
        cloud,
        wanted,
        Array.from({ length: extras }, (_, index) => extraToy(`old${index}`)),
      );
      const { done, failed, skipped } = await cloud.run(plan);
      const ids = plan.steps.map(({ id }: Step) => id).sort();
      expect([...done, ...failed, ...skipped].sort()).toEqual(ids);
      for (const { id, needs: before } of wanted)
        for (const need of before)
          if (cloud.events.includes(`create ${id}`))
            expect(at(cloud, `create ${id}`)).toBeGreaterThan(at(cloud, `created ${need}`));
      const partOf = new Map(wanted.map(({ id, part }) => [id, part]));
      for (const [one, other] of cloud.overlaps)
        expect(partOf.get(one) === undefined || partOf.get(one) !== partOf.get(other)).toBe(true);
      if (failed.length > 0) expect(cloud.events.filter((event) => event.startsWith("remove"))).toEqual([]);
      else expect(skipped).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});
