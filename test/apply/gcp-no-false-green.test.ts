import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { flatten } from "../../src/apply/show.ts";
import { gcpResources, kinds, nameOf } from "../../src/clouds/gcp/resources.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";
import type { State, Value } from "../helpers/google/types.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import { apply, differences, exportedFiles } from "./gcp-engine.ts";

let cloud: GcpCloud;
beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
});
afterAll(() => cloud.stop());

const emailOf = (id: string) => id.slice(id.lastIndexOf("/") + 1);

/** The part of the state that is a wanted resource: its parent and its key. */
function placeIn(state: State, { kind, id, name, body, part = "" }: WantedResource): { parent: Value; at: string } {
  const pools = state.pools as Value;
  const [pool = ""] = Object.keys(pools);
  const policyOf = () =>
    part.startsWith("buckets/")
      ? state.buckets[nameOf(part)]?.policy
      : kind === kinds.projectRole
        ? state.policy
        : state.accounts[emailOf(part)]?.policy;
  const places: Record<string, () => { parent: Value; at: string }> = {
    [kinds.bucket]: () => ({ parent: state.buckets, at: name }),
    [kinds.document]: () => ({ parent: state.buckets[nameOf(part)]?.objects, at: name }),
    [kinds.pool]: () => ({ parent: pools, at: pool }),
    [kinds.provider]: () => ({ parent: pools[pool].providers, at: name }),
    [kinds.account]: () => ({ parent: state.accounts, at: emailOf(id) }),
    [kinds.role]: () => ({ parent: state.roles, at: nameOf(id) }),
  };
  const place = places[kind];
  if (place !== undefined) return place();
  const binding = ((policyOf()?.bindings ?? []) as Value[]).find(({ role }) => role === body["role"]);
  return { parent: binding.members, at: String(binding.members.indexOf(body["member"])) };
}

/** Another value of the same type. */
function other(value: Value): Value {
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value, "compute.disks.delete"];
  if (typeof value === "string" && value.startsWith("{")) return '{"keys":[]}';
  return value === "US" ? "EU" : `${value}x`;
}

function set(target: Value, path: readonly string[], value: Value): void {
  const [first = "", ...rest] = path;
  if (rest.length > 0) {
    target[first] ??= {};
    set(target[first], rest, value);
  } else if (value === undefined) delete target[first];
  else target[first] = value;
}

/** The path of a field of the package in the state, by its name in the API. */
function pathIn(kind: string, field: string): string[] {
  if (kind === kinds.document && field === "content") return ["body"];
  if (field.startsWith("attributeMapping.")) return ["attributeMapping", field.slice("attributeMapping.".length)];
  return field.split(".");
}

describe.each(["PoolJWKFile", "Bucket"])("with the keys in %s, a status names", (keyStorage) => {
  let files: Map<string, string>;
  let healthy: State;
  let wanted: readonly WantedResource[];

  beforeAll(async () => {
    cloud.reset();
    files = exportedFiles({ keyStorage, attributeCondition: "google.subject != 'x'" });
    ({ wanted } = gcpResources(files));
    expect((await apply(cloud, files)).failed).toEqual([]);
    healthy = structuredClone(cloud.state);
  });

  /** Whether a status names the resource after a change. */
  async function expectNamed(one: WantedResource, change: (state: State) => void, what: string): Promise<void> {
    cloud.world.state = structuredClone(healthy);
    change(cloud.state);
    const said = await differences(cloud, files);
    expect(said, `${one.kind} ${one.name}: ${what}`).toContainEqual(expect.stringContaining(`${one.kind} ${one.name}`));
  }

  it("each resource that is missing", async () => {
    for (const one of wanted)
      await expectNamed(
        one,
        (state) => {
          const { parent, at } = placeIn(state, one);
          if (Array.isArray(parent)) parent.splice(Number(at), 1);
          else delete parent[at];
        },
        "missing",
      );
  });

  it("each field that the package states and that is removed or changed", async () => {
    let count = 0;
    for (const one of wanted.filter(({ body }) => body["policy"] === undefined)) {
      for (const [field, value] of flatten(one.body)) {
        for (const now of [undefined, other(value)]) {
          // Google omits what is false.
          if (now === undefined && value === false) continue;
          const change = (state: State) => {
            const { parent, at } = placeIn(state, one);
            set(parent[at], pathIn(one.kind, field), now);
          };
          await expectNamed(one, change, `${field} ${now}`);
          count++;
        }
      }
    }
    expect(count).toBeGreaterThan(25);
  });

  it("what decides besides whether a token works, and who else may use a service account", async () => {
    const account = wanted.find(({ kind }) => kind === kinds.account) as WantedResource;
    const policy = (state: State) => state.accounts[emailOf(account.id)]?.policy.bindings as Value[];
    const pool = `principalSet://iam.googleapis.com/${gcpResources(files).facts.pool}`;
    const user = "roles/iam.workloadIdentityUser";
    const token = "roles/iam.serviceAccountTokenCreator";
    const cases: [string, (state: State) => void][] = [
      [`keep policy member ${account.name}: allUsers`, (s) => policy(s).push({ role: user, members: ["allUsers"] })],
      [
        `keep policy member ${account.name}: ${token}`,
        (s) => policy(s).push({ role: token, members: [`${pool}/attribute.x/y`] }),
      ],
      [
        `remove policy member ${account.name}: ${pool}/*`,
        (s) => policy(s).push({ role: user, members: [`${pool}/*`] }),
      ],
      [
        `keep policy member ${account.name}: principalSet`,
        (s) => policy(s).push({ role: user, members: [`${pool.replace("demo", "other")}/*`] }),
      ],
      [
        `keep policy member ${account.name}: ${token} for user:kim@example.com`,
        (s) => policy(s).push({ role: token, members: ["user:kim@example.com"] }),
      ],
      [
        `keep project role demo-project: principalSet`,
        (s) => s.policy.bindings.push({ role: "roles/owner", members: [`${pool}/*`] }),
      ],
      [
        `remove project role ${account.name}: roles/owner`,
        (s) => s.policy.bindings.push({ role: "roles/owner", members: [`serviceAccount:${emailOf(account.id)}`] }),
      ],
      [
        `keep project role ${account.name}: roles/owner if t`,
        (s) => {
          const members = [`serviceAccount:${emailOf(account.id)}`];
          s.policy.bindings.push({ role: "roles/owner", members, condition: { title: "t", expression: "true" } });
        },
      ],
      [
        `remove project role ${account.name}, deleted: roles/owner`,
        (s) => {
          const members = [`deleted:serviceAccount:${emailOf(account.id)}?uid=1`];
          s.policy.bindings.push({ role: "roles/owner", members });
        },
      ],
      [`update service account ${account.name}`, (s) => set(s.accounts, [emailOf(account.id), "disabled"], true)],
      ["update workload identity pool", (s) => set(s.pools, ["demo", "disabled"], true)],
      ["restore workload identity pool", (s) => set(s.pools, ["demo", "state"], "DELETED")],
      ["restore provider", (s) => set(s.pools, ["demo", "providers", "demo", "state"], "DELETED")],
      ["update provider", (s) => set(s.pools, ["demo", "providers", "demo", "attributeMapping", "attribute.x"], "y")],
      [
        "refuse workload identity pool demo it contains the provider strange",
        (s) =>
          set(s.pools, ["demo", "providers", "strange"], {
            ...(s.pools["demo"] as Value).providers.demo,
            description: "",
          }),
      ],
      [
        "remove provider lost",
        (s) => set(s.pools, ["demo", "providers", "lost"], (s.pools["demo"] as Value).providers.demo),
      ],
      ["keep workload identity pool lost", (s) => set(s.pools, ["lost"], s.pools["demo"])],
      [
        "remove service account lost",
        (s) => set(s.accounts, ["lost@demo-project.iam.gserviceaccount.com"], Object.values(s.accounts)[0]),
      ],
      ["remove custom role lost", (s) => set(s.roles, ["lost"], Object.values(s.roles)[0])],
    ];
    const ofBucket: [string, (state: State) => void][] = [
      ["update bucket", (s) => set(s.buckets, ["demo-oidc", "billing"], { requesterPays: true })],
      ["update bucket", (s) => set(s.buckets, ["demo-oidc", "ipFilter"], { mode: "Enabled" })],
      ["update document", (s) => set(s.buckets, ["demo-oidc", "objects", "keys.json", "contentEncoding"], "gzip")],
      [
        "remove policy member demo-oidc: roles/storage.objectAdmin",
        (s) =>
          s.buckets["demo-oidc"]?.policy.bindings.push({ role: "roles/storage.objectAdmin", members: ["allUsers"] }),
      ],
      [
        "refuse document keys.json none of its keys",
        (s) => set(s.buckets, ["demo-oidc", "objects", "keys.json", "body"], '{"keys":[{"kid":"strange"}]}'),
      ],
    ];
    for (const [expected, mutate] of [...cases, ...(keyStorage === "Bucket" ? ofBucket : [])]) {
      cloud.world.state = structuredClone(healthy);
      mutate(cloud.state);
      expect(await differences(cloud, files), expected).toContainEqual(expect.stringContaining(expected));
    }
  });

  it("nothing that is of no concern", async () => {
    cloud.world.state = structuredClone(healthy);
    for (const one of Object.values(cloud.state.buckets)) Object.assign(one.labels ?? {}, { team: "a" });
    for (const one of Object.values(cloud.state.accounts))
      one.policy.bindings.push({ role: "roles/iam.serviceAccountViewer", members: ["group:auditors@example.com"] });
    for (const one of Object.values(cloud.state.roles)) one.includedPermissions.reverse();
    cloud.state.policy.bindings.push({ role: "roles/owner", members: ["user:kim@example.com"] });
    expect(await differences(cloud, files)).toEqual([]);
  });
});
