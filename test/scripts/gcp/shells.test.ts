import { readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { exportedGcp } from "../../helpers/gcp-administrator.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";

let gcloud: StubGcloud;
let out: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  out = exportedGcp({ keyStorage: "Bucket", attributeCondition: "assertion.sub != 'a b' && true" });
});
afterAll(() => gcloud?.stop());

/** The commands that a script may call; busybox has no comm. */
const tools = "awk cat cmp cp cut date dirname grep head ls mkdir mv printf rm sed sleep sort tr".split(" ");

const shells: readonly [name: string, tool: string, command: readonly string[], applets: boolean][] = [
  ["dash", "dash", ["dash"], false],
  ["bash --posix", "bash", ["bash", "--posix"], false],
  ["busybox sh with its own tools", "busybox", ["busybox", "sh"], true],
];

/** Applies, drifts, repairs and destroys: everything that was said, and what the project held in between. */
function life([shell = "", ...options]: readonly string[], applets: boolean) {
  gcloud.reset();
  const work = temporary();
  const env: NodeJS.ProcessEnv = { CCF_WAIT: "0", TMPDIR: work };
  if (applets) env["PATH"] = `${busybox()}${delimiter}${gcloud.environment["PATH"]}`;
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

function busybox(): string {
  const directory = temporary();
  for (const tool of tools) symlinkSync("/bin/busybox", join(directory, tool));
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

describe("every shell", () => {
  let expected: ReturnType<typeof life>;
  beforeAll(() => {
    expected = life(["sh"], false);
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

  for (const [name, tool, command, applets] of shells) {
    describeWith([tool], name, () => {
      it("prints and does the same", () => {
        expect(life(command, applets)).toEqual(expected);
      });
    });
  }
});
