import { failed, type KrmFunction } from "../../src/krm/function.ts";
import { validate } from "./function.ts";

/** Reports what is wrong with a package, and changes nothing. */
export const validateCredentials: KrmFunction = {
  name: "validate-credentials",
  summary: "check requests, roles, Secrets, and live objects against rules",
  emits: [],
  run: (input) => failed(validate(input)),
};
