import { guarded, identityMisplaced } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import { generatedBy, type Resource } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { cloudOfPath } from "./index.ts";
import { bundleOf, nameBefore } from "./rendered.ts";

/**
 * Reports a package that was rendered for another cloud. Nothing that was generated for one cloud exists on another, so
 * every identity and Secret would be replaced. If the ClusterIdentity had another name, too, the objects are those of
 * another cluster.
 *
 * @param items the items of the package.
 * @param previousName the name that the user says the ClusterIdentity had before.
 */
export function platformChange(
  identity: Identity,
  items: readonly Resource[],
  previousName: string | undefined,
): Finding[] {
  const former = items
    .filter(({ kind, annotations }) => kind === "ConfigMap" && annotations.has(generatedBy))
    .flatMap((item) => {
      const cloud = cloudOfPath(item.path ?? "");
      return cloud === undefined || cloud.name === identity.platform.name ? [] : [{ item, cloud }];
    })[0];
  if (former === undefined) return [];
  const { item, cloud } = former;
  const before = nameBefore([bundleOf(item)]) ?? "";
  if (before !== identity.name && before !== previousName) return [identityMisplaced(before, identity.name, item)];
  const field = "spec.platform";
  const message = `the package was rendered for ${cloud.title}, but "${field}" is now ${quote(identity.platform.name)}. Every rendered identity and Secret would be removed. Correct "${field}", or create a new package for a cluster on another cloud.`;
  return [guarded(identity, "removal", "platform-changed", message, { resource: identity.resource, field })];
}
