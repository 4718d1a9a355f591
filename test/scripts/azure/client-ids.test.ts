import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure, saidAzure } from "../../helpers/azure-administrator.ts";
import { temporary } from "../../helpers/temporary.ts";

let az: StubAz;
let one: AzureAdministrator;
let applied: State;
beforeAll(async () => {
  az = await StubAz.start();
  one = new AzureAdministrator(az, exportedAzure());
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = az.state();
});
afterAll(() => az?.stop());

const registry = "openshift-image-registry/installer-cloud-credentials";
const ingress = "openshift-ingress-operator/cloud-credentials";
const clientIdOf = (name: string) =>
  Object.values(applied.identities).find(({ id }) => id.includes(name))?.clientId ?? "";

it("a file with client IDs is complete or not written, and never replaces another file", () => {
  az.reset(applied);
  const file = join(temporary(), "identities.yaml");
  writeFileSync(file, "mine\n");
  const refused = { status: 1, stderr: expect.stringMatching(/use another name$/m) };
  expect(one.apply("--identities", file)).toMatchObject(refused);
  expect(az.calls()).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe("mine\n");
  const fresh = join(temporary(), "identities.yaml");
  expect(one.apply("--dry-run", "--identities", fresh)).toMatchObject({ status: 1 });
  expect(one.apply("--identities", join(fresh, "none", "identities.yaml"))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /--identities \S+: the directory does not exist, or cannot be written; nothing was changed$/m,
    ),
  });
  expect(az.calls()).toEqual([]);
  expect(one.apply("--identities", fresh)).toMatchObject({ status: 0, stderr: "" });
  const written = readFileSync(fresh, "utf8");
  const state = structuredClone(applied);
  for (const identity of Object.values(state.identities)) if (identity.id.includes("ingress")) identity.tags = {};
  az.reset(state);
  const { status, stderr } = one.apply("--identities", fresh);
  expect(status).toBe(1);
  expect(stderr).toMatch(/was refused, so its client ID is unknown, and the file was not written/);
  expect(readFileSync(fresh, "utf8")).toBe(written);
});

it("the file is called in messages what the user calls it", () => {
  az.reset(applied);
  const file = relative(process.cwd(), join(temporary(), "identities.yaml"));
  const { status, lines } = saidAzure(one.apply("--identities", file));
  expect(status).toBe(0);
  expect(lines.at(-2)).toContain(`client IDs: written to ${file}. Store them`);
  expect(lines.at(-2)).toContain(`ccf set-identities DIR --from ${file}.`);
  writeFileSync(file, "mine\n");
  expect(one.apply("--identities", file).stderr).toContain(`: --identities ${file}: the file exists`);
});

describe("the client IDs of the package", () => {
  const exported = (overrides: Record<string, string>) =>
    new AzureAdministrator(
      az,
      exportedAzure({
        overrides: Object.fromEntries(Object.entries(overrides).map(([key, clientID]) => [key, { clientID }])),
      }),
    );

  it("are compared with those in the cloud, with and without the Secrets", () => {
    const right = exported({ [registry]: clientIdOf("image-registry"), [ingress]: clientIdOf("ingress") });
    az.reset(applied);
    expect(saidAzure(right.status())).toMatchObject({ status: 0, stderr: "" });
    rmSync(join(right.out, "manifests"), { recursive: true });
    const { status, lines } = saidAzure(right.status());
    expect(status).toBe(0);
    expect(lines.join("\n")).not.toContain("client ID");
  });

  it("are refused if others are in the cloud, and noted if they are unknown", () => {
    const wrong = exported({ [registry]: clientIdOf("ingress") });
    az.reset(applied);
    const { status, lines } = saidAzure(wrong.status());
    expect(status).toBe(2);
    const differs = `its client ID is ${clientIdOf("image-registry")}, but the package has ${clientIdOf("ingress")}, which`;
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(`^refused .*${differs}`),
      expect.stringMatching(/^note +client IDs: the package does not have those of 1 managed identity, .*--identities/),
      expect.stringMatching(/^1 difference\./),
    ]);
    const again = saidAzure(wrong.apply());
    expect(again).toMatchObject({ status: 1, stderr: "" });
    expect(again.lines.join("\n")).toMatch(differs);
    expect(again.lines.at(-1)).toBe("0 changes, 1 refusal; see above.");
  });

  it("must be client IDs", () => {
    const broken = exported({});
    const [file = ""] = readdirSync(join(broken.out, "azure/identities"));
    writeFileSync(join(broken.out, "azure/identities", file, "identity.json"), '{"secret":"a/b","clientID":"x"}\n');
    az.reset(applied);
    const { status, stderr } = broken.status();
    expect(status).toBe(1);
    expect(stderr).toMatch(/\/identity\.json does not contain a client ID$/m);
  });
});
