// Cloud Storage.
import { createHash } from "node:crypto";
import { etag, own, paged, told } from "./common.mjs";
import { crc32c } from "./crc32c.mjs";
import { StorageError } from "./errors.mjs";
import { checkBucketPolicy, setPolicy, shownPolicy } from "./policies.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Bucket, Response, State, StoredObject, Value, World } from "./types.ts"
 */

const under = "^(?:/upload)?/storage/v1/b";
const created = "2026-01-02T03:04:05.678Z";

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`);

/** @param {State} state @param {string} name @param {string} permission @returns {Bucket} */
function bucketOf(state, name, permission) {
  const bucket = own(state.buckets, name);
  if (bucket === undefined) throw new StorageError(404, "The specified bucket does not exist.");
  if (bucket.closed === true) throw deniedBucket(permission, `bucket. Permission '${permission}' denied on resource`);
  return bucket;
}

/** @param {string} permission @param {string} what */
function deniedBucket(permission, what) {
  const who = `tester@example.com does not have ${permission} access to the Google Cloud Storage`;
  return new StorageError(403, `${who} ${what} (or it may not exist).`);
}

/** @param {World} world @param {string} name @returns {Value} */
function shownBucket({ state, address }, name) {
  const { projectNumber, location, iamConfiguration, labels, metageneration, billing, ipFilter, lifecycle } = bucketOf(
    state,
    name,
    "",
  );
  return {
    kind: "storage#bucket",
    selfLink: `${address}/storage/v1/b/${name}`,
    id: name,
    name,
    projectNumber,
    generation: "1",
    metageneration: String(metageneration),
    location,
    storageClass: "STANDARD",
    etag: etag(metageneration),
    timeCreated: created,
    updated: created,
    locationType: location.includes("-") ? "region" : "multi-region",
    iamConfiguration: structuredClone(iamConfiguration),
    ...told({ labels, billing, ipFilter, lifecycle }),
  };
}

/** @param {World} world @param {string} bucket @param {string} name @param {StoredObject} object @returns {Value} */
function shownObject({ address }, bucket, name, { body, contentType, cacheControl, contentEncoding, generation }) {
  const link = `${address}/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`;
  return {
    kind: "storage#object",
    id: `${bucket}/${name}/${generation}`,
    selfLink: link,
    mediaLink: `${link}?generation=${generation}&alt=media`,
    name,
    bucket,
    generation: String(generation),
    metageneration: "1",
    ...told({ contentType, cacheControl, contentEncoding }),
    storageClass: "STANDARD",
    size: String(Buffer.byteLength(body)),
    md5Hash: createHash("md5").update(body).digest("base64"),
    crc32c: crc32c(Buffer.from(body)),
    etag: etag(generation),
    timeCreated: created,
    updated: created,
  };
}

/** @param {State} state @param {string} bucket @param {string} name @param {string} permission @returns {StoredObject} */
function objectOf(state, bucket, name, permission) {
  const object = own(bucketOf(state, bucket, permission).objects, name);
  if (object === undefined) throw new StorageError(404, `No such object: ${bucket}/${name}`);
  return object;
}

/** @param {string} name */
function checkName(name) {
  if (!/^[a-z0-9][a-z0-9_-]{1,61}[a-z0-9]$/.test(name)) throw new StorageError(400, `Invalid bucket name: '${name}'`);
}

/** @param {Record<string, string> | undefined} labels */
function checkLabels(labels = {}) {
  for (const [key, value] of Object.entries(labels)) {
    if (!/^[a-z][a-z0-9_-]{0,62}$/.test(key)) throw new StorageError(400, `Invalid label key: ${key}`);
    if (value !== null && !/^[a-z0-9_-]{0,63}$/.test(value))
      throw new StorageError(400, `Invalid label value: ${value}`);
  }
}

/** @param {string} role */
function checkRole(role) {
  if (!/^roles\/storage\.[A-Za-z0-9.]+$/.test(role)) {
    throw new StorageError(400, `Role ${role} is not supported for this resource.`);
  }
}

/** @param {string} name @param {Bucket} bucket @param {number} version that the caller understands. @returns {Value} */
function shownBucketPolicy(name, { policy }, version) {
  const { etag: _, ...shown } = shownPolicy(policy, version);
  return {
    kind: "storage#policy",
    resourceId: `projects/_/buckets/${name}`,
    version: 1,
    etag: etag(policy.changes),
    ...shown,
  };
}

/** @type {readonly Route[]} */
export const storage = [
  {
    method: "POST",
    path: at(""),
    permission: "storage.buckets.create",
    run(world, _, { query, body }) {
      const { state } = world;
      const { name = "", location = "US", iamConfiguration = {}, labels } = body;
      if (query["project"] !== state.project) {
        throw new StorageError(400, `Unknown project id: ${query["project"]}`);
      }
      checkName(name);
      checkLabels(labels);
      const before = own(state.buckets, name);
      if (before !== undefined) {
        const isOurs = before.projectNumber === state.number;
        const why = isOurs
          ? "Your previous request to create the named bucket succeeded and you already own it."
          : "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.";
        throw new StorageError(409, why);
      }
      state.buckets[name] = {
        projectNumber: state.number,
        location: location.toUpperCase(),
        iamConfiguration: { publicAccessPrevention: "inherited", ...iamConfiguration },
        ...told({ labels }),
        policy: { bindings: [], changes: 0 },
        objects: {},
        metageneration: 1,
      };
      return shownBucket(world, name);
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)"),
    permission: "storage.buckets.get",
    run(world, [, name = ""]) {
      bucketOf(world.state, name, "storage.buckets.get");
      return shownBucket(world, name);
    },
  },
  {
    method: "PATCH",
    path: at("/([^/]+)"),
    permission: "storage.buckets.update",
    run(world, [, name = ""], { query, body }) {
      const bucket = bucketOf(world.state, name, "storage.buckets.update");
      const { labels, iamConfiguration, billing, ipFilter } = body;
      checkMatch(query["ifMetagenerationMatch"], bucket.metageneration);
      if (billing !== undefined) bucket.billing = billing;
      if (ipFilter !== undefined) bucket.ipFilter = ipFilter;
      checkLabels(labels);
      if (labels !== undefined) {
        const all = Object.entries({ ...bucket.labels, ...labels }).filter(([, value]) => value !== null);
        bucket.labels = Object.fromEntries(all);
      }
      if (iamConfiguration !== undefined) bucket.iamConfiguration = { ...bucket.iamConfiguration, ...iamConfiguration };
      bucket.metageneration++;
      return shownBucket(world, name);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    permission: "storage.buckets.delete",
    run({ state }, [, name = ""]) {
      const bucket = bucketOf(state, name, "storage.buckets.delete");
      if (Object.keys(bucket.objects).length > 0 || (bucket.noncurrent ?? []).length > 0) {
        throw new StorageError(409, "The bucket you tried to delete is not empty.");
      }
      delete state.buckets[name];
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)/iam"),
    permission: "storage.buckets.getIamPolicy",
    run({ state }, [, name = ""], { query }) {
      const bucket = bucketOf(state, name, "storage.buckets.getIamPolicy");
      return shownBucketPolicy(name, bucket, Number(query["optionsRequestedPolicyVersion"] ?? 0));
    },
  },
  {
    method: "PUT",
    path: at("/([^/]+)/iam"),
    permission: "storage.buckets.setIamPolicy",
    run(world, [, name = ""], { body }) {
      const bucket = bucketOf(world.state, name, "storage.buckets.setIamPolicy");
      checkBucketPolicy(world, body);
      setPolicy(world, bucket.policy, body, checkRole);
      return shownBucketPolicy(name, bucket, 3);
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)/o"),
    permission: "storage.objects.list",
    run(world, [, name = ""], { query }) {
      const { objects, noncurrent = [], softDeleted = [] } = bucketOf(world.state, name, "storage.objects.list");
      const old = { body: "old", generation: 1000 };
      const versions = query["versions"] === "true" ? noncurrent : [];
      /** @type {[string, StoredObject][]} */
      const found =
        query["softDeleted"] === "true"
          ? softDeleted.map((key) => [key, old])
          : [...Object.entries(objects), ...versions.map((key) => /** @type {[string, StoredObject]} */ ([key, old]))];
      const all = found.filter(([key]) => key.startsWith(query["prefix"] ?? ""));
      const seen = all.map(([key, object]) => shownObject(world, name, key, object));
      return { kind: "storage#objects", ...paged(seen, "items", query, world.settings.page) };
    },
  },
  {
    method: "POST",
    path: at("/([^/]+)/o"),
    permission: "storage.objects.create",
    run(world, [, bucketName = ""], { query, body, upload = "" }) {
      const { objects } = bucketOf(world.state, bucketName, "storage.objects.create");
      const name = body?.name ?? query["name"] ?? "";
      const { contentType, cacheControl } = body ?? {};
      checkMatch(query["ifGenerationMatch"], own(objects, name)?.generation ?? 0);
      const object = { body: upload, ...told({ contentType, cacheControl }) };
      objects[name] = { ...object, generation: (own(objects, name)?.generation ?? 0) + 1 };
      return shownObject(world, bucketName, name, /** @type {StoredObject} */ (objects[name]));
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)/o/(.+)"),
    permission: "storage.objects.get",
    run(world, [, bucket = "", name = ""], { query }) {
      const object = objectOf(world.state, bucket, name, "storage.objects.get");
      if ((query["generation"] ?? String(object.generation)) !== String(object.generation))
        throw new StorageError(404, `No such object: ${bucket}/${name}`);
      const type = object.contentType ?? "application/octet-stream";
      if (query["alt"] === "media") return { media: { type, text: object.body } };
      return shownObject(world, bucket, name, object);
    },
  },
  {
    method: "PATCH",
    path: at("/([^/]+)/o/(.+)"),
    permission: "storage.objects.update",
    run(world, [, bucket = "", name = ""], { body }) {
      const object = objectOf(world.state, bucket, name, "storage.objects.update");
      const { contentType, cacheControl } = body;
      Object.assign(object, told({ contentType, cacheControl }));
      return shownObject(world, bucket, name, object);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)/o/(.+)"),
    permission: "storage.objects.delete",
    run({ state }, [, bucket = "", name = ""], { query }) {
      const found = bucketOf(state, bucket, "storage.objects.delete");
      if (query["generation"] === "1000" && found.noncurrent?.includes(name)) {
        found.noncurrent = found.noncurrent.filter((one) => one !== name);
        return;
      }
      objectOf(state, bucket, name, "storage.objects.delete");
      delete found.objects[name];
      found.softDeleted = [...new Set([...(found.softDeleted ?? []), name])];
    },
  },
  {
    // The XML API.
    method: "GET",
    path: /^\/([a-z0-9_-]+)\/?$/,
    permission: "storage.multipartUploads.list",
    run({ state }, [, name = ""]) {
      const { uploads = [] } = bucketOf(state, name, "storage.multipartUploads.list");
      const listed = uploads.map((key) => `<Upload><Key>${key}</Key><UploadId>x</UploadId></Upload>`).join("");
      const text = `<ListMultipartUploadsResult><Bucket>${name}</Bucket>${listed}</ListMultipartUploadsResult>`;
      return { media: { type: "application/xml", text } };
    },
  },
];

/** @param {string | undefined} given @param {number} found */
function checkMatch(given, found) {
  if (given !== undefined && given !== String(found))
    throw new StorageError(412, "At least one of the pre-conditions you specified did not hold.");
}

/** What everyone reads of an object. @param {World} world @param {string} path @returns {Response} */
export function readAsEveryone({ state }, path) {
  const [, name = "", key = ""] = /^\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const bucket = own(state.buckets, name);
  const refused = (/** @type {number} */ status) => ({
    status,
    body: undefined,
    media: { type: "application/xml", text: "" },
  });
  if (bucket === undefined) return refused(404);
  const { policy, iamConfiguration, billing, ipFilter, objects } = bucket;
  const isOpen = policy.bindings.some(
    ({ role, members, condition }) =>
      /object|admin/i.test(role) && members.includes("allUsers") && condition === undefined,
  );
  const isClosed = iamConfiguration.publicAccessPrevention === "enforced" || ipFilter?.mode === "Enabled";
  if (!isOpen || isClosed || billing?.requesterPays === true) return refused(403);
  const object = own(objects, key);
  if (object === undefined) return refused(404);
  return {
    status: 200,
    body: undefined,
    media: { type: object.contentType ?? "application/octet-stream", text: object.body },
  };
}
