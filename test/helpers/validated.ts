import { type ValidationOptions, validate } from "../../functions/validate-credentials/function.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { Value } from "../../src/core/resource.ts";
import { resourceOf } from "./resources.ts";

/** What is wrong with objects, some of them taken from a cluster. */
export function validated(
  objects: readonly Value[],
  live: readonly Value[] = [],
  paths: readonly string[] = [],
  options: ValidationOptions = {},
) {
  const beside = { ...options, live: live.map((object) => resourceOf(object)) };
  const items = objects.map((object, index) => {
    const path = paths[index];
    return resourceOf(object, path === undefined ? {} : { path });
  });
  return validate({ items, functionConfig: undefined }, beside);
}

/** The codes of findings, as they come. */
export const codesOf = (found: readonly Finding[]): string[] => found.map(({ code }) => code);
