import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { gcpResources, kinds, nameOf } from "../../src/clouds/gcp/resources.ts";
import { runs } from "../helpers/effort.ts";
import type { Seed, State, Value } from "../helpers/google/types.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import { apply, destroy, exportedFiles, usual } from "./gcp-engine.ts";

let cloud: GcpCloud;
let files: Map<string, string>;

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  files = exportedFiles({ keyStorage: "Bucket" });
});
afterAll(() => cloud.stop());

const domain = "@demo-project.iam.gserviceaccount.com";
const description = fc.constantFrom("", "mine", "Owned by: demo-2", "owned by: demo", "Created By OpenShift ccoctl");
const condition = fc.option(fc.constant({ title: "t", expression: "true" }), { nil: undefined });
const member = fc.constantFrom("user:kim@example.com", `serviceAccount:demo-other${domain}`, "group:ops@example.com");

/** A project with things of others, some under the names that the package wants. */
const foreign = fc.record({
  taken: fc.subarray(["bucket", "pool", "provider", "account", "role"] as const),
  others: fc.subarray(["pool", "account", "role", "bucket"] as const),
  description,
  label: fc.constantFrom<Record<string, string>>(
    {},
    { team: "a" },
    { "openshift-cloud-credential-operator": "demo-2" },
  ),
  bindings: fc.array(
    fc.record({
      role: fc.constantFrom("roles/viewer", "roles/dns.admin", "roles/storage.admin"),
      member,
      condition,
    }),
    { maxLength: 3 },
  ),
});
const commands = fc.array(fc.constantFrom("apply", "prune", "adopt other names", "destroy"), {
  minLength: 1,
  maxLength: 4,
});
type Foreign = typeof foreign extends fc.Arbitrary<infer T> ? T : never;

function seedOf({ taken, others, description: said, label, bindings }: Foreign): Seed {
  const { wanted } = gcpResources(files);
  const first = (kind: string) => wanted.find((one) => one.kind === kind)?.id ?? "";
  const has = <T extends object>(is: boolean, value: T): Partial<T> => (is ? value : {});
  const emailOf = (id: string) => id.slice(id.lastIndexOf("/") + 1);
  const policy = {
    bindings: [{ role: "roles/iam.serviceAccountUser", members: ["user:kim@example.com"] }],
    changes: 1,
  };
  const one = { description: said };
  const oidc = { issuerUri: "https://other.example", allowedAudiences: ["a"] };
  const providers = taken.includes("provider") ? { demo: { ...one, oidc } } : {};
  const isPool = taken.includes("pool") || taken.includes("provider");
  return {
    policy: {
      bindings: bindings.map((of) => ({
        ...{ role: of.role, members: [of.member] },
        ...(of.condition === undefined ? {} : { condition: of.condition }),
      })),
    },
    pools: {
      ...has(isPool, { demo: { ...one, providers: providers as Value } }),
      ...has(others.includes("pool"), { other: one }),
    },
    accounts: {
      ...has(taken.includes("account"), { [emailOf(first(kinds.account))]: { ...one, policy } }),
      ...has(others.includes("account"), { [`demo-other${domain}`]: { ...one, policy } }),
    },
    roles: {
      ...has(taken.includes("role"), { [nameOf(first(kinds.role))]: { ...one, includedPermissions: ["a.b.c"] } }),
      ...has(others.includes("role"), { demo_other: { ...one, includedPermissions: ["a.b.c"] } }),
    },
    buckets: {
      ...has(taken.includes("bucket"), { "demo-oidc": { labels: label } }),
      ...has(others.includes("bucket"), { "demo-other": { labels: label } }),
    },
  };
}

/** The things of a state that were there at the beginning, and the entries of the project's policy. */
function remaining(before: State, now: State): Value {
  const parts = ["pools", "accounts", "roles", "buckets"] as const;
  const kept = parts.map((part) => [
    part,
    Object.fromEntries(Object.keys(before[part]).map((key) => [key, now[part][key]])),
  ]);
  const entries = (of: State) =>
    of.policy.bindings.flatMap(({ role, members, condition: only }) =>
      members.map((who) => JSON.stringify([role, who, only])),
    );
  const own = new Set(entries(before));
  return { ...Object.fromEntries(kept), entries: [...new Set(entries(now).filter((one) => own.has(one)))].sort() };
}

it("nothing foreign changes, whatever is run", async () => {
  await fc.assert(
    fc.asyncProperty(foreign, commands, async (world, sequence) => {
      cloud.reset(seedOf(world), { pending: 0 });
      const before = structuredClone(cloud.state);
      for (const one of sequence) {
        if (one === "destroy") await destroy(cloud, files, true);
        else if (one === "adopt other names")
          await apply(cloud, files, { ...usual, prune: true, adopt: ["demo-other", "demo_other", "other"] });
        else await apply(cloud, files, { ...usual, prune: one === "prune" });
      }
      expect(remaining(before, cloud.state)).toEqual(remaining(before, before));
    }),
    { numRuns: runs(200, 25) },
  );
});
