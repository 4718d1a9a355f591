import type { KrmFunction } from "../../src/krm/function.ts";
import { permissionChanges } from "./function.ts";

/** Says, before a render replaces them, how the roles that were rendered differ from what the requests ask for now. */
export const diffPermissions: KrmFunction = {
  name: "diff-permissions",
  summary: "Says what the requests ask for more, or less, than the roles that were rendered before.",
  emits: [],
  run: permissionChanges,
};
