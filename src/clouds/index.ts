import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { type Identity, readIdentity as read } from "../identity/cluster-identity.ts";
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

export { isIdentity } from "../identity/cluster-identity.ts";

/**
 * Finds the ClusterIdentity of a run and checks it; each cloud checks its own part.
 *
 * @param allowed what the caller allows in addition to the object's own annotation.
 * @returns the ClusterIdentity, or the findings if none can be used.
 */
export function readIdentity(
  items: readonly Resource[],
  config: Resource | undefined,
  allowed?: ReadonlySet<string>,
): Identity | readonly Finding[] {
  const platforms = Object.fromEntries(clouds.map(({ name, renderer }) => [name, renderer.checkPlatform]));
  return read(items, config, platforms, allowed);
}
