import { readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StubAz } from "../../helpers/az-stub/index.ts";
import { exportedAzure } from "../../helpers/azure-administrator.ts";
import { oidcGroup } from "../../helpers/azure-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";

let az: StubAz;
let out: string;
beforeAll(async () => {
  az = await StubAz.start();
  out = exportedAzure({ issuerHosting: { uploadAuth: "key" }, tags: { team: "a 'b' \\c" } });
});
afterAll(() => az?.stop());

/** The commands that a script may call; busybox has no comm. */
const tools = "awk cat cmp cp cut date dirname grep head ls mkdir mv printf rm sed sleep sort tr wc".split(" ");

const shells: readonly [name: string, tool: string, command: readonly string[], applets: boolean][] = [
  ["dash", "dash", ["dash"], false],
  ["bash --posix", "bash", ["bash", "--posix"], false],
  ["busybox sh with its own tools", "busybox", ["busybox", "sh"], true],
];

/** Applies, drifts, repairs and destroys: everything that was said, and what the subscription held in between. */
function life([shell = "", ...options]: readonly string[], applets: boolean) {
  az.reset();
  const work = temporary();
  const env: NodeJS.ProcessEnv = { CCF_WAIT: "0", TMPDIR: work };
  if (applets) env["PATH"] = `${busybox()}${delimiter}${az.environment["PATH"]}`;
  const script = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = az.run(shell, [...options, join(out, "azure", name), ...args], { env });
    return { status, stdout: stdout.replaceAll(work, "WORK"), stderr };
  };
  const first = [script("apply.sh", "--identities", join(work, "identities")), script("status.sh")];
  const made = az.state();
  drift();
  const repaired = [script("status.sh", "-o", "json"), script("apply.sh", "--prune")];
  const after = az.state();
  const last = [script("destroy.sh"), script("destroy.sh", "--yes")];
  return { first, made, repaired, after, last, gone: az.state(), left: readdirSync(work) };
}

function busybox(): string {
  const directory = temporary();
  for (const tool of tools) symlinkSync("/bin/busybox", join(directory, tool));
  return directory;
}

/** Every kind of difference: what is missing, what differs, what is extra, and what belongs to a deleted identity. */
function drift(): void {
  const state = az.state();
  const [identity] = Object.values(state.identities);
  const owned = { ...identity?.tags };
  for (const one of Object.values(state.identities)) {
    one.credentials = { x: { issuer: "https://x", subject: "y", audiences: ["openshift"] } };
    one.tags = { ...owned, more: "of others" };
    delete one.tags["team"];
  }
  if (identity !== undefined) identity.principalId = "99999999-0000-4000-8000-000000000001";
  for (const role of Object.values(state.definitions)) role.permissions = [{ actions: ["*"] }];
  for (const account of Object.values(state.accounts)) {
    account.properties["allowBlobPublicAccess"] = false;
    for (const container of Object.values(account.containers)) container.publicAccess = "None";
  }
  const gone = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gone`;
  state.identities[gone.toLowerCase()] = { ...identity, id: gone, tags: owned } as never;
  az.reset(state);
}

describe("every shell", () => {
  let expected: ReturnType<typeof life>;
  beforeAll(() => {
    expected = life(["sh"], false);
  });

  it("has a complete run to compare with", () => {
    const codes = (runs: readonly { status: number | null }[]) => runs.map(({ status }) => status);
    expect(codes(expected.first), JSON.stringify(expected.first)).toEqual([0, 0]);
    expect(codes(expected.repaired), JSON.stringify(expected.repaired)).toEqual([2, 0]);
    expect(codes(expected.last)).toEqual([1, 0]);
    for (const one of Object.values(expected.after.identities)) delete one.tags["more"];
    expect(expected.after).toEqual(expected.made);
    expect(expected.gone).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
    expect(expected.left).toEqual(["identities"]);
  });

  for (const [name, tool, command, applets] of shells) {
    describeWith([tool], name, () => {
      it("prints and does the same", () => {
        const given = life(command, applets);
        for (const one of Object.values(given.after.identities)) delete one.tags["more"];
        expect(given).toEqual(expected);
      });
    });
  }
});
