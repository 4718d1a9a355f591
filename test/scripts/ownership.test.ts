import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import {
  bucket,
  cloudFront,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownerTag,
  providerArn,
  roles,
  s3Public,
  said,
} from "../helpers/exported-package.ts";

let aws: StubAws;
let operator: Operator;
let applied: State;
let host: string;
beforeAll(async () => {
  aws = await StubAws.start();
  host = domainIn(new Operator(aws, exported(firstPhase)).apply());
  operator = new Operator(aws, exported(cloudFront(host)));
  expect(operator.apply()).toMatchObject({ status: 0 });
  applied = aws.state();
});
afterAll(() => aws?.stop());

const theirs = { Key: "team", Value: "platform" };
const others = { Key: "openshift.io/cloud-credential-operator/other", Value: "owned" };
const own = [
  { Key: ownerTag, Value: "owned" },
  { Key: "Name", Value: "demo" },
];

/** A kind of thing that may be there already. */
interface Kind {
  readonly kind: string;
  /** How its lines begin. */
  readonly text: () => string;
  /** What `--adopt` takes. */
  readonly name: () => string;
  readonly of: (state: State) => object | undefined;
  /** Lets it be without the owner's mark, or with that of another. */
  readonly mark: (state: State, marks: { Key: string; Value: string }[]) => void;
  /** What it is when it has been taken over. */
  readonly taken: object;
}

const control = (state: State) => Object.values(state.originAccessControls)[0];
const [role] = roles;

const kinds: readonly Kind[] = [
  {
    kind: "role",
    text: () => `role ${role}`,
    name: () => role,
    of: ({ roles }) => roles[role],
    mark: ({ roles }, marks) => Object.assign(roles[role] ?? {}, { tags: marks, description: "by hand" }),
    taken: { tags: [...own, theirs].sort((a, b) => (a.Key < b.Key ? -1 : 1)) },
  },
  {
    kind: "provider",
    text: () => `provider ${host}`,
    name: () => host,
    of: ({ providers }) => providers[providerArn(host)],
    mark: ({ providers }, marks) =>
      Object.assign(providers[providerArn(host)] ?? {}, { tags: marks, clientIds: ["x"] }),
    taken: { tags: [...own, theirs].sort((a, b) => (a.Key < b.Key ? -1 : 1)) },
  },
  {
    kind: "bucket",
    text: () => `bucket ${bucket}`,
    name: () => bucket,
    of: ({ buckets }) => buckets[bucket],
    mark: ({ buckets }, marks) => Object.assign(buckets[bucket] ?? {}, { tags: marks, objects: {} }),
    taken: { tags: [...own, theirs].sort((a, b) => (a.Key < b.Key ? -1 : 1)) },
  },
  {
    kind: "origin access control",
    text: () => `origin access control ${bucket}`,
    name: () => bucket,
    of: control,
    mark: (state, [mark]) => {
      const config = control(state)?.config;
      config.Description = mark?.Key === others.Key ? others.Key : "by hand";
      config.SigningBehavior = "never";
    },
    taken: { config: expect.objectContaining({ Description: ownerTag, SigningBehavior: "always" }) },
  },
];

describe.each(kinds)("a $kind that is there already", ({ kind, text, name, of, mark, taken }) => {
  const marked = (...marks: { Key: string; Value: string }[]) => {
    const state = structuredClone(applied);
    mark(state, marks);
    aws.reset(state);
    return of(aws.state());
  };
  const refusal = () =>
    `refused       ${text()}: it is there already, without the owner tag, and is not touched. To take it over: apply.sh --adopt ${name()}`;

  it("without the owner tag is not touched", () => {
    const before = marked(theirs);
    const { status, stderr, lines } = said(operator.apply());
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(lines).toContain(refusal());
    expect(lines.at(-1)).toMatch(/^\d+ changes?, and \d things? refused: see above\.$/);
    expect(of(aws.state())).toEqual(before);
    const looked = said(operator.status());
    expect(looked.status).toBe(2);
    expect(looked.lines).toContain(refusal());
    // What would trust it waits; a role has nobody who does.
    const waits = "refused       roles: not looked at, because what they would trust is not right";
    expect(lines.includes(waits)).toBe(kind !== "role");
  });

  it("is taken over when it is named, and keeps the tags of others", () => {
    marked(theirs);
    const dry = said(operator.apply("--dry-run", "--adopt", name()));
    expect(dry.status).toBe(2);
    const { status, stderr, lines } = said(operator.apply("--adopt", name()));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines).toContain(`adopted       ${text()}: it has no owner tag yet`);
    expect(lines.filter((line) => line.startsWith("              package  ")).length).toBeGreaterThan(0);
    expect(of(aws.state())).toMatchObject(taken);
    expect(said(operator.apply())).toMatchObject({
      status: 0,
      lines: expect.arrayContaining(["No change: the cloud is what the package says."]),
    });
    expect(operator.status().status).toBe(0);
  });

  it("of another prefix is never taken", () => {
    const before = marked(others, theirs);
    const { status, stderr, lines } = said(operator.apply("--adopt", name()));
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    // An access control has no tags, so that its description decides.
    expect(lines).toContain(
      `refused       ${text()}: it carries the owner tag of another resource prefix, and cannot be taken over`,
    );
    expect(of(aws.state())).toEqual(before);
    expect(said(operator.status())).toMatchObject({ status: 2 });
  });

  it("is not deleted either", () => {
    const before = marked(theirs);
    const why = kind === "origin access control" ? "its description is not the owner tag" : "it has no owner tag";
    expect(said(operator.destroy("--yes")).lines).toContain(`left          ${text()}: ${why}`);
    expect(of(aws.state())).toEqual(before);
  });
});

describe("a distribution", () => {
  it("that has the same origin without the owner tag is left alone, and another cannot have its domain", () => {
    const state = structuredClone(applied);
    const [id = ""] = Object.keys(state.distributions);
    Object.assign(state.distributions[id] ?? {}, { tags: [theirs] });
    aws.reset(state);
    const before = aws.state();
    const { status, lines } = said(operator.apply("--adopt", bucket));
    expect(status).toBe(1);
    expect(lines).toContain(
      `note          distribution ${id}: it has the same origin, but not the owner tag, and is not touched`,
    );
    expect(lines).toContain(
      `refused       distribution: the one with the domain ${host} is not there, and a new one gets another domain. Take distributionDomain out of the configuration, render, export and apply`,
    );
    expect(aws.state()).toEqual(before);
    expect(operator.status().status).toBe(2);
    expect(aws.calls().filter(({ changes }) => changes)).toEqual([]);
  });
});

describe("a role", () => {
  it("with another path is not moved", () => {
    const state = structuredClone(applied);
    Object.assign(state.roles[role] ?? {}, { path: "/team/" });
    aws.reset(state);
    const { status, lines } = said(operator.apply());
    expect(status).toBe(1);
    expect(lines).toContain(
      `refused       role ${role}: its path is /team/, and the package's is /. IAM cannot move a role: keep the path, or delete the role first`,
    );
    expect(aws.state().roles[role]).toEqual(state.roles[role]);
    expect(operator.status().status).toBe(2);
  });
});

describe("--adopt", () => {
  it.each(["demo-none", "DEMO-OIDC", `${role}x`])(
    "of the name %j, which the package does not have, stops before anything",
    (name) => {
      aws.reset(applied);
      const { status, stdout, stderr } = operator.apply("--adopt", name);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toBe(`error: --adopt ${name}: the package has no role, bucket or provider of that name\n`);
      expect(aws.calls().map(({ operation }) => operation)).toEqual(["GetAccountAuthorizationDetails"]);
    },
  );

  it.each([["--adopt"], ["--adopt", ""], ["--remove-tag", ""]])("needs a name: %j", (...flags) => {
    aws.reset(applied);
    const stderr = `error: ${flags[0]} needs a value; see apply.sh --help\n`;
    expect(operator.apply(...flags)).toMatchObject({ status: 1, stdout: "", stderr });
    expect(aws.calls()).toEqual([]);
  });
});

describe("tags of another prefix on all that is there", () => {
  it("stop everything: the prefix was changed after something was made", () => {
    const other = new Operator(aws, exported(s3Public, "renamed"));
    // The same names, as if somebody had given the bucket and the roles by hand.
    aws.reset({
      buckets: { "renamed-oidc": { tags: [{ Key: ownerTag, Value: "owned" }] } },
    });
    const before = aws.state();
    const { status, lines } = said(other.apply("--adopt", "renamed-oidc"));
    expect(status).toBe(1);
    expect(lines).toEqual([
      "refused       bucket renamed-oidc: it carries the owner tag of another resource prefix, and cannot be taken over",
      "refused       roles: not looked at, because what they would trust is not right",
      "0 changes, and 2 things refused: see above.",
    ]);
    expect(said(other.status())).toMatchObject({ status: 2 });
    expect(said(other.destroy("--yes"))).toMatchObject({
      status: 0,
      lines: ["left          bucket renamed-oidc: it has no owner tag", "Nothing to delete."],
    });
    expect(aws.state()).toEqual(before);
  });
});
