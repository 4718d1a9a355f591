import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";

import { flatten } from "../../src/apply/show.ts";
import { azureResources, kinds, nameOf } from "../../src/clouds/azure/resources.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";
import type { State, Value } from "../helpers/arm/types.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { apply, differences, exportedFiles } from "./azure-engine.ts";

let cloud: AzureCloud;
let files: Map<string, string>;
let healthy: State;
let wanted: readonly WantedResource[];

beforeAll(async () => {
  pace.second = 0;
  cloud = await AzureCloud.start();
  files = exportedFiles({ tags: { owner: "kim" } });
  wanted = azureResources(files).wanted;
  expect((await apply(cloud, files)).failed).toEqual([]);
  healthy = structuredClone(cloud.state);
});
beforeEach(() => {
  cloud.world.state = structuredClone(healthy);
});
afterAll(() => cloud.stop());

const key = (id: string) => id.toLowerCase();

/** The part of the state that is a wanted resource: its parent, its key, and the fields in it, by those of the request. */
function placeIn(
  state: State,
  { kind, id, part = "", name }: WantedResource,
): { parent: Value; at: string; path: string } {
  const account = Object.values(state.accounts)[0] as Value;
  switch (kind) {
    case kinds.group:
      return { parent: state.groups, at: key(id), path: "" };
    case kinds.account:
      return { parent: state.accounts, at: nameOf(id), path: "" };
    case kinds.container:
      return { parent: account.containers, at: nameOf(id), path: "properties." };
    case kinds.document:
      return { parent: account.containers.demo.blobs, at: name, path: "" };
    case kinds.role:
      return { parent: state.definitions, at: nameOf(id), path: "properties." };
    case kinds.identity:
      return { parent: state.identities, at: key(id), path: "" };
    case kinds.credential:
      return { parent: state.identities[key(part)]?.credentials, at: nameOf(id), path: "properties." };
    default:
      return { parent: state.assignments, at: key(id), path: "properties." };
  }
}

/** The names of fields in the state, where they differ from those of Azure. */
const renamed: Readonly<Record<string, string>> = { content: "body", roleDefinitionId: "role" };

function change(object: Value, path: readonly string[]): void {
  const [first = "", ...rest] = path;
  // Names of tags contain dots.
  if (first === "tags") {
    object.tags[rest.join(".")] = "changed";
    return;
  }
  if (rest.length > 0) {
    change(object[first], rest);
    return;
  }
  const value = object[first];
  if (typeof value === "boolean") object[first] = !value;
  else if (Array.isArray(value))
    object[first] = typeof value[0] === "string" ? [...value, "Changed/*"] : changedSets(value);
  else if (first === "role") object[first] = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
  else object[first] = `${String(value)}changed`;
}

const changedSets = (sets: Value[]) => sets.map((set) => ({ ...set, notActions: ["Microsoft.Storage/*"] }));

describe("status names", () => {
  it("each resource that is missing", async () => {
    for (const one of wanted) {
      cloud.world.state = structuredClone(healthy);
      const { parent, at } = placeIn(cloud.state, one);
      expect(Object.hasOwn(parent, at), one.id).toBe(true);
      delete parent[at];
      expect(await differences(cloud, files), one.id).toContainEqual(
        expect.stringContaining(`create ${one.kind} ${one.name}`),
      );
    }
  });

  it("each stated field that differs", async () => {
    let count = 0;
    // Existing groups are used as they are. Azure forgets the type of a principal.
    const ignored = new Set(["principalType", "type"]);
    for (const one of wanted.filter(({ kind }) => kind !== kinds.group)) {
      for (const field of flatten(one.body).keys()) {
        if (ignored.has(field.replace(/^properties\./, ""))) continue;
        cloud.world.state = structuredClone(healthy);
        const { parent, at, path } = placeIn(cloud.state, one);
        const inside = field.startsWith(path) ? field.slice(path.length) : field;
        change(parent[at], (renamed[inside] ?? inside).split("."));
        const said = await differences(cloud, files);
        expect(
          said.filter((line) => line.includes(`${one.kind} ${one.name}`)),
          `${one.name} ${field}`,
        ).not.toEqual([]);
        count++;
      }
    }
    expect(count).toBe(37);
  });

  it("what decides whether a token works, although the package does not state it", async () => {
    const cases: readonly (readonly [string, (state: State) => void])[] = [
      [
        "update role assignment",
        (state) => Object.assign(Object.values(state.assignments)[0] as object, { condition: "false" }),
      ],
      [
        "update document",
        (state) => {
          Object.assign((Object.values(state.accounts)[0] as Value).containers.demo.blobs["openid/v1/jwks"], {
            contentEncoding: "br",
          });
        },
      ],
      [
        "remove federated credential",
        (state) => {
          const [identity] = Object.values(state.identities);
          (identity as Value).credentials["other"] = {
            issuer: "https://other.example",
            subject: "s",
            audiences: ["openshift"],
          };
        },
      ],
      [
        "remove role assignment",
        (state) => {
          const [identity] = Object.values(state.identities);
          const name = "99999999-0000-4000-8000-000000000000";
          state.assignments[`/providers/microsoft.authorization/roleassignments/${name}`] = {
            ...{ scope: "", name, role: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635" },
            ...{ principalId: identity?.principalId ?? "", principalType: "ServicePrincipal" },
          };
        },
      ],
      [
        "remove managed identity",
        (state) => {
          const [id, identity] = Object.entries(state.identities)[0] as [string, Value];
          state.identities[`${id}-2`] = { ...identity, id: `${identity.id}-2`, credentials: {} };
        },
      ],
      [
        "remove custom role",
        (state) => {
          const [, role] = Object.entries(state.definitions)[0] as [string, Value];
          state.definitions["99999999-0000-4000-8000-000000000001"] = { ...role, roleName: "lost" };
        },
      ],
      [
        "remove storage account",
        (state) => {
          const [, account] = Object.entries(state.accounts)[0] as [string, Value];
          state.accounts["lost"] = { ...account, id: account.id.replace(/[^/]+$/, "lost") };
        },
      ],
    ];
    for (const [expected, mutate] of cases) {
      cloud.world.state = structuredClone(healthy);
      mutate(cloud.state);
      expect(await differences(cloud, files), expected).toContainEqual(expect.stringContaining(expected));
    }
  });

  it("nothing that is of no concern", async () => {
    for (const one of Object.values({ ...cloud.state.accounts, ...cloud.state.identities, ...cloud.state.groups }))
      one.tags["foreign"] = "1";
    for (const one of Object.values(cloud.state.definitions))
      one.permissions = one.permissions.map((set) => ({ ...set, notDataActions: [] }));
    for (const one of Object.values(cloud.state.accounts)) one.location = "East US";
    expect(await differences(cloud, files)).toEqual([]);
  });
});
