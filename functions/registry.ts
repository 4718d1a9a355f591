import type { KrmFunction } from "../src/krm/function.ts";
import { diffPermissions } from "./diff-permissions/function.ts";
import { generators } from "./generators.ts";
import { validateCredentials } from "./validate-credentials/function.ts";

/** Every function of this project. */
export const functions: readonly KrmFunction[] = [...generators, diffPermissions, validateCredentials];

/** The function with this name, or undefined. */
export function functionNamed(name: string): KrmFunction | undefined {
  return functions.find((fn) => fn.name === name);
}
