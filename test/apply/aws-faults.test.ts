import { beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";
import { settled } from "../helpers/amazon/state.mjs";
import type { Seed, State, Value } from "../helpers/amazon/types.ts";
import { moments } from "../helpers/effort.ts";
import { cloudFrontOwnDomain, firstPhase, ownerTag, roles, s3Public } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { AwsCloud, type AwsFault } from "./aws-cloud.ts";
import { apply, destroy, exportedFiles, external, usual } from "./aws-engine.ts";
import { type Ended, isSuccess } from "./carried-out.ts";

// Thousands of runs, on machines that may be busy.
vi.setConfig({ testTimeout: 900_000 });

const cloud = new AwsCloud();
const packages = {
  S3Public: s3Public,
  "S3CloudFront, without a domain": firstPhase,
  S3CloudFront: cloudFrontOwnDomain,
  External: external,
};
const files = new Map<string, Map<string, string>>();

beforeAll(() => {
  pace.second = 0;
  for (const [name, change] of Object.entries(packages)) files.set(name, exportedFiles(change));
});

const faults: readonly AwsFault[] = [
  "throttled",
  "unavailable",
  "reset-before",
  "reset-after",
  "cut",
  "timed-out",
  "failed-after",
  "repeated",
];

/** Those that last: one of each sort, because the others of the sort have the same effect. */
const lastingFaults: readonly AwsFault[] = ["unavailable", "reset-after", "repeated"];

type Run = (files: ReadonlyMap<string, string>) => Promise<Ended>;

const plainApply: Run = (of) => apply(cloud, of);
const pruningApply: Run = (of) => apply(cloud, of, { ...usual, prune: true });

/** Runs something, however it ends. Resolves to whether it says that it succeeded. */
async function attempt(run: () => Promise<Ended>): Promise<boolean> {
  const ended = await run().catch((error: unknown) => {
    if (!(error instanceof CloudError)) throw error;
  });
  return ended !== undefined && isSuccess(ended);
}

/** Runs something until it succeeds: at most three times. */
async function finish(run: () => Promise<Ended>): Promise<void> {
  for (let again = 0; again < 3; again++) {
    const { failed } = await run();
    if (failed.length === 0) return;
    expect(again, JSON.stringify(failed.map(({ problem }) => problem))).toBeLessThan(2);
  }
}

/** A state with a change of nearly everything that a package states. */
function damaged(state: State): State {
  const [first, second] = roles;
  delete state.roles[second];
  const role = state.roles[first];
  if (role !== undefined) {
    Object.assign(role, { description: "x", maxSessionDuration: 7200 });
    role.inlinePolicies[first] = { Version: "2012-10-17", Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] };
    role.tags = role.tags.filter(({ Key }) => Key === ownerTag);
  }
  for (const { tags } of Object.values(state.providers)) tags.splice(0, 0, { Key: "team", Value: "a" });
  const bucket = state.buckets["demo-oidc"];
  if (bucket !== undefined) {
    delete bucket.policy;
    delete bucket.publicAccessBlock;
    delete bucket.objects["keys.json"];
    bucket.tags?.push({ Key: "team", Value: "a" });
  }
  for (const { config, tags } of Object.values(state.distributions))
    if (tags.some(({ Key }) => Key === ownerTag)) Object.assign(config, { Comment: "x", HttpVersion: "http1.1" });
  return state;
}

/** A state with things of the package that are no longer in it. */
function grown(state: State): State {
  const [first] = roles;
  const role = state.roles[first];
  if (role === undefined) return state;
  state.roles["demo-old"] = structuredClone(role);
  role.attachedPolicies.push("arn:aws:iam::aws:policy/ReadOnlyAccess");
  role.inlinePolicies["more"] = { Version: "2012-10-17", Statement: [] };
  for (const provider of Object.values(state.providers))
    if (provider.tags.some(({ Key }) => Key === ownerTag)) provider.clientIds.push("more");
  return state;
}

const cases: readonly (readonly [string, (healthy: State) => Seed, Run])[] = [
  ["a first apply", () => foreign, plainApply],
  ["a repair", damaged, plainApply],
  ["a removal of what is not in the package", grown, pruningApply],
  ["a destroy", (healthy) => healthy, (of) => destroy(cloud, of)],
];

describe.each(Object.keys(packages))("%s", (name) => {
  it.each(cases)("%s ends in the same state wherever it fails, and touches nothing foreign", async (_, seedOf, run) => {
    const of = files.get(name) ?? new Map<string, string>();
    const start = (seed: Seed) => cloud.reset(structuredClone(seed), { deployment: 1 });
    start(foreign);
    expect((await apply(cloud, of)).failed.map(({ problem }) => problem)).toEqual([]);
    const seed = structuredClone(seedOf(structuredClone(cloud.state)));
    start(seed);
    const first = await run(of);
    expect(first.failed.map(({ problem }) => problem)).toEqual([]);
    const [wanted, requests] = [essence(cloud.state), cloud.received.length];
    let count = 0;
    for (const how of faults) {
      for (const moment of moments(requests, { few: 4 })) {
        for (const lasting of lastingFaults.includes(how) ? [false, true] : [false]) {
          start(seed);
          cloud.fault = { at: moment - 1, how, lasting };
          const isDone = await attempt(() => run(of));
          cloud.fault = undefined;
          if (isDone) expect(essence(cloud.state), `success after ${how} at ${moment}`).toEqual(wanted);
          await finish(() => run(of));
          expect(essence(cloud.state), `${how} at ${moment}, lasting: ${lasting}`).toEqual(wanted);
          count++;
        }
      }
    }
    expect(count).toBeGreaterThan(40);
  });
});

/** A state without the references that were used, which nothing can take back. */
function essence(state: State): Value {
  const { callerReferences: _, ...rest } = settled(state);
  return rest;
}
