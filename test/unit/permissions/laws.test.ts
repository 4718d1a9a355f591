import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { covers, equal, gains } from "../../../src/permissions/gains.ts";
import { type Atom, atomKey, type Permissions } from "../../../src/permissions/permissions.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

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
    ["a denial of one value of two", [allow(is(["a", "b"])), deny(is("a"))], is("b")],
    ["a value among those that match", [allow({ ...is("ab"), StringLike: { "aws:x": "a*" } })], is("ab")],
    ["an unknown operator", [allow({ ...is("a"), StringNear: { "aws:x": "b" } })], is("a")],
  ])("leave something of %s", (_name, statements, left) => {
    const { allowed } = gains(policy(...statements), []);
    expect(allowed).toHaveLength(1);
    expect(allowed[0]?.condition).toEqual(expect.arrayContaining([...(policy(allow(left))[0]?.condition ?? [])]));
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

  it("includes values that are not statements or documents", () => {
    for (const odd of [null, "x", { Statement: ["x"] }]) expect(covers(read(plain), read(odd))).toBe(false);
  });

  it("are conditions with operators whose values have no order", () => {
    const with_ = (operator: string, k: string) => ({
      Statement: [{ Effect: "Allow", Action: "s:a", Resource: "*", Condition: { [operator]: { k } } }],
    });
    expect(covers(read(with_("NumericLessThan", "5")), read(with_("NumericLessThan", "5")))).toBe(true);
    expect(minus(read(with_("NumericLessThan", "4")), read(with_("NumericLessThan", "5")))).toEqual([
      expect.objectContaining({ undecided: expect.stringContaining("cannot be compared") }),
    ]);
    expect(minus(read(with_("StringEquals", "4")), read(with_("Whatever", "4")))).toEqual([
      expect.objectContaining({ undecided: expect.stringContaining("cannot be compared") }),
    ]);
  });
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
