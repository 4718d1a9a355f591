import type { ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { type Claim, issuerClaim } from "../../claims.ts";
import type { AwsCluster, Distribution } from "../cluster/cluster.ts";
import { ownerTagKey, withIdArn } from "../cluster/resource-names.ts";
import type { AccessControlConfig } from "../kinds/access-control.ts";

/** Tells whether a domain has the form that CloudFront assigns to distributions. */
export function isDistributionDomain(domain: string): boolean {
  return /^[a-z0-9]+\.cloudfront\.(?:net|cn)$/.test(domain);
}

/** CloudFront's managed policy "CachingDisabled": a rotated key is visible immediately. */
const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

/**
 * The AWS CLI's inputs for what makes a private bucket readable: an origin access control, which signs CloudFront's own
 * requests, and a distribution (Amazon CloudFront Developer Guide, "Restrict access to an Amazon S3 origin").
 *
 * An access control has no tags, so its description names its owner. Its ID is empty in the distribution's input; the engine
 * fills it in.
 */
export function distributionFiles(cluster: AwsCluster, bucket: string, distribution: Distribution) {
  const accessControl: AccessControlConfig = {
    Name: bucket,
    Description: ownerTagKey(cluster.prefix),
    SigningProtocol: "sigv4",
    SigningBehavior: "always",
    OriginAccessControlOriginType: "s3",
  };
  return {
    "create-origin-access-control.json": { OriginAccessControlConfig: accessControl },
    "create-distribution-with-tags.json": {
      DistributionConfigWithTags: {
        DistributionConfig: distributionConfig(cluster, bucket, distribution),
        Tags: { Items: cluster.tags },
      },
    },
  } satisfies Record<string, ValueMap>;
}

function distributionConfig(cluster: AwsCluster, bucket: string, { own }: Distribution): ValueMap {
  const methods = ["HEAD", "GET"];
  return {
    CallerReference: bucket,
    Aliases: own === undefined ? { Quantity: 0 } : { Quantity: 1, Items: [own.domain] },
    DefaultRootObject: "",
    Origins: {
      Quantity: 1,
      Items: [
        {
          Id: bucket,
          DomainName: `${bucket}.s3.${cluster.region}.${cluster.dnsSuffix}`,
          OriginPath: "",
          S3OriginConfig: { OriginAccessIdentity: "" },
          OriginAccessControlId: "",
        },
      ],
    },
    DefaultCacheBehavior: {
      TargetOriginId: bucket,
      ViewerProtocolPolicy: "https-only",
      AllowedMethods: { Quantity: 2, Items: methods, CachedMethods: { Quantity: 2, Items: methods } },
      Compress: false,
      CachePolicyId: cachingDisabled,
    },
    Comment: ownerTagKey(cluster.prefix),
    Enabled: true,
    ViewerCertificate:
      own === undefined
        ? { CloudFrontDefaultCertificate: true }
        : {
            ACMCertificateArn: own.certificateArn,
            SSLSupportMethod: "sni-only",
            MinimumProtocolVersion: "TLSv1.2_2021",
          },
  };
}

/**
 * Who reads the bucket, as parts of a policy's statement. The engine appends the distribution's ID to the ARN. Until then, the
 * condition matches nothing.
 */
export function distributionReader(cluster: AwsCluster): {
  readonly Principal: ValueMap;
  readonly Condition: ValueMap;
} {
  return {
    Principal: { Service: "cloudfront.amazonaws.com" },
    Condition: { StringEquals: { "AWS:SourceArn": withIdArn(cluster, "distribution", "") } },
  };
}

/** What `cluster.json` contains about it. */
export function distributionFacts({ assigned }: Distribution): ValueMap {
  return assigned === undefined ? {} : { distributionDomain: assigned };
}

/** What it claims for the cluster alone, and the claim of the issuer at one of its domains. */
export function distributionClaims({ issuer, partition }: AwsCluster, { assigned, own }: Distribution): Claim[] {
  const [within, base] = [`the partition ${quote(partition)}`, "spec.platform.aws.issuerHosting"];
  const field = `${base}.distributionDomain`;
  const domain: Claim[] = assigned === undefined ? [] : [{ noun: "distribution", value: assigned, within, field }];
  if (issuer === undefined) return domain;
  const ofIssuer =
    own === undefined
      ? issuerClaim(issuer.url, field, { derivedFrom: "distribution" })
      : issuerClaim(issuer.url, `${base}.domain`);
  return [...domain, ofIssuer];
}
