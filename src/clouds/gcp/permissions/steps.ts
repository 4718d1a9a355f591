import type { Way } from "../../../permissions/steps.ts";
import { acting, impersonating } from "./terms.ts";

/*
 * Permissions with which a service account can get more permissions than its own (Google Cloud documentation, "IAM permissions
 * reference"). A package grants them on the project, so each applies to every service account, or to every resource, of the project. A
 * role on a bucket is none of these: what it contains for other services has no effect there.
 */

const keys = "iam.serviceAccountKeys.create";

function sets(kind: "projects" | "folders" | "organizations"): Way {
  const needs = [`resourcemanager.${kind}.setIamPolicy`];
  return { by: "changing a policy", needs, how: "it can give itself any role", isScoped: true, isUnlimited: true };
}

/** The steps of a service account, those first that need the least. */
export const serviceAccountWays: readonly Way[] = [
  ...(["projects", "folders", "organizations"] as const).map(sets),
  {
    by: "changing a policy",
    needs: ["iam.serviceAccounts.setIamPolicy"],
    how: "it can let itself act as any service account of the project",
    isUnlimited: true,
  },
  {
    by: "changing a role",
    needs: ["iam.roles.update"],
    how: "it can add permissions to its own custom role",
    isScoped: true,
    changesRole: true,
    isUnlimited: true,
  },
  ...impersonating
    .filter((permission) => permission !== keys)
    .map(
      (permission): Way => ({
        by: "signing as a service account",
        needs: [permission],
        how: "it can get tokens of any service account of the project",
        isUnlimited: true,
      }),
    ),
  {
    by: "creating a key of a service account",
    needs: [keys],
    how: "the key is valid for any service account of the project that it chooses",
    isUnlimited: true,
  },
  {
    by: "running a workload as a service account",
    needs: [acting],
    how: "the workload can use what any service account of the project has",
    isUnlimited: true,
  },
  {
    by: "changing a policy",
    needs: ["*.setIamPolicy"],
    how: "it decides who can use the resources of a kind",
    gives: "service",
    isScoped: true,
  },
];
