import type { KrmFunction } from "../src/krm/function.ts";
import { validateCredentials } from "./validate-credentials/function.ts";

/** The functions that generate nothing: they check what a package contains. */
export const validators: readonly KrmFunction[] = [validateCredentials];
