import { readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StubAz } from "../../helpers/az-stub/index.ts";
import { exportedAzure } from "../../helpers/azure-administrator.ts";
import { oidcGroup, twoAzureRequests } from "../../helpers/azure-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

let az: StubAz;
let out: string;
beforeAll(async () => {
  az = await StubAz.start();
  out = exportedAzure(
    { issuerHosting: { uploadAuth: "key" }, tags: { team: "a 'b' \\c" } },
    twoAzureRequests.slice(0, 1),
  );
});
afterAll(() => az?.stop());

/** The commands that a script may call; busybox has no comm. */
const tools = "awk cat cmp cp cut date dirname grep head ls mkdir mv printf rm sed sleep sort tr wc".split(" ");

/** Each shell with another awk; the run that they are compared with has dash and mawk. */
const shells: readonly [name: string, tools: readonly string[], command: readonly string[], from: From][] = [
  ["bash --posix and gawk", ["bash", "gawk"], ["bash", "--posix"], { gawk: ["awk"] }],
  ["busybox sh with its own tools", ["busybox"], ["busybox", "sh"], { busybox: tools }],
];

/** The commands that a program is called by. */
type From = Readonly<Record<string, readonly string[]>>;

/** Applies, drifts, repairs and destroys: everything that was said, and what the subscription held in between. */
function life([shell = "", ...options]: readonly string[], from: From) {
  az.reset();
  const work = temporary();
  const PATH = `${linked(from)}${delimiter}${az.environment["PATH"]}`;
  const env = { CCF_WAIT: "0", TMPDIR: work, PATH };
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

function linked(from: From): string {
  const directory = temporary();
  for (const [program, commands] of Object.entries(from)) {
    const path = run("sh", ["-c", `command -v ${program}`]).stdout.trim();
    for (const command of commands) symlinkSync(path, join(directory, command));
  }
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

describeWith(["dash"], "every shell", () => {
  let expected: ReturnType<typeof life>;
  beforeAll(() => {
    expected = life(["dash"], {});
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

  for (const [name, needed, command, from] of shells) {
    describeWith(needed, name, () => {
      it("prints and does the same", () => {
        const given = life(command, from);
        for (const one of Object.values(given.after.identities)) delete one.tags["more"];
        expect(given).toEqual(expected);
      });
    });
  }
});
