import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import type { Provider } from "./provider.ts";
import { quoteName } from "./quote-name.ts";
import { invalidTarget } from "./refusals.ts";

/** The cure if the package has no provider. */
export const giveProvider =
  "pass the output of `gcloud iam workload-identity-pools providers describe` as --provider-file";

/** Checks that the provider that the token is for exists and is enabled. */
export function checkProvider(provider: Provider | undefined): Check {
  if (provider === undefined) return unknown("provider", "the provider is unknown", giveProvider);
  const { name, isActive, whyNot } = provider;
  const shown = `the provider ${quoteName(name)}`;
  if (isActive === true) return passed("provider", `${shown} exists and is enabled`);
  if (isActive === "unknown") return unknown("provider", `${shown} ${whyNot}`, giveProvider);
  const cure = "restore or enable it, and its pool: render, export and apply (`gcp/apply.sh`)";
  return failed("provider", invalidTarget, `${shown} or its pool ${whyNot}`, cure);
}
