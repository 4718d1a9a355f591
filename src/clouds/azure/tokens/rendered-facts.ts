import type { RenderedCluster } from "../../rendered.ts";

/** What a package says about its cluster, as far as it does. */
export interface RenderedFacts {
  readonly tenantId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly region: string | undefined;
  /** `<secret namespace>/<secret name>` by the resource ID of the managed identity, in lowercase. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The facts of a cluster on Azure that Secrets repeat. */
export function readRenderedFacts(cluster: RenderedCluster | undefined): RenderedFacts {
  const tenant = cluster !== undefined && "tenantId" in cluster ? cluster.tenantId : undefined;
  return {
    tenantId: typeof tenant === "string" ? tenant : undefined,
    subscriptionId: cluster?.account,
    region: cluster?.region,
    keys: new Map(
      (cluster?.identities ?? []).flatMap(({ id, key }) =>
        id === undefined || key === undefined ? [] : [[id.toLowerCase(), key] as const],
      ),
    ),
  };
}
