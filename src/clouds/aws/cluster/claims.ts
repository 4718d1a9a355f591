import { quote } from "../../../core/text.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import { type Claim, type CloudClaims, type Home, issuerClaim, ownNames, textIn, unlessGiven } from "../../claims.ts";
import { roleName } from "../identities/identity.ts";
import { roleOverrides } from "../identities/request.ts";
import { distributionClaims } from "../issuer/distribution.ts";
import type { AwsCluster, AwsIdentity } from "./cluster.ts";
import { partitionOfRegion } from "./regions.ts";

const hostingField = "spec.platform.aws.issuerHosting";

/** What a cluster claims on AWS. The name of a bucket is unique in a partition. */
export function awsClaims(identity: AwsIdentity, cluster: AwsCluster): CloudClaims {
  const { prefix, nameOverflow } = cluster;
  const account = `the account ${quote(cluster.accountId)}`;
  const given = [...roleOverrides(identity)].flatMap(([key, { skip, roleName }]) =>
    roleName === undefined || skip === true ? [] : [[key, roleName] as const],
  );
  return {
    claims: [...ownNames(identity, account), ...hostingClaims(identity, cluster)],
    named: given.map(([key]) => key),
    namesOf: roleNames(new Map(given), { prefix, nameOverflow, account }),
  };
}

function hostingClaims({ aws }: AwsIdentity, cluster: AwsCluster): Claim[] {
  const { hosting, issuer, partition } = cluster;
  if (hosting.bucket === undefined) return issuer === undefined ? [] : [issuerClaim(issuer.url, "spec.issuer.url")];
  const within = `the partition ${quote(partition)}`;
  const bucket: Claim = {
    noun: "bucket",
    value: hosting.bucket,
    within,
    field: `${hostingField}.bucket`,
    ...unlessGiven(aws.issuerHosting?.bucket),
  };
  if (hosting.distribution !== undefined) return [bucket, ...distributionClaims(cluster, hosting.distribution)];
  return issuer === undefined
    ? [bucket]
    : [bucket, issuerClaim(issuer.url, bucket.field, { derivedFrom: bucket.noun })];
}

// Role names are unique in an account, whatever their path, and compared without case (IAM User Guide, "IAM and AWS STS
// quotas").
function roleNames(
  given: ReadonlyMap<string, string>,
  { prefix, nameOverflow, account }: Pick<AwsCluster, "prefix" | "nameOverflow"> & { readonly account: string },
): CloudClaims["namesOf"] {
  const field = "spec.platform.aws.overrides";
  return (key) => {
    const [namespace = "", secret = ""] = key.split("/");
    const name = given.get(key) ?? roleName(prefix, namespace, secret, nameOverflow);
    if (name === undefined) return [];
    const cure = `Set "roleName" in "${field}" to another name`;
    const claim = { noun: "role", value: name, compared: name.toLowerCase(), within: account, field, cure };
    return [{ ...claim, ...unlessGiven(given.get(key)) }];
  };
}

/** Where a cluster on AWS is. Without a region in the config, the region is that of Infrastructure/cluster. */
export const awsHome: Home = {
  names: ["partition"],
  read(spec, items) {
    const [live, other] = configTexts(items, "Infrastructure", ["status", "platformStatus", "aws", "region"]);
    const region = textIn(spec, "region") ?? (other === undefined ? live : undefined);
    const partition = textIn(spec, "partition") ?? (region === undefined ? undefined : partitionOfRegion(region)?.id);
    return { account: textIn(spec, "accountID"), region, names: { partition } };
  },
};
