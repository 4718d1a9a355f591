import { failed, type KrmFunction } from "../../src/krm/function.ts";
import { validate } from "./function.ts";

/** Says what is wrong with a package, and changes nothing. */
export const validateCredentials: KrmFunction = {
  name: "validate-credentials",
  summary: "Checks requests, roles, Secrets and what a live cluster says by rules; it changes nothing.",
  emits: [],
  run: (input) => failed(validate(input)),
};
