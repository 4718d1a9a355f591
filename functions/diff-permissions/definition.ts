import type { KrmFunction } from "../../src/krm/function.ts";
import { permissionChanges } from "./function.ts";

/** Reports how the rendered roles differ from what the requests ask for now, before a render replaces the roles. */
export const diffPermissions: KrmFunction = {
  name: "diff-permissions",
  summary: "report which permissions the requests add to the rendered roles or remove",
  emits: [],
  run: permissionChanges,
};
