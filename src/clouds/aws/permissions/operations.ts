import type { Operations } from "../../../permissions/vocabulary.ts";

/**
 * Operations of APIs that actions with other names authorize (Amazon S3 User Guide, "Required permissions for Amazon S3 API
 * operations", and AWS Lambda Developer Guide, read in November 2026), as far as one action is enough. All other operations of the
 * services that requests of OpenShift name are authorized by actions with their own names.
 */
export const awsOperations: Operations = {
  "lambda:Invoke": ["lambda:InvokeFunction"],
  "s3:CompleteMultipartUpload": ["s3:PutObject"],
  "s3:CreateMultipartUpload": ["s3:PutObject"],
  "s3:DeleteBucketCors": ["s3:PutBucketCORS"],
  "s3:DeleteBucketEncryption": ["s3:PutEncryptionConfiguration"],
  "s3:DeleteBucketLifecycle": ["s3:PutLifecycleConfiguration"],
  "s3:DeleteBucketOwnershipControls": ["s3:PutBucketOwnershipControls"],
  "s3:DeleteBucketReplication": ["s3:PutReplicationConfiguration"],
  "s3:DeleteBucketTagging": ["s3:PutBucketTagging"],
  "s3:DeleteObjects": ["s3:DeleteObject", "s3:DeleteObjectVersion"],
  "s3:DeletePublicAccessBlock": ["s3:PutBucketPublicAccessBlock"],
  "s3:GetBucketAccelerateConfiguration": ["s3:GetAccelerateConfiguration"],
  "s3:GetBucketEncryption": ["s3:GetEncryptionConfiguration"],
  "s3:GetBucketLifecycle": ["s3:GetLifecycleConfiguration"],
  "s3:GetBucketLifecycleConfiguration": ["s3:GetLifecycleConfiguration"],
  "s3:GetBucketNotificationConfiguration": ["s3:GetBucketNotification"],
  "s3:GetBucketReplication": ["s3:GetReplicationConfiguration"],
  "s3:GetObjectLockConfiguration": ["s3:GetBucketObjectLockConfiguration"],
  "s3:GetPublicAccessBlock": ["s3:GetBucketPublicAccessBlock"],
  "s3:HeadBucket": ["s3:ListBucket"],
  "s3:HeadObject": ["s3:GetObject", "s3:GetObjectVersion"],
  "s3:ListBuckets": ["s3:ListAllMyBuckets"],
  "s3:ListMultipartUploads": ["s3:ListBucketMultipartUploads"],
  "s3:ListObjectVersions": ["s3:ListBucketVersions"],
  "s3:ListObjects": ["s3:ListBucket"],
  "s3:ListObjectsV2": ["s3:ListBucket"],
  "s3:ListParts": ["s3:ListMultipartUploadParts"],
  "s3:PutBucketAccelerateConfiguration": ["s3:PutAccelerateConfiguration"],
  "s3:PutBucketEncryption": ["s3:PutEncryptionConfiguration"],
  "s3:PutBucketLifecycle": ["s3:PutLifecycleConfiguration"],
  "s3:PutBucketLifecycleConfiguration": ["s3:PutLifecycleConfiguration"],
  "s3:PutBucketNotificationConfiguration": ["s3:PutBucketNotification"],
  "s3:PutObjectLockConfiguration": ["s3:PutBucketObjectLockConfiguration"],
  "s3:PutPublicAccessBlock": ["s3:PutBucketPublicAccessBlock"],
  "s3:SelectObjectContent": ["s3:GetObject"],
  "s3:UploadPart": ["s3:PutObject"],
};
