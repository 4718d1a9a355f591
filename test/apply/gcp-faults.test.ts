import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";
import { moments } from "../helpers/effort.ts";
import { settled } from "../helpers/google/state.mjs";
import type { Seed, State, Value } from "../helpers/google/types.ts";
import type { Fault } from "./azure-cloud.ts";
import { type Ended, isSuccess } from "./carried-out.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import { apply, destroy, exportedFiles, usual } from "./gcp-engine.ts";

// Thousands of runs, on machines that may be busy.
vi.setConfig({ testTimeout: 900_000 });

let cloud: GcpCloud;
let files: Map<string, string>;

const others: Seed = {
  policy: {
    bindings: [
      { role: "roles/viewer", members: ["user:kim@example.com"] },
      { role: "roles/dns.admin", members: ["user:lee@example.com"], condition: { title: "t", expression: "false" } },
    ],
  },
  pools: { other: { description: "Owned by: demo-2" } },
  accounts: { "other@demo-project.iam.gserviceaccount.com": { description: "Owned by: demo-2" } },
  roles: { other: { description: "Owned by: demo-2", includedPermissions: ["compute.disks.get"] } },
  buckets: { other: { labels: { team: "a" } } },
};

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  files = exportedFiles({ keyStorage: "Bucket" }, [
    {
      namespace: "openshift-image-registry",
      secret: "installer-cloud-credentials",
      serviceAccounts: ["registry"],
      predefinedRoles: ["roles/storage.admin"],
      permissions: ["storage.buckets.get"],
    },
  ]);
});
afterAll(() => cloud.stop());

const faults: readonly Fault[] = ["throttled", "unavailable", "reset-before", "reset-after", "cut", "failed-after"];

/** Those that last: one of each sort, because the others of the sort have the same effect. */
const lastingFaults: readonly Fault[] = ["unavailable", "reset-after"];

/** Every fault at every request, or at a few of them; some of them also until the run ends. */
function interruptions(requests: number) {
  return faults.flatMap((how) =>
    moments(requests, { few: 6 }).flatMap((moment) =>
      (lastingFaults.includes(how) ? [false, true] : [false]).map((lasting) => ({ how, moment, lasting })),
    ),
  );
}

/** Runs something, however it ends. Resolves to whether it says that it succeeded. */
async function attempt(run: () => Promise<Ended>): Promise<boolean> {
  const ended = await run().catch((error: unknown) => {
    if (!(error instanceof CloudError)) throw error;
  });
  return ended !== undefined && isSuccess(ended);
}

/** What a state is without what deletions leave behind for some days. */
function essence(state: State): Value {
  const copy = structuredClone(state);
  for (const bucket of Object.values(copy.buckets)) delete bucket.softDeleted;
  return settled(copy);
}

/** A state that a fault may be in the way of: deleted resources that Google can restore, and changed ones. */
function damaged(healthy: State): Seed {
  const state = structuredClone(healthy);
  const [pool] = Object.values(state.pools).filter(({ description }) => description === "Owned by: demo") as [Value];
  pool.state = "DELETED";
  for (const one of Object.values(state.roles)) if (one.description === "Owned by: demo") one.deleted = true;
  for (const one of Object.values(state.accounts)) if (one.description === "Owned by: demo") one.disabled = true;
  for (const [name, one] of Object.entries(state.buckets))
    if (name !== "other") one.policy = { bindings: [], changes: 0 };
  return state as Seed;
}

describe.each([
  ["a first apply", (): Seed => others, apply],
  ["a repair", damaged, apply],
  [
    "a removal of what is not in the package",
    (healthy: State): Seed => {
      const state = structuredClone(healthy);
      const email = "demo-old-0000000@demo-project.iam.gserviceaccount.com";
      state.accounts[email] = { ...(Object.values(state.accounts).at(-1) as Value), uniqueId: "1" };
      state.policy.bindings.push({ role: "roles/old", members: [`serviceAccount:${email}`] });
      return state as Seed;
    },
    (on: GcpCloud, of: Map<string, string>) => apply(on, of, { ...usual, prune: true }),
  ],
  [
    "a destroy",
    (healthy: State): Seed => healthy as Seed,
    (on: GcpCloud, of: Map<string, string>) => destroy(on, of, true),
  ],
] as const)("%s", (_, seedOf, run) => {
  it("ends in the same state wherever it fails, and touches nothing foreign", async () => {
    cloud.reset(others);
    expect((await apply(cloud, files)).failed).toEqual([]);
    const seed = structuredClone(seedOf(structuredClone(cloud.state)));
    cloud.reset(seed);
    const first = await run(cloud, files);
    expect(first.failed.map(({ problem }) => problem)).toEqual([]);
    const [wanted, requests] = [essence(cloud.state), cloud.received.length];
    const { accountsMade } = cloud.state;
    const count = { runs: 0 };
    for (const { how, moment, lasting } of interruptions(requests)) {
      cloud.reset(structuredClone(seed));
      cloud.fault = { at: moment - 1, how, lasting };
      const isDone = await attempt(() => run(cloud, files));
      cloud.fault = undefined;
      if (isDone) expect(essence(cloud.state), `success after ${how} at ${moment}`).toEqual(wanted);
      for (let again = 0; again < 3; again++) {
        const { failed } = await run(cloud, files);
        if (failed.length === 0) break;
        expect(again, JSON.stringify(failed.map(({ problem }) => problem))).toBeLessThan(2);
      }
      expect(essence(cloud.state), `${how} at ${moment}, lasting: ${lasting}`).toEqual(wanted);
      expect(cloud.state.accountsMade).toBe(accountsMade);
      count.runs++;
    }
    expect(count.runs).toBeGreaterThan(40);
  });
});
