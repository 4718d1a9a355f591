import type { Call, How, Seed, State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator } from "../../helpers/azure-administrator.ts";
import { expectError, type FaultyCloud, isKilled } from "../faults.ts";

/** Azure for `expectTheSameEnd`. */
export function faultyAzure(az: StubAz): FaultyCloud<Call, How, Seed, State> {
  return {
    stub: az,
    directory: "azure",
    run: (out, script, flags) => new AzureAdministrator(az, out).run(script, flags),
    whole: () => az.whole() as Seed,
    before: ["refused", "reset", "killed-before"],
    after: ["killed-after", "lost"],
    operationOf,
    targetOf: ({ command, path, flags }) => (command === "rest" ? path.toLowerCase() : `${command} ${flags["name"]}`),
    expectToSay(run, call, how, when) {
      if (isKilled(run, how, when)) return;
      // What was not needed in this tenant need not be readable: the permissions of the caller, the documents of what is deleted.
      if (run.status === 0 && !call.changes) return;
      expectError(run, `error: ${nameOf(call)}`, when);
    },
  };
}

/** What the scripts name a call in errors. */
export function nameOf({ command, method, path }: Call): string {
  return command === "rest" ? `az rest --method ${method.toLowerCase()} --url ${path}` : `az ${command}`;
}

/** The method and the types of resource, without their names. */
function operationOf({ command, method, path }: Call): string {
  if (command !== "rest") return command;
  const types = path.split("/").filter((_, index) => index % 2 === 1);
  return `${method} ${types.join("/")}`.toLowerCase();
}
