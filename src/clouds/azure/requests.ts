import type { ValueMap } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { type apiVersions, resourceUrl } from "./cluster/resource-names.ts";

/** The versions of the APIs, by what they are for. */
export type Api = keyof typeof apiVersions;

/** A request of Azure Resource Manager, as plain data: `ccf apply` sends it, and a plan shows it. */
export type ArmRequest = readonly [method: "PUT" | "PATCH" | "DELETE", url: string, body?: ValueMap];

type Target = Pick<WantedResource, "id" | "body">;

/** The requests that change a resource. */
export interface ArmRequests {
  readonly create: (wanted: Target) => ArmRequest;
  /** @param live the resource as it is. */
  readonly update: (wanted: Target, live: { readonly id: string; readonly value: ValueMap }) => ArmRequest;
  readonly remove: (resource: { readonly id: string }) => ArmRequest;
}

/**
 * The requests for a resource that its body creates.
 *
 * @param patch what a change sends; without it, a change sends the body again.
 */
export function armRequests(api: Api, patch?: (body: ValueMap, value: ValueMap) => ValueMap): ArmRequests {
  return {
    create: ({ id, body }) => ["PUT", resourceUrl(id, api), body],
    update: ({ id, body }, { value }) =>
      patch === undefined ? ["PUT", resourceUrl(id, api), body] : ["PATCH", resourceUrl(id, api), patch(body, value)],
    remove: ({ id }) => ["DELETE", resourceUrl(id, api)],
  };
}
