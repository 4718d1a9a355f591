import { quoteWhole } from "../../../core/text.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import type { ManagedIdentity } from "./managed-identity.ts";
import { noCredentials } from "./refusals.ts";

/** The command that prints the federated credentials of a managed identity. */
export const listCredentials = "az identity federated-credential list";

/** Checks that the managed identity has a federated credential. */
export function checkCredentials({ name, credentials }: ManagedIdentity): Check {
  const shown = quoteWhole(name);
  if (credentials === undefined) {
    const cure = `pass the output of \`${listCredentials}\` as --identity-file, or render again`;
    return unknown("credentials", `the federated credentials of ${shown} are unknown, or have an unknown form`, cure);
  }
  const { length } = credentials;
  if (length > 0) return passed("credentials", `${shown} has ${length} federated credential${length === 1 ? "" : "s"}`);
  const cure = "create it: render, export, and run `azure/apply.sh`";
  return failed("credentials", noCredentials(name), `${shown} has no federated credential`, cure);
}
