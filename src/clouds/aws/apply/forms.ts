import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { Call } from "./client.ts";

/*
 * The form of each call's answer. A proxy or a login page can answer any request with status 200, and the SDK then returns an
 * output without fields. So an answer counts only if it contains what AWS always returns, about the resource of the request.
 */

/** What the SDK returned for a call, and the call itself. */
interface Answered {
  readonly output: ValueMap;
  readonly input: ValueMap;
  /** The ID that AWS gives each request, from the headers of the answer; "" if there is none. */
  readonly requestId: string;
}

/** Whether an answer is one that AWS gives to the call. */
export type Form = (answered: Answered) => boolean;

/** AWS returns nothing, or text without a form, so only the ID of the request shows that AWS answered. */
const acknowledged: Form = ({ requestId }) => requestId !== "";

const text = (value: Value, ...path: string[]) => textAt(value, path);

/** The answer repeats these fields of the input. @param parent the path of the object that repeats them. */
function repeats(parent: readonly string[], ...fields: readonly string[]): Form {
  return ({ output, input }) =>
    fields.every((field) => textAt(output, [...parent, field]) === text(input, field) && text(input, field) !== "");
}

/** A list of IAM or CloudFront. @param path of the list. @param fields that each entry has; without any, entries are texts. */
function list(path: readonly string[], ...fields: readonly string[]): Form {
  return ({ output }) => {
    const parent = valueAt(output, path.slice(0, -1)) ?? null;
    const entries = valueAt(output, path) ?? (valueAt(parent, ["Quantity"]) === 0 ? [] : undefined);
    const isEntry = (one: Value) =>
      fields.length === 0 ? typeof one === "string" : fields.every((field) => text(one, field) !== "");
    return Array.isArray(entries) && entries.every(isEntry) && typeof valueAt(parent, ["IsTruncated"]) === "boolean";
  };
}

/** A list of S3, which omits its entries if there are none. @param bucket the field with the name of the bucket. */
function listIn(bucket: string, ...lists: readonly string[]): Form {
  return ({ output, input }) =>
    typeof output["IsTruncated"] === "boolean" &&
    text(output, bucket) === text(input, "Bucket") &&
    lists.every((field) => listAt(output, [field]).every((one) => text(one, "Key") !== ""));
}

const role: Form = (answered) => repeats(["Role"], "RoleName")(answered) && text(answered.output, "Role", "Arn") !== "";

/** The ARN of a provider ends with its URL, which has no scheme in answers. */
const isUrlOf = (url: string, arn: string) => url !== "" && arn.endsWith(`:oidc-provider/${url}`);

const distribution: Form = ({ output }) =>
  /^[A-Z0-9]+$/.test(text(output, "Distribution", "Id")) &&
  ["ARN", "DomainName", "Status"].every((field) => text(output, "Distribution", field) !== "") &&
  isMap(valueAt(output, ["Distribution", "DistributionConfig"]));

const control: Form = ({ output }) =>
  text(output, "OriginAccessControl", "Id") !== "" &&
  Object.keys(valueAt(output, ["OriginAccessControl", "OriginAccessControlConfig"]) ?? {}).length > 0;

const settings = ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"];

/** All calls: the type demands a form for each new one. */
export const forms: Readonly<Record<Call, Form>> = {
  "sts:GetCallerIdentity": ({ output }) =>
    /^\d{12}$/.test(text(output, "Account")) && text(output, "Arn").startsWith("arn:"),
  "iam:AddClientIDToOpenIDConnectProvider": acknowledged,
  "iam:AttachRolePolicy": acknowledged,
  "iam:CreateOpenIDConnectProvider": ({ output, input }) =>
    isUrlOf(text(input, "Url").replace(/^https:\/\//, ""), text(output, "OpenIDConnectProviderArn")),
  "iam:CreateRole": role,
  "iam:DeleteOpenIDConnectProvider": acknowledged,
  "iam:DeleteRole": acknowledged,
  "iam:DeleteRolePermissionsBoundary": acknowledged,
  "iam:DeleteRolePolicy": acknowledged,
  "iam:DetachRolePolicy": acknowledged,
  "iam:GetAccountAuthorizationDetails": list(["RoleDetailList"], "Arn", "RoleName"),
  "iam:GetOpenIDConnectProvider": ({ output, input }) =>
    isUrlOf(text(output, "Url"), text(input, "OpenIDConnectProviderArn")),
  "iam:GetRole": role,
  "iam:GetRolePolicy": (answered) =>
    repeats([], "RoleName", "PolicyName")(answered) && text(answered.output, "PolicyDocument") !== "",
  "iam:ListAttachedRolePolicies": list(["AttachedPolicies"], "PolicyArn"),
  "iam:ListRolePolicies": list(["PolicyNames"]),
  "iam:ListRoles": list(["Roles"], "Arn", "RoleName"),
  "iam:PutRolePermissionsBoundary": acknowledged,
  "iam:PutRolePolicy": acknowledged,
  "iam:RemoveClientIDFromOpenIDConnectProvider": acknowledged,
  "iam:TagOpenIDConnectProvider": acknowledged,
  "iam:TagRole": acknowledged,
  "iam:UntagOpenIDConnectProvider": acknowledged,
  "iam:UntagRole": acknowledged,
  "iam:UpdateAssumeRolePolicy": acknowledged,
  "iam:UpdateOpenIDConnectProviderThumbprint": acknowledged,
  "iam:UpdateRole": acknowledged,
  "s3:CreateBucket": acknowledged,
  "s3:DeleteBucket": acknowledged,
  "s3:DeleteObject": acknowledged,
  "s3:GetBucketLifecycleConfiguration": ({ output }) => Array.isArray(output["Rules"]),
  "s3:GetBucketPolicy": (answered) =>
    acknowledged(answered) && /^\s*\{.*"(Version|Id|Statement)"/s.test(text(answered.output, "Policy")),
  "s3:GetBucketRequestPayment": ({ output }) => /^(BucketOwner|Requester)$/.test(text(output, "Payer")),
  "s3:GetBucketTagging": ({ output }) =>
    Array.isArray(output["TagSet"]) && output["TagSet"].every((one) => text(one, "Key") !== ""),
  // Objects have no form, and the name of the object is not in the answer.
  "s3:GetObject": (answered) => acknowledged(answered) && text(answered.output, "ETag") !== "",
  "s3:GetObjectLockConfiguration": ({ output }) => text(output, "ObjectLockConfiguration", "ObjectLockEnabled") !== "",
  "s3:GetPublicAccessBlock": ({ output }) =>
    settings.every((field) => typeof valueAt(output, ["PublicAccessBlockConfiguration", field]) === "boolean"),
  "s3:HeadBucket": (answered) => acknowledged(answered) && text(answered.output, "BucketRegion") !== "",
  "s3:ListMultipartUploads": listIn("Bucket", "Uploads"),
  "s3:ListObjectVersions": listIn("Name", "Versions", "DeleteMarkers"),
  "s3:PutBucketPolicy": acknowledged,
  "s3:PutBucketRequestPayment": acknowledged,
  "s3:PutBucketTagging": acknowledged,
  "s3:PutObject": (answered) => acknowledged(answered) && text(answered.output, "ETag") !== "",
  "s3:PutPublicAccessBlock": acknowledged,
  "cloudfront:CreateDistributionWithTags": distribution,
  "cloudfront:CreateOriginAccessControl": control,
  "cloudfront:DeleteDistribution": acknowledged,
  "cloudfront:DeleteOriginAccessControl": acknowledged,
  "cloudfront:GetDistribution": (answered) =>
    distribution(answered) && repeats(["Distribution"], "Id")(answered) && text(answered.output, "ETag") !== "",
  "cloudfront:GetOriginAccessControl": (answered) =>
    control(answered) && repeats(["OriginAccessControl"], "Id")(answered) && text(answered.output, "ETag") !== "",
  "cloudfront:ListDistributions": list(["DistributionList", "Items"], "Id", "DomainName"),
  "cloudfront:ListOriginAccessControls": list(["OriginAccessControlList", "Items"], "Id"),
  "cloudfront:ListTagsForResource": ({ output }) => Array.isArray(valueAt(output, ["Tags", "Items"])),
  "cloudfront:TagResource": acknowledged,
  "cloudfront:UntagResource": acknowledged,
  "cloudfront:UpdateDistribution": distribution,
  "cloudfront:UpdateOriginAccessControl": control,
};
