import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";

import { settled } from "../helpers/arm/state.mjs";
import type { Seed, State, Value } from "../helpers/arm/types.ts";
import { moments } from "../helpers/effort.ts";
import { AzureCloud, type Fault } from "./azure-cloud.ts";
import { apply, destroy, exportedFiles, usual } from "./azure-engine.ts";
import { type Ended, isSuccess } from "./carried-out.ts";

// Thousands of runs, on machines that may be busy.
vi.setConfig({ testTimeout: 900_000 });

let cloud: AzureCloud;
let files: Map<string, string>;

const others: Seed = {
  groups: { "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/other": { tags: { a: "b" } } },
  definitions: {
    "88888888-0000-4000-8000-000000000000": {
      roleName: "other",
      description: "Custom role for OpenShift. Owned by: demo-2",
    },
  },
  principals: ["77777777-0000-4000-8000-000000000000"],
  assignments: {
    "/subscriptions/22222222-2222-2222-2222-222222222222/providers/Microsoft.Authorization/roleAssignments/66666666-0000-4000-8000-000000000000":
      {
        role: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
        principalId: "77777777-0000-4000-8000-000000000000",
      },
  },
};

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  files = exportedFiles({}, [
    {
      namespace: "openshift-image-registry",
      secret: "installer-cloud-credentials",
      serviceAccounts: ["registry"],
      permissions: ["Microsoft.Storage/storageAccounts/read"],
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

/** What a state is without its history. Azure goes on deleting a group, whether or not a run waits for the end. */
function essence(state: State): Value {
  const staying = Object.entries(state.groups).filter(([, { deleting }]) => deleting === undefined);
  return settled({ ...state, groups: Object.fromEntries(staying) });
}

/** A state that a fault may be in the way of: an identity that was created again, and what it left behind. */
function damaged(healthy: State): Seed {
  const state = structuredClone(healthy);
  const [id] = Object.keys(state.identities) as [string];
  delete state.identities[id];
  for (const account of Object.values(state.accounts)) account.properties.allowBlobPublicAccess = false;
  for (const one of Object.values(state.definitions))
    if (one.roleName !== "other") one.permissions = [{ actions: ["*"] }];
  return state as Seed;
}

const extra = {
  role: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
  scope: "/subscriptions/22222222-2222-2222-2222-222222222222",
  principalType: "ServicePrincipal",
};

describe.each([
  ["a first apply", (): Seed => others, apply],
  ["a repair", damaged, apply],
  [
    "a removal of what is not in the package",
    (healthy: State): Seed => {
      const state = structuredClone(healthy);
      const [identity] = Object.values(state.identities) as [Value];
      identity.credentials.old = { issuer: "https://old.example", subject: "s", audiences: ["openshift"] };
      const name = "55555555-0000-4000-8000-000000000000";
      state.assignments[`${extra.scope}/providers/microsoft.authorization/roleassignments/${name}`] = {
        ...extra,
        name,
        principalId: identity.principalId,
      };
      return state as Seed;
    },
    (on: AzureCloud, of: Map<string, string>) => apply(on, of, { ...usual, prune: true }),
  ],
  ["a destroy", (healthy: State): Seed => healthy as Seed, destroy],
] as const)("%s", (_, seedOf, run) => {
  it("ends in the same state wherever it fails, and touches nothing foreign", async () => {
    cloud.reset(others);
    expect((await apply(cloud, files)).failed).toEqual([]);
    const seed = structuredClone(seedOf(structuredClone(cloud.state)));
    cloud.reset(seed);
    expect((await run(cloud, files)).failed).toEqual([]);
    const [wanted, requests] = [essence(cloud.state), cloud.received.length];
    const made = cloud.state.identitiesMade;
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
      expect(cloud.state.identitiesMade).toBe(made);
      count.runs++;
    }
    expect(count.runs).toBeGreaterThan(40);
  });
});
