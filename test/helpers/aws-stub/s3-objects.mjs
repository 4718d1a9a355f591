// The stand-in's objects of Amazon S3.
import { createHash } from "node:crypto";
import { arn, date, own } from "./common.mjs";
import { AwsError } from "./errors.mjs";
import { found, keysOf } from "./s3-buckets.mjs";

/** @import { Operation, Situation, StoredObject, Value } from "./types.ts" */

const which = "Bucket!, Key!>1, ExpectedBucketOwner";
const headers = ["CacheControl", "ContentDisposition", "ContentEncoding", "ContentLanguage", "ContentType"];

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
    ServerSideEncryption: "AES256",
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

/** @type {Record<string, Operation>} */
export const s3Objects = {
  PutObject: {
    parameters: `${which}, Body:blob, ${headers.join(", ")}, IfMatch, IfNoneMatch, Metadata:map, ChecksumAlgorithm`,
    changes: true,
    needs: needs("PutObject"),
    run: (parameters, situation) => {
      const { objects } = found(parameters, situation);
      checkConditions(parameters, own(objects, parameters.Key));
      const bytes = parameters.Body === undefined ? Buffer.alloc(0) : situation.read(parameters.Body);
      const given = headers.filter((name) => parameters[name] !== undefined);
      objects[parameters.Key] = {
        body: bodyOf(bytes),
        headers: Object.fromEntries([
          ...(given.includes("ContentType") ? [] : [["ContentType", "binary/octet-stream"]]),
          ...given.map((name) => [name, parameters[name]]),
        ]),
        metadata: parameters.Metadata ?? {},
      };
      return { ETag: tagOf(bytes), ServerSideEncryption: "AES256" };
    },
  },
  GetObject: {
    parameters: which,
    positional: "outfile",
    needs: needs("GetObject"),
    run: (parameters, situation) => {
      const stored = object(parameters, situation);
      situation.write(situation.file, bytesOf(stored));
      return described(stored);
    },
  },
  HeadObject: {
    parameters: which,
    needs: needs("GetObject"),
    run: (parameters, situation) => described(object(parameters, situation)),
  },
  DeleteObject: {
    parameters: which,
    changes: true,
    needs: needs("DeleteObject"),
    run: (parameters, situation) => {
      delete found(parameters, situation).objects[parameters.Key];
    },
  },
  ListObjectsV2: {
    parameters: "Bucket!, Prefix, ExpectedBucketOwner",
    pages: ["Contents"],
    needs: (parameters, situation) => {
      const { Bucket, Prefix } = parameters;
      const keys = { ...keysOf(parameters, situation), ...(Prefix === undefined ? {} : { "s3:prefix": Prefix }) };
      return [{ action: "s3:ListBucket", resource: arn(situation, "s3", Bucket, true), keys }];
    },
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
};
