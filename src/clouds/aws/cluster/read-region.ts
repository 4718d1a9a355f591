import type { Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { isAwsRegion } from "../../../generated/schema-facts.ts";
import { configTexts } from "../../../openshift/config-object.ts";
import type { Report } from "../../cloud.ts";
import { isKnownRegion, nearestRegion, type Partition, partitionOfRegion, partitions } from "./partition.ts";
import type { AwsIdentity } from "./platform.ts";

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
