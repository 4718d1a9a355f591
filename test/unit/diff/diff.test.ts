import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { managedPolicies, policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { azureRequestIdentity } from "../../../src/clouds/azure/permissions/terms.ts";
import { gcpRequestIdentity } from "../../../src/clouds/gcp/permissions/terms.ts";
import type { Value, ValueMap } from "../../../src/core/resource.ts";
import { describedDiff } from "../../../src/diff/described-diff.ts";
import { diffIdentities, type Verdict } from "../../../src/diff/diff.ts";
import { diffText } from "../../../src/diff/diff-text.ts";
import type { CloudIdentity } from "../../../src/permissions/identity.ts";
import { literalGrants, namedGrants } from "../../../src/permissions/terms.ts";
import "../../helpers/seed.ts";

function identity(permissions: CloudIdentity["permissions"], more: Partial<CloudIdentity> = {}): CloudIdentity {
  return {
    cloud: "AWS",
    noun: "role",
    key: "ns/secret",
    request: "one",
    permissions,
    subjects: ["system:serviceaccount:ns:a"],
    trust: undefined,
    boundary: undefined,
    tokenPath: "",
    ...more,
  };
}

const policy = (...Statement: Value[]) => policyPermissions({ Statement });
const allow = (Action: Value, Resource: Value = "*", Condition?: ValueMap): ValueMap => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition === undefined ? {} : { Condition }),
});
const aws = (...statements: Value[]) => identity(policy(...statements));
const say = (old: readonly CloudIdentity[], now: readonly CloudIdentity[]) =>
  diffText(describedDiff(diffIdentities(old, now)));
const verdict = (old: CloudIdentity, now: CloudIdentity): Verdict => diffIdentities([old], [now]).verdict;
const mirrored = {
  none: "none",
  narrowed: "broadened",
  broadened: "narrowed",
  both: "both",
  unknown: "unknown",
} as const;
const key = { StringEquals: { k: "x" } };

describe("the difference of two statements", () => {
  it.each<[string, Value[], Value[], Verdict, string[]]>([
    ["an action more", [allow("s:A")], [allow(["s:A", "s:B"])], "broadened", ["+ s:B"]],
    ["an action less", [allow(["s:A", "s:B"])], [allow("s:A")], "narrowed", ["- s:B"]],
    ["another action", [allow("s:A")], [allow("s:B")], "both", ["- s:A", "+ s:B"]],
    ["another case", [allow("s:Get")], [allow("S:gET")], "none", []],
    ["one text, and a list of one", [allow("s:A", ["*"])], [allow(["s:A"])], "none", []],
    ["twice the same", [allow("s:A")], [allow("s:A"), allow("s:A")], "none", []],
    ["a part of a wildcard beside it", [allow("s:Get*")], [allow(["s:Get*", "s:GetIt"])], "none", []],
    ["a wildcard for all that is known", [allow(["s:A"])], [allow("s:*")], "broadened", ["+ s:*  # had s:A"]],
    ["a name for a wildcard", [allow("s:*")], [allow("s:A")], "narrowed", ["- s:*  # keeps s:A"]],
    [
      "more resources",
      [allow("s:A", "r/1")],
      [allow("s:A", ["r/1", "r/2"])],
      "broadened",
      ["+ s:A on r/2  # resources widened from r/1 to r/1, r/2"],
    ],
    [
      "a wildcard for a resource",
      [allow("s:A", "r/1")],
      [allow("s:A", "r/*")],
      "broadened",
      ["+ s:A on r/*  # resources widened from r/1 to r/*"],
    ],
    [
      "fewer resources",
      [allow("s:A")],
      [allow("s:A", "r/1")],
      "narrowed",
      ["- s:A  # resources narrowed from * to r/1"],
    ],
    [
      "other resources",
      [allow("s:A", "r/1")],
      [allow("s:A", "r/2")],
      "both",
      ["- s:A on r/1  # resources changed from r/1 to r/2", "+ s:A on r/2  # resources changed from r/1 to r/2"],
    ],
    [
      "a condition more",
      [allow("s:A")],
      [allow("s:A", "*", key)],
      "narrowed",
      ['- s:A  # condition added: StringEquals k "x"'],
    ],
    [
      "a condition less",
      [allow("s:A", "*", key)],
      [allow("s:A")],
      "broadened",
      ['+ s:A  # condition removed: StringEquals k "x"'],
    ],
    [
      "another value of a condition",
      [allow("s:A", "*", key)],
      [allow("s:A", "*", { StringEquals: { K: ["y"] } })],
      "both",
      [
        '- s:A when StringEquals k "x"  # condition changed from StringEquals k "x" to StringEquals k "y"',
        '+ s:A when StringEquals k "y"  # condition changed from StringEquals k "x" to StringEquals k "y"',
      ],
    ],
    [
      "a value more",
      [allow("s:A", "*", key)],
      [allow("s:A", "*", { StringEquals: { k: ["x", "y"] } })],
      "broadened",
      [
        '+ s:A when StringEquals k "y"  # condition changed from StringEquals k "x" to StringEquals k "x", or StringEquals k "y"',
      ],
    ],
  ])("%s", (_, old, now, expected, lines) => {
    const text = say([aws(...old)], [aws(...now)]);
    expect(verdict(aws(...old), aws(...now))).toBe(expected);
    expect(verdict(aws(...now), aws(...old))).toBe(mirrored[expected]);
    expect(text.filter((line) => /^ {2}[-+~] /.test(line)).map((line) => line.slice(2))).toEqual(lines);
    const words = expected.replace("both", "broadened and narrowed");
    expect(text).toContain(
      expected === "none" ? "No changes of permissions." : `Verdict, permissions only: ${words} (1 ${words}).`,
    );
  });

  it.each<[string, Value]>([
    ["NotAction", { Effect: "Allow", NotAction: "s:B", Resource: "*" }],
    ["NotResource", { Effect: "Allow", Action: "s:*", NotResource: "r" }],
    ["an unknown condition", { ...allow("s:*"), Condition: { StringEquals: "x" } }],
    ["an unknown form", "x"],
  ])("%s on the other side leaves every gain and loss undecided", (_name, strange) => {
    for (const sides of [
      [aws(strange), aws(allow("s:A"))],
      [aws(strange, allow("s:C")), aws(strange, allow(["s:A", "s:C"]))],
    ] as const) {
      for (const [old, now] of [sides, [sides[1], sides[0]] as const]) {
        const { certain, verdict } = diffIdentities([old], [now]);
        expect(certain).toBe("none");
        expect(verdict).not.toBe("none");
        expect(
          say([old], [now]).filter((line) => /^ {2}[+-] s:A(?! \(undecided: the other side may)/.test(line)),
        ).toEqual([]);
      }
    }
  });

  it("an unreadable denial leaves what the same side allows undecided, and a readable part of a trust policy", () => {
    const strange = { Effect: "Deny", NotAction: "s:B", Resource: "*" };
    const { certain, verdict } = diffIdentities([aws(strange)], [aws(strange, allow("s:A"))]);
    expect([certain, verdict]).toEqual(["none", "broadened"]);
    const trust = (...statements: Value[]) => identity([], { trust: policy(...statements) });
    const principal = { Principal: { Federated: "p" }, Action: "sts:AssumeRoleWithWebIdentity" };
    const [open, some] = [
      { Effect: "Allow", NotPrincipal: { AWS: "x" }, Action: "sts:*" },
      { Effect: "Allow", ...principal },
    ];
    const trusted = diffIdentities([trust(open)], [trust(open, some)]);
    expect([trusted.certain, trusted.verdict]).toEqual(["none", "broadened"]);
    // An unreadable denial that goes may have denied any principal.
    const closed = { Effect: "Deny", NotPrincipal: { AWS: "x" }, Action: "sts:*" };
    expect(diffIdentities([trust(closed, some)], [trust(some)]).verdict).toBe("broadened");
  });

  it("a managed policy may allow what the other side names, and the plan still names each step", () => {
    const managed = managedPolicies(["arn:aws:iam::aws:policy/P"]);
    const [old, now] = [identity(managed), identity([...managed, ...policy(allow("s:A"))])];
    const { certain, verdict } = diffIdentities([old], [now]);
    expect([certain, verdict]).toEqual(["none", "broadened"]);
    const lines = say([old], [now]);
    expect(lines).toContain(
      "  + s:A (undecided: the other side may allow it, too: the document of the managed policy arn:aws:iam::aws:policy/P is not known)",
    );
    expect(lines.join("\n")).toContain("grant ns/secret: s:A on *");
    // Nothing covers it on a side that has nothing.
    expect(diffIdentities([identity([])], [identity(managed)]).certain).toBe("broadened");
  });

  it.each(["NotAction", "NotResource"])("%s on one side, or two that differ, is never none, and says why", (field) => {
    const strange = (value: string) => aws({ Effect: "Allow", Action: "s:A", Resource: "*", [field]: value });
    for (const [old, now] of [
      [aws(allow("*")), strange("s:B")],
      [strange("s:B"), aws(allow("*"))],
      [strange("s:B"), strange("s:C")],
    ] as const) {
      expect(["broadened", "both", "narrowed"]).toContain(verdict(old, now));
      expect(say([old], [now]).join("\n")).toContain(`(undecided: ${field} cannot be compared: {`);
    }
    expect(verdict(aws(allow("*")), strange("s:B"))).toMatch(/broadened|both/);
    expect(verdict(strange("s:B"), strange("s:C"))).toBe("both");
    expect(verdict(strange("s:B"), strange("s:B"))).toBe("none");
  });

  it("counts a condition that cannot be compared as broadened", () => {
    const small = aws(allow("s:A", "*", { NumericLessThan: { k: "4" } }));
    const large = aws(allow("s:A", "*", { NumericLessThan: { k: "5" } }));
    expect(verdict(small, large)).toBe("both");
    expect(say([small], [large]).join("\n")).toContain("undecided: the conditions NumericLessThan");
  });
});

describe("what only AWS knows", () => {
  const tenant = "arn:aws:s3:::t/${aws:PrincipalTag/team}";

  it("a resource with a policy variable is compared word by word", () => {
    expect(verdict(aws(allow("s:A", tenant)), aws(allow("s:A", tenant)))).toBe("none");
    expect(
      verdict(
        aws(allow(["s:A", "s:B"], [tenant, "r"])),
        aws(allow("s:B", tenant), allow(["s:a", "s:B"], "r"), allow("s:A", tenant)),
      ),
    ).toBe("none");
    expect(verdict(aws(allow("s:A", "arn:aws:s3:::$*")), aws(allow("s:A", "arn:aws:s3:::${aws:username}")))).toBe(
      "both",
    );
    expect(verdict(aws(allow("s:A", "*")), aws(allow("s:A", tenant)))).toBe("both");
    const denied = aws(allow("s:A", "arn:aws:s3:::t/a"), { ...allow("s:A", tenant), Effect: "Deny" });
    expect(verdict(denied, aws(allow("s:A", "arn:aws:s3:::t/a")))).toBe("broadened");
  });

  it("a condition with one, or with ARNs, is too", () => {
    const when = (operator: string, k: Value) => aws(allow("s:A", "*", { [operator]: { k } }));
    expect(verdict(when("StringLike", "$*"), when("StringLike", "${aws:PrincipalTag/t}"))).toBe("both");
    expect(verdict(when("StringLike", "a$*}b"), when("StringLike", "a${*}b"))).toBe("both");
    expect(verdict(when("ArnLike", "arn:aws:*:role/x"), when("ArnLike", "arn:aws:iam::1:role/x"))).toBe("both");
    expect(verdict(when("ArnLike", ["a", "b"]), when("ArnLike", "a"))).toBe("narrowed");
  });

  it("a permissions statement without a resource is none that is known", () => {
    expect(verdict(aws({ Effect: "Allow", Action: "s:*" }), aws(allow("s:*")))).toBe("both");
  });

  it("wildcards without end are too many, and end in time", () => {
    const nasty = (letters: string) =>
      aws(
        allow(
          [...letters].map((letter) => `s:*${letter}*?*a*b*?`),
          [...letters].map((letter) => `*?${letter}*a*b?*c*d*e*`),
        ),
      );
    const [old, now] = [nasty("abcdefghijkl"), nasty("lmnopqrstuvw")];
    expect(verdict(old, now)).toBe("both");
    const order = { ...now, permissions: now.permissions.toReversed() };
    expect(say([old], [order])).toEqual(say([old], [now]));
  });
});

describe("what takes too long to be compared", () => {
  it("is told of each identity alone: hundreds with wildcards are decided, and one that is too much is not", () => {
    const many = (...actions: string[]) =>
      Array.from({ length: 600 }, (_, index) => identity(policy(allow(actions)), { key: `ns/${index}` }));
    const [old, now] = [many("s3:Get*", "s3:*Object"), many("s3:Get*Object*", "s3:*Object")];
    const [whole, split] = [(core: string) => [`*${core}*`], (core: string) => [`?*${core}*`, `${core}*`]];
    const [core, other] = ["a", "b"].map((letter) => `${letter}${"?".repeat(18)}c`) as [string, string];
    const text = say(
      [...old, aws(allow("s:A", whole(core)), allow("s:B", split(other)))],
      [...now, aws(allow("s:A", split(core)), allow("s:B", whole(other)))],
    );
    expect(text).toContain(
      "Verdict, permissions only: narrowed, perhaps broadened and narrowed (600 narrowed, 1 perhaps broadened and narrowed).",
    );
    expect(text.filter((line) => line.includes("undecided"))).toHaveLength(6);
  });

  it("is a statement of too many parts, unless both sides have it", () => {
    const names = (length: number, start: string) => Array.from({ length }, (_, index) => `${start}${index}`);
    const large = (start: string) => aws(allow(names(100, "s:A"), names(100, start)), allow("s:B"));
    expect(verdict(large("a"), large("a"))).toBe("none");
    const text = say([large("a")], [large("b")]);
    expect(text.filter((line) => line.startsWith("  - ") || line.startsWith("  + "))).toEqual([
      "  - * (undecided: a statement has too many actions, resources and values to compare)",
      "  + * (undecided: a statement has too many actions, resources and values to compare)",
    ]);
  });
});

describe("laws", () => {
  const glob = fc.constantFrom("a", "b", "*", "a*", "?", "ab");
  const list = fc.array(glob, { minLength: 1, maxLength: 3 });
  const statement = fc.record(
    {
      Effect: fc.constantFrom("Allow", "Allow", "Allow", "Deny"),
      Action: list.map((all) => all.map((text) => `s:${text}`)),
      Resource: list,
      NotAction: fc.constantFrom("s:a", "s:b"),
      Condition: fc
        .tuple(fc.constantFrom("StringEquals", "StringNotEquals", "NumericLessThan", "Odd"), list)
        .map(([operator, k]) => ({ [operator]: { k } })),
    },
    { requiredKeys: ["Effect", "Action", "Resource"] },
  );
  const statements = fc.array(statement, { maxLength: 4 }) as fc.Arbitrary<ValueMap[]>;
  const subjects = fc.subarray(["a", "b", "c"]);
  const someone = fc
    .tuple(statements, subjects, fc.constantFrom("", "/token"), fc.constantFrom("ns/one", "ns/two"))
    .map(([all, names, tokenPath, secret]) =>
      identity(policy(...all), { subjects: names, tokenPath, key: secret, request: secret }),
    );
  const side = fc.uniqueArray(someone, { selector: ({ key: one }) => one, maxLength: 2 });

  it("a side and itself differ in nothing", () => {
    fc.assert(
      fc.property(side, (one) => {
        const { verdict: same, identities } = diffIdentities(one, one);
        expect([same, ...identities.map(({ change }) => change)]).toEqual(["none", ...one.map(() => "none")]);
      }),
    );
  });

  it("the way back is the mirror image of the way there", () => {
    fc.assert(
      fc.property(side, side, (one, other) => {
        const [there, back] = [diffIdentities(one, other), diffIdentities(other, one)];
        expect(back.verdict).toBe(mirrored[there.verdict]);
        for (const [index, { verdict: was, permissions, subjectsAdded, tokenPath }] of there.identities.entries()) {
          const reverse = back.identities[index];
          expect(reverse?.verdict).toBe(mirrored[was]);
          const { granted, taken, denied, lifted, limiting, limited } = permissions;
          expect(reverse?.permissions).toMatchObject({
            ...{ granted: taken, taken: granted, denied: lifted, lifted: denied, limiting: limited, limited: limiting },
          });
          expect(reverse?.subjectsRemoved).toEqual(subjectsAdded);
          expect(reverse?.tokenPath).toEqual(tokenPath?.toReversed());
        }
      }),
    );
  });

  it("splitting, joining, reordering and repeating statements and identities changes nothing", () => {
    fc.assert(
      fc.property(statements, fc.infiniteStream(fc.nat()), (all, random) => {
        const shuffle = <T>(list: readonly T[]): T[] =>
          list
            .map((one) => [random.next().value as number, one] as const)
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one);
        const plain = all.filter((map) => map["NotAction"] === undefined);
        const split = plain.flatMap((map) =>
          (map["Action"] as string[]).flatMap((Action) =>
            (map["Resource"] as string[]).map((Resource) => ({ ...map, Action: Action.toUpperCase(), Resource })),
          ),
        );
        const cut = shuffle([...split, ...plain]);
        const sides = [aws(...plain), identity(policy(), { key: "other/secret" })];
        const others = [identity(policy(), { key: "other/secret" }), aws(...cut)];
        expect(diffIdentities(sides, others).verdict).toBe("none");
        expect(diffIdentities(others, sides).verdict).toBe("none");
      }),
    );
  });
});

describe("an identity", () => {
  const roleA = identity(policy(allow("s:A")));

  it("that is new is broadened, and its role is made before", () => {
    expect(say([], [roleA])).toEqual([
      "new: AWS ns/secret (one)",
      "  + system:serviceaccount:ns:a can use it",
      "  + s:A",
      "",
      "Verdict, permissions only: broadened (1 new).",
      "",
      "Before the upgrade:",
      "  create the role of ns/secret",
    ]);
  });

  it("that is gone is narrowed, and its role goes after", () => {
    expect(say([roleA], [])).toEqual([
      "gone: AWS ns/secret (one)",
      "  - system:serviceaccount:ns:a can use it",
      "  - s:A",
      "",
      "Verdict, permissions only: narrowed (1 gone).",
      "",
      "Only after the upgrade:",
      "  delete the role of ns/secret",
    ]);
  });

  it("that may do nothing is new and gone as well", () => {
    const nothing = identity([], { subjects: [] });
    expect(diffIdentities([], [nothing]).verdict).toBe("broadened");
    expect(diffIdentities([nothing], []).verdict).toBe("narrowed");
  });

  it("is named by its cloud too: the same Secret is two identities", () => {
    expect(say([roleA], [{ ...roleA, cloud: "GCP" }])).toContain(
      "Verdict, permissions only: broadened and narrowed (1 new, 1 gone).",
    );
  });

  it("whose Secret has another name is new and gone, and says so", () => {
    const text = say([roleA], [{ ...roleA, key: "ns/renamed" }]);
    expect(text).toContain("  ~ its Secret was ns/secret");
    expect(text).toContain("  ~ its Secret is now ns/renamed");
    expect(text).toContain("  create the role of ns/renamed (it was ns/secret)");
  });

  it("whose token moves is told, and nothing is more or less", () => {
    const text = say([roleA], [{ ...roleA, tokenPath: "/run/token" }]);
    expect(text).toEqual([
      "moved: AWS ns/secret (one)",
      "  ~ token: the cluster's default -> /run/token",
      "",
      "Verdict, permissions only: none (1 moved).",
      "",
      "With the upgrade:",
      "  write the token path into the Secret ns/secret: /run/token",
    ]);
    expect(diffIdentities([roleA], [{ ...roleA, tokenPath: undefined }]).identities[0]?.change).toBe("none");
  });

  it("whose token is said to be where it is by default is where it was", () => {
    const usual = { ...roleA, tokenPath: "/var/run/secrets/openshift/serviceaccount/token" };
    expect(diffIdentities([roleA], [usual]).identities[0]?.change).toBe("none");
    expect(diffIdentities([usual], [roleA]).identities[0]?.change).toBe("none");
    expect(say([usual], [{ ...roleA, tokenPath: "/run/token" }])).toContain(
      "  ~ token: /var/run/secrets/openshift/serviceaccount/token -> /run/token",
    );
  });

  it("that others can use is broadened", () => {
    const text = say([roleA], [{ ...roleA, subjects: ["system:serviceaccount:ns:b"] }]);
    expect(text).toContain("  - system:serviceaccount:ns:a can use it");
    expect(text).toContain("  + system:serviceaccount:ns:b can use it");
    expect(text).toContain("  let system:serviceaccount:ns:b use ns/secret");
    expect(text).toContain("  no longer let system:serviceaccount:ns:a use ns/secret");
    expect(text).toContain("Verdict, permissions only: broadened and narrowed (1 broadened and narrowed).");
  });

  const b = "arn:aws:iam::123456789012:policy/b";
  it.each<[string, string, Verdict, string]>([
    ["", b, "narrowed", `  limit ns/secret with the boundary ${b}`],
    [b, "", "broadened", `  remove the boundary ${b} from ns/secret`],
    [b, `${b}2`, "both", `  ~ boundary: ${b} -> ${b}2`],
  ])("whose boundary %j becomes %j is %s%s", (old, now, expected, line) => {
    const text = say([{ ...roleA, boundary: old }], [{ ...roleA, boundary: now }]);
    const words = old !== "" && now !== "" ? "perhaps broadened and narrowed" : expected;
    expect(text).toContain(`Verdict, permissions only: ${words} (1 ${words}).`);
    expect(text).toContain(line);
    expect(verdict({ ...roleA, boundary: undefined }, { ...roleA, boundary: now })).toBe("none");
  });
});

describe("a trust policy", () => {
  const trust = (conditions: ValueMap, provider = "arn:aws:iam::123456789012:oidc-provider/i") =>
    policy({
      Effect: "Allow",
      Principal: { Federated: provider },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: conditions,
    });
  const sub = "system:serviceaccount:ns:a";
  const strict = trust({ StringEquals: { "i:sub": sub, "i:aud": "openshift" } });
  const loose = trust({ StringEquals: { "i:sub": sub } });
  const role = (one: CloudIdentity["trust"]) => identity([], { trust: one });

  it("that asks for no audience anymore is broadened", () => {
    expect(verdict(role(strict), role(loose))).toBe("broadened");
    expect(verdict(role(loose), role(strict))).toBe("narrowed");
    expect(say([role(strict)], [role(loose)])).toContain(
      `  + sts:AssumeRoleWithWebIdentity by Federated:arn:aws:iam::123456789012:oidc-provider/i when StringEquals i:sub "${sub}"`,
    );
    expect(say([role(strict)], [role(loose)])).toContain("  apply the trust policy of NEW to ns/secret as a whole");
  });

  it("that also trusts another issuer is broadened", () => {
    const more = [...strict, ...trust({ StringEquals: { "j:sub": sub } }, "arn:aws:iam::123456789012:oidc-provider/j")];
    expect(verdict(role(strict), role(more))).toBe("broadened");
  });

  it("of one side alone says nothing: a request has none", () => {
    expect(verdict(role(undefined), role(loose))).toBe("none");
  });

  it("with one subject more is told as a service account", () => {
    const two = trust({ StringEquals: { "i:sub": [sub, "system:serviceaccount:ns:b"] } });
    const text = say(
      [role(loose)],
      [{ ...role(two), subjects: ["system:serviceaccount:ns:a", "system:serviceaccount:ns:b"] }],
    );
    expect(text.filter((line) => /^ {2}\+/.test(line))).toEqual(["  + system:serviceaccount:ns:b can use it"]);
  });
});

describe("clouds of names", () => {
  it("tell roles, permissions and data permissions apart, and know wildcards", () => {
    const azure = (kind: "role" | "permission" | "data permission", ...names: string[]) =>
      identity(namedGrants(kind, names), { cloud: "Azure" });
    expect(verdict(azure("permission", "M.C/disks/*"), azure("permission", "M.C/disks/read"))).toBe("narrowed");
    expect(verdict(azure("permission", "M.C/disks/read"), azure("data permission", "M.C/disks/read"))).toBe("both");
    expect(verdict(azure("role", "Contributor"), azure("role", "contributor"))).toBe("none");
  });

  it("count a field that is not read as something that gave, and as something that held back", () => {
    const azure = (more: ValueMap) =>
      azureRequestIdentity({
        resource: { name: "one" },
        value: { spec: { providerSpec: { permissions: ["M.C/disks/*"], ...more } } },
        secretKey: "ns/secret",
      } as never);
    expect(verdict(azure({ notActions: ["M.C/disks/delete"] }), azure({}))).toBe("broadened");
    expect(verdict(azure({}), azure({ notActions: ["M.C/disks/delete"] }))).toBe("narrowed");
    const reader = { role: "Reader" };
    expect(verdict(azure({ roleBindings: [reader] }), azure({ roleBindings: [{ ...reader, scope: "/" }] }))).toBe(
      "both",
    );
    expect(verdict(azure({ roleBindings: [reader] }), azure({ roleBindings: [reader] }))).toBe("none");
  });

  it("know no wildcards where the cloud has none", () => {
    const gcp = (permission: string) => identity(literalGrants("permission", [permission]), { cloud: "GCP" });
    expect(verdict(gcp("compute.*"), gcp("compute.instances.delete"))).toBe("both");
    expect(verdict(gcp("compute.*"), gcp("compute.*"))).toBe("none");
  });

  it("hold a list that is none for undecided", () => {
    const asks = (providerSpec: ValueMap) =>
      gcpRequestIdentity({ resource: { name: "one" }, value: { spec: { providerSpec } }, copies: [] } as never);
    const odd = identity(asks({ predefinedRoles: "Contributor" }).permissions, { cloud: "GCP" });
    const none = identity([], { cloud: "GCP" });
    // Without a permission there is nothing that it could hold back.
    expect(verdict(none, odd)).toBe("broadened");
    expect(verdict(odd, none)).toBe("narrowed");
    const some = identity(namedGrants("permission", ["a.b"]), { cloud: "GCP" });
    expect(verdict(some, odd)).toBe("both");
    expect(verdict(odd, some)).toBe("both");
    expect(say([none], [odd]).join("\n")).toContain("undecided: its list of roles has an unknown form");
  });
});
