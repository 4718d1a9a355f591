import { beforeAll, expect, it } from "vitest";
import { type Plan, planApply } from "../../../src/apply/plan.ts";
import { planDestroy } from "../../../src/apply/plan-destroy.ts";
import { pace } from "../../../src/apply/requests.ts";
import type { Kind, Live, Reading } from "../../../src/apply/resource.ts";
import { runPlan } from "../../../src/apply/run.ts";
import type { Difference } from "../../../src/core/difference.ts";
import type { WantedResource } from "../../../src/core/wanted-resource.ts";

// Files share the modules that they import.
beforeAll(() => {
  const { second } = pace;
  pace.second = 0;
  return () => {
    pace.second = second;
  };
});

const wanted: WantedResource = { kind: "role", id: "r/1", name: "demo", needs: [], body: { trust: "issuer" } };
const absent: Reading = { state: "absent" };
const unread: Reading = { state: "unread", problem: "GET r/1: 503." };

function present(trust: string, owner: Live["owner"] = "own", id = wanted.id): Reading {
  return { state: "present", live: { id, owner, value: { trust } } };
}

function differences({ body }: WantedResource, live: Live | undefined): Difference[] {
  const found = live?.value["trust"];
  return found === body["trust"] ? [] : [{ field: "trust", found, wanted: body["trust"] }];
}

/** A cloud with one role, whose readings are these, the last one again and again. */
function cloudWith(readings: readonly Reading[]) {
  const left = [...readings];
  const read = async () => (left.length > 1 ? left.shift() : left[0]) as Reading;
  const kind = {
    read,
    differences,
    create: async () => undefined,
    update: async () => undefined,
    remove: async () => {},
  };
  const kinds = { role: kind as unknown as Kind };
  return { place: "Tiny Cloud 1", facts: {}, prefix: "demo", wanted: [wanted], kinds, settles: 0 };
}

function stateOf(reading: Reading) {
  return { readings: new Map([[wanted.id, reading]]), extras: { found: [] }, notes: [] };
}

async function problemsOf(target: ReturnType<typeof cloudWith>, plan: Plan): Promise<string[]> {
  const ignored = () => undefined;
  const run = { isStopped: () => false, done: ignored, failed: ignored, waiting: ignored };
  return (await runPlan(target, plan, run)).failed.map(({ problem }) => problem);
}

const usual = { prune: false, adopt: [], allow: [] };

it.each([
  ["as it was written", present("issuer"), []],
  ["nothing", absent, [expect.stringMatching(/^The cloud accepted the request, but does not show what was written\./)]],
  ["no reading", unread, ["GET r/1: 503."]],
  ["another value", present("other"), [expect.stringContaining("trust")]],
  [
    "no owner mark",
    present("issuer", "none"),
    [expect.stringMatching(/^The cloud accepted the request, but does not show what was written\./)],
  ],
])("a creation whose answer says nothing counts only if a reading shows it: %s", async (_, shown, problems) => {
  const target = cloudWith([absent, shown]);
  expect(await problemsOf(target, planApply(target, stateOf(absent), usual))).toEqual(problems);
});

it.each([
  ["nothing", [absent], []],
  ["nothing, after a while", [present("issuer"), unread, absent], []],
  ["the name with another ID", [present("issuer", "own", "r/2")], []],
  ["the name without the owner mark", [present("issuer", "none")], []],
  ["it", [present("issuer")], ["It still exists after its removal. Run the same command again."]],
  ["no reading", [unread], ["Its removal is not confirmed: GET r/1: 503. Run the same command again."]],
])("a removal counts only if a reading shows it: %s", async (_, shown, problems) => {
  const target = cloudWith([present("issuer"), ...shown]);
  expect(await problemsOf(target, await planDestroy(target, stateOf(present("issuer"))))).toEqual(problems);
});

it("a creation that ended too early, because the answer to an earlier attempt was lost, is completed", async () => {
  const target = cloudWith([absent, present("other"), present("issuer")]);
  expect(await problemsOf(target, planApply(target, stateOf(absent), usual))).toEqual([]);
});

it("a change that the cloud does not carry out is not tried again", async () => {
  const target = cloudWith([present("old"), present("old"), present("issuer")]);
  const problems = await problemsOf(target, planApply(target, stateOf(present("old")), usual));
  expect(problems).toEqual([expect.stringContaining('did not carry it out: trust is "old" instead of "issuer"')]);
});

it("nothing is created as part of what is another's now", async () => {
  const target = cloudWith([{ state: "absent", parent: "other" }]);
  expect(await problemsOf(target, planApply(target, stateOf(absent), usual))).toEqual([
    expect.stringContaining("what it would be part of no longer has the owner mark of this package"),
  ]);
});
