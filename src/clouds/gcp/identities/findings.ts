import { maxRoleBytes, maxRolePermissions, maxSubject } from "../limits.ts";
import { basicRoleNames } from "../permissions/basic-roles.ts";

/** Findings about requests for GCP, and about service accounts and roles. */
export const explanations = {
  "basic-role": {
    severity: "error",
    cause: `A request asks for a basic role, which applies to every resource of a project: ${basicRoleNames}.`,
    cure: "Name predefined roles, or single permissions in `spec.providerSpec.permissions`.",
  },
  "custom-role-too-large": {
    severity: "error",
    cause: `A request asks for more single permissions than one custom role may contain: ${maxRolePermissions} permissions, or ${maxRoleBytes / 1024} KiB.`,
    cure: "Replace some permissions with predefined roles.",
  },
  "foreign-custom-role": {
    severity: "warning",
    cause: "A request names a custom role of a project or an organization. The package does not define that role.",
    cure: "Check that the role exists and what it allows, or name its permissions in the request.",
  },
  "project-quota": {
    severity: "warning",
    cause: "The package alone exceeds a default limit of a project: service accounts, custom roles, or principals.",
    cure: "Request an increase of the quota before you apply.",
  },
  "subject-too-long": {
    severity: "error",
    cause: `The subject of a service account, \`system:serviceaccount:<namespace>:<name>\`, exceeds the ${maxSubject} bytes that Google Cloud allows for \`google.subject\`.`,
    cure: "Use a service account with a shorter name.",
  },
} as const;
