import { shellWord } from "../../core/shell.ts";
import { publishAt } from "../../oidc/limits.ts";
import type { KeyPlan } from "./plan-keys.ts";

/**
 * The lines about what comes after a change of keys: the render of each package, and how its keys reach the cloud.
 *
 * @param between what must be done before the change reaches the cloud, in sentences.
 * @param prunes a published key must go.
 */
export function nextSteps(plans: readonly KeyPlan[], between: readonly string[], prunes: boolean): string[] {
  const commands = plans.map((plan) => `ccf render ${options(plan, false)}${shellWord(plan.directory)}`);
  return [
    ...commands.map((command) => `Next: ${command}`),
    "Then commit the change, and have it reviewed.",
    ...between,
    ...plans.map((plan) => `Then: ${publishing(plan, prunes)}`),
  ];
}

function options({ planned }: KeyPlan, prunes: boolean): string {
  return `${prunes ? "--prune " : ""}${planned?.replacesAll ? "--allow replace-key " : ""}`;
}

function publishing(plan: KeyPlan, prunes: boolean): string {
  const { directory, planned } = plan;
  if (planned === undefined || !planned.hasIssuer)
    return `make the same change in the package that publishes the keys of ${shellWord(directory)}, because the pipeline of this one does not contain "generate-oidc-issuer".`;
  const { elsewhere, holdsKeys = false } = planned.issuer ?? {};
  if (elsewhere !== undefined) return `${publishAt(elsewhere)}.`;
  const command = `ccf apply ${options(plan, prunes)}${shellWord(directory)}`;
  return `${command}, which writes the keys to ${holdsKeys ? "the provider" : "the issuer's documents"}.`;
}
