import { describe, expect, it } from "vitest";
import { comparable } from "../../../src/cli/permissions/compare-sides.ts";
import type { CloudIdentity } from "../../../src/permissions/identity.ts";
import { decidedByCluster } from "../../../src/permissions/identity.ts";

const identity = (key: string, tokenPath: string | undefined = "/token"): CloudIdentity => ({
  ...decidedByCluster,
  cloud: "AWS",
  noun: "role",
  key,
  request: undefined,
  permissions: [],
  subjects: [],
  tokenPath,
});

const side = (isRendered: boolean, operators: readonly string[] = []) => ({
  isRendered,
  cloud: undefined,
  operators: new Set(operators),
  context: undefined,
  items: [],
  release: undefined,
  identities: () => ({ identities: [], findings: [] }),
});

type Sides = Parameters<typeof comparable>;

function compared(...[both, old, now]: Sides) {
  return comparable(both, old, now).map(({ identities, findings }) => ({
    keys: identities.map(({ key }) => key),
    findings: findings.map(({ severity, code }) => `${severity} ${code}`),
  }));
}

const only = (...identities: CloudIdentity[]) => ({ identities });

describe("two sides", () => {
  it("are compared without the roles of operators that a release cannot have", () => {
    const [a, b] = [identity("ns/a"), identity("op/b")];
    expect(compared([only(a, b), only(a)], side(true, ["op/b"]), side(false))).toEqual([
      { keys: ["ns/a"], findings: ["info operators-not-compared"] },
      { keys: ["ns/a"], findings: [] },
    ]);
    expect(compared([only(a), only(a, b)], side(false), side(true, ["op/b"]))).toEqual([
      { keys: ["ns/a"], findings: [] },
      { keys: ["ns/a"], findings: ["info operators-not-compared"] },
    ]);
  });

  it("are compared with the roles of operators that the other side has, or could have", () => {
    const [a, b] = [identity("ns/a"), identity("op/b")];
    const wholly = (keys: string[]) => ({ keys, findings: [] });
    expect(compared([only(a, b), only(a, b)], side(true, ["op/b"]), side(false))).toEqual([
      wholly(["ns/a", "op/b"]),
      wholly(["ns/a", "op/b"]),
    ]);
    expect(compared([only(a, b), only(a)], side(true, ["op/b"]), side(true))).toEqual([
      wholly(["ns/a", "op/b"]),
      wholly(["ns/a"]),
    ]);
  });

  it.each<[string, Sides[0], string[][]]>([
    ["OLD", [only(), only(identity("ns/a"))], [["error nothing-to-compare"], []]],
    ["NEW", [only(identity("ns/a")), only()], [[], ["error nothing-to-compare"]]],
  ])("cannot be compared where %s has nothing", (_, both, findings) => {
    expect(compared(both, side(false), side(false)).map((one) => one.findings)).toEqual(findings);
  });

  it("say nothing of where a token is, if one leaves that to the cluster and the other does not", () => {
    const [[asked] = [], [made] = []] = comparable(
      [only(identity("ns/a", "")), only(identity("ns/a", "/token"))],
      side(false),
      side(true),
    ).map(({ identities }) => identities);
    expect([asked?.tokenPath, made?.tokenPath]).toEqual([undefined, "/token"]);
    const [[both] = []] = comparable(
      [only(identity("ns/a", "")), only(identity("ns/a", ""))],
      side(false),
      side(false),
    ).map(({ identities }) => identities);
    expect(both?.tokenPath).toBe("");
  });
});
