import type { KrmFunction } from "../src/krm/function.ts";
import { generators } from "./generators.ts";

/** What is known of a function without loading its code. */
export type NamedFunction = Pick<KrmFunction, "name" | "summary" | "emits">;

/**
 * The names of the functions that generate nothing. They need all rules, so `validators.ts`, which contains them, is loaded only if
 * one of them runs.
 */
export const validatorNames = {
  validateCredentials: {
    name: "validate-credentials",
    summary: "check requests, roles, Secrets, and live objects against rules",
    emits: [],
  },
} as const satisfies Record<string, NamedFunction>;

/** Every function of this project. */
export const functions: readonly NamedFunction[] = [...generators, ...Object.values(validatorNames)];

/** The function with this name, or undefined. */
export function functionNamed(name: string): NamedFunction | undefined {
  return functions.find((fn) => fn.name === name);
}
