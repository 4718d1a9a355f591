import type { Kind } from "./resource.ts";

/*
 * What kinds have in common that are part of another resource.
 */

/** A kind that goes with what it is part of: a package has no more of it than it wants. @param whole what that is. */
export function goesWith(whole: string): Pick<Kind, "within" | "readExtra" | "remove"> {
  const remove = () => Promise.reject(new Error(`it goes with its ${whole}`));
  return { within: true, readExtra: async () => ({ state: "absent" }), remove };
}

/** A kind of what others have besides the package's: it is only ever removed. */
export const removedOnly: Pick<Kind, "within" | "read" | "differences" | "create" | "update"> = {
  ...{ within: true, read: never, differences: () => [], create: never, update: never },
};

function never(): Promise<never> {
  return Promise.reject(new Error("it is only ever removed"));
}
