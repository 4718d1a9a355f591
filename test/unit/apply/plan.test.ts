import { describe, expect, it } from "vitest";
import { isChange, type Plan, planApply, type Step } from "../../../src/apply/plan.ts";
import { isLeft, planDestroy, planPrevious } from "../../../src/apply/plan-destroy.ts";
import type { Extra, Kind, Live, Reading, State } from "../../../src/apply/resource.ts";
import type { Difference } from "../../../src/core/difference.ts";
import type { WantedResource } from "../../../src/core/wanted-resource.ts";
import { extraToy, liveToy, ToyCloud, toy } from "../../helpers/toy-cloud.ts";

/*
 * What a plan does with what was read. The engine knows no cloud, and these tests have none: a toy has one field, a color.
 */

const usual = { prune: false, adopt: [] as string[], allow: [] as string[] };
const unread: Reading = { state: "unread", problem: "GET a: 503." };
const absent: Reading = { state: "absent" };
const present = (id: string, more: Partial<Live> = {}): Reading => ({ state: "present", live: liveToy(id, more) });
const blue = { value: { color: "blue" } };

interface Given {
  readonly wanted?: readonly WantedResource[];
  readonly readings?: Readonly<Record<string, Reading>>;
  readonly state?: Partial<State>;
  readonly options?: Partial<typeof usual>;
  readonly kind?: Partial<Kind>;
}

function planned({ wanted = [toy("a")], readings = {}, state = {}, options = {}, kind = {} }: Given): Plan {
  const read: State = { readings: new Map(Object.entries(readings)), extras: { found: [] }, notes: [], ...state };
  return planApply(new ToyCloud().target(wanted, kind), read, { ...usual, ...options });
}

const destroyed = (
  { wanted = [toy("a")], readings = {}, state = {}, kind = {} }: Given,
  include: readonly string[] = [],
) =>
  planDestroy(
    new ToyCloud().target(wanted, kind),
    { readings: new Map(Object.entries(readings)), extras: { found: [] }, notes: [], ...state },
    include,
  );

const said = ({ steps }: Plan) =>
  steps.map(({ action, id, reason }) => [action, id, ...(reason === undefined ? [] : [reason])]);
const only = (plan: Plan) => plan.steps[0] as Step;

describe("a resource", () => {
  it.each<[string, Reading | undefined, Partial<typeof usual>, string, string?]>([
    ["that does not exist", absent, {}, "create"],
    ["that is in sync", present("a"), {}, "none"],
    ["that differs", present("a", blue), {}, "update"],
    ["that was not read", undefined, {}, "unknown", "It was not read."],
    ["that could not be read", unread, {}, "unknown", "GET a: 503."],
    [
      "of another prefix",
      present("a", { owner: "other" }),
      {},
      "refuse",
      "another resource prefix owns it, and it is never adopted",
    ],
    [
      "of another prefix, with --adopt",
      present("a", { owner: "other" }),
      { adopt: ["name-a"] },
      "refuse",
      "another resource prefix owns it, and it is never adopted",
    ],
    [
      "without an owner",
      present("a", { owner: "none" }),
      {},
      "refuse",
      "it exists without the owner mark of this package; if it is the package's, use --adopt toy/name-a",
    ],
    ["without an owner, with --adopt", present("a", { owner: "none" }), { adopt: ["name-a"] }, "adopt"],
    ["that was deleted", present("a", { deleted: true }), {}, "restore"],
    [
      "that must not be changed",
      present("a", { ...blue, refusal: { reason: "why", allow: "that" } }),
      {},
      "refuse",
      "why",
    ],
    [
      "that must not be changed, with --allow",
      present("a", { ...blue, refusal: { reason: "why", allow: "that" } }),
      { allow: ["that"] },
      "update",
    ],
    [
      "that must never be changed",
      present("a", { ...blue, refusal: { reason: "why" } }),
      { allow: ["that"] },
      "refuse",
      "why",
    ],
  ])("%s", (_what, reading, options, action, reason) => {
    const step = only(planned({ readings: reading === undefined ? {} : { a: reading }, options }));
    expect({ action: step.action, reason: step.reason }).toEqual({ action, reason });
  });

  it("that others may use is used as it is", () => {
    const wanted = [toy("a", { shared: true })];
    for (const owner of ["own", "other", "none"] as const)
      expect(said(planned({ wanted, readings: { a: present("a", { ...blue, owner }) } }))).toEqual([["none", "a"]]);
    expect(said(planned({ wanted, readings: { a: absent } }))).toEqual([["create", "a"]]);
  });

  it("names what differs, and what a creation states", () => {
    expect(only(planned({ readings: { a: present("a", blue) } })).changes).toEqual([
      { field: "color", found: "blue", wanted: "red" },
    ]);
    expect(only(planned({ readings: { a: absent } })).changes).toEqual([
      { field: "color", found: undefined, wanted: "red" },
    ]);
  });

  it("that is replaced names what its creation states, because a run can end in between", () => {
    const differences = (_: WantedResource, live: Live | undefined): Difference[] => [
      { field: live === undefined ? "all" : "some", replaces: true },
      { field: "more" },
    ];
    const step = only(planned({ readings: { a: present("a", blue) }, kind: { differences } }));
    expect(step).toMatchObject({
      action: "update",
      changes: [{ field: "some" }, { field: "more" }],
      creates: [{ field: "all" }, { field: "more" }],
    });
    const refused = only(planned({ readings: { a: present("a", { owner: "other" }) }, kind: { differences } }));
    expect(refused.creates).toBeUndefined();
  });

  it("with a difference that no write can mend is refused", () => {
    const differences = (): Difference[] => [{ field: "region", fixed: "it never changes" }];
    expect(said(planned({ readings: { a: present("a") }, kind: { differences } }))).toEqual([
      ["refuse", "a", "its region differs: it never changes"],
    ]);
    expect(said(planned({ readings: { a: absent }, kind: { differences } }))).toEqual([
      ["refuse", "a", "it cannot be created: it never changes"],
    ]);
  });
});

describe("what needs something", () => {
  const wanted = [toy("a"), toy("b", { needs: ["a"] }), toy("c", { needs: ["b"] })];

  it("that is refused, is refused", () => {
    const readings = { a: present("a", { owner: "other" }), b: absent, c: present("c", blue) };
    expect(said(planned({ wanted, readings })).slice(1)).toEqual([
      ["refuse", "b", "toy name-a, which it needs, is refused"],
      ["refuse", "c", "toy name-b, which it needs, is refused"],
    ]);
  });

  it("that could not be read, is unknown, and what could not be read for another reason says its own", () => {
    const other: Reading = { state: "unread", problem: "GET c: 403." };
    expect(said(planned({ wanted, readings: { a: unread, b: absent, c: other } }))).toEqual([
      ["unknown", "a", "GET a: 503."],
      ["unknown", "b", "toy name-a, which it needs, could not be read"],
      ["unknown", "c", "GET c: 403."],
    ]);
    expect(said(planned({ wanted, readings: { a: unread, b: unread, c: absent } }))[1]).toEqual([
      "unknown",
      "b",
      "toy name-a, which it needs, could not be read",
    ]);
  });
});

describe("a part", () => {
  const wanted = [toy("whole"), toy("part", { part: "whole", needs: ["whole"] })];
  const none = { owner: "none" } as const;

  it("comes with what it is part of, and is not adopted alone", () => {
    const readings = { whole: present("whole", none), part: present("part", { ...none, ...blue }) };
    expect(said(planned({ wanted, readings, options: { adopt: ["name-whole"] } }))).toEqual([
      ["adopt", "whole"],
      ["update", "part"],
    ]);
    const alone = planned({ wanted, readings, options: { adopt: ["name-part"] } });
    expect(alone.steps.map(({ action }) => action)).toEqual(["refuse", "refuse"]);
    expect(alone.options.adopt).toEqual([]);
  });

  it("without an owner names what must be adopted", () => {
    const readings = { whole: present("whole"), part: present("part", none) };
    expect(
      only({ ...planned({ wanted, readings }), steps: planned({ wanted, readings }).steps.slice(1) }).reason,
    ).toContain("--adopt toy/name-whole");
  });
});

describe("what the package does not have", () => {
  const extras = (...found: Extra[]): Partial<State> => ({ extras: { found } });

  it("is removed only with --prune", () => {
    const [held] = planned({ wanted: [], state: extras(extraToy("old")) }).steps;
    expect(held).toMatchObject({ action: "remove", held: true });
    expect(isChange(held as Step)).toBe(false);
    const [pruned] = planned({ wanted: [], state: extras(extraToy("old")), options: { prune: true } }).steps;
    expect(pruned).toMatchObject({ action: "remove" });
    expect(isChange(pruned as Step)).toBe(true);
  });

  it("stays if it must", () => {
    const state = extras(extraToy("old", { kept: "others need it" }));
    expect(said(planned({ wanted: [], state, options: { prune: true } }))).toEqual([["keep", "old", "others need it"]]);
  });

  it("is not removed on the ground of an incomplete reading", () => {
    const plan = planned({ wanted: [], state: { extras: { problem: "LIST: 403." } }, options: { prune: true } });
    expect(said(plan)).toEqual([["unknown", "", "LIST: 403."]]);
    expect(plan.steps.filter(isChange)).toEqual([]);
  });

  it("stays as part of what is refused or unknown", () => {
    for (const reading of [unread, present("a", { owner: "other" })]) {
      const plan = planned({
        readings: { a: reading },
        state: extras(extraToy("old", { part: "a" })),
        options: { prune: true },
      });
      expect(plan.steps.map(({ id }) => id)).toEqual(["a"]);
    }
  });
});

it("changes nothing if the state as a whole is refused, unless that is allowed", () => {
  const given: Given = {
    wanted: [toy("a"), toy("b")],
    readings: { a: absent, b: present("b") },
    state: { refusal: { reason: "another cluster's", allow: "that" }, extras: { found: [extraToy("old")] } },
    options: { prune: true },
  };
  expect(said(planned(given))).toEqual([
    ["refuse", "a", "another cluster's"],
    ["none", "b"],
    ["refuse", "old", "another cluster's"],
  ]);
  expect(said(planned({ ...given, options: { prune: true, allow: ["that"] } }))).toEqual([
    ["create", "a"],
    ["none", "b"],
    ["remove", "old"],
  ]);
});

describe("a destroy", () => {
  const wanted = [toy("a"), toy("b", { needs: ["a"] })];
  const both = { a: present("a"), b: present("b") };

  it("removes what is the package's, and skips what is gone", async () => {
    expect(said(await destroyed({ wanted, readings: both }))).toEqual([
      ["remove", "b"],
      ["remove", "a"],
    ]);
    expect(said(await destroyed({ wanted, readings: { a: present("a"), b: absent } }))).toEqual([["remove", "a"]]);
    expect(
      said(await destroyed({ wanted, readings: { a: present("a"), b: present("b", { deleted: true }) } })),
    ).toEqual([["remove", "a"]]);
  });

  it.each<[string, Reading | undefined, string, string]>([
    ["another's", present("b", { owner: "other" }), "keep", "the package does not own it"],
    ["without an owner", present("b", { owner: "none" }), "keep", "the package does not own it"],
    ["refused", present("b", { refusal: { reason: "why" } }), "keep", "why"],
    ["unread", unread, "unknown", "GET a: 503."],
    ["not read", undefined, "unknown", "It was not read."],
  ])("leaves what is %s, and what that needs", async (_what, reading, action, reason) => {
    const plan = await destroyed({
      wanted,
      readings: { a: present("a"), ...(reading === undefined ? {} : { b: reading }) },
    });
    expect(said(plan)).toEqual([
      [action, "b", reason],
      [action, "a", "toy name-b stays"],
    ]);
  });

  it("removes what is needed only to be created", async () => {
    const plan = await destroyed({
      wanted,
      readings: { a: present("a"), b: present("b", { owner: "other" }) },
      kind: { free: true },
    });
    expect(said(plan)).toEqual([
      ["keep", "b", "the package does not own it"],
      ["remove", "a"],
    ]);
  });

  it("leaves what contains something of others, unless that is named", async () => {
    const inside = async () => [
      { kind: "leaf", name: "x", isForeign: true },
      { kind: "leaf", name: "y", isForeign: true },
    ];
    const given: Given = { readings: { a: present("a") }, kind: { inside } };
    expect(only(await destroyed(given))).toMatchObject({
      action: "keep",
      reason: expect.stringMatching(
        /^it contains leaf x, and 1 more, .* --include-foreign leaf\/x --include-foreign leaf\/y$/,
      ),
    });
    expect(only(await destroyed(given, ["leaf/x"]))).toMatchObject({
      action: "keep",
      reason: expect.stringMatching(/^it contains leaf y, /),
    });
    expect(only(await destroyed(given, ["leaf/x", "leaf/y"]))).toMatchObject({ action: "remove" });
  });

  it("leaves what its kind keeps, and tells it what goes with it", async () => {
    const asked: string[][] = [];
    const keep = async (live: Live, going: ReadonlySet<string>) => {
      asked.push([live.id, ...going].sort());
      return live.id === "b" ? "b is needed" : undefined;
    };
    const plan = await destroyed({
      wanted: [toy("stays", { kept: "by design", needs: ["c"] }), toy("a"), toy("b")],
      readings: { ...both, stays: present("stays") },
      kind: { keep },
    });
    expect(said(plan)).toEqual([
      ["keep", "b", "b is needed"],
      ["remove", "a"],
      ["keep", "stays", "by design"],
    ]);
    expect(asked).toEqual([
      ["a", "b", "b"],
      ["a", "a"],
    ]);
  });

  it("does not remove a part by itself that goes with its whole, but one whose whole is gone", async () => {
    const part = [toy("a"), toy("b", { part: "a" })];
    const kind = { within: true as const };
    expect(said(await destroyed({ wanted: part, readings: both, kind }))).toEqual([["remove", "a"]]);
    expect(said(await destroyed({ wanted: part, readings: { ...both, a: absent }, kind }))).toEqual([["remove", "b"]]);
  });

  it("removes what else is the package's, but not what is wrong with its issuer", async () => {
    const found = [
      extraToy("own"),
      extraToy("other", { live: liveToy("other", { owner: "other" }) }),
      extraToy("kept", { live: liveToy("kept", { owner: "other" }), kept: "why" }),
      extraToy("broken", { kept: "why", breaksIssuer: true }),
    ];
    const previous = [extraToy("former"), extraToy("a")];
    expect(said(await destroyed({ readings: { a: present("a") }, state: { extras: { found }, previous } }))).toEqual([
      ["remove", "former"],
      ["keep", "kept", "why"],
      ["remove", "own"],
      ["remove", "a"],
    ]);
  });

  it("leaves everything if the state as a whole is refused", async () => {
    const plan = await destroyed({ wanted, readings: both, state: { refusal: { reason: "another cluster's" } } });
    expect(plan.steps.map(({ action }) => action)).toEqual(["keep", "keep"]);
    const read = { ...both, b: unread };
    expect(
      said(await destroyed({ wanted, readings: read, state: { refusal: { reason: "another cluster's" } } })),
    ).toEqual([
      ["unknown", "b", "GET a: 503."],
      ["keep", "a", "another cluster's"],
    ]);
  });

  it("says that it does not know what else there is", async () => {
    const state = { extras: { problem: "LIST: 403." }, previous: [extraToy("old")] };
    const plan = await destroyed({ readings: { a: present("a") }, state });
    expect(said(plan)).toEqual([
      ["remove", "a"],
      ["unknown", "", "LIST: 403."],
    ]);
  });

  it("has left what stays although it is the package's, but not what stays by design", async () => {
    const left = async (given: Given) => {
      const plan = await destroyed(given);
      return isLeft({ kinds: new ToyCloud().target([], given.kind ?? {}).kinds }, only(plan));
    };
    const kept = { keep: async () => "why" };
    expect(await left({ readings: { a: present("a") }, kind: kept })).toBe(true);
    expect(await left({ readings: { a: present("a") }, kind: { ...kept, stays: true } })).toBe(false);
    expect(await left({ wanted: [toy("a", { kept: "by design" })], readings: { a: present("a") } })).toBe(false);
    expect(await left({ readings: { a: present("a", { owner: "other" }) } })).toBe(false);
  });
});

describe("the removal of what previous issuers had", () => {
  const previous = [extraToy("old")];
  const plan = (reading: Reading, more: Partial<State> = {}) =>
    planPrevious(new ToyCloud().target([toy("a")]), {
      readings: new Map([["a", reading]]),
      extras: { found: [] },
      notes: [],
      previous,
      ...more,
    });

  it("is planned only if the cloud matches the package", async () => {
    expect((await plan(present("a")))?.steps.map(({ action, id }) => [action, id])).toEqual([["remove", "old"]]);
    for (const reading of [absent, unread, present("a", blue), present("a", { owner: "other" })])
      expect(await plan(reading)).toBeUndefined();
    expect(await plan(present("a"), { needsPrevious: true })).toBeUndefined();
    expect(await plan(present("a"), { extras: { problem: "LIST: 403." } })).toBeUndefined();
    expect(await plan(present("a"), { extras: { found: [extraToy("x", { breaksIssuer: true })] } })).toBeUndefined();
    expect((await plan(present("a"), { extras: { found: [extraToy("x")] } }))?.steps).toHaveLength(1);
  });
});
