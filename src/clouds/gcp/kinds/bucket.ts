import { textAt, type ValueMap, valueAt } from "../../../core/resource.ts";
import { nameOf } from "../resources.ts";
import type { GoogleRequest } from "./requests.ts";

/** A request of the Cloud Storage JSON API. @param path below `/storage/v1/`. */
function storage(method: GoogleRequest["method"], path: string, body?: ValueMap): GoogleRequest {
  return { api: "storage", method, path: `storage/v1/${path}`, ...(body === undefined ? {} : { body }) };
}

/** The requests for the bucket of the issuer (Cloud Storage JSON API, Buckets). @param id `buckets/demo`. */
export const bucketRequests = {
  get: (id: string) => storage("GET", `b/${nameOf(id)}`),
  create: (id: string, body: ValueMap, projectId: string) =>
    storage("POST", `b?project=${projectId}`, { name: nameOf(id), ...body }),
  /** @param live the bucket as it is: only this version is changed. */
  update(id: string, { labels = {}, iamConfiguration = {} }: ValueMap, live: ValueMap) {
    const open = valueAt(live, ["ipFilter", "mode"]) === "Enabled" ? { ipFilter: { mode: "Disabled" } } : {};
    const body = { labels, iamConfiguration, billing: { requesterPays: false }, ...open };
    return storage("PATCH", `b/${nameOf(id)}?ifMetagenerationMatch=${textAt(live, ["metageneration"])}`, body);
  },
  delete: (id: string) => storage("DELETE", `b/${nameOf(id)}`),
};

/** The requests for an object of a bucket (Cloud Storage JSON API, Objects). @param bucket `buckets/demo`. */
export const objectRequests = {
  get: (bucket: string, name: string) => storage("GET", `b/${nameOf(bucket)}/o/${encodeURIComponent(name)}`),
  content: (bucket: string, name: string, generation: string) =>
    storage("GET", `b/${nameOf(bucket)}/o/${encodeURIComponent(name)}?alt=media&generation=${generation}`),
  /** @param generation the version that is replaced; "0" if there is none. */
  upload(bucket: string, name: string, { content, ...metadata }: ValueMap, generation: string): GoogleRequest {
    const path = `b/${nameOf(bucket)}/o?uploadType=multipart&ifGenerationMatch=${generation}`;
    const body = { name, ...metadata };
    return { api: "storage", method: "POST", path: `upload/storage/v1/${path}`, body, content: String(content) };
  },
  delete: (bucket: string, name: string, generation: string) =>
    storage("DELETE", `b/${nameOf(bucket)}/o/${encodeURIComponent(name)}?generation=${generation}`),
};
