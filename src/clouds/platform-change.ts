import { guarded } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import { generatedBy, type Resource } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { cloudOfPath } from "./index.ts";

/**
 * Reports a package that was rendered for another cloud. Nothing that was generated for one cloud exists on another, so
 * every identity and Secret would be replaced.
 *
 * @param items the items of the package.
 */
export function platformChange(identity: Identity, items: readonly Resource[]): Finding[] {
  const cloud = items
    .filter(({ kind, annotations }) => kind === "ConfigMap" && annotations.has(generatedBy))
    .map(({ path = "" }) => cloudOfPath(path))
    .find((one) => one !== undefined && one.name !== identity.platform.name);
  if (cloud === undefined) return [];
  const field = "spec.platform";
  const message = `the package was rendered for ${cloud.title}, but "${field}" is now ${quote(identity.platform.name)}. Every rendered identity and Secret would be removed. Correct "${field}", or create a new package for a cluster on another cloud.`;
  return [guarded(identity, "removal", "platform-changed", message, { resource: identity.resource, field })];
}
