import { readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

let gcloud: StubGcloud;
let out: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  out = exportedGcp(
    { keyStorage: "Bucket", attributeCondition: "assertion.sub != 'a b' && true" },
    twoGcpRequests.slice(0, 1),
  );
});
afterAll(() => gcloud?.stop());

/** The commands that a script may call; busybox has no comm. */
const tools = "awk cat cmp cp cut date dirname grep head ls mkdir mv printf rm sed sleep sort tr".split(" ");

/** Each shell with another awk; the run that they are compared with has dash and mawk. */
const shells: readonly [name: string, tools: readonly string[], command: readonly string[], from: From][] = [
  ["bash --posix and gawk", ["bash", "gawk"], ["bash", "--posix"], { gawk: ["awk"] }],
  ["busybox sh with its own tools", ["busybox"], ["busybox", "sh"], { busybox: tools }],
];

/** The commands that a program is called by. */
type From = Readonly<Record<string, readonly string[]>>;

/** Applies, drifts, repairs and destroys: everything that was said, and what the project held in between. */
function life([shell = "", ...options]: readonly string[], from: From) {
  gcloud.reset();
  const work = temporary();
  const PATH = `${linked(from)}${delimiter}${gcloud.environment["PATH"]}`;
  const env = { CCF_WAIT: "0", TMPDIR: work, PATH };
  const script = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = gcloud.run(shell, [...options, join(out, "gcp", name), ...args], { env });
    return { status, stdout, stderr };
  };
  const first = [script("apply.sh"), script("status.sh")];
  const made = gcloud.state();
  drift();
  const repaired = [script("status.sh", "-o", "json"), script("apply.sh", "--prune")];
  const after = gcloud.state();
  const last = [script("destroy.sh"), script("destroy.sh", "--yes", "--delete-roles")];
  return { first, made, repaired, after, last, gone: gcloud.state(), left: readdirSync(work) };
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
  const state = gcloud.state();
  for (const account of Object.values(state.accounts)) account.policy.bindings = [];
  for (const role of Object.values(state.roles)) role.includedPermissions = ["compute.disks.get"];
  for (const bucket of Object.values(state.buckets)) delete bucket.objects["keys.json"];
  state.accounts["demo-gone@demo-project.iam.gserviceaccount.com"] = { description: "Owned by: demo" } as never;
  gcloud.reset(state);
  gcloud.put(["pools", "demo", "providers", "demo", "attributeCondition"], "assertion.sub == 'x=y,z'");
}

describeWith(["dash"], "every shell", () => {
  let expected: ReturnType<typeof life>;
  beforeAll(() => {
    expected = life(["dash"], {});
  });

  it("has a complete run to compare with", () => {
    const codes = (runs: readonly { status: number | null }[]) => runs.map(({ status }) => status);
    expect(codes(expected.first)).toEqual([0, 0]);
    expect(codes(expected.repaired)).toEqual([2, 0]);
    expect(codes(expected.last)).toEqual([1, 0]);
    expect(expected.after).toEqual(expected.made);
    expect(expected.gone).toMatchObject({ accounts: {}, buckets: {}, pools: { demo: { state: "DELETED" } } });
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
