import { type Glob, intersects } from "../../../permissions/glob.ts";
import type { Decided, OwnCluster, PermissionTerms } from "../../../permissions/terms.ts";
import { isWideScope } from "./scope.ts";

/**
 * How Azure writes permissions (Azure documentation, "Understand Azure role definitions", "Understand scope for Azure RBAC").
 * Whether an action is one of `actions` or of `dataActions` cannot be seen from its name, so both are compared with it.
 */
export const azureTerms: PermissionTerms = {
  example: "Microsoft.Compute/disks/delete",
  actionsIgnoreCase: true,
  isAction: (text) => text === "*" || actionForm.test(text) || /^Microsoft\.[-\w./*?$]*\*$/i.test(text),
  appliesTo: (scope, named) => {
    const [own, text] = [plain(scope), plain(named)];
    if (own === "*" || intersects(own, text) || intersects(`${own}/*`, text)) return true;
    return intersects("/*", text) ? false : "the name of the resource is not a resource ID";
  },
  isKnownOperator: () => false,
  onlyReads: (action) => /\/read$/i.test(action),
  isBeyond: isBeyondGroups,
  describeBeyond: (scopes) => `it has roles on ${scopes}, which is more than the cluster's resource groups`,
};

// Provider/type/type/operation. A type of an extension names its provider, too: …/providers/Microsoft.Insights/metrics/read.
const actionForm = /^[A-Za-z*?][-\w.*?]*(?:\/[-\w.$*?]+)*\/[-\w*?]+$/;

function plain(id: Glob): Glob {
  return id.toLowerCase().replace(/\/+$/, "");
}

// A scope below a resource group is one resource, which is limited by its name.
function isBeyondGroups(scope: Glob, { scopes }: OwnCluster): Decided {
  if (isWideScope(scope)) return true;
  const isGroup = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/?$/i.test(scope);
  if (!isGroup || scopes.some((own) => plain(own) === plain(scope))) return false;
  return scopes.length > 0 || "the package does not name the resource groups of the cluster";
}
