import type { Value, ValueMap } from "../../../core/resource.ts";
import type { PutRequest } from "../identities/identity.ts";
import { literal } from "./literal.ts";

/** The resource that a PUT request of an export creates. */
export interface PutResource {
  /** Its resource ID. */
  readonly id: string;
  /** What it belongs to: the ID of a subscription, of a resource group, or of the resource that a role is assigned at. */
  readonly scope: string;
  /** With the provider: `Microsoft.Storage/storageAccounts/blobServices/containers`. */
  readonly type: string;
  /** One name for each part of the type: `account/default/container`. */
  readonly name: string;
  readonly apiVersion: string;
  readonly body: ValueMap;
}

const versionQuery = "?api-version=";
const providers = "/providers/";

/** Reads a file of an export that contains a PUT request. */
export function readPut(text: string): PutResource {
  const { url, body } = JSON.parse(text) as PutRequest;
  const [id = "", apiVersion = ""] = url.split(versionQuery);
  const at = id.lastIndexOf(providers);
  if (at < 0) {
    const slash = id.lastIndexOf("/");
    const scope = id.split("/", 3).join("/");
    return { id, scope, type: "Microsoft.Resources/resourceGroups", name: id.slice(slash + 1), apiVersion, body };
  }
  const [provider = "", ...parts] = id.slice(at + providers.length).split("/");
  const types = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  return { id, scope: id.slice(0, at), type: [provider, ...types].join("/"), name: names.join("/"), apiVersion, body };
}

/**
 * A resource as a template contains it. Its scope is that of the deployment.
 *
 * @param after the resource of the same template that must exist first.
 */
export function resourceIn({ type, apiVersion, name, body }: PutResource, after?: PutResource): ValueMap {
  return literal({
    type,
    apiVersion,
    name,
    ...body,
    ...(after === undefined ? {} : { dependsOn: [after.id] as readonly Value[] }),
  });
}
