import { readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { awsOf, oneRequest } from "../helpers/cluster-package.ts";
import { exports } from "../helpers/exported.ts";
import { describeWith } from "../helpers/need.ts";
import { run } from "../helpers/programs.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const fresh = exports((spec) => {
  awsOf(spec)["tags"] = { Team: "a b", "x=y": "1" };
}, oneRequest);

/** The commands that a script may call; busybox has no comm. */
const tools = "awk cat cmp cp cut date dirname grep head ls mkdir mv printf rm sed sleep sort tr".split(" ");

/** Each shell with another awk; the run that they are compared with has dash and mawk. */
const shells: readonly [name: string, tools: readonly string[], command: readonly string[], from: From][] = [
  ["bash and gawk", ["bash", "gawk"], ["bash"], { gawk: ["awk"] }],
  ["bash --posix and original-awk", ["bash", "original-awk"], ["bash", "--posix"], { "original-awk": ["awk"] }],
  ["busybox sh with its own tools", ["busybox"], ["busybox", "sh"], { busybox: tools }],
];

/** The commands that a program is called by. */
type From = Readonly<Record<string, readonly string[]>>;

/** Applies, drifts, repairs and destroys: everything that was said, and what the account held in between. */
function life([shell = "", ...options]: readonly string[], from: From) {
  aws.reset();
  const directory = fresh();
  const work = temporary();
  const env = { CCF_WAIT: "0", TMPDIR: work, PATH: `${linked(from)}${delimiter}${aws.environment["PATH"]}` };
  const script = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = aws.run(shell, [...options, join(directory, name), ...args], { env });
    return { status, stdout, stderr };
  };
  const first = [script("apply.sh", "--dry-run"), script("apply.sh"), script("status.sh", "-o", "json")];
  const made = aws.state();
  drift();
  const repaired = [script("status.sh"), script("apply.sh", "--prune", "--remove-tag", "Old")];
  const after = aws.state();
  const last = [script("destroy.sh"), script("destroy.sh", "--yes")];
  return { first, made, repaired, after, last, gone: aws.state(), left: readdirSync(work) };
}

function linked(from: From): string {
  const directory = temporary();
  for (const [program, commands] of Object.entries(from)) {
    const path = run("sh", ["-c", `command -v ${program}`]).stdout.trim();
    for (const command of commands) symlinkSync(path, join(directory, command));
  }
  return directory;
}

function drift(): void {
  const { roles, buckets, providers } = aws.state();
  const tag = { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" };
  for (const role of Object.values(roles)) {
    role.description = "drift";
    role.inlinePolicies["extra"] = { Version: "2012-10-17", Statement: [] };
    role.attachedPolicies.push("arn:aws:iam::aws:policy/ReadOnlyAccess");
    role.trustPolicy.Statement[0].Effect = "Deny";
    role.tags.push({ Key: "Old", Value: "1" });
  }
  for (const bucket of Object.values(buckets)) {
    bucket.policy = JSON.stringify({ Version: "2012-10-17", Statement: [] });
    delete bucket.objects["keys.json"];
  }
  for (const provider of Object.values(providers)) provider.clientIds = ["other"];
  const other = { trustPolicy: { Version: "2012-10-17", Statement: [] }, tags: [tag] };
  aws.change({ buckets, providers, roles: { ...roles, "demo-gone": other } });
}

describeWith(["dash"], "every shell", () => {
  let expected: ReturnType<typeof life>;
  beforeAll(() => {
    expected = life(["dash"], {});
  });

  it("has a complete run to compare with", () => {
    const codes = (runs: readonly { status: number | null }[]) => runs.map(({ status }) => status);
    expect(codes(expected.first)).toEqual([2, 0, 0]);
    expect(codes(expected.repaired)).toEqual([2, 0]);
    expect(codes(expected.last)).toEqual([1, 0]);
    expect(expected.after).toEqual(expected.made);
    expect(expected.gone).toMatchObject({ roles: {}, buckets: {}, providers: {} });
    expect(expected.left).toEqual([]);
  });

  for (const [name, needed, command, from] of shells) {
    describeWith(needed, name, () => {
      it("prints and does the same", () => {
        expect(life(command, from)).toEqual(expected);
      });
    });
  }
});
