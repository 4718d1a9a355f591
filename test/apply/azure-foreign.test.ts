import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";

import { azureResources, kinds, nameOf } from "../../src/clouds/azure/resources.ts";
import type { Seed, State, Value } from "../helpers/arm/types.ts";
import { installGroup, oidcGroup, subscription } from "../helpers/azure-package.ts";
import { runs } from "../helpers/effort.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { accountOf, apply, destroy, exportedFiles, usual } from "./azure-engine.ts";

let cloud: AzureCloud;
let files: Map<string, string>;

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  files = exportedFiles();
});
afterAll(() => cloud.stop());

const foreignTags = fc.constantFrom<Record<string, string>>(
  {},
  { team: "a" },
  { "openshift.io_cloud-credential-operator_demo-2": "owned" },
  { "openshift.io_cloud-credential-operator_demo": "shared" },
);
const builtIn = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

/** A tenant with things of others, some under the names that the package wants. */
const foreign = fc.record({
  taken: fc.subarray(["account", "identity", "role"] as const),
  tags: foreignTags,
  description: fc.constantFrom(
    "",
    "mine",
    "Custom role for OpenShift. Owned by: demo-2",
    "custom role for openshift. owned by: demo",
  ),
  group: fc.boolean(),
  others: fc.subarray(["identity", "role", "assignment", "account", "container"] as const),
});
const commands = fc.array(fc.constantFrom("apply", "prune", "adopt other names", "destroy"), {
  minLength: 1,
  maxLength: 4,
});

function seedOf({
  taken,
  tags,
  description,
  others,
}: {
  taken: string[];
  tags: Record<string, string>;
  description: string;
  others: string[];
}): Seed {
  const { wanted } = azureResources(files);
  const first = (kind: string) => wanted.find((one) => one.kind === kind)?.id ?? "";
  const has = <T extends object>(list: string[], name: string, value: T): Partial<T> =>
    list.includes(name) ? value : {};
  const identities = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  return {
    groups: { [oidcGroup]: { tags: { others: "1" } }, [installGroup]: {} },
    accounts: {
      ...has(taken, "account", {
        [accountOf(files)]: { tags, properties: {}, containers: { demo: { publicAccess: "None", blobs: {} } } },
      }),
      ...has(others, "account", { otheraccount: { tags } }),
    },
    identities: {
      ...has(taken, "identity", {
        [first(kinds.identity)]: {
          tags,
          principalId: "eeeeeeee-0000-4000-8000-000000000001",
          credentials: { x: { issuer: "https://x.example", subject: "s", audiences: ["a"] } },
        },
      }),
      ...has(others, "identity", {
        [`${identities}/demo-other`]: { tags, principalId: "eeeeeeee-0000-4000-8000-000000000002" },
      }),
    },
    definitions: {
      ...has(taken, "role", { [nameOf(first(kinds.role))]: { roleName: "taken", description } }),
      ...has(others, "role", { "99999999-0000-4000-8000-000000000003": { roleName: "demo-other", description } }),
    },
    assignments: has(others, "assignment", {
      [`/subscriptions/${subscription}/providers/Microsoft.Authorization/roleAssignments/99999999-0000-4000-8000-000000000004`]:
        {
          role: builtIn,
          principalId: "eeeeeeee-0000-4000-8000-000000000002",
        },
    }),
    principals: ["eeeeeeee-0000-4000-8000-000000000002"],
  };
}

/** The things of a state that were there at the beginning. */
function remaining(before: State, now: State): Value {
  const parts = ["groups", "accounts", "identities", "definitions", "assignments"] as const;
  return Object.fromEntries(
    parts.map((part) => [part, Object.fromEntries(Object.keys(before[part]).map((key) => [key, now[part][key]]))]),
  );
}

it("nothing foreign changes, whatever is run", async () => {
  await fc.assert(
    fc.asyncProperty(foreign, commands, async (world, sequence) => {
      cloud.reset(seedOf(world), { pending: 0 });
      const before = structuredClone(cloud.state);
      for (const one of sequence) {
        if (one === "destroy") await destroy(cloud, files);
        else if (one === "adopt other names")
          await apply(cloud, files, { ...usual, prune: true, adopt: ["demo-other", "otheraccount"] });
        else await apply(cloud, files, { ...usual, prune: one === "prune" });
      }
      expect(remaining(before, cloud.state)).toEqual(remaining(before, before));
    }),
    { numRuns: runs(200, 25) },
  );
});
