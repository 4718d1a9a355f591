// The pages in which AWS answers lists.
import { AwsError } from "./errors.mjs";

/** @import { Value } from "./types.ts" */

/** The fields of a request that ask for a page, by service; those of S3 by operation. @type {Record<string, { at: string[], size: string, next: string }>} */
const forms = {
  iam: { at: ["Marker"], size: "MaxItems", next: "Marker" },
  cloudfront: { at: ["Marker"], size: "MaxItems", next: "NextMarker" },
  ListObjectsV2: { at: ["ContinuationToken"], size: "MaxKeys", next: "NextContinuationToken" },
  ListObjectVersions: { at: ["KeyMarker", "VersionIdMarker"], size: "MaxKeys", next: "NextKeyMarker" },
  ListMultipartUploads: { at: ["KeyMarker", "UploadIdMarker"], size: "MaxUploads", next: "NextKeyMarker" },
};

/** The second part of a marker, where it has two: both must come back. @type {Record<string, string>} */
const seconds = { ListObjectVersions: "NextVersionIdMarker", ListMultipartUploads: "NextUploadIdMarker" };

/**
 * Takes what asks for a page out of a request.
 *
 * @param {string} service @param {string} name of the operation. @param {Record<string, Value>} input
 * @returns {{ rest: Record<string, Value>, marker: string | undefined, size: number }}
 */
export function pageAsked(service, name, input) {
  const form = forms[name] ?? forms[service];
  if (form === undefined) return { rest: input, marker: undefined, size: 1000 };
  const { [form.size]: size = 1000, ...rest } = input;
  const markers = form.at.map((field) => rest[field]);
  for (const field of form.at) delete rest[field];
  const [marker, second] = markers;
  if (marker !== undefined && seconds[name] !== undefined && second !== marker)
    throw new AwsError("InvalidArgument", "A version-id marker cannot be specified without a key marker.");
  return { rest, marker, size: Number(size) };
}

/**
 * One page of an answer.
 *
 * @param {string} service @param {string} name of the operation. @param {Value} answer with the whole list.
 * @param {string[]} path where the list is. @param {string | undefined} marker of the page. @param {number} size
 * @returns {Value}
 */
export function pageOf(service, name, answer, [outer = "", inner], marker, size) {
  // The tags of a distribution do not come in pages.
  if (service === "cloudfront" && inner === undefined) return answer;
  /** @type {Value[]} */
  const items = (inner === undefined ? answer[outer] : answer[outer]?.[inner]) ?? [];
  const from = indexOf(marker, items.length);
  const some = items.slice(from, from + size);
  const isTruncated = from + size < items.length;
  const more = { IsTruncated: isTruncated, ...(isTruncated ? nextOf(service, name, `page-${from + size}`) : {}) };
  if (service === "cloudfront") {
    const list = some.length > 0 ? { Items: some } : {};
    return { [outer]: { Marker: marker ?? "", MaxItems: size, Quantity: some.length, ...more, ...list } };
  }
  const { [outer]: _, ...rest } = answer;
  if (name === "ListObjectVersions") return { ...rest, ...more, ...divided(some) };
  // Amazon S3 omits an empty list, IAM does not.
  return service === "s3" && some.length === 0 ? { ...rest, ...more } : { ...rest, ...more, [outer]: some };
}

/** @param {string | undefined} marker @param {number} length */
function indexOf(marker, length) {
  const from = marker ? Number(/^page-(\d+)$/.exec(marker)?.[1] ?? Number.NaN) : 0;
  if (from <= length) return from;
  throw new AwsError("ValidationError", "Invalid Marker.");
}

/** @param {string} service @param {string} name @param {string} marker */
function nextOf(service, name, marker) {
  const { next = "" } = forms[name] ?? forms[service] ?? {};
  const second = seconds[name];
  return { [next]: marker, ...(second === undefined ? {} : { [second]: marker }) };
}

/** @param {Value[]} some */
function divided(some) {
  const [Versions = [], DeleteMarkers = []] = [false, true].map((is) =>
    some.filter(({ isMarker }) => isMarker === is).map(({ isMarker: _, ...one }) => one),
  );
  return { ...(Versions.length > 0 ? { Versions } : {}), ...(DeleteMarkers.length > 0 ? { DeleteMarkers } : {}) };
}
