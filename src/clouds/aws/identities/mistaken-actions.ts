import { type Finding, finding } from "../../../core/finding.ts";
import { entryOf, type Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";

/**
 * Operations of an API whose permission has another name, by the name in lowercase that a policy would wrongly use (Amazon S3 User
 * Guide, "Required permissions for Amazon S3 API operations"; Service Authorization Reference; read in 2026-08). IAM accepts such a
 * name, and it has no effect.
 */
const rightActions: Readonly<Record<string, readonly string[]>> = {
  "lambda:invoke": ["lambda:InvokeFunction"],
  "s3:completemultipartupload": ["s3:PutObject"],
  "s3:copyobject": ["s3:GetObject", "s3:PutObject"],
  "s3:createmultipartupload": ["s3:PutObject"],
  "s3:deletebucketencryption": ["s3:PutEncryptionConfiguration"],
  "s3:deletebuckettagging": ["s3:PutBucketTagging"],
  "s3:deleteobjects": ["s3:DeleteObject"],
  "s3:getbucketencryption": ["s3:GetEncryptionConfiguration"],
  "s3:getbucketlifecycleconfiguration": ["s3:GetLifecycleConfiguration"],
  "s3:getbucketreplication": ["s3:GetReplicationConfiguration"],
  "s3:getpublicaccessblock": ["s3:GetBucketPublicAccessBlock"],
  "s3:headbucket": ["s3:ListBucket"],
  "s3:headobject": ["s3:GetObject"],
  "s3:listbuckets": ["s3:ListAllMyBuckets"],
  "s3:listmultipartuploads": ["s3:ListBucketMultipartUploads"],
  "s3:listobjects": ["s3:ListBucket"],
  "s3:listobjectsv2": ["s3:ListBucket"],
  "s3:listobjectversions": ["s3:ListBucketVersions"],
  "s3:listparts": ["s3:ListMultipartUploadParts"],
  "s3:putbucketencryption": ["s3:PutEncryptionConfiguration"],
  "s3:putbucketlifecycleconfiguration": ["s3:PutLifecycleConfiguration"],
  "s3:putbucketreplication": ["s3:PutReplicationConfiguration"],
  "s3:putpublicaccessblock": ["s3:PutBucketPublicAccessBlock"],
  "s3:uploadpart": ["s3:PutObject"],
};

/** Notes about actions of a statement that are names of API operations, not of permissions. */
export function mistakenActions(actions: readonly string[], index: number, resource: Resource): Finding[] {
  return actions.flatMap((action, at) => {
    const right = entryOf(rightActions, action.toLowerCase());
    if (right === undefined) return [];
    const field = `spec.providerSpec.statementEntries[${index}].action[${at}]`;
    const message = `${quote(action)} is the name of an operation, not of a permission, so it has no effect. The permission for the operation is ${right.map(quote).join(" with ")}.`;
    return [finding("info", "action-mistaken", message, { resource, field })];
  });
}
