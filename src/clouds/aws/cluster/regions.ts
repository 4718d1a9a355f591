import type { Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { nearest } from "../../../core/words.ts";
import { isAwsRegion } from "../../../generated/schema-facts.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import type { Report } from "../../cloud.ts";
import type { AwsIdentity } from "./cluster.ts";

/** A partition of AWS, with its own accounts, ARNs and DNS names. */
export interface Partition {
  readonly id: string;
  /** The suffix of its service endpoints, such as `amazonaws.com`. */
  readonly dnsSuffix: string;
  /** The form of its region names. */
  readonly regions: RegExp;
  /** CloudFront has an endpoint there. */
  readonly cloudFront: boolean;
}

/** The partitions, as the endpoint data of the AWS SDKs (`partitions.json`) describes them. */
export const partitions: readonly Partition[] = [
  { id: "aws", dnsSuffix: "amazonaws.com", regions: /^(?:us|eu|ap|sa|ca|me|af|il|mx)-\w+-\d+$/, cloudFront: true },
  { id: "aws-cn", dnsSuffix: "amazonaws.com.cn", regions: /^cn-\w+-\d+$/, cloudFront: true },
  { id: "aws-us-gov", dnsSuffix: "amazonaws.com", regions: /^us-gov-\w+-\d+$/, cloudFront: false },
  { id: "aws-eusc", dnsSuffix: "amazonaws.eu", regions: /^eusc-de-\w+-\d+$/, cloudFront: false },
  { id: "aws-iso", dnsSuffix: "c2s.ic.gov", regions: /^us-iso-\w+-\d+$/, cloudFront: false },
  { id: "aws-iso-b", dnsSuffix: "sc2s.sgov.gov", regions: /^us-isob-\w+-\d+$/, cloudFront: false },
  { id: "aws-iso-e", dnsSuffix: "cloud.adc-e.uk", regions: /^eu-isoe-\w+-\d+$/, cloudFront: false },
  { id: "aws-iso-f", dnsSuffix: "csp.hci.ic.gov", regions: /^us-isof-\w+-\d+$/, cloudFront: false },
];

/** The partition of a region; undefined if the region does not have the form of any partition. */
export function partitionOfRegion(region: string): Partition | undefined {
  return partitions.find((partition) => partition.regions.test(region));
}

/** Regions that exist. Only used to warn about a possible typo: a region can be newer than this list. */
const knownRegions = `
  us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 ca-west-1 mx-central-1 sa-east-1
  eu-central-1 eu-central-2 eu-west-1 eu-west-2 eu-west-3 eu-north-1 eu-south-1 eu-south-2
  af-south-1 il-central-1 me-central-1 me-south-1
  ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2
  ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7
  cn-north-1 cn-northwest-1 us-gov-east-1 us-gov-west-1 eusc-de-east-1
  us-iso-east-1 us-iso-west-1 us-isob-east-1 us-isob-west-1 eu-isoe-west-1 us-isof-east-1 us-isof-south-1
`
  .trim()
  .split(/\s+/);

export function isKnownRegion(region: string): boolean {
  return knownRegions.includes(region);
}

/** The known region that is most similar to a mistyped one. */
export function nearestRegion(region: string): string {
  return nearest(region, knownRegions) ?? "us-east-1";
}

/** The region from the config, or from the cluster's Infrastructure. */
export function readRegion({ aws }: AwsIdentity, items: readonly Resource[], report: Report): string | undefined {
  const field = "spec.platform.aws.region";
  const [live, other] = configTexts(items, "Infrastructure", ["status", "platformStatus", "aws", "region"]);
  if (other !== undefined) {
    return report(
      "error",
      "region-contradiction",
      field,
      `the Infrastructure "cluster" appears more than once in the package, with the regions ${quote(live)} and ${quote(other)}; remove the wrong one.`,
    );
  }
  if (aws.region === undefined) {
    if (live !== undefined && isAwsRegion(live)) return live;
    return report(
      "error",
      "config-missing-field",
      field,
      `"${field}" is required, unless the package contains the Infrastructure "cluster" with the region in its status.`,
    );
  }
  if (live !== undefined && live !== aws.region) {
    return report(
      "error",
      "region-contradiction",
      field,
      `"${field}" is ${quote(aws.region)}, but the Infrastructure "cluster" says ${quote(live)}; correct the wrong one.`,
    );
  }
  return aws.region;
}

/** The partition from the config, or of the region. */
export function readPartition({ aws }: AwsIdentity, region: string, report: Report): Partition | undefined {
  const field = "spec.platform.aws.region";
  const ofRegion = partitionOfRegion(region);
  const given = partitions.find((partition) => partition.id === aws.partition);
  if (ofRegion === undefined && given === undefined) {
    return report(
      "error",
      "region-unknown",
      field,
      `"${field}" is ${quote(region)}, which does not look like an AWS region (did you mean ${quote(nearestRegion(region))}?). If AWS has introduced a new form of region name, set "spec.platform.aws.partition" too.`,
    );
  }
  if (given !== undefined && ofRegion !== undefined && given.id !== ofRegion.id) {
    return report(
      "error",
      "region-contradiction",
      "spec.platform.aws.partition",
      `"spec.platform.aws.partition" is ${quote(given.id)}, but the region ${quote(region)} is in ${quote(ofRegion.id)}; remove the partition.`,
    );
  }
  if (given === undefined && !isKnownRegion(region)) {
    report(
      "warning",
      "region-unlisted",
      field,
      `"${field}" is ${quote(region)}, a region unknown to this version (the most similar is ${quote(nearestRegion(region))}); check it for a typo.`,
    );
  }
  return given ?? ofRegion;
}
