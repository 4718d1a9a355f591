import type { GcpRequest } from "./request.ts";

/**
 * The APIs that a request's permissions are for: the first part of a permission names its service. A request with
 * `skipServiceCheck` names none, as in the cloud-credential-operator.
 */
export function servicesOf({ permissions, providerSpec }: GcpRequest): string[] {
  if (providerSpec.skipServiceCheck) return [];
  return [...new Set(permissions.map(serviceOf))].sort();
}

function serviceOf(permission: string): string {
  const [full = ""] = permission.split("/");
  if (full !== permission) return full;
  const [name = ""] = permission.split(".");
  // The only service in the requests of OpenShift whose API has another name (Resource Manager reference, "Service").
  return `${name === "resourcemanager" ? "cloudresourcemanager" : name}.googleapis.com`;
}
