import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { type GeneratedObject, refOf, type ValueMap } from "../../../core/resource.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import { identityFile } from "../../rendered.ts";
import type { GcpCluster } from "../cluster/cluster.ts";
import { accountName, ownerDescription } from "../cluster/resource-names.ts";
import { identityBundleName, pathOfIdentity } from "../rendered/bundle-paths.ts";
import type { GcpServiceAccount } from "./service-account.ts";
import { servicesOf } from "./services.ts";

/**
 * The bundle of a service account: which Secret it is for, the account, its custom role, the roles that are bound to it on
 * the project, and the principals that may impersonate it.
 */
export function identityBundle(cluster: GcpCluster, account: GcpServiceAccount): GeneratedObject {
  const { secretNamespace, secretName, resource } = account.request;
  const name = baseName(secretNamespace, secretName);
  const services = servicesOf(account.request);
  const files: Record<string, ValueMap> = {
    [identityFile]: { secret: `${secretNamespace}/${secretName}`, ...(services.length === 0 ? {} : { services }) },
    "service-account.json": {
      name: accountName(cluster, account.email),
      email: account.email,
      displayName: account.displayName,
      description: ownerDescription(cluster.prefix),
    },
    ...(account.role === undefined ? {} : { "role.json": account.role.file }),
    "bindings.json": { project: account.projectRoles, serviceAccount: account.principals },
  };
  return bundle(pathOfIdentity(name), `${identityBundleName}${name}`, jsonFiles(files), refOf(resource));
}
