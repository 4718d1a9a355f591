import { type Glob, intersects } from "../../../permissions/glob.ts";
import { namedAction } from "../../../permissions/permissions.ts";
import type { Decided, OwnCluster, PermissionTerms } from "../../../permissions/terms.ts";

/**
 * How Azure writes permissions (Azure documentation, "Understand Azure role definitions", "Understand scope for Azure RBAC").
 * Whether an action is one of `actions` or of `dataActions` cannot be seen from its name, so both are compared with it.
 */
export const azureTerms: PermissionTerms = {
  example: "Microsoft.Compute/disks/delete",
  actionsIgnoreCase: true,
  // Provider/type/type/operation. A type of an extension names its provider, too: …/providers/Microsoft.Insights/metrics/read.
  actionForm: /^(?:\*|[A-Za-z*?][-\w.*?]*(?:\/[-\w.$*?]+)*\/[-\w*?]+|Microsoft\.[-\w./*?$]*\*)$/i,
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

/**
 * A scope as a set of resources: Azure applies a role to the scope and to everything below it, and compares IDs without case
 * (Azure documentation, "Understand scope for Azure RBAC"). Undefined if the scope contains a wildcard, which has no meaning.
 */
export function scopeGlob(scope: string): string | undefined {
  return /[*?]/.test(scope) ? undefined : `${scope.toLowerCase().replace(/\/+$/, "")}/*`;
}

/** Whether a scope is a subscription, or contains subscriptions. */
export function isWideScope(scope: string): boolean {
  return !/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.test(scope);
}

/**
 * The resource provider of an action: the first part of its name (Microsoft Learn, "Azure resource provider operations"). The name
 * of a role does not say which resource providers it is for, so the role itself is named.
 */
export function serviceOf(action: string): string | undefined {
  const { kind, name = "" } = namedAction(action) ?? {};
  if (kind === "role") return name;
  return name.includes("/") ? name.split("/", 1)[0] : "every service";
}
