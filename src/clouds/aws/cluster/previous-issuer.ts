import { withoutScheme } from "./arn.ts";
import type { AwsCluster, TrustedIssuer } from "./cluster.ts";
import { partitions } from "./partition.ts";

/** What there is of an issuer that the cluster moves away from, as far as its URL says. */
export interface PreviousIssuer {
  readonly providerArn: string;
  /** A public bucket of the cluster's region. */
  readonly bucket: string | undefined;
  /** The domain of what may be a distribution of the cluster's. */
  readonly domain: string | undefined;
}

/** Reads what an issuer's documents are hosted on off its URL. */
export function previousIssuer(cluster: AwsCluster, { url, providerArn }: TrustedIssuer): PreviousIssuer {
  const host = withoutScheme(url);
  const end = `.s3.${cluster.region}.${cluster.dnsSuffix}`;
  const bucket = host.endsWith(end) ? host.slice(0, -end.length) : undefined;
  const isBucket = bucket !== undefined && /^[a-z0-9-]+$/.test(bucket);
  const hasDistributions = partitions.some(({ id, cloudFront }) => id === cluster.partition && cloudFront);
  return {
    providerArn,
    bucket: isBucket ? bucket : undefined,
    domain: !isBucket && hasDistributions && /^[a-z0-9.-]+$/.test(host) ? host : undefined,
  };
}
