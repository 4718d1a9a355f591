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

/** A kind of resource that may already exist. */
interface Kind {
  readonly kind: string;
  /** The start of its lines. */
  readonly text: () => string;
  /** The value for `--adopt`. */
  readonly name: () => string;
  readonly of: (state: State) => object | undefined;
  /** Removes the owner tag, or replaces it with that of another prefix. */
  readonly mark: (state: State, marks: { Key: string; Value: string }[]) => void;
  /** Its state after it has been adopted. */
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
    `refused       ${text()}: it already exists without the owner tag, so it is not touched. To adopt it, run: apply.sh --adopt ${name()}`;

  it("without the owner tag is not touched", () => {
    const before = marked(theirs);
    const { status, stderr, lines } = said(operator.apply());
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(lines).toContain(refusal());
    expect(lines.at(-1)).toMatch(/^\d+ changes?, \d refusals?; see above\.$/);
    expect(of(aws.state())).toEqual(before);
    const looked = said(operator.status());
    expect(looked.status).toBe(2);
    expect(looked.lines).toContain(refusal());
    // Roles that would trust it are skipped. Nothing trusts a role.
    const waits = "refused       roles: skipped, because part of the issuer that they would trust was refused";
    expect(lines.includes(waits)).toBe(kind !== "role");
  });

  it("is adopted if it is named, and keeps other tags", () => {
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
      lines: expect.arrayContaining(["No changes: the cloud matches the package."]),
    });
    expect(operator.status().status).toBe(0);
  });

  it("of another prefix is never adopted", () => {
    const before = marked(others, theirs);
    const { status, stderr, lines } = said(operator.apply("--adopt", name()));
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    // An access control has no tags, so its description decides.
    expect(lines).toContain(
      `refused       ${text()}: it has the owner tag of another resource prefix and cannot be adopted`,
    );
    expect(of(aws.state())).toEqual(before);
    expect(said(operator.status())).toMatchObject({ status: 2 });
  });

  it("is not deleted either", () => {
    const before = marked(theirs);
    const why = kind === "origin access control" ? "its description is not the owner tag" : "it has no owner tag";
    expect(said(operator.destroy("--yes")).lines).toContain(`kept          ${text()}: ${why}`);
    expect(of(aws.state())).toEqual(before);
  });
});

describe("a distribution", () => {
  it("with the same origin but without the owner tag is not touched, and a new one cannot have its domain", () => {
    const state = structuredClone(applied);
    const [id = ""] = Object.keys(state.distributions);
    Object.assign(state.distributions[id] ?? {}, { tags: [theirs] });
    aws.reset(state);
    const before = aws.state();
    const { status, lines } = said(operator.apply("--adopt", bucket));
    expect(status).toBe(1);
    expect(lines).toContain(
      `note          distribution ${id}: it has the same origin but not the owner tag, so it is not touched`,
    );
    expect(lines).toContain(
      `refused       distribution: the distribution with the domain ${host} does not exist, and a new one would get another domain. Remove distributionDomain from the configuration, then render, export and apply`,
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
      `refused       role ${role}: its path is /team/, but the package has /. IAM cannot move a role: keep the path, or delete the role first`,
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
      expect(stderr).toBe(`error: --adopt ${name}: the package has no role, bucket or provider with that name\n`);
      expect(aws.calls().map(({ operation }) => operation)).toEqual(["GetAccountAuthorizationDetails"]);
    },
  );

  it.each([["--adopt"], ["--adopt", ""], ["--remove-tag", ""]])("requires a name: %j", (...flags) => {
    aws.reset(applied);
    const stderr = `error: ${flags[0]} requires a value; see apply.sh --help\n`;
    expect(operator.apply(...flags)).toMatchObject({ status: 1, stdout: "", stderr });
    expect(aws.calls()).toEqual([]);
  });
});

describe("tags of another prefix on all existing resources", () => {
  it("stop everything: the prefix was changed after resources were created", () => {
    const other = new Operator(aws, exported(s3Public, "renamed"));
    // The same names, as if the user had named the bucket and the roles in the configuration.
    aws.reset({
      buckets: { "renamed-oidc": { tags: [{ Key: ownerTag, Value: "owned" }] } },
    });
    const before = aws.state();
    const { status, lines } = said(other.apply("--adopt", "renamed-oidc"));
    expect(status).toBe(1);
    expect(lines).toEqual([
      "refused       bucket renamed-oidc: it has the owner tag of another resource prefix and cannot be adopted",
      "refused       roles: skipped, because part of the issuer that they would trust was refused",
      "0 changes, 2 refusals; see above.",
    ]);
    expect(said(other.status())).toMatchObject({ status: 2 });
    expect(said(other.destroy("--yes"))).toMatchObject({
      status: 0,
      lines: ["kept          bucket renamed-oidc: it has no owner tag", "Nothing to delete."],
    });
    expect(aws.state()).toEqual(before);
  });
});
