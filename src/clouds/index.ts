import type { Identity } from "../identity/cluster-identity.ts";
import { aws } from "./aws/cloud.ts";
import { azure } from "./azure/cloud.ts";
import type { Cloud } from "./cloud.ts";
import { gcp } from "./gcp/cloud.ts";

/** Every cloud, sorted by name. No other code lists them. */
export const clouds: readonly Cloud[] = [aws, azure, gcp];

/** The cloud of a ClusterIdentity. */
export function cloudOf({ platform }: Identity): Cloud {
  const cloud = clouds.find(({ name }) => name === platform.name);
  if (cloud === undefined) throw new Error(`unknown platform: ${platform.name}`);
  return cloud;
}

/** The cloud that a path of a package or an export belongs to, by its top directory. */
export function cloudOfPath(path: string): Cloud | undefined {
  const [top] = path.split("/");
  return clouds.find(({ name }) => name === top);
}
