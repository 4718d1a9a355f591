// The stand-in's objects of Amazon S3.
import { createHash } from "node:crypto";
import { arn, date, own } from "./common.mjs";
import { AwsError } from "./errors.mjs";
import { found, keysOf } from "./s3-buckets.mjs";

/** @import { Bucket, Operation, Situation, StoredObject, Value } from "./types.ts" */

const which = "Bucket!, Key!>1, ExpectedBucketOwner";
const headers = [
  "CacheControl",
  "ContentDisposition",
  "ContentEncoding",
  "ContentLanguage",
  "ContentType",
  "StorageClass",
];

/** @param {string} action @returns {Operation["needs"]} */
function needs(action) {
  return (parameters, situation) => {
    const resource = arn(situation, "s3", `${parameters.Bucket}/${parameters.Key}`, true);
    return [{ action: `s3:${action}`, resource, keys: keysOf(parameters, situation) }];
  };
}

/** @param {Value} parameters @param {Situation} situation @returns {StoredObject} */
function object(parameters, situation) {
  const stored = own(found(parameters, situation).objects, parameters.Key);
  if (stored !== undefined) return stored;
  // A caller who may not list the bucket does not learn that the object does not exist.
  const lists = situation.allows({ action: "s3:ListBucket", resource: arn(situation, "s3", parameters.Bucket, true) });
  if (lists) throw new AwsError("NoSuchKey", "The specified key does not exist.");
  throw new AwsError("AccessDenied", "Access Denied");
}

/** @param {StoredObject} stored */
function bytesOf({ body }) {
  return body.startsWith("base64:") ? Buffer.from(body.slice(7), "base64") : Buffer.from(body);
}

/** @param {Buffer} bytes */
function bodyOf(bytes) {
  const text = bytes.toString("utf8");
  const whole = Buffer.from(text).equals(bytes) && !text.startsWith("base64:");
  return whole ? text : `base64:${bytes.toString("base64")}`;
}

/** @param {Buffer} bytes */
const tagOf = (bytes) => `"${createHash("md5").update(bytes).digest("hex")}"`;

/** @param {StoredObject} stored */
function described(stored) {
  const bytes = bytesOf(stored);
  return {
    AcceptRanges: "bytes",
    LastModified: "Mon, 01 Jan 2024 00:00:00 GMT",
    ContentLength: bytes.length,
    ETag: tagOf(bytes),
    ...stored.headers,
    ...(stored.encryption ?? { ServerSideEncryption: "AES256" }),
    ...(stored.versionId === undefined ? {} : { VersionId: stored.versionId }),
    Metadata: stored.metadata,
  };
}

/** @param {Value} parameters @param {StoredObject | undefined} there */
function checkConditions({ IfMatch, IfNoneMatch }, there) {
  if (IfMatch !== undefined && there === undefined)
    throw new AwsError("NoSuchKey", "The specified key does not exist.");
  const tag = there === undefined ? undefined : tagOf(bytesOf(there));
  const bare = (/** @type {string | undefined} */ text) => text?.replaceAll('"', "");
  if (IfNoneMatch !== undefined && IfNoneMatch !== "*") {
    throw new AwsError("NotImplemented", "A header you provided implies functionality that is not implemented");
  }
  if ((IfMatch !== undefined && bare(IfMatch) !== bare(tag)) || (IfNoneMatch === "*" && there !== undefined)) {
    throw new AwsError("PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
  }
}

/** How a new object is encrypted, where that is not what S3 does anyway. @param {Bucket} bucket @param {Value} parameters */
function encryptionOf({ encryption }, { ServerSideEncryption, SSEKMSKeyId }) {
  if (ServerSideEncryption === "AES256") return {};
  if (ServerSideEncryption !== undefined) return { encryption: { ServerSideEncryption, SSEKMSKeyId } };
  const { SSEAlgorithm = "AES256", KMSMasterKeyID } = encryption?.Rules[0]?.ApplyServerSideEncryptionByDefault ?? {};
  return SSEAlgorithm === "AES256"
    ? {}
    : { encryption: { ServerSideEncryption: SSEAlgorithm, SSEKMSKeyId: KMSMasterKeyID } };
}

/** Keeps what a write or a deletion replaces, if the bucket keeps versions. @param {Bucket} bucket @param {string} key */
function keepVersion(bucket, key) {
  if (bucket.versioning === undefined) return {};
  bucket.versions ??= [];
  const there = own(bucket.objects, key);
  for (const one of bucket.versions) if (one.Key === key) one.IsLatest = false;
  if (there !== undefined)
    bucket.versions.push({ Key: key, VersionId: there.versionId ?? "null", IsLatest: false, isMarker: false });
  bucket.versionsMade = (bucket.versionsMade ?? 0) + 1;
  return { versionId: `version${bucket.versionsMade}` };
}

/** @type {Record<string, Operation>} */
export const s3Objects = {
  PutObject: {
    parameters: `${which}, Body:blob, ${headers.join(", ")}, IfMatch, IfNoneMatch, Metadata:map, ChecksumAlgorithm, ServerSideEncryption, SSEKMSKeyId`,
    changes: true,
    needs: needs("PutObject"),
    run: (parameters, situation) => {
      const bucket = found(parameters, situation);
      checkConditions(parameters, own(bucket.objects, parameters.Key));
      const bytes = Buffer.from(parameters.Body ?? "");
      const given = headers.filter((name) => parameters[name] !== undefined);
      const kept = keepVersion(bucket, parameters.Key);
      const stored = {
        body: bodyOf(bytes),
        headers: Object.fromEntries([
          ...(given.includes("ContentType") ? [] : [["ContentType", "binary/octet-stream"]]),
          ...given.map((name) => [name, parameters[name]]),
        ]),
        metadata: parameters.Metadata ?? {},
        ...encryptionOf(bucket, parameters),
        ...kept,
      };
      bucket.objects[parameters.Key] = stored;
      const { ETag, ServerSideEncryption, VersionId } = described(stored);
      return { ETag, ServerSideEncryption, ...(VersionId === undefined ? {} : { VersionId }) };
    },
  },
  GetObject: {
    parameters: which,
    positional: "outfile",
    needs: needs("GetObject"),
    run: (parameters, situation) => {
      const stored = object(parameters, situation);
      if (/^(GLACIER|DEEP_ARCHIVE)$/.test(stored.headers["StorageClass"] ?? "")) {
        const message = "The operation is not valid for the object's storage class";
        throw new AwsError("InvalidObjectState", message);
      }
      return { ...described(stored), Body: bytesOf(stored) };
    },
  },
  HeadObject: {
    parameters: `${which}, VersionId`,
    needs: (parameters, situation) =>
      needs(parameters.VersionId === undefined ? "GetObject" : "GetObjectVersion")(parameters, situation),
    run: (parameters, situation) => {
      const { versions = [], objectLock } = found(parameters, situation);
      const lock = objectLock
        ? { ObjectLockMode: "COMPLIANCE", ObjectLockRetainUntilDate: "2999-01-01T00:00:00Z" }
        : {};
      const isOld = versions.some(({ Key, VersionId }) => Key === parameters.Key && VersionId === parameters.VersionId);
      if (isOld) return { ...lock, VersionId: parameters.VersionId };
      return { ...described(object(parameters, situation)), ...lock };
    },
  },
  DeleteObject: {
    parameters: `${which}, VersionId`,
    changes: true,
    needs: (parameters, situation) =>
      needs(parameters.VersionId === undefined ? "DeleteObject" : "DeleteObjectVersion")(parameters, situation),
    run: ({ Key, VersionId, ...parameters }, situation) => {
      const bucket = found(parameters, situation);
      const there = own(bucket.objects, Key);
      if (VersionId === undefined) {
        const { versionId } = keepVersion(bucket, Key);
        delete bucket.objects[Key];
        if (versionId === undefined) return undefined;
        bucket.versions?.push({ Key, VersionId: versionId, IsLatest: true, isMarker: true });
        return { DeleteMarker: true, VersionId: versionId };
      }
      if (bucket.objectLock)
        throw new AwsError("AccessDenied", "Access Denied because object protected by object lock.");
      if ((there?.versionId ?? "null") === VersionId) delete bucket.objects[Key];
      bucket.versions = (bucket.versions ?? []).filter((one) => one.Key !== Key || one.VersionId !== VersionId);
      return { VersionId };
    },
  },
  ListObjectsV2: {
    parameters: "Bucket!, Prefix, ExpectedBucketOwner",
    pages: ["Contents"],
    needs: ofList("ListBucket"),
    run: (parameters, situation) => {
      const { Prefix = "" } = parameters;
      const objects = Object.entries(found(parameters, situation).objects).filter(([key]) => key.startsWith(Prefix));
      const Contents = objects
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([Key, stored]) => {
          const bytes = bytesOf(stored);
          return { Key, LastModified: date, ETag: tagOf(bytes), Size: bytes.length, StorageClass: "STANDARD" };
        });
      return { ...(Contents.length > 0 ? { Contents } : {}), RequestCharged: null, Prefix };
    },
  },
  ListObjectVersions: {
    parameters: "Bucket!, Prefix, ExpectedBucketOwner",
    pages: ["Versions"],
    needs: ofList("ListBucketVersions"),
    // The page that is asked for is divided into Versions and DeleteMarkers, see pages.mjs.
    run: (parameters, situation) => {
      const { Prefix = "" } = parameters;
      const { objects, versions = [] } = found(parameters, situation);
      const current = Object.entries(objects).map(([Key, { versionId: VersionId = "null" }]) => ({
        ...{ Key, VersionId, IsLatest: true, isMarker: false },
      }));
      const all = [...current, ...versions].filter(({ Key }) => Key.startsWith(Prefix));
      return { Name: parameters.Bucket, Versions: all.sort((one, other) => (one.Key < other.Key ? -1 : 1)) };
    },
  },
  ListMultipartUploads: {
    parameters: "Bucket!, Prefix, ExpectedBucketOwner",
    pages: ["Uploads"],
    needs: ofList("ListBucketMultipartUploads"),
    run: (parameters, situation) => {
      const { uploads = [] } = found(parameters, situation);
      const listed = uploads.map((Key) => ({ Key, UploadId: `upload-${Key}` }));
      return { Bucket: parameters.Bucket, ...(listed.length > 0 ? { Uploads: listed } : {}) };
    },
  },
  AbortMultipartUpload: {
    parameters: `${which}, UploadId!`,
    changes: true,
    needs: needs("AbortMultipartUpload"),
    run: (parameters, situation) => {
      const bucket = found(parameters, situation);
      bucket.uploads = (bucket.uploads ?? []).filter((one) => one !== parameters.Key);
    },
  },
};

/** @param {string} action @returns {Operation["needs"]} */
function ofList(action) {
  return (parameters, situation) => {
    const { Bucket, Prefix } = parameters;
    const keys = { ...keysOf(parameters, situation), ...(Prefix === undefined ? {} : { "s3:prefix": Prefix }) };
    return [{ action: `s3:${action}`, resource: arn(situation, "s3", Bucket, true), keys }];
  };
}
