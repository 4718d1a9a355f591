import type { Form } from "../../../apply/requests.ts";
import { isMap, listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";

/*
 * The forms of Google's answers. A proxy or a login page can answer any request with status 200. So an answer counts only if
 * it contains what Google always returns, about the resource of the request. Each request states its form.
 */

/** A resource of IAM, which repeats its name. */
export function named(name: string): Form {
  return ({ value }) => isMap(value) && value["name"] === name;
}

/** A project, with its ID and its number. */
export function project(id: string): Form {
  return ({ value }) => textAt(value, ["projectId"]) === id && /^\d+$/.test(textAt(value, ["projectNumber"]));
}

/** An allow policy. One without entries still has an etag; only that of a bucket names its resource. */
export function policy(resource: string): Form {
  const [, bucket] = /^buckets\/(.+)$/.exec(resource) ?? [];
  return ({ value }) => {
    const isOfBucket = textAt(value, ["resourceId"]) === `projects/_/buckets/${bucket}`;
    return textAt(value, ["etag"]) !== "" && (bucket === undefined || isOfBucket) && areBindings(bindingsIn(value));
  };
}

const bindingsIn = (value: Value) => (isMap(value) ? (value["bindings"] ?? []) : null);

function areBindings(value: Value): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => textAt(one, ["role"]) !== "" && Array.isArray((one as ValueMap)["members"]))
  );
}

/** A change that Google carries out after its answer: a long-running operation of a resource. */
export const operation: Form = ({ value }) => /\/operations\/[^/]+$/.test(textAt(value, ["name"]));

/** An object without fields: a reading must show what the request did. */
export const emptyObject: Form = ({ value }) => isMap(value) && value["error"] === undefined;

/** No content: a reading must show what the request did. */
export const nothing: Form = ({ status, text }) => status === 204 || text === "";

/** A bucket. */
export function bucket(name: string): Form {
  return ({ value }) => textAt(value, ["kind"]) === "storage#bucket" && textAt(value, ["name"]) === name;
}

/** The metadata of an object. */
export function object(bucketName: string, name: string): Form {
  return ({ value }) =>
    textAt(value, ["kind"]) === "storage#object" &&
    textAt(value, ["bucket"]) === bucketName &&
    textAt(value, ["name"]) === name &&
    /^\d+$/.test(textAt(value, ["generation"]));
}

/**
 * The content of an object, as its metadata describes it. Cloud Storage decompresses what is stored compressed, and what is not
 * UTF-8 has another length as a text.
 */
export function contentOf(metadata: ValueMap): Form {
  return ({ text }) =>
    textAt(metadata, ["contentEncoding"]) !== "" ||
    text.includes("\ufffd") ||
    String(Buffer.byteLength(text)) === textAt(metadata, ["size"]);
}

/** What everyone reads: any text, but from Cloud Storage, which gives each request an ID. */
export const publicText: Form = ({ header }) => header("x-guploader-uploadid") !== "";

/** The list of unfinished uploads to a bucket, in XML. */
export function uploads(bucketName: string): Form {
  return ({ text }) =>
    text.includes(`<Bucket>${bucketName}</Bucket>`) && text.includes("</ListMultipartUploadsResult>");
}

/**
 * One page of a list. Google omits a list without entries, so an answer without any field is an empty page, and everything that is
 * not in a list is read again by its name.
 *
 * @param field of the list.
 * @param collection what the names of its entries begin with; they end with an ID.
 */
export function page(field: string, collection: string): Form {
  const isIn = (name: string) => name.startsWith(`${collection}/`) && !name.includes("/", collection.length + 1);
  return ({ value }) => {
    if (!isMap(value)) return false;
    const known = Object.keys(value).some((one) => one === field || one === "nextPageToken" || one === "kind");
    const entries = listAt(value, [field]);
    const isList = value[field] === undefined || Array.isArray(value[field]);
    const isPage = isList && (known || Object.keys(value).length === 0);
    return isPage && entries.every((one) => isIn(textAt(one, ["name"])));
  };
}

/** One page of the objects of a bucket. */
export const objects: Form = ({ value }) =>
  textAt(value, ["kind"]) === "storage#objects" &&
  listAt(value, ["items"]).every((one) => textAt(one, ["name"]) !== "" && /^\d+$/.test(textAt(one, ["generation"])));
