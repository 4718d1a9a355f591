import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { corpus } from "./need.ts";
import { keptTemporary } from "./temporary.ts";

/**
 * Real releases with their feature gates: requests of "main" depend on gates, so without its FeatureGate manifests it is unknown
 * which requests a cluster has.
 *
 * @returns what gives the directory of a release for a cloud, until the tests of this file end.
 */
export function corpusReleases(): (release: string, cloud: string) => string {
  const { directory, remove } = keptTemporary();
  afterAll(remove);
  const made = new Set<string>();
  return (release, cloud) => {
    const requests = join(corpus, "releases", release, cloud);
    if (release !== "main") return requests;
    const whole = join(directory, release, cloud);
    if (!made.has(whole)) {
      cpSync(requests, whole, { recursive: true });
      const gates = join(corpus, "feature-gates");
      for (const name of readdirSync(gates))
        cpSync(join(gates, name), join(whole, `0000_50_cluster-config-api_${name}`));
      made.add(whole);
    }
    return whole;
  };
}
