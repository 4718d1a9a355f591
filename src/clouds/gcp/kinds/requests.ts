import type { ValueMap } from "../../../core/resource.ts";
import { type Fields, maskOf } from "../../fields.ts";

/** The first label of the host of each API; the domain of the universe follows. */
export const hosts = { iam: "iam", resourceManager: "cloudresourcemanager", storage: "storage" } as const;

/** A request of a Google API, as plain data: `ccf apply` sends it, and a plan shows it. */
export interface GoogleRequest {
  readonly api: keyof typeof hosts;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path after the host, with the query. */
  readonly path: string;
  readonly body?: ValueMap;
  /** The content of an object, after the body with its metadata. */
  readonly content?: string;
}

/** A regular kind of resource in IAM: its fields, and its requests. */
export interface IamKind<Requests = Readonly<Record<string, (...given: never[]) => GoogleRequest>>> {
  /** What its permissions begin with: `iam.roles`. */
  readonly permission: string;
  readonly fields: Fields;
  /** By the name of the API's method, which is the verb of the permission that the request needs. */
  readonly requests: Requests;
}

/** The permissions that the requests of a kind need (IAM v1 reference, "Authorization" of each method). */
export function permissionsOf({ permission, requests }: Pick<IamKind, "permission" | "requests">): string[] {
  return Object.keys(requests).map((verb) => `${permission}.${verb}`);
}

/** A request of the IAM API, version 1. @param path from the name of the resource on. */
export function iam(method: GoogleRequest["method"], path: string, body?: ValueMap): GoogleRequest {
  return { api: "iam", method, path: `v1/${path}`, ...(body === undefined ? {} : { body }) };
}

/** The requests that all resources of IAM have. @param name of the resource, from `projects/` on. */
export const named = {
  get: (name: string) => iam("GET", name),
  delete: (name: string) => iam("DELETE", name),
};

/** Restores what was deleted. */
export function undelete(name: string): GoogleRequest {
  return iam("POST", `${name}:undelete`, {});
}

/** The requests for a pool or a provider. @param parameter names the ID in a creation. */
export function poolRequests(parameter: string, fields: Fields) {
  return {
    ...named,
    undelete,
    create(name: string, body: ValueMap) {
      const { parent, id } = split(name);
      return iam("POST", `${parent}?${parameter}=${id}`, body);
    },
    update: (name: string, body: ValueMap) => iam("PATCH", `${name}?updateMask=${maskOf(fields)}`, body),
  };
}

/** The collection that contains a resource, and the ID of the resource in it. */
export function split(name: string): { readonly parent: string; readonly id: string } {
  const at = name.lastIndexOf("/");
  return { parent: name.slice(0, at), id: name.slice(at + 1) };
}
