import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Seed, type State, StubAws } from "../helpers/aws-stub/index.ts";
import {
  bucket,
  cloudFront,
  cloudFrontOwnDomain,
  copied,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownerTag,
  providerArn,
  publicHost,
  roles,
} from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { drifted } from "./drift.ts";

// Many runs.
vi.setConfig({ testTimeout: 600_000 });

let aws: StubAws;
let out: string;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  out = exported();
  aws.reset(foreign);
  expect(new Operator(aws, out).apply()).toMatchObject({ status: 0 });
  applied = aws.state();
});
afterAll(() => aws?.stop());

/** The numbers in the last line. */
function counts(stdout: string): string {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (last.startsWith("No change")) return "0";
  return last.match(/\d+/g)?.join(" ") ?? last;
}

/** Checks that a run does what the dry run announced, and that a second run does nothing. */
function expectSame(operator: Operator, state: Seed, ...flags: string[]): string {
  const { announced, done } = expectAnnounced(operator, state, ...flags);
  if (done.status === 0) expect(counts(operator.apply().stdout)).toBe("0");
  return announced;
}

/** Checks that a run does what the dry run announced. */
function expectAnnounced(operator: Operator, state: Seed, ...flags: string[]) {
  aws.reset(state);
  const dry = operator.apply("--dry-run", ...flags);
  const before = aws.state();
  aws.reset(state);
  expect(before).toEqual(aws.state());
  const done = operator.apply(...flags);
  const announced = counts(dry.stdout);
  expect(announced, `${dry.stdout}${dry.stderr}\n${done.stdout}${done.stderr}`).toBe(counts(done.stdout));
  const kinds = (text: string, would: RegExp) => text.match(would)?.length ?? 0;
  expect(kinds(dry.stdout, /^would \w+/gm)).toBe(kinds(done.stdout, /^(?:created|changed|removed) /gm));
  expect(announced.split(" ")[0]).toBe(String(kinds(done.stdout, /^(?:created|changed|removed) /gm)));
  expect(dry.status).toBe(done.status === 0 ? (announced === "0" ? 0 : 2) : 1);
  return { announced, done };
}

const edited = (edit: (state: State) => void): State => {
  const state = structuredClone(applied);
  edit(state);
  return state;
};
const theirs = [{ Key: "team", Value: "x" }];
const others = [{ Key: "openshift.io/cloud-credential-operator/other", Value: "owned" }];
const [first] = roles;

describe("apply.sh --dry-run and apply.sh count the same", () => {
  it("for the first run", () => {
    expect(expectSame(new Operator(aws, out), {})).toBe("6");
    expect(expectSame(new Operator(aws, out), foreign)).toBe("6");
  });

  it("for no changes, and for everything that was changed by hand", () => {
    expect(expectSame(new Operator(aws, out), applied)).toBe("0");
    expect(Number(expectSame(new Operator(aws, out), drifted(applied)))).toBeGreaterThan(10);
  });

  it.each<[string, (state: State) => void, string[]]>([
    ["no bucket", ({ buckets }) => void delete buckets[bucket], []],
    ["no provider", ({ providers }) => void delete providers[providerArn(publicHost)], []],
    ["no role", ({ roles: all }) => void delete all[first], []],
    ["no documents", ({ buckets }) => void Object.assign(buckets[bucket] ?? {}, { objects: {} }), []],
    ["a bucket without policy", ({ buckets }) => void delete buckets[bucket]?.policy, []],
    ["a bucket of others", ({ buckets }) => void Object.assign(buckets[bucket] ?? {}, { tags: others }), []],
    [
      "a bucket without the owner tag",
      ({ buckets }) => void Object.assign(buckets[bucket] ?? {}, { tags: theirs }),
      [],
    ],
    [
      "a provider without the owner tag",
      ({ providers }) => void Object.assign(providers[providerArn(publicHost)] ?? {}, { tags: theirs }),
      [],
    ],
    ["a role without the owner tag", ({ roles: all }) => void Object.assign(all[first] ?? {}, { tags: theirs }), []],
    ["a role with another path", ({ roles: all }) => void Object.assign(all[first] ?? {}, { path: "/x/" }), []],
    [
      "an adopted resource that loses a tag",
      ({ buckets, providers, roles: all }) => {
        for (const one of [buckets[bucket], providers[providerArn(publicHost)], all[first]])
          Object.assign(one ?? {}, { tags: theirs });
      },
      ["--adopt", bucket, "--adopt", publicHost, "--adopt", first, "--remove-tag", "team"],
    ],
    [
      "a refused role, which keeps its tag",
      ({ roles: all }) => void Object.assign(all[first] ?? {}, { tags: theirs }),
      ["--remove-tag", "team"],
    ],
    [
      "roles that are removed",
      ({ roles: all }) => {
        all["demo-former"] = { ...(all[first] as State["roles"][string]) };
        all["demo-theirs"] = { ...(all[first] as State["roles"][string]), tags: theirs };
      },
      ["--prune"],
    ],
  ])("for %s", (_, edit, flags) => {
    // That another run makes no changes is in faults-public.test.ts.
    expectAnnounced(new Operator(aws, out), edited(edit), ...flags);
  });

  it("for the state that a killed run leaves", () => {
    const operator = new Operator(aws, copied(out));
    let left: Seed = {};
    for (let run = 0; run < 50; run++) {
      aws.reset(left);
      aws.failChanges(["killed-after"]);
      const { status, signal } = operator.apply();
      if (signal === null) {
        expect({ status, run: run > 5 }).toEqual({ status: 0, run: true });
        return;
      }
      left = aws.state();
      if (run % 2 === 0) expectAnnounced(new Operator(aws, copied(operator.out)), left);
    }
    throw new Error("it never ended");
  });

  it("for distributions", () => {
    for (const change of [firstPhase, cloudFrontOwnDomain]) expectSame(new Operator(aws, exported(change)), foreign);
    aws.reset();
    const domain = domainIn(new Operator(aws, exported(firstPhase)).apply());
    const begun = aws.state();
    const operator = new Operator(aws, exported(cloudFront(domain)));
    expectSame(operator, begun);
    const made = aws.state();
    const bind = (state: State, id: string) => {
      for (const { config } of Object.values(state.distributions)) config.Origins.Items[0].OriginAccessControlId = id;
    };
    const without = (...parts: (keyof State)[]) => {
      const state = structuredClone(made);
      for (const part of parts) Object.assign(state, { [part]: {} });
      // The stand-in reuses an ID, unlike AWS.
      if (parts.includes("originAccessControls")) bind(state, "EGONE");
      return state;
    };
    const cases = [
      without("buckets"),
      without("originAccessControls"),
      without("buckets", "originAccessControls"),
      without("distributions"),
      without("providers", "roles"),
    ];
    const unbound = without("originAccessControls");
    bind(unbound, "");
    const unmarked = structuredClone(made);
    for (const { config } of Object.values(unmarked.originAccessControls)) config.Description = "by hand";
    for (const state of [...cases, unbound, unmarked]) expectAnnounced(operator, state);
    expectSame(new Operator(aws, exported(firstPhase)), { ...begun, distributions: {} });
    expect(Object.values(aws.state().distributions)[0]?.tags).toContainEqual({ Key: ownerTag, Value: "owned" });
  });
});
