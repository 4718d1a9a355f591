/**
 * Roles that allow nearly everything in a project, or the reading of it (Google Cloud documentation, "Roles and
 * permissions": basic roles, and legacy basic roles).
 */
export const basicRoles: ReadonlySet<string> = new Set([
  "roles/owner",
  "roles/editor",
  "roles/viewer",
  "roles/admin",
  "roles/writer",
  "roles/reader",
]);

/** The basic roles as code, for prose. */
export const basicRoleNames = Array.from(basicRoles, (role) => `\`${role}\``).join(", ");
