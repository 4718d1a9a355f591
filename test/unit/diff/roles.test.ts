import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { predefinedRoles, readRole } from "../../../src/clouds/gcp/permissions/terms.ts";
import { unreadFields } from "../../../src/clouds/request.ts";
import type { Value } from "../../../src/core/resource.ts";
import { type DescribedIdentity, describedDiff } from "../../../src/diff/described-diff.ts";
import { diffIdentities } from "../../../src/diff/diff.ts";
import { diffMarkdown, diffText } from "../../../src/diff/diff-text.ts";
import { changeLines } from "../../../src/diff/lines.ts";
import type { CloudIdentity } from "../../../src/permissions/identity.ts";
import { literalGrants, type RoleDefinitions, undecidedGrants } from "../../../src/permissions/terms.ts";
import "../../helpers/seed.ts";

const definitions: RoleDefinitions = new Map([
  ["roles/small", { permissions: ["a.b.get", "a.b.list"], date: "2026-08" }],
  ["roles/large", { permissions: ["a.b.get", "a.b.list", "a.c.get", "a.c.list"], date: "2026-08" }],
  ["projects/p/roles/own", { permissions: ["a.c.get"], file: "defs/own.json" }],
]);

/** An identity with roles, whose names contain a slash, and permissions. */
function account(names: readonly string[], more: Partial<CloudIdentity> = {}): CloudIdentity {
  const isRole = (name: string) => name.includes("/");
  return {
    cloud: "GCP",
    noun: "service account",
    key: "ns/secret",
    request: "one",
    permissions: [
      ...literalGrants("role", names.filter(isRole)),
      ...literalGrants(
        "permission",
        names.filter((name) => !isRole(name)),
      ),
    ],
    subjects: [],
    trust: undefined,
    boundary: undefined,
    tokenPath: "",
    ...more,
  };
}

const diff = (old: readonly CloudIdentity[], now: readonly CloudIdentity[], known: RoleDefinitions = definitions) =>
  diffIdentities(old, now, (cloud) => (cloud === "GCP" ? known : undefined));
const report = (old: readonly string[], now: readonly string[]) => describedDiff(diff([account(old)], [account(now)]));
const text = (old: readonly string[], now: readonly string[]) => diffText(report(old, now));

describe("roles and permissions", () => {
  it("with what the permissions of a role include, are nothing new", () => {
    expect(text(["roles/large"], ["a.b.get", "a.c.list"])).toEqual([
      "narrowed: GCP ns/secret (one)",
      "  - role roles/large  # NEW does not allow 2 of its 4 permissions: a.b.list, a.c.get",
      "  ~ by name now, and through a role in OLD: a.b.get, a.c.list",
      "",
      "Verdict, permissions only: narrowed (1 narrowed).",
      "Role definitions of 2026-08: roles/large.",
      "",
      "Before the upgrade:",
      "  grant ns/secret: permissions a.b.get, a.c.list (in OLD through a role)",
      "",
      "Only after the upgrade:",
      "  revoke from ns/secret: role roles/large",
    ]);
  });

  it("with a permission that the role lacks, say which", () => {
    expect(text(["roles/small"], ["a.b.get", "a.c.get", "a.b.list"]).slice(0, 4)).toEqual([
      "broadened: GCP ns/secret (one)",
      "  + permission a.c.get",
      "  ~ role roles/small removed  # NEW allows all of its 2 permissions",
      "  ~ by name now, and through a role in OLD: a.b.get, a.b.list",
    ]);
    expect(text(["roles/small"], ["a.b.get", "a.c.get", "a.b.list"])).toContain(
      "  grant ns/secret: permission a.c.get",
    );
  });

  it("the other way round, are the same", () => {
    expect(text(["a.b.get", "a.c.list"], ["roles/large"])).toEqual([
      "broadened: GCP ns/secret (one)",
      "  + role roles/large  # OLD does not allow 2 of its 4 permissions: a.b.list, a.c.get",
      "  ~ through a role now, and by name in OLD: a.b.get, a.c.list",
      "",
      "Verdict, permissions only: broadened (1 broadened).",
      "Role definitions of 2026-08: roles/large.",
      "",
      "Before the upgrade:",
      "  grant ns/secret: role roles/large",
      "",
      "Only after the upgrade:",
      "  revoke from ns/secret: permissions a.b.get, a.c.list (in NEW through a role)",
    ]);
  });

  it("that allow the same are moved, and the plan still says what to grant and revoke", () => {
    const lines = text(["roles/small"], ["a.b.get", "a.b.list"]);
    expect(lines).toContain("Verdict, permissions only: none (1 moved).");
    expect(lines).toContain("  grant ns/secret: permissions a.b.get, a.b.list (in OLD through a role)");
    expect(lines).toContain("  revoke from ns/secret: role roles/small");
  });

  it("know what another role on both sides allows", () => {
    expect(text(["roles/large"], ["roles/large", "roles/small"]).slice(0, 3)).toEqual([
      "moved: GCP ns/secret (one)",
      "  ~ role roles/small added  # OLD allows all of its 2 permissions",
      "",
    ]);
  });

  it("that did not change need no definition", () => {
    const same = report(["roles/unknown", "a.b.get"], ["a.b.get", "roles/unknown"]);
    expect([same.verdict, same.identities[0]?.change, same.roleDefinitions]).toEqual(["none", "none", undefined]);
  });

  it("list every permission in JSON, with the role that it comes with", () => {
    const { identities, roleDefinitions } = report(["a.b.get", "roles/small"], ["roles/large", "projects/p/roles/own"]);
    expect(identities[0]?.actions.map(({ kind, action, roles }) => [kind, action, roles])).toEqual([
      ["added", "permission a.c.get", ["projects/p/roles/own", "roles/large"]],
      ["added", "permission a.c.list", ["roles/large"]],
    ]);
    expect(identities[0]?.roles).toEqual({
      added: [
        { role: "projects/p/roles/own", permissions: 1, changed: 1 },
        { role: "roles/large", permissions: 4, changed: 2 },
      ],
      removed: [{ role: "roles/small", permissions: 2, changed: 0 }],
      fromRoles: [],
      intoRoles: ["a.b.get"],
    });
    expect(roleDefinitions).toEqual([
      { role: "projects/p/roles/own", file: "defs/own.json" },
      { role: "roles/large", date: "2026-08" },
      { role: "roles/small", date: "2026-08" },
    ]);
  });

  it("say in text and Markdown which definitions decided", () => {
    const both = report(["a.b.get"], ["roles/large", "projects/p/roles/own", "roles/x"]);
    const lines = [
      "Role definitions of 2026-08: roles/large.",
      "Role definitions in defs/own.json: projects/p/roles/own.",
      'Unknown role definitions: roles/x. "ccf diff --role-definitions DIR" reads them from files.',
    ];
    expect(diffText(both)).toEqual(expect.arrayContaining(lines));
    expect(diffMarkdown(both)).toEqual(expect.arrayContaining(lines.map((line) => `\`${line}\``)));
  });

  it("of a new identity are all of its permissions, and of one that is gone as well", () => {
    const [there, back] = [diff([], [account(["roles/x", "roles/small"])]), diff([account(["roles/small"])], [])];
    expect(diffText(describedDiff(there)).slice(0, 3)).toEqual([
      "new: GCP ns/secret (one)",
      "  + role roles/x",
      "  + role roles/small  # OLD allows none of its 2 permissions: a.b.get, a.b.list",
    ]);
    expect([there.verdict, back.verdict]).toEqual(["broadened", "narrowed"]);
  });
});

describe("a role without a definition", () => {
  const why = "its definition is not known";

  it("leaves undecided which permissions of a role that goes it may include", () => {
    const lines = [
      "perhaps broadened and narrowed: GCP ns/secret (one)",
      "  + role roles/x (undecided: it is compared by its name: its definition is not known)",
      "  - role roles/small  # undecided whether NEW allows 2 of its 2 permissions: roles/x of NEW may include it: its definition is not known",
    ];
    expect(text(["roles/small"], ["roles/x"]).slice(0, 3)).toEqual(lines);
    const [only] = report(["roles/small"], ["roles/x"]).identities;
    expect([only?.verdict, only?.certain]).toEqual(["both", "none"]);
    expect(only?.roles?.removed).toEqual([{ role: "roles/small", permissions: 2, changed: 0, undecided: 2 }]);
    expect(only?.actions.map(({ kind }) => kind)).toEqual(["undecided", "undecided", "undecided"]);
    expect(diffMarkdown(report(["roles/small"], ["roles/x"]))).toEqual(
      expect.arrayContaining([
        ...lines.slice(1).map((line) => line.trim()),
        "## Changes (permissions only): perhaps broadened and narrowed",
      ]),
    );
  });

  it("is undecided against permissions, so broadened", () => {
    expect(text(["roles/x"], ["a.b.get"]).slice(0, 3)).toEqual([
      "perhaps broadened and narrowed: GCP ns/secret (one)",
      `  + permission a.b.get (undecided: roles/x of OLD may include it: ${why})`,
      `  - role roles/x (undecided: it is compared by its name: ${why})`,
    ]);
    expect(text(["a.b.get"], ["roles/x"])[0]).toBe("perhaps broadened and narrowed: GCP ns/secret (one)");
  });

  it("that only goes is narrowed, and that only comes is broadened", () => {
    expect(report(["roles/x", "a.b.get"], ["a.b.get"]).verdict).toBe("narrowed");
    expect(report(["a.b.get"], ["roles/x", "a.b.get"]).verdict).toBe("broadened");
  });

  it("on both sides may include what is new", () => {
    expect(text(["roles/x"], ["roles/x", "a.b.get"])).toContain(
      `  + permission a.b.get (undecided: roles/x of OLD may include it: ${why})`,
    );
  });

  it("does not hide what is known: the plan names what to grant and revoke", () => {
    const lines = text(["roles/x"], ["a.b.get"]);
    expect(lines).toContain("  grant ns/secret: permission a.b.get");
    expect(lines).toContain("  revoke from ns/secret: role roles/x");
  });

  it("is all that there is in a cloud without definitions", () => {
    const azure = (names: string[]) => account(names, { cloud: "Azure" });
    expect(diff([azure(["roles/large"])], [azure(["a.b.get"])]).verdict).toBe("both");
  });
});

describe("names", () => {
  it("are compared with their case, because Google lists names that differ only in it", () => {
    expect(report(["roles/small"], ["A.b.get"]).verdict).toBe("both");
  });

  it("are compared in any number: a full custom role, and more names than any role may have", () => {
    const many = (count: number, start: string) =>
      Array.from({ length: count }, (_, index) => `a.${start}${index}.get`);
    expect(report(["roles/large"], many(3000, "x")).identities[0]?.actions).toHaveLength(3004);
    const { verdict, identities } = report(
      ["roles/large", ...many(10_000, "y")],
      ["roles/small", ...many(10_000, "x")],
    );
    expect([verdict, identities[0]?.actions.length]).toEqual(["both", 20_002]);
    const hostile = report(["roles/large"], many(15_001, "x"));
    expect(hostile.verdict).toBe("both");
    const why = "there are too many permissions to compare";
    expect(changeLines(hostile.identities[0] as DescribedIdentity)).toEqual([
      `+ * (undecided: ${why})`,
      `- * (undecided: ${why})`,
    ]);
    expect(hostile.upgrade.after).toEqual(["apply the policy of NEW to ns/secret as a whole"]);
  });

  it("beside a field that cannot be read are compared, and the field is undecided", () => {
    const strange = (value: Value) => ({
      ...account(["roles/large"]),
      permissions: [
        ...literalGrants("role", ["roles/large"]),
        ...unreadFields({ conditions: value }).flatMap(undecidedGrants),
      ],
    });
    const { verdict, identities } = describedDiff(diff([strange("x")], [account(["a.b.get"])]));
    expect(verdict).toBe("both");
    expect(identities[0]?.actions.map(({ action }) => action)).toEqual([
      "*",
      "permission a.b.list",
      "permission a.c.get",
      "permission a.c.list",
    ]);
  });

  it("leave undecided what the field may allow, too", () => {
    const named = account(["a.b.get"]);
    const strange = { ...named, permissions: unreadFields({ conditions: "x" }).flatMap(undecidedGrants) };
    const both = { ...named, permissions: [...strange.permissions, ...literalGrants("role", ["roles/large"])] };
    for (const [old, now] of [
      [strange, account(["roles/large"])],
      [strange, both],
    ] as const) {
      const { certain, identities } = describedDiff(diff([old], [now]));
      expect(certain).toBe("none");
      expect(identities[0]?.roles?.added).toEqual([
        expect.objectContaining({ role: "roles/large", changed: 0, undecided: expect.any(Number) }),
      ]);
    }
  });
});

describe("another service account", () => {
  const at = (email: string, audience: string) => account(["roles/small"], { email, audience });

  it("is a change, with a plan for the account and the Secret", () => {
    const lines = diffText(describedDiff(diff([at("a@p", "//x")], [at("b@p", "//x")])));
    expect(lines).toEqual([
      "moved: GCP ns/secret (one)",
      "  ~ service account: a@p -> b@p",
      "",
      "Verdict, permissions only: none (1 moved).",
      "",
      "Before the upgrade:",
      "  create the service account b@p for ns/secret, with the permissions and the Kubernetes service accounts of NEW",
      "",
      "With the upgrade:",
      "  write the service account into the Secret ns/secret: b@p",
      "",
      "Only after the upgrade:",
      "  delete the service account a@p, which ns/secret no longer uses",
    ]);
  });

  it("or another audience is a change, and a request names neither", () => {
    const lines = diffText(describedDiff(diff([at("a@p", "//x")], [at("a@p", "//y")])));
    expect(lines).toContain("  ~ audience: //x -> //y");
    expect(lines).toContain("  write the audience into the Secret ns/secret: //y");
    expect(diff([at("a@p", "//x")], [account(["roles/small"])]).identities[0]?.change).toBe("none");
  });
});

describe("laws", () => {
  const name = fc.constantFrom("a.b.get", "a.b.list", "a.c.get", "a.d.get", ...definitions.keys(), "roles/x");
  const side = fc.uniqueArray(name, { maxLength: 5 });
  const expanded = (names: readonly string[]) =>
    new Set(names.flatMap((one) => definitions.get(one)?.permissions ?? [one]));

  it("without unknown roles, a change is what the sets of permissions say, in both directions", () => {
    const known = side.map((names) => names.filter((one) => one !== "roles/x"));
    fc.assert(
      fc.property(known, known, (old, now) => {
        const [before, after] = [expanded(old), expanded(now)];
        const only = (a: Set<string>, b: Set<string>) => [...a].filter((one) => !b.has(one)).sort();
        const actions = report(old, now).identities[0]?.actions ?? [];
        const of = (kind: string) =>
          actions.filter((one) => one.kind === kind).map(({ action }) => action.replace("permission ", ""));
        expect([of("added"), of("removed")]).toEqual([only(after, before), only(before, after)]);
      }),
    );
  });

  it("the way back is the mirror image, and the plan leads from the old names to the new ones", () => {
    const mirrored = {
      none: "none",
      narrowed: "broadened",
      broadened: "narrowed",
      both: "both",
      unknown: "unknown",
    } as const;
    fc.assert(
      fc.property(side, side, (old, now) => {
        const [there, back] = [report(old, now), report(now, old)];
        expect(back.verdict).toBe(mirrored[there.verdict]);
        const steps = there.identities[0]?.steps;
        const names = new Set(old.map((one) => `${one.includes("/") ? "role" : "permission"} ${one}`));
        for (const { kind, actions = [] } of [...(steps?.before ?? []), ...(steps?.after ?? [])]) {
          for (const action of actions) kind === "grant" ? names.add(action) : names.delete(action);
        }
        expect([...names].sort()).toEqual(
          now.map((one) => `${one.includes("/") ? "role" : "permission"} ${one}`).sort(),
        );
      }),
    );
  });

  it("a permission that is new is never missing because of a role whose definition is not known", () => {
    fc.assert(
      fc.property(side, side, (old, now) => {
        const [before, after] = [expanded(old), expanded(now)];
        const isMore = [...after].some((one) => !before.has(one));
        expect(["broadened", "both"].includes(report(old, now).verdict)).toBe(isMore);
      }),
    );
  });
});

describe("the definitions of predefined roles", () => {
  const [date = "", ...more] = readdirSync("src/clouds/gcp/roles");
  const known = predefinedRoles();

  it("are those of one month", () => {
    expect(date).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/);
    expect(more).toEqual([]);
    expect(new Set([...known.values()].map((definition) => definition.date))).toEqual(new Set([date]));
  });

  it.each(readdirSync(`src/clouds/gcp/roles/${date}`))("are all of %s", (file) => {
    const described = JSON.parse(readFileSync(`src/clouds/gcp/roles/${date}/${file}`, "utf8"));
    const read = readRole(described);
    if (typeof read === "string") throw new Error(read);
    expect(`roles/${file}`).toBe(`${read.names[0]}.json`);
    expect([...(known.get(read.names[0] ?? "")?.permissions ?? [])].sort()).toEqual(
      [...new Set(read.permissions)].sort(),
    );
  });
});

describe("a role on one resource", () => {
  const bucket = "//storage.googleapis.com/projects/_/buckets/b";
  const on = (resource: string, ...roles: string[]): CloudIdentity => {
    const permissions = literalGrants("role", roles).map((grant) => ({ ...grant, resources: [resource] }));
    return account([], { permissions });
  };
  const verdict = (old: CloudIdentity, now: CloudIdentity) => diff([old], [now]).verdict;

  it("allows nothing on others, whatever the role includes", () => {
    expect(verdict(on(bucket, "roles/large"), on("*", "roles/small"))).toBe("both");
    expect(verdict(on(bucket, "roles/large"), on(`${bucket}c`, "roles/small"))).toBe("both");
    expect(verdict(on(bucket, "roles/large"), on(bucket, "roles/small"))).toBe("narrowed");
    expect(verdict(on("*", "roles/large"), on(bucket, "roles/small"))).toBe("narrowed");
    expect(verdict(on(bucket, "roles/small"), on("*", "roles/small"))).toBe("broadened");
    expect(verdict(on(bucket, "roles/unknown"), on("*", "roles/small"))).toBe("both");
    expect(verdict(on(bucket, "roles/unknown"), on("*", "roles/unknown"))).toBe("broadened");
    expect(verdict(on("*", "roles/unknown"), on(bucket, "roles/unknown"))).toBe("narrowed");
    expect(verdict(on(bucket, "roles/unknown"), on(`${bucket}c`, "roles/unknown"))).toBe("both");
  });

  it("is shown with the resource", () => {
    const lines = diffText(describedDiff(diff([], [on(bucket, "roles/large", "roles/unknown")])));
    expect(lines).toContain(`  + role roles/unknown on ${bucket}`);
    expect(lines.find((line) => line.includes("roles/large"))).toContain(`+ role roles/large on ${bucket}`);
  });

  it("keeps the case of its name", () => {
    const known: RoleDefinitions = new Map([["roles/Own", { permissions: ["a.b.get"], file: "own.json" }]]);
    expect(diff([on(bucket, "roles/Own")], [on(bucket, "roles/own")], known).verdict).not.toBe("none");
  });
});
