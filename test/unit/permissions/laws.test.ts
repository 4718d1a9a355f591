import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { comparePermissions } from "../../../src/permissions/comparison.ts";
import { covers, gains } from "../../../src/permissions/gains.ts";
import { type Atom, atomKey, type Permissions } from "../../../src/permissions/permissions.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

function equal(a: Permissions, b: Permissions): boolean {
  return covers(a, b) && covers(b, a);
}

/** A request to AWS, as small as one can be: what, on what, and the one key that conditions ask for. */
interface Asked {
  readonly action: string;
  readonly resource: string;
  readonly key: string | undefined;
}

const names = ["a", "b", "ab", "ba", "aa", "c"];
const everything: readonly Asked[] = names.flatMap((action) =>
  names.flatMap((resource) => ["x", "y", "z", undefined].map((key) => ({ action: `s:${action}`, resource, key }))),
);

// Written without the project's own code: what IAM would answer.
function allows(document: ValueMap, asked: Asked): boolean {
  const statements = document["Statement"] as ValueMap[];
  const fits = (map: ValueMap) => {
    const list = (name: string) => [map[name]].flat() as string[];
    const some = (globs: string[], text: string) =>
      globs.some((glob) => new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i").test(text));
    return (
      some(list("Action"), asked.action) && some(list("Resource"), asked.resource) && holds(map["Condition"], asked)
    );
  };
  const of = (effect: string) => statements.filter((statement) => statement["Effect"] === effect).some(fits);
  return of("Allow") && !of("Deny");
}

function holds(conditions: unknown, { key }: Asked): boolean {
  return Object.entries((conditions ?? {}) as Record<string, { k: string[] | string }>).every(([operator, { k }]) => {
    const values = [k].flat();
    return operator === "StringEquals"
      ? key !== undefined && values.includes(key)
      : key === undefined || !values.includes(key);
  });
}

const oneOrMore = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof(arbitrary, fc.array(arbitrary, { minLength: 1, maxLength: 3 }));
const glob = fc.constantFrom("a", "b", "*", "a*", "*a", "?", "ab", "a?");
const statement = (conditions: boolean, effects: readonly string[]) =>
  fc.record(
    {
      Effect: fc.constantFrom(...effects),
      Action: oneOrMore(glob.map((text) => `s:${text}`)),
      Resource: oneOrMore(glob),
      ...(conditions
        ? {
            Condition: fc
              .tuple(fc.constantFrom("StringEquals", "StringNotEquals"), oneOrMore(fc.constantFrom("x", "y", "z")))
              .map(([operator, k]) => ({ [operator]: { k } })),
          }
        : {}),
    },
    { requiredKeys: ["Effect", "Action", "Resource"] },
  );
const policies = (conditions: boolean, effects: readonly string[]) =>
  fc
    .array(statement(conditions, effects), { maxLength: 4 })
    .map((Statement) => ({ Version: "2012-10-17", Statement }) as ValueMap);
const any = policies(true, ["Allow", "Allow", "Allow", "Deny"]);
const read = policyPermissions;

function minus(a: Permissions, b: Permissions): Atom[] {
  const { allowed, lifted } = gains(a, b);
  return [...allowed, ...lifted];
}

describe("permissions as sets", () => {
  it("cover nothing that is not allowed, with any conditions and denials", () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const missing = everything.filter((asked) => allows(a, asked) && !allows(b, asked));
        if (missing.length > 0) expect(minus(read(a), read(b))).not.toEqual([]);
      }),
      { numRuns: runs(800) },
    );
  });

  it("cover everything that is allowed, without denials and conditions", () => {
    // The request may contain any text, so no list of names covers a wildcard.
    const some = policies(false, ["Allow"]);
    fc.assert(
      fc.property(some, some, (a, b) => {
        const missing = everything.filter((asked) => allows(a, asked) && !allows(b, asked));
        const left = minus(read(a), read(b));
        if (missing.length > 0) expect(left).not.toEqual([]);
        for (const { action, resource } of left.filter((atom) => !/[*?]/.test(atom.action + atom.resource))) {
          expect(missing).toContainEqual({ action, resource, key: "x" });
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("are equal to themselves in any order, split or joined, with other notations of lists and case", () => {
    fc.assert(
      fc.property(any, fc.infiniteStream(fc.nat()), (a, random) => {
        const statements = a["Statement"] as ValueMap[];
        const shuffled = statements
          .map((statement) => ({ one: statement, rank: random.next().value as number }))
          .sort((x, y) => x.rank - y.rank)
          .map(({ one }) => one);
        const split = shuffled.flatMap((map) =>
          [map["Action"]].flat().map((Action) => ({
            Sid: "another",
            ...map,
            Action: [String(Action).toUpperCase(), String(Action)],
            Resource: [map["Resource"]].flat().reverse() as string[],
          })),
        );
        const other = { Version: "2012-10-17", Statement: [...split, ...split] };
        expect(minus(read(a), read(other))).toEqual([]);
        expect(minus(read(other), read(a))).toEqual([]);
        expect(equal(read(a), read(other))).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });

  it("that allow more cover those that allow less", () => {
    fc.assert(
      fc.property(any, policies(true, ["Allow"]), policies(true, ["Deny"]), (a, more, less) => {
        const join = (x: ValueMap, y: ValueMap) => ({
          ...x,
          Statement: [...(x["Statement"] as ValueMap[]), ...(y["Statement"] as ValueMap[])],
        });
        expect(covers(read(join(a, more)), read(a))).toBe(true);
        expect(covers(read(a), read(join(a, less)))).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

const keysOf = (atoms: readonly Atom[]) => new Map(atoms.map((atom) => [atomKey(atom), atom.undecided]));

describe("conditions of one identity", () => {
  const one = (Effect: string, Condition: object) => ({ Effect, Action: "s3:GetObject", Resource: "*", Condition });
  const allow = (Condition: object) => one("Allow", Condition);
  const deny = (Condition: object) => one("Deny", Condition);
  const policy = (...Statement: object[]) => read({ Version: "2012-10-17", Statement } as unknown as ValueMap);
  const is = (value: string | string[]) => ({ StringEquals: { "aws:x": value } });
  const near = (value: string | string[]) => ({ StringNear: { "aws:x": value } });
  const like = (value: string) => ({ StringLike: { "aws:x": value } });
  const core = `a${"?".repeat(20)}b`;
  const long = "a".repeat(2049);
  const hardOnes = { StringLike: { "aws:x": `*${core}`, "AWS:X": `*c${core.slice(1)}` } };
  const below = (value: string) => ({ NumericLessThan: { "aws:x": value } });

  it.each<[string, object[]]>([
    ["a denial under the same condition", [allow(is("a")), deny(is("a"))]],
    ["a denial under a wider condition", [allow(is("a")), deny(is(["a", "b"]))]],
    ["a denial under a condition that matches", [allow(is("ab")), deny({ StringLike: { "aws:x": "a*" } })]],
    ["a denial of each value", [allow(is(["a", "b"])), deny(is("a")), deny(is("b"))]],
    ["two values at once", [allow({ ...is("a"), StringLike: { "aws:x": "b*" } })]],
    ["a value that is excluded", [allow({ ...is("a"), StringNotEquals: { "aws:x": ["a", "b"] } })]],
    ["a value of a key that must be absent", [allow({ ...is("a"), Null: { "aws:x": "true" } })]],
  ])("leave nothing of %s", (_name, statements) => {
    expect(gains(policy(...statements), []).allowed).toEqual([]);
    expect(covers([], policy(...statements))).toBe(true);
  });

  it.each<[string, object[], object]>([
    ["a denial under a narrower condition", [allow({}), deny(is("a"))], {}],
    ["a denial of another value", [allow(is("a")), deny(is("b"))], is("a")],
    ["a denial of the same value of another key", [allow(is("a")), deny({ StringEquals: { "aws:y": "a" } })], is("a")],
    ["a denial of one value of two", [allow(is(["a", "b"])), deny(is("a"))], is("b")],
    ["a value among those that match", [allow({ ...is("ab"), StringLike: { "aws:x": "a*" } })], is("ab")],
    ["what may be denied", [allow(below("4")), deny(below("5"))], below("4")],
    [
      "a value in another case than the excluded one",
      [allow({ StringEqualsIgnoreCase: { "aws:x": "a" }, StringNotEquals: { "aws:x": "a" } })],
      { StringEqualsIgnoreCase: { "aws:x": "a" } },
    ],
    ["two sets that are too hard to compare", [allow(hardOnes)], hardOnes],
    ["an unknown operator", [allow({ ...is("a"), StringNear: { "aws:x": "b" } })], is("a")],
    ["an operator that orders values", [allow({ ...is("5"), NumericLessThan: { "aws:x": "4" } })], is("5")],
  ])("leave something of %s", (_name, statements, left) => {
    const { allowed } = gains(policy(...statements), []);
    expect(allowed).toHaveLength(1);
    expect(allowed[0]?.condition).toEqual(expect.arrayContaining([...(policy(allow(left))[0]?.condition ?? [])]));
  });

  it.each<[what: string, inner: object, outer: object]>([
    ["a value in any case, by the value", { StringEqualsIgnoreCase: { "aws:x": "a" } }, is("a")],
    ["a value, by one with a star that means itself", is("ab"), is("a*")],
    ["values, by some of them, with an unknown operator", near(["a", "b"]), near("a")],
    ["a set, by one that is too long to compare", like(`?*${long}`), like(`*?${long}`)],
  ])("do not cover %s", (_, inner, outer) => {
    expect(covers(policy(allow(outer)), policy(allow(inner)))).toBe(false);
  });

  it("that contradict those of a denial lift nothing", () => {
    const absent = (value: string) => ({ Null: { "aws:x": value } });
    expect(gains(policy(allow(absent("true"))), policy(deny(absent("false")))).lifted).toEqual([]);
  });

  it("that contradict each other cover nothing", () => {
    const never = policy(allow({ ...is("a"), StringLike: { "aws:x": "b*" } }));
    expect(covers(never, policy(allow(is("a"))))).toBe(false);
    expect(equal(never, [])).toBe(true);
  });
});

describe("a budget", () => {
  // What is true: compared without a limit, which the laws above compare with what IAM would answer.
  it("that is exhausted leaves parts undecided, and decides no part otherwise", () => {
    fc.assert(
      fc.property(any, any, fc.nat({ max: 400 }), (a, b, steps) => {
        const limited = gains(read(a), read(b), { steps });
        const unlimited = gains(read(a), read(b), { steps: Number.POSITIVE_INFINITY });
        for (const kind of ["allowed", "lifted"] as const) {
          const [some, all] = [keysOf(limited[kind]), keysOf(unlimited[kind])];
          const decided = [...some].flatMap(([key, undecided]) => (undecided === undefined ? [key] : []));
          expect([...some.keys()]).toEqual(expect.arrayContaining([...all.keys()]));
          expect(decided.filter((key) => !all.has(key) || all.get(key) !== undefined)).toEqual([]);
        }
      }),
      { numRuns: runs(800) },
    );
  });
});

describe("what cannot be decided", () => {
  const plain = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] };
  it.each([
    { NotAction: "s:a", Resource: "*" },
    { Action: "s:a", NotResource: "*" },
    { Action: "s:a", Resource: "*", NotPrincipal: { AWS: "x" } },
    { Action: "s:a", Resource: "*", Something: 1 },
    { Action: 5, Resource: "*" },
    { Resource: "*" },
    { Action: "s:a", Resource: [] },
    { Action: "s:a", Resource: "*", Condition: { StringEquals: "x" } },
    { Action: "s:a", Resource: "*", Condition: { StringEquals: { k: { a: "b" } } } },
  ])("is never covered, and says why: %j", (strange) => {
    for (const Effect of ["Allow", "Deny"]) {
      const a = { Version: "2012-10-17", Statement: [{ Effect, ...strange } as unknown as ValueMap] };
      const [outer, inner] =
        Effect === "Allow" ? [plain, a] : [{ ...a, Statement: [...a.Statement, ...plain.Statement] }, plain];
      const left = minus(read(inner), read(outer));
      expect(left.map(({ undecided }) => undecided)).toEqual([
        expect.stringMatching(/cannot be compared|unknown form/),
      ]);
      expect(covers(read(outer), read(inner))).toBe(false);
    }
  });

  it("is also what something unreadable on the same side may deny, and an unreadable denial before what its conditions are", () => {
    const statement = (Effect: string, Condition: object) => ({ Effect, Action: "s:a", Resource: "*", Condition });
    const policy = (...Statement: object[]) => read({ Statement } as unknown as ValueMap);
    const below = (k: string) => ({ NumericLessThan: { k } });
    const unread = { Effect: "Deny", NotAction: "s:z", Resource: "*" };
    expect(gains(policy(statement("Allow", {}), unread), []).allowed).toMatchObject([
      { undecided: expect.stringMatching(/^the same side may deny it: .*NotAction/), isCompared: true },
    ]);
    const { allowed: certain } = gains(policy(statement("Allow", {})), policy(unread));
    expect(certain.map(({ undecided }) => undecided)).toEqual([undefined]);
    const own = policy(statement("Allow", below("3")), statement("Deny", below("4")));
    expect(gains(own, policy(unread)).lifted).toMatchObject([{ undecided: expect.stringContaining("NotAction") }]);
    const grant = { principals: [""], actions: ["s:a"], condition: [] } as const;
    const elsewhere = { ...grant, effect: "Deny", resources: ["elsewhere"], undecided: "odd" } as const;
    expect(gains([{ ...grant, effect: "Allow", resources: ["here"] }], [elsewhere]).lifted).toHaveLength(1);
    const some = policy(
      { ...statement("Allow", {}), Action: "s:a" },
      { ...statement("Deny", {}), Action: "s:a" },
      { ...statement("Allow", below("4")), Action: "s:b" },
    );
    expect(gains(some, policy({ ...statement("Deny", below("5")), Action: "s:*" })).lifted).toMatchObject([
      { undecided: expect.stringContaining("cannot be compared") },
    ]);
  });

  it("includes values that are not statements or documents", () => {
    for (const odd of [null, "x", { Statement: ["x"] }]) expect(covers(read(plain), read(odd))).toBe(false);
  });

  it("are conditions with operators whose values have no order", () => {
    const with_ = (operator: string, k: string | string[]) => ({
      Statement: [{ Effect: "Allow", Action: "s:a", Resource: "*", Condition: { [operator]: { k } } }],
    });
    expect(covers(read(with_("NumericLessThan", "5")), read(with_("NumericLessThan", "5")))).toBe(true);
    expect(covers(read(with_("NumericNotEquals", "5")), read(with_("NumericNotEquals", ["4", "5"])))).toBe(true);
    const two = [with_("NumericLessThan", "5"), with_("NumericLessThan", "6")].flatMap(({ Statement }) => Statement);
    const reasons = [two, two.toReversed()].map((Statement) =>
      gains(read(with_("NumericLessThan", "4")), read({ Statement })).allowed.map(({ undecided }) => undecided),
    );
    expect(reasons[0]).toEqual(reasons[1]);
    expect(minus(read(with_("NumericLessThan", "4")), read(with_("NumericLessThan", "5")))).toEqual([
      expect.objectContaining({ undecided: expect.stringContaining("cannot be compared") }),
    ]);
    expect(minus(read(with_("StringEquals", "4")), read(with_("Whatever", "4")))).toEqual([
      expect.objectContaining({ undecided: expect.stringContaining("cannot be compared") }),
    ]);
  });
});

describe("a part of which something is undecided", () => {
  const allow = (Action: string, k?: string) => ({
    ...{ Effect: "Allow", Action, Resource: "*" },
    ...(k === undefined ? {} : { Condition: { NumericLessThan: { k } } }),
  });
  const policy = (...Statement: object[]) => read({ Version: "2012-10-17", Statement } as unknown as ValueMap);
  const conditions = expect.stringMatching(/^the conditions .* cannot be compared$/);

  it.each<[what: string, own: object[], other: object[], doubt: unknown]>([
    ["all of it", [allow("s:a*", "4")], [allow("s:*", "5")], conditions],
    ["only some of it", [allow("s:a*", "4")], [allow("s:a?", "5")], undefined],
    [
      "all of it that is not denied",
      [allow("s:a*", "4"), { ...allow("s:a"), Effect: "Deny" }],
      [allow("s:a?*", "5")],
      conditions,
    ],
    [
      "all of it, because of something unreadable",
      [allow("s:a")],
      [{ Effect: "Allow", NotAction: "s:b", Resource: "*" }],
      expect.stringMatching(/^the other side may allow it, too: .*NotAction/),
    ],
  ])("is undecided if that is %s", (_, own, other, doubt) => {
    expect(gains(policy(...own), policy(...other)).allowed.map(({ undecided }) => undecided)).toEqual([doubt]);
  });

  it("is undecided if it is too hard to say whether something unreadable is about it", () => {
    const other = { effect: "Allow", principals: [""], actions: ["s:b"], resources: ["*"], condition: [] } as const;
    const doubtsWith = (steps: number) =>
      gains(policy(allow("s:a")), [{ ...other, undecided: "odd" }], { steps }).allowed.map((one) => one.undecided);
    expect(doubtsWith(100)).toEqual([undefined]);
    expect(doubtsWith(0)).toEqual(["the other side may allow it, too: odd"]);
  });

  it("is undecided wherever something unreadable says that it applies", () => {
    const grant = { effect: "Allow", principals: [""], actions: ["s:a"], condition: [] } as const;
    const { allowed } = gains([{ ...grant, resources: ["y"] }], [{ ...grant, resources: ["x"], undecided: "odd" }]);
    expect(allowed).toMatchObject([{ resource: "y", undecided: "the other side may allow it, too: odd" }]);
  });

  it("is undecided, and compared with everything else, if it is a policy whose document is not known", () => {
    const grant = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;
    const { allowed } = gains([{ ...grant, actions: ["managed policy X"] }], policy(allow("s:a")));
    expect(allowed).toMatchObject([
      { undecided: expect.stringMatching(/^it is compared by its name/), isCompared: true },
    ]);
  });

  it("has no example among its exceptions", () => {
    const grant = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;
    expect(covers([{ ...grant, actions: ["s:"] }], [{ ...grant, actions: ["s:*"], except: ["s:?*"] }])).toBe(true);
  });

  it("is more than an exception that is about single characters", () => {
    const grant = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;
    const { allowed } = gains([{ ...grant, actions: ["s:*"], except: ["s:?"] }], []);
    expect(allowed).toMatchObject([{ action: "s:*", except: ["s:?"] }]);
  });
});

describe("a denial that only the other side has", () => {
  const statement = (Effect: string, Action: string, more: object = {}) => ({ Effect, Action, Resource: "*", ...more });
  const allow = (Action: string, more?: object) => statement("Allow", Action, more);
  const deny = (Action: string, more?: object) => statement("Deny", Action, more);
  const unread = (Effect: string) => ({ Effect, NotAction: "s:z", Resource: "*" });
  const below = (k: string) => ({ Condition: { NumericLessThan: { k } } });
  const is = (more: object) => ({ Condition: { StringEquals: more } });
  const policy = (Statement: object[]) => read({ Version: "2012-10-17", Statement } as unknown as ValueMap);
  const notAction = expect.stringContaining("NotAction");
  const conditions = expect.stringMatching(/^the conditions .* cannot be compared$/);

  it.each<[what: string, own: object[], other: object[], doubt: unknown]>([
    ["of what is allowed", [allow("s:*")], [deny("s:a")], undefined],
    [
      "of what something unreadable may deny",
      [allow("s:*"), unread("Deny")],
      [deny("s:a")],
      expect.stringMatching(/^the same side may deny it: .*NotAction/),
    ],
    ["of what something unreadable may allow", [unread("Allow")], [deny("s:a")], notAction],
    ["that is unreadable", [allow("s:*")], [unread("Deny")], notAction],
    [
      "under a condition that perhaps nothing allowed meets",
      [allow("s:*", below("4"))],
      [deny("s:a", { Condition: { NumericGreaterThan: { k: "5" } } })],
      conditions,
    ],
    ["of what may be denied here", [allow("s:*"), deny("s:a", below("4"))], [deny("s:a", below("5"))], conditions],
    ["beside what may be denied", [allow("s:*"), deny("s:b", below("4"))], [deny("s:a", below("5"))], undefined],
    [
      "of what is allowed, and what perhaps is",
      [allow("s:*", below("4")), allow("s:a")],
      [deny("s:a", below("5"))],
      undefined,
    ],
  ])("%s is lifted, and is as certain as that", (_, own, other, doubt) => {
    const { lifted } = gains(policy(own), policy(other));
    expect(lifted.map(({ undecided }) => undecided)).toEqual([doubt]);
  });

  it("is lifted wherever something unreadable may allow it", () => {
    const grant = { principals: [""], actions: ["s:a"], condition: [] } as const;
    const own = [{ ...grant, effect: "Allow", resources: ["x"], undecided: "odd" }] as const;
    const { lifted } = gains(own, [{ ...grant, effect: "Deny", resources: ["y"] }]);
    expect(lifted).toMatchObject([{ resource: "y", undecided: "odd" }]);
  });

  it.each<[what: string, own: object[], other: object]>([
    ["of what is not allowed", [allow("s:b")], deny("s:a")],
    ["under a condition that nothing allowed meets", [allow("s:*", is({ k: "x" }))], deny("s:a", is({ k: "y" }))],
    [
      "of what is denied under less",
      [allow("s:*"), deny("s:a", is({ k: "x" }))],
      deny("s:a", is({ k: "x", other: "y" })),
    ],
  ])("%s is not lifted", (_, own, other) => {
    expect(gains(policy(own), policy([other])).lifted).toEqual([]);
  });
});

describe("a new denial of what is newly allowed", () => {
  const statement = (Effect: string, Action: string) => ({ Effect, Action, Resource: "*" });
  const unread = { Effect: "Allow", NotAction: "s:z", Resource: "*" };
  const policy = (...Statement: object[]) => read({ Version: "2012-10-17", Statement } as unknown as ValueMap);
  const now = [statement("Allow", "s:a*"), statement("Deny", "s:ab")];

  it.each<[what: string, old: object[], now: object[], doubt: unknown]>([
    ["is readable", [], now, undefined],
    ["may also be denied by something unreadable", [], [...now, { ...unread, Effect: "Deny" }], undefined],
    ["is unreadable", [], [unread, statement("Deny", "s:ab")], expect.stringContaining("NotAction")],
  ])("limits it, and says so as far as that is known: what is allowed %s", (_, old, next, doubt) => {
    const { limiting } = comparePermissions(policy(...old), policy(...next));
    expect(limiting.map(({ action, undecided }) => [action, undecided])).toEqual([["s:ab", doubt]]);
  });
});

it("a removed denial of what a removed statement allowed may be the only change that matters", () => {
  const statement = (Effect: string, Action: string) => ({ Effect, Action, Resource: "*" });
  const old = {
    Statement: [statement("Allow", "s:*"), statement("Allow", "s:a"), statement("Deny", "s:a")],
  } as ValueMap;
  expect(comparePermissions(read(old), [])).toMatchObject({ lifted: [], isUncovered: true });
  expect(comparePermissions(read(old), read(old)).isUncovered).toBe(false);
});

describe("principals", () => {
  const trust = (Principal: unknown, sub: string | string[]) =>
    read({
      Statement: [
        {
          Effect: "Allow",
          Principal,
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: { StringEquals: { "i:sub": sub } },
        },
      ],
    } as ValueMap);

  it("are part of what is compared, as are the values of a condition one by one", () => {
    const provider = { Federated: "arn:aws:iam::1:oidc-provider/i" };
    expect(equal(trust(provider, "s"), trust({ Federated: ["arn:aws:iam::1:oidc-provider/i"] }, ["s"]))).toBe(true);
    expect(covers(trust(provider, "s"), trust({ Federated: "arn:aws:iam::1:oidc-provider/j" }, "s"))).toBe(false);
    expect(minus(trust(provider, ["s", "t"]), trust(provider, "s"))).toMatchObject([
      {
        principal: "Federated:arn:aws:iam::1:oidc-provider/i",
        action: "sts:AssumeRoleWithWebIdentity",
        resource: "*",
        condition: [{ operator: "StringEquals", key: "i:sub", values: ["t"] }],
      },
    ]);
    expect(equal(trust("*", "s"), trust({ AWS: "*" }, "s"))).toBe(true);
    expect(covers(trust("*", "s"), trust(provider, "s"))).toBe(true);
  });
});
