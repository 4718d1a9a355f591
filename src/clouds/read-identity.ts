import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { type Identity, readIdentity as read } from "../identity/cluster-identity.ts";
import { clouds } from "./index.ts";

export { isIdentity } from "../identity/cluster-identity.ts";

const platforms = Object.fromEntries(clouds.map(({ name, renderer }) => [name, renderer?.checkPlatform]));

/**
 * Finds the ClusterIdentity of a run and checks it, each cloud its part; findings instead where there is none that can be
 * used.
 *
 * @param allowed what the caller allows beside the object's own annotation.
 */
export function readIdentity(
  items: readonly Resource[],
  config: Resource | undefined,
  allowed?: ReadonlySet<string>,
): Identity | readonly Finding[] {
  return read(items, config, platforms, allowed);
}
