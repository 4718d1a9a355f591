import { afterAll, beforeAll, expect, it } from "vitest";
import { type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure, saidAzure } from "../../helpers/azure-administrator.ts";

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

type Credentials = State["identities"][string]["credentials"];
const ingress = (state: State) =>
  Object.values(state.identities).find(({ id }) => id.includes("ingress")) as State["identities"][string];
const contents = (credentials: Credentials) =>
  Object.values(credentials)
    .map(({ issuer, subject, audiences }) => `${issuer} ${subject} ${audiences}`)
    .sort();

/** What a run makes of the credentials of an identity, and of how many changes each kind of run speaks. */
function repaired(change: (credentials: Credentials) => Credentials) {
  const state = structuredClone(applied);
  ingress(state).credentials = change(ingress(state).credentials);
  az.reset(state);
  const dry = saidAzure(one.apply("--dry-run")).lines.at(-1);
  const { status, stderr, lines } = saidAzure(one.apply());
  expect({ status, stderr }, lines.join("\n")).toEqual({ status: 0, stderr: "" });
  expect(dry?.replace("would be made.", "made. Another run would make none.")).toBe(lines.at(-1));
  const { credentials } = ingress(az.state());
  expect(contents(credentials)).toEqual(contents(ingress(applied).credentials));
  return { lines, names: Object.keys(credentials).sort() };
}

it("a credential that the package needs is never overwritten", () => {
  const [first = "", second = ""] = Object.keys(ingress(applied).credentials);
  const { names } = repaired((all) => ({ [second]: all[first] as Credentials[string] }));
  expect(names).toEqual([second, `${second}-2`].sort());
});

it("a credential with another audience is changed, because its subject cannot have two", () => {
  const { names, lines } = repaired((all) => {
    const [first = "", second = ""] = Object.keys(all);
    const found = { ...(all[first] as Credentials[string]), audiences: ["other"] };
    return { mine: found, [second]: all[second] as Credentials[string] };
  });
  expect(names).toContain("mine");
  expect(lines.filter((line) => /^(created|removed)/.test(line))).toHaveLength(1);
});

it("credentials that are not in the package are removed before missing ones are created, if there are too many for both", () => {
  const old = (index: number) => ({ issuer: "https://old", subject: `s${index}`, audiences: ["openshift"] });
  const others = Object.fromEntries(Array.from({ length: 19 }, (_, index) => [`x${index}`, old(index)]));
  const { lines } = repaired((all) => ({ ...Object.fromEntries(Object.entries(all).slice(0, 1)), ...others }));
  const kinds = lines.map((line) => line.split(" ")[0]);
  expect(kinds.lastIndexOf("removed")).toBeLessThan(kinds.indexOf("created"));
});
