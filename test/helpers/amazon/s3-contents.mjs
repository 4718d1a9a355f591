// The stand-in's settings of buckets of Amazon S3 that decide about what is in them.
import { AwsError } from "./errors.mjs";
import { found, needs } from "./s3-buckets.mjs";

/** @import { Operation } from "./types.ts" */

const which = "Bucket!, ExpectedBucketOwner";
const rules = "{Rules!:[{ApplyServerSideEncryptionByDefault:{SSEAlgorithm!, KMSMasterKeyID}, BucketKeyEnabled:bool}]}";

/** @type {Record<string, Operation>} */
export const s3Contents = {
  GetBucketVersioning: {
    parameters: which,
    needs: needs("GetBucketVersioning"),
    run: (parameters, situation) => {
      const { versioning } = found(parameters, situation);
      return versioning === undefined ? {} : { Status: versioning };
    },
  },
  PutBucketVersioning: {
    parameters: `${which}, VersioningConfiguration!:{Status!}`,
    changes: true,
    needs: needs("PutBucketVersioning"),
    run: (parameters, situation) => {
      found(parameters, situation).versioning = parameters.VersioningConfiguration.Status;
    },
  },
  GetBucketEncryption: {
    parameters: which,
    needs: needs("GetEncryptionConfiguration"),
    run: (parameters, situation) => {
      const { encryption = ofS3 } = found(parameters, situation);
      return { ServerSideEncryptionConfiguration: encryption };
    },
  },
  PutBucketEncryption: {
    parameters: `${which}, ServerSideEncryptionConfiguration!:${rules}`,
    changes: true,
    needs: needs("PutEncryptionConfiguration"),
    run: (parameters, situation) => {
      found(parameters, situation).encryption = parameters.ServerSideEncryptionConfiguration;
    },
  },
  GetBucketOwnershipControls: {
    parameters: which,
    needs: needs("GetBucketOwnershipControls"),
    run: (parameters, situation) => {
      const { ownership = "BucketOwnerEnforced" } = found(parameters, situation);
      return { OwnershipControls: { Rules: [{ ObjectOwnership: ownership }] } };
    },
  },
  PutBucketOwnershipControls: {
    parameters: `${which}, OwnershipControls!:{Rules!:[{ObjectOwnership!}]}`,
    changes: true,
    needs: needs("PutBucketOwnershipControls"),
    run: (parameters, situation) => {
      found(parameters, situation).ownership = parameters.OwnershipControls.Rules[0].ObjectOwnership;
    },
  },
  GetBucketRequestPayment: {
    parameters: which,
    needs: needs("GetBucketRequestPayment"),
    run: (parameters, situation) => ({ Payer: found(parameters, situation).payer ?? "BucketOwner" }),
  },
  PutBucketRequestPayment: {
    parameters: `${which}, RequestPaymentConfiguration!:{Payer!}`,
    changes: true,
    needs: needs("PutBucketRequestPayment"),
    run: (parameters, situation) => {
      found(parameters, situation).payer = parameters.RequestPaymentConfiguration.Payer;
    },
  },
  GetObjectLockConfiguration: {
    parameters: which,
    needs: needs("GetBucketObjectLockConfiguration"),
    run: (parameters, situation) => {
      if (found(parameters, situation).objectLock) return { ObjectLockConfiguration: { ObjectLockEnabled: "Enabled" } };
      const message = "Object Lock configuration does not exist for this bucket";
      throw new AwsError("ObjectLockConfigurationNotFoundError", message);
    },
  },
};

/** What S3 does without a configuration. */
const ofS3 = {
  Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" }, BucketKeyEnabled: false }],
};
