import type { KrmFunction } from "../src/krm/function.ts";
import { diffPermissions } from "./diff-permissions/function.ts";
import { validateCredentials } from "./validate-credentials/function.ts";

/** The functions that generate nothing: they compare and check what a package contains. */
export const validators: readonly KrmFunction[] = [diffPermissions, validateCredentials];
