import { compareText } from "../../../core/text.ts";

/**
 * Packs the names of permissions, `service.resource.verb`, into one string: a line for each service, a word for each of its
 * resources, with the verbs after a colon. The program contains thousands of such names.
 */
export function packed(permissions: readonly string[]): string {
  const services = new Map<string, Map<string, string[]>>();
  for (const permission of [...new Set(permissions)].sort(compareText)) {
    const [first, last] = [permission.indexOf("."), permission.lastIndexOf(".")];
    const [service, resource, verb] = [
      permission.slice(0, first),
      permission.slice(first + 1, last),
      permission.slice(last + 1),
    ];
    const resources = services.get(service) ?? new Map<string, string[]>();
    services.set(service, resources.set(resource, [...(resources.get(resource) ?? []), verb]));
  }
  const lines = [...services].map(([service, resources]) =>
    [service, ...[...resources].map(([resource, verbs]) => `${resource}:${verbs.join(",")}`)].join(" "),
  );
  return lines.join("\n");
}

/** The names of permissions that {@link packed} packed. */
export function unpacked(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [service, ...resources] = line.split(" ");
    return resources.flatMap((word) => {
      const [resource = "", verbs = ""] = word.split(":");
      return verbs.split(",").map((verb) => `${service}.${resource}.${verb}`);
    });
  });
}

/** Permissions with which an identity can act as another one. The names are Google's ("IAM permissions reference"). */
export const impersonating: readonly string[] = [
  "iam.serviceAccounts.getAccessToken",
  "iam.serviceAccounts.getOpenIdToken",
  "iam.serviceAccounts.implicitDelegation",
  "iam.serviceAccounts.signBlob",
  "iam.serviceAccounts.signJwt",
  "iam.serviceAccountKeys.create",
];

/** The permission to run a workload as a service account. */
export const acting = "iam.serviceAccounts.actAs";

/** Whether a permission changes who may do what: a policy of a resource, or the permissions in a custom role. */
export function changesPolicy(permission: string): boolean {
  return permission.endsWith(".setIamPolicy") || permission === "iam.roles.update";
}

/** Whether a rule looks for a permission. */
export function isRisk(permission: string): boolean {
  return permission === acting || impersonating.includes(permission) || changesPolicy(permission);
}
