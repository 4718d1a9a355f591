import type { Difference } from "../core/difference.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { CloudError } from "./requests.ts";
import type { Kind, KindWithoutCommand, Live } from "./resource.ts";

/*
 * What kinds of resources have in common: how they take over, and are part of others.
 */

/**
 * What exists although the plan creates it. With the owner mark, an earlier attempt of this run or another run of the package has
 * created it, so the engine goes on with it: undefined if it is not complete yet.
 *
 * @throws CloudError if it is another program's.
 */
export function takenOver(
  wanted: WantedResource,
  live: Live | undefined,
  differences: (wanted: WantedResource, live: Live) => readonly Difference[],
): Live | undefined {
  if (live?.owner === "own") return differences(wanted, live).length === 0 ? live : undefined;
  throw new CloudError(
    `Another program has created the ${wanted.kind} ${wanted.name} at the same time, without the owner mark of this package; it was not changed. Run the same command again to see a new plan.`,
  );
}

/** The kinds of a cloud, each with its commands. @param commandOf of a kind, by its name. */
export function withCommands(
  kinds: Readonly<Record<string, KindWithoutCommand>>,
  commandOf: (name: string) => Kind["command"],
): Record<string, Kind> {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { ...kind, command: commandOf(name) }]));
}

/** A kind that goes with what it is part of: a package has no more of it than it wants. @param whole what that is. */
export function goesWith(whole: string): Pick<Kind, "within" | "readExtra" | "remove"> {
  const remove = () => Promise.reject(new Error(`it goes with its ${whole}`));
  return { within: true, readExtra: async () => ({ state: "absent" }), remove };
}

/** A kind of what others have besides the package's: it is only ever removed. */
export const removedOnly: Pick<Kind, "within" | "read" | "differences" | "create" | "update"> = {
  within: true,
  read: never,
  differences: () => [],
  create: never,
  update: never,
};

function never(): Promise<never> {
  return Promise.reject(new Error("it is only ever removed"));
}
