import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { type Identity, readIdentity as read } from "../identity/cluster-identity.ts";
import { clouds } from "./index.ts";

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
