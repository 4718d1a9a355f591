import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clauseOf } from "../../../src/clouds/aws/permissions/condition-operators.ts";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import type { Value, ValueMap } from "../../../src/core/resource.ts";
import { type DescribedIdentity, describedDiff } from "../../../src/diff/described-diff.ts";
import { diffIdentities } from "../../../src/diff/diff.ts";
import { changeLines } from "../../../src/diff/lines.ts";
import type { UpgradeStep } from "../../../src/diff/upgrade-steps.ts";
import { covers } from "../../../src/permissions/gains.ts";
import type { CloudIdentity } from "../../../src/permissions/identity.ts";
import { type Atom, atomsOf, type Grant, type Permissions } from "../../../src/permissions/permissions.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

type Statement = ValueMap;

function identity(statements: readonly Value[]): CloudIdentity {
  return {
    cloud: "AWS",
    noun: "role",
    key: "ns/secret",
    request: "one",
    permissions: policyPermissions({ Statement: statements }),
    subjects: ["system:serviceaccount:ns:a"],
    trust: undefined,
    boundary: undefined,
    tokenPath: "",
  };
}

function compare(old: readonly Value[], now: readonly Value[]): DescribedIdentity {
  return describedDiff(diffIdentities([identity(old)], [identity(now)])).identities[0] as DescribedIdentity;
}

const statement =
  (Effect: string) =>
  (Action: Value, Resource: Value = "*", Condition?: ValueMap): Statement => ({
    Effect,
    Action,
    Resource,
    ...(Condition === undefined ? {} : { Condition }),
  });
const allow = statement("Allow");
const deny = statement("Deny");
const when = (...k: string[]): ValueMap => ({ StringEquals: { k } });
const texts = (steps: readonly UpgradeStep[]) => steps.map(({ text }) => text);

/** What is said, and what is to be done before and after. */
const said = (old: readonly Value[], now: readonly Value[]) => {
  const report = compare(old, now);
  return [report.verdict, changeLines(report), texts(report.steps.before), texts(report.steps.after)];
};

describe("a denial", () => {
  it.each<[string, Value[], Value[], string, string[], string[], string[]]>([
    [
      "that is added",
      [allow("s3:*")],
      [allow("s3:*"), deny("s3:Delete*")],
      "narrowed",
      ["- denied now: s3:Delete*"],
      [],
      ["deny ns/secret: s3:Delete* on *"],
    ],
    [
      "that is removed",
      [allow("s3:*"), deny("s3:Delete*", "b", when("x"))],
      [allow("s3:*")],
      "broadened",
      ['+ no longer denied: s3:Delete* on b when StringEquals k "x"'],
      ['no longer deny ns/secret: s3:Delete* on b when StringEquals k "x"'],
      [],
    ],
    [
      "that is narrowed",
      [allow("s3:*"), deny("s3:Delete*")],
      [allow("s3:*"), deny("s3:Delete*", "b")],
      "broadened",
      ["+ no longer denied: s3:Delete*  # resources narrowed from * to b"],
      ["no longer deny ns/secret: s3:Delete* on *", "keep denying ns/secret: s3:Delete* on b"],
      [],
    ],
    [
      "that is widened",
      [allow("s3:*"), deny("s3:Delete*", "b")],
      [allow("s3:*"), deny("s3:Delete*")],
      "narrowed",
      ["- denied now: s3:Delete*  # resources widened from b to *"],
      [],
      ["deny ns/secret: s3:Delete* on *"],
    ],
    [
      "with another wildcard",
      [allow("s3:*"), deny("s3:*")],
      [allow("s3:*"), deny("s3:Delete*")],
      "broadened",
      ["+ no longer denied: s3:*  # still denied: s3:Delete*"],
      ["no longer deny ns/secret: s3:* on *", "keep denying ns/secret: s3:Delete* on *"],
      [],
    ],
    [
      "that comes with what it limits",
      [allow("s3:Get*")],
      [allow(["s3:Get*", "s3:Put*"]), deny("s3:Put*", "b")],
      "broadened",
      ["+ s3:Put*", "~ denied now: s3:Put* on b  # limits what is new"],
      ["deny ns/secret: s3:Put* on b", "grant ns/secret: s3:Put* on *"],
      [],
    ],
    [
      "that goes with what it limited",
      [allow(["s3:Get*", "s3:Put*"]), deny("s3:Put*", "b")],
      [allow("s3:Get*")],
      "narrowed",
      ["- s3:Put*", "~ no longer denied: s3:Put* on b  # limited what is removed"],
      [],
      ["revoke from ns/secret: s3:Put* on *", "no longer deny ns/secret: s3:Put* on b"],
    ],
    [
      "that goes where another one comes that denies a part of the same",
      [allow("s3:*"), deny("s3:Get*")],
      [allow("s3:*"), deny("s3:*Object")],
      "both",
      [
        "- denied now: s3:*Object  # denied before: the part in s3:Get*",
        "+ no longer denied: s3:Get*  # still denied: the part in s3:*Object",
      ],
      ["give ns/secret what the policies of OLD and NEW allow, and deny only what both deny"],
      ["apply the policy of NEW to ns/secret as a whole"],
    ],
    [
      "that hid what goes with it",
      [allow(["s:A", "s:B"]), deny("s:A")],
      [allow(["s:B", "s:C"])],
      "broadened",
      ["+ s:C"],
      ["grant ns/secret: s:C on *"],
      [],
    ],
    ["that denies what is not allowed", [allow("s3:*")], [allow("s3:*"), deny("ec2:*")], "none", [], [], []],
    [
      "whose condition no request of the allowance meets",
      [allow("s3:*", "*", when("x", "y"))],
      [allow("s3:*", "*", when("x", "y")), deny("s3:*", "*", when("z"))],
      "none",
      [],
      [],
      [],
    ],
  ])("%s", (_, old, now, ...expected) => {
    expect(said(old, now)).toEqual(expected);
  });

  it.each<[ValueMap, ValueMap, boolean]>([
    [when("x"), { StringLike: { k: "y*" } }, true],
    [when("x"), { StringNotEquals: { K: ["x", "y"] } }, true],
    [when("X"), { StringEqualsIgnoreCase: { k: "x" } }, false],
    [{ StringLike: { k: "a*" } }, { StringNotLike: { k: "*" } }, true],
    [{ Bool: { k: "true" } }, { Bool: { k: "False" } }, true],
    [{ Null: { k: "true" } }, when("x"), true],
    [{ Null: { k: "true" } }, { Null: { k: "false" } }, true],
    [{ Null: { k: "true" } }, { ArnLike: { k: "arn:*" } }, true],
    [{ Null: { k: "true" } }, { NumericLessThan: { k: "4" } }, true],
    [when("x"), { StringEquals: { other: "y" } }, false],
  ])("beside an allowance is decided: %j and %j", (map, other, isDisjoint) => {
    const report = compare([allow("s:*", "*", map)], [allow("s:*", "*", map), deny("s:*", "*", other)]);
    expect(report.verdict).toBe(isDisjoint ? "none" : "narrowed");
    expect(JSON.stringify(report)).not.toContain("cannot be");
  });

  it.each<[ValueMap, ValueMap]>([
    [{ NumericLessThan: { k: "4" } }, { NumericGreaterThan: { k: "5" } }],
    [{ "ForAnyValue:StringEquals": { k: "x" } }, { "ForAnyValue:StringEquals": { k: "y" } }],
    [{ StringEquals: { "aws:TagKeys": "x" } }, { StringEquals: { "aws:TagKeys": "y" } }],
    [when("${aws:username}"), when("y")],
    [{ IpAddress: { k: "10.0.0.0/8" } }, { IpAddress: { k: "11.0.0.0/8" } }],
  ])("beside an allowance is said to be undecided: %j and %j", (map, other) => {
    const [verdict, lines, before, after] = said(
      [allow("s:*", "*", map), deny("s:*", "*", other)],
      [allow("s:*", "*", map)],
    );
    expect(verdict).toBe("broadened");
    expect(lines).toEqual([expect.stringMatching(/^\+ no longer denied: s:\* .*\(undecided: the conditions /)]);
    expect(before).toEqual(["apply the policy of NEW to ns/secret as a whole"]);
    expect(after).toEqual([]);
  });
});

describe("a plan", () => {
  it.each<[string, Value[], Value[], string[], string[]]>([
    [
      "names the condition's value that is added",
      [allow("ec2:RunInstances", "*", when("x"))],
      [allow("ec2:RunInstances", "*", when("x", "y"))],
      ['grant ns/secret: ec2:RunInstances on * when StringEquals k "y"'],
      [],
    ],
    [
      "keeps the resource that is left",
      [allow("s3:GetObject")],
      [allow("s3:GetObject", "b/*")],
      [],
      ["revoke from ns/secret: s3:GetObject on *", "keep for ns/secret: s3:GetObject on b/*"],
    ],
    [
      "names the resource that takes the place of another",
      [allow("s3:GetObject", "a")],
      [allow("s3:GetObject", "b")],
      ["grant ns/secret: s3:GetObject on b"],
      ["revoke from ns/secret: s3:GetObject on a"],
    ],
    [
      "names every action, four a line, by resource and condition",
      [],
      [allow(["s:E", "s:D", "s:C", "s:B", "s:A"]), allow("s:A", "b", when("x")), allow("t:A", "b")],
      [
        "grant ns/secret: s:A, s:B, s:C, s:D on *",
        "grant ns/secret: s:E on *",
        "grant ns/secret: t:A on b",
        'grant ns/secret: s:A on b when StringEquals k "x"',
      ],
      [],
    ],
    [
      "says where more is allowed for a time than either release allows",
      [allow("s:*"), deny("s:A*")],
      [allow("s:AB")],
      [
        "no longer deny ns/secret: s:A* on *",
        "until the upgrade is finished, ns/secret may do more than OLD or NEW allows: a denial is removed before the permissions that it limited, or added after them",
      ],
      ["revoke from ns/secret: s:* on *", "keep for ns/secret: s:AB on *"],
    ],
    [
      "points to the policy where something cannot be decided",
      [allow("s:A", "*", { NumericLessThan: { k: "4" } })],
      [allow("s:A", "*", { NumericLessThan: { k: "5" } })],
      ["give ns/secret what the policies of OLD and NEW allow, and deny only what both deny"],
      ["apply the policy of NEW to ns/secret as a whole"],
    ],
    [
      "points to the policy where a denial goes that hid what goes too",
      [allow("*", "a"), deny("*", "a"), allow("s:B", "b"), deny("s:B", "b")],
      [allow("s:C", "a"), allow("s:B", "b")],
      ["apply the policy of NEW to ns/secret as a whole"],
      [],
    ],
  ])("%s", (_, old, now, before, after) => {
    const { steps } = compare(old, now);
    expect([texts(steps.before), texts(steps.after)]).toEqual([before, after]);
  });
});

describe("details", () => {
  it.each<[string, Value[], Value[], string[]]>([
    [
      "name what is narrowed although another statement overlaps it",
      [allow("s3:GetObject"), allow("s3:*", "*", when("x"))],
      [allow("s3:GetObject", "b"), allow("s3:*", "*", when("x"))],
      ['- s3:GetObject  # resources narrowed from * to b; keeps the part in s3:* when StringEquals k "x"'],
    ],
    [
      "name the condition that is added although another statement overlaps it",
      [allow("s3:GetObject"), allow("s3:*", "b")],
      [allow("s3:GetObject", "*", when("x")), allow("s3:*", "b")],
      ['- s3:GetObject  # condition added: StringEquals k "x"; keeps the part in s3:* on b'],
    ],
    [
      "name a wildcard that crosses the one that goes",
      [allow(["s3:Get*", "s3:*Object"])],
      [allow("s3:*Object")],
      ["- s3:Get*  # keeps the part in s3:*Object"],
    ],
    [
      "name a wildcard that crosses the one that comes",
      [allow("s3:*Object")],
      [allow(["s3:Get*", "s3:*Object"])],
      ["+ s3:Get*  # had the part in s3:*Object"],
    ],
    [
      "name where a part is kept, and when",
      [allow("s3:*")],
      [allow("s3:Get*", "b", when("x"))],
      ['- s3:*  # keeps s3:Get* on b when StringEquals k "x"'],
    ],
    [
      "say nothing of statements that have nothing in common with a change",
      [allow("s3:GetObject", "a"), allow("s3:*", "b")],
      [allow("s3:*", "b")],
      ["- s3:GetObject on a  # resources narrowed from a, b to b"],
    ],
  ])("%s", (_, old, now, lines) => {
    expect(changeLines(compare(old, now))).toEqual(lines);
  });
});

/** A request to AWS, as small as one can be. */
interface Asked {
  readonly action: string;
  readonly resource: string;
  readonly key: string | undefined;
}

const names = ["a", "b", "ab", "ba", "aa", "c"];
const everything: readonly Asked[] = names.flatMap((action) =>
  names.flatMap((resource) => ["x", "y", "z", undefined].map((key) => ({ action: `s:${action}`, resource, key }))),
);

/** One allowance or denial, as IAM holds it. */
const withMeaning = (condition: NonNullable<UpgradeStep["condition"]>) =>
  condition.map(({ operator, key, values }) => clauseOf(operator, key, values));

type Held = Pick<Atom, "action" | "resource" | "condition"> & { readonly effect: Grant["effect"] };

// Written without the project's own code: what IAM would answer.
function allows(held: readonly Held[], { action, resource, key }: Asked): boolean {
  const holds = ({ operator, values }: Atom["condition"][number]) =>
    operator === "StringEquals"
      ? key !== undefined && values.includes(key)
      : key === undefined || !values.includes(key);
  const applying = held.filter(
    (one) => fits(one.action, action) && fits(one.resource, resource) && one.condition.every(holds),
  );
  return applying.some(({ effect }) => effect === "Allow") && !applying.some(({ effect }) => effect === "Deny");
}

const expressions = new Map<string, RegExp>();

function fits(glob: string, text: string): boolean {
  const written = `^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`;
  const expression = expressions.get(glob) ?? new RegExp(written, "i");
  expressions.set(glob, expression);
  return expression.test(text);
}

function heldBy(permissions: Permissions): Held[] {
  return (["Allow", "Deny"] as const).flatMap((effect) =>
    atomsOf(permissions, effect).map(({ action, resource, condition }) => ({ effect, action, resource, condition })),
  );
}

const same = (a: Held, b: Held) =>
  JSON.stringify([a.effect, a.action.toLowerCase(), a.resource, a.condition]) ===
  JSON.stringify([b.effect, b.action.toLowerCase(), b.resource, b.condition]);

/** What a person holds who follows the steps by the letter. */
function follow(steps: readonly UpgradeStep[], held: readonly Held[]): Held[] {
  let all = [...held];
  for (const { kind, actions = [], resource = "", condition = [] } of steps) {
    const effect = kind === "grant" || kind === "take" || kind === "keep" ? "Allow" : "Deny";
    const named = actions.map((action): Held => ({ effect, action, resource, condition: withMeaning(condition) }));
    if (kind === "take" || kind === "stop-denying") all = all.filter((one) => !named.some((other) => same(one, other)));
    else all.push(...named);
  }
  return all;
}

const glob = fc.constantFrom("a", "b", "*", "a*", "*a", "?", "ab", "a?");
const oneOrTwo = (arbitrary: fc.Arbitrary<string>) => fc.array(arbitrary, { minLength: 1, maxLength: 2 });
const someStatement = fc.record(
  {
    Effect: fc.constantFrom("Allow", "Allow", "Deny"),
    Action: oneOrTwo(glob.map((text) => `s:${text}`)),
    Resource: oneOrTwo(glob),
    Condition: fc
      .tuple(fc.constantFrom("StringEquals", "StringNotEquals"), oneOrTwo(fc.constantFrom("x", "y", "z")))
      .map(([operator, k]) => ({ [operator]: { k } })),
  },
  { requiredKeys: ["Effect", "Action", "Resource"] },
) as fc.Arbitrary<Statement>;
const statements = fc.array(someStatement, { maxLength: 4 });

// Neighbours, most often: a release changes a few statements.
const neighbours = fc.tuple(statements, statements, statements).map(([common, one, other]) => [
  [...common.slice(0, 2), ...one.slice(0, 2)],
  [...other.slice(0, 2), ...common],
]);

describe("who follows the plan", () => {
  it("never lacks anything, is told where it is too much for a time, and has in the end exactly what the new release asks for", () => {
    let [told, whole] = [0, 0];
    fc.assert(
      fc.property(neighbours, ([old = [], now = []]) => {
        const { steps, verdict } = compare(old, now);
        const [was, is] = [old, now].map((one) => heldBy(policyPermissions({ Statement: one }))) as [Held[], Held[]];
        if ([...steps.before, ...steps.after].some(({ kind }) => kind === "apply")) {
          whole++;
          return;
        }
        told++;
        const between = follow(steps.before, was);
        const end = follow(steps.after, between);
        const by = (held: readonly Held[]) => everything.filter((asked) => allows(held, asked));
        const has = new Set(by(between));
        const either = new Set([...by(was), ...by(is)]);
        if ([...has].some((asked) => !either.has(asked)))
          expect(steps.before.map(({ kind }) => kind)).toContain("note");
        expect([...by(was), ...by(is)].filter((asked) => !has.has(asked))).toEqual([]);
        expect(by(end)).toEqual(by(is));
        if (verdict === "none") expect([steps.before, steps.after]).toEqual([[], []]);
      }),
      { numRuns: runs(200) },
    );
    expect(whole).toBeLessThan(told / 2);
  });

  it("is asked to grant and to take only what is another now", () => {
    fc.assert(
      fc.property(neighbours, ([old = [], now = []]) => {
        const { steps } = compare(old, now);
        const [was, is] = [old, now].map((one) => policyPermissions({ Statement: one })) as [Permissions, Permissions];
        const allowances = (all: Permissions) => all.filter(({ effect }) => effect === "Allow");
        for (const { kind, actions = [], resource = "", condition = [], text } of [...steps.before, ...steps.after]) {
          if (kind !== "grant" && kind !== "take") continue;
          expect(text).toContain(`${actions.join(", ")} on ${resource}`);
          for (const action of actions) {
            const alone: Permissions = [
              {
                effect: "Allow",
                principals: [""],
                actions: [action],
                resources: [resource],
                condition: withMeaning(condition),
              },
            ];
            const [from, to] = kind === "grant" ? [was, is] : [is, was];
            expect(covers(allowances(from), alone)).toBe(false);
            expect(covers(allowances(to), alone)).toBe(true);
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
