import { withoutScheme } from "./arn.ts";
import type { AwsCluster, TrustedIssuer } from "./cluster.ts";
import { partitions } from "./partition.ts";

/** The resources of a previous issuer, as far as its URL shows them. */
export interface PreviousIssuer {
  readonly providerArn: string;
  /** A public bucket in the cluster's region. */
  readonly bucket: string | undefined;
  /** The domain of what may be one of the cluster's distributions. */
  readonly domain: string | undefined;
}

/** Derives from an issuer's URL where its documents are hosted. */
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
