import { nearest } from "../../../core/words.ts";

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
