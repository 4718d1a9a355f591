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
