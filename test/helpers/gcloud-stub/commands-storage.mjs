// gcloud storage.
import { createHash } from "node:crypto";
import { crc32c } from "../google/crc32c.mjs";
import { policyCommands } from "./bindings.mjs";
import { inGroup, listed } from "./commands-iam.mjs";
import { authenticated, Failure, Lines, Own } from "./failure.mjs";

/**
 * @import { Command, Value } from "./types.ts"
 * @import { Response } from "../google/types.ts"
 */

/** @param {string | undefined} url @returns {{ bucket: string, object: string, url: string }} */
function urlOf(url = "") {
  const [, bucket = "", object = ""] = /^gs:\/\/([^/]+)\/?(.*)$/.exec(url) ?? [];
  if (bucket === "") throw new Error(`not covered: ${url} is not a gs:// URL`);
  return { bucket, object, url };
}

/** @param {string} bucket */
const bucketPath = (bucket) => `/storage/v1/b/${bucket}`;
/** @param {string} bucket @param {string} object */
const objectPath = (bucket, object) => `${bucketPath(bucket)}/o/${object}`;

/** What gcloud says of a refused request. @param {Response} response @param {string} bucket @param {string} url */
function failure(response, bucket, url = `gs://${bucket}`) {
  const { code, message } = response.body.error;
  if (code === 404) return new Failure(response, `${url} not found: 404.`);
  if (code === 403) {
    const who = `[tester@example.com] does not have permission to access b instance [${bucket}] (or it may not exist)`;
    return new Failure(response, authenticated(`${who}: ${message}`));
  }
  return new Failure(response, `HTTPError ${code}: ${message}`);
}

/** @param {Response} response @param {string} bucket @param {string} [url] */
function answered(response, bucket, url) {
  if (response.status >= 400) throw failure(response, bucket, url);
  return response.body;
}

// `--raw` prints times in Python's form.
/** @param {Value} resource */
function raw(resource) {
  const time = (/** @type {string} */ text) => text.replace("Z", "000+00:00");
  return { ...resource, timeCreated: time(resource.timeCreated), updated: time(resource.updated) };
}

/** @param {string | undefined} text @returns {Record<string, string>} */
function labelsOf(text = "") {
  return Object.fromEntries(
    text.split(",").map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
}

/** @type {Record<string, Command>} */
const buckets = {
  describe: {
    names: 1,
    switches: ["raw"],
    required: ["raw"],
    run({ names, response }) {
      const { bucket } = urlOf(names[0]);
      return raw(answered(response("GET", bucketPath(bucket)), bucket));
    },
  },
  create: {
    names: 1,
    texts: ["location"],
    switches: ["uniform-bucket-level-access"],
    choices: ["public-access-prevention"],
    changes: true,
    run({ names, flags, project, response, say }) {
      const { bucket } = urlOf(names[0]);
      say(`Creating gs://${bucket}/...`);
      const isUniform = flags["uniform-bucket-level-access"];
      const prevention = flags["public-access-prevention"];
      const iamConfiguration = {
        ...(prevention !== undefined && { publicAccessPrevention: prevention ? "enforced" : "inherited" }),
        ...(isUniform && { uniformBucketLevelAccess: { enabled: true } }),
      };
      const body = { name: bucket, location: flags["location"], iamConfiguration };
      answered(response("POST", "/storage/v1/b", { query: { project }, body }), bucket);
      return [];
    },
  },
  update: {
    names: 1,
    texts: ["update-labels"],
    switches: ["uniform-bucket-level-access"],
    choices: ["public-access-prevention"],
    changes: true,
    run({ names, flags, response, say }) {
      const { bucket } = urlOf(names[0]);
      say(`  \nUpdating gs://${bucket}/...\n`);
      const before = response("GET", bucketPath(bucket));
      if (before.status === 404) throw new Lines(`ERROR: gs://${bucket} not found: 404.`);
      const { labels, iamConfiguration } = answered(before, bucket);
      const prevention = flags["public-access-prevention"];
      const added = labelsOf(flags["update-labels"]);
      const body = {
        labels: flags["update-labels"] === undefined ? labels : { ...labels, ...added },
        iamConfiguration: {
          ...iamConfiguration,
          ...(prevention !== undefined && { publicAccessPrevention: prevention ? "enforced" : "inherited" }),
          ...(flags["uniform-bucket-level-access"] && { uniformBucketLevelAccess: { enabled: true } }),
        },
      };
      const after = response("PATCH", bucketPath(bucket), { body });
      if (after.status >= 400) throw new Lines(`ERROR: ${failure(after, bucket).message}`);
      return [];
    },
  },
  delete: {
    names: 1,
    changes: true,
    run({ names, response, say }) {
      const { bucket } = urlOf(names[0]);
      say(`  \nRemoving gs://${bucket}/...`);
      const answer = response("DELETE", bucketPath(bucket));
      if (answer.status === 409) {
        throw new Lines(
          "ERROR: Bucket is not empty. To delete all objects and then delete bucket, use: gcloud storage rm -r",
        );
      }
      if (answer.status >= 400) throw new Lines(`ERROR: ${failure(answer, bucket).message}`);
      return [];
    },
  },
  ...policyCommands({
    get: ({ names, response }) =>
      response("GET", `${bucketPath(urlOf(names[0]).bucket)}/iam`, { query: { optionsRequestedPolicyVersion: "3" } }),
    set: ({ names, response }, policy) =>
      response("PUT", `${bucketPath(urlOf(names[0]).bucket)}/iam`, { body: policy }),
    failed: ({ names }, response) => {
      const { bucket } = urlOf(names[0]);
      const { code, message } = response.body.error;
      if (code !== 409) return failure(response, bucket);
      return new Failure(response, `B instance [${bucket}] is the subject of a conflict: ${message}`);
    },
    updated: () => undefined,
  }),
};

const documents = ["content-type", "cache-control"];

/** @type {Record<string, Command>} */
const objects = {
  describe: {
    names: 1,
    switches: ["raw"],
    required: ["raw"],
    run({ names, response }) {
      const { bucket, object, url } = urlOf(names[0]);
      return raw(answered(response("GET", objectPath(bucket, object)), bucket, url));
    },
  },
  list: {
    names: 1,
    texts: ["limit"],
    switches: ["raw"],
    required: ["raw"],
    run(situation) {
      const { bucket, object, url } = urlOf(situation.names[0]);
      if (object !== "**") throw new Error(`not covered: objects list ${url}`);
      const first = situation.response("GET", `${bucketPath(bucket)}/o`);
      answered(first, bucket);
      const all = listed(situation, `${bucketPath(bucket)}/o`, "items").map(raw);
      return all.slice(0, Number(situation.flags["limit"] ?? all.length));
    },
  },
  update: {
    names: 1,
    texts: documents,
    changes: true,
    run({ names, flags, response, say }) {
      const { bucket, object, url } = urlOf(names[0]);
      const body = { contentType: flags["content-type"], cacheControl: flags["cache-control"] };
      const answer = response("PATCH", objectPath(bucket, object), { body });
      if (answer.status === 404) throw noMatch(url);
      say(`  \nPatching ${url}...\n`);
      answered(answer, bucket);
      return [];
    },
  },
};

/** @param {string} url */
const noMatch = (url) => new Own(`The following URLs matched no objects or files:\n${url}`);

/** @type {Record<string, Command>} */
const files = {
  cp: {
    names: 2,
    texts: documents,
    changes: true,
    run({ names: [from = "", to], flags, read, response, say }) {
      const { bucket, object, url } = urlOf(to);
      const upload = read(from);
      say(`Copying file://${from} to ${url}\n  `);
      const body = {
        name: object,
        contentType: flags["content-type"] ?? "application/octet-stream",
        cacheControl: flags["cache-control"],
      };
      const answer = response("POST", `/upload${bucketPath(bucket)}/o`, { body, upload });
      if (answer.status >= 400) throw new Lines(`ERROR: ${failure(answer, bucket).message}\n`);
      return [];
    },
  },
  hash: {
    names: [1, 10],
    switches: ["skip-crc32c"],
    run({ names, flags, read, response, say }) {
      const without = flags["skip-crc32c"] === true;
      return names.map((name) => {
        if (!name.startsWith("gs://")) return hashed(name, read(name), without);
        const { bucket, object, url } = urlOf(name);
        const answer = response("GET", objectPath(bucket, object));
        if (answer.status === 404) {
          say(`WARNING: No matches found for ${url}`);
          throw new Own("No URLS matched.");
        }
        const { md5Hash, crc32c: crc } = answered(answer, bucket, url);
        return { ...(without ? {} : { crc32c_hash: crc }), digest_format: "base64", md5_hash: md5Hash, url };
      });
    },
  },
  rm: {
    names: 1,
    changes: true,
    run({ names, response, say }) {
      const { bucket, object, url } = urlOf(names[0]);
      say("Removing objects:\n  ");
      if (response("GET", bucketPath(bucket)).status === 404) throw new Own(`gs://${bucket} not found: 404.`);
      const answer = response("DELETE", objectPath(bucket, object));
      if (answer.status === 404) throw noMatch(url);
      if (answer.status >= 400) throw new Lines(`ERROR: ${failure(answer, bucket).message}`);
      say(`Removing ${url}...\n`);
      return [];
    },
  },
};

/** @param {string} url @param {string} text @param {boolean} without the other checksum. */
function hashed(url, text, without) {
  const md5 = createHash("md5").update(text).digest("base64");
  const other = without ? {} : { crc32c_hash: crc32c(Buffer.from(text)) };
  return { ...other, digest_format: "base64", md5_hash: md5, url };
}

/** @type {Record<string, Command>} */
export const storageCommands = {
  ...inGroup(buckets, "storage buckets"),
  ...inGroup(objects, "storage objects"),
  ...inGroup(files, "storage"),
};
