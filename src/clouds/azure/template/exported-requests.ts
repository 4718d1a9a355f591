import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { bundlesOfFiles, clusterFile, identityFile, type RenderedBundle } from "../../rendered.ts";
import type { PutRequest } from "../identities/identity.ts";

/** The facts in `cluster.json` that a template depends on. */
export interface ClusterFacts {
  readonly subscriptionID: string;
  readonly region: string;
  readonly resourcePrefix: string;
  readonly installResourceGroup: string;
  /** Undefined if others publish the issuer. */
  readonly storageAccount?: string;
}

/** The requests of one identity. */
export interface IdentityRequests {
  /** `<secret namespace>/<secret name>` */
  readonly secret: string;
  readonly identity: PutResource;
  readonly credentials: readonly PutResource[];
  readonly roleDefinition: PutResource | undefined;
  readonly roleAssignments: readonly PutResource[];
}

/** What an export contains for a template. */
export interface ExportedRequests {
  readonly cluster: ClusterFacts;
  readonly oidcResourceGroup: PutResource;
  /** The storage account, then its container; empty if others publish the issuer. */
  readonly storage: readonly PutResource[];
  /** Sorted by directory. */
  readonly identities: readonly IdentityRequests[];
}

const identities = "azure/identities/";

/** Reads the files of an export. They were just rendered, so they are complete. */
export function readExported(files: ReadonlyMap<string, string>): ExportedRequests {
  const issuer = ["storage-account.json", "container.json"].map((name) => files.get(`azure/issuer/${name}`));
  return {
    cluster: JSON.parse(files.get(`azure/${clusterFile}`) ?? "") as ClusterFacts,
    oidcResourceGroup: readPut(files.get("azure/oidc-resource-group.json") ?? ""),
    storage: issuer.filter((text) => text !== undefined).map(readPut),
    identities: bundlesOfFiles(files)
      .filter(({ directory }) => directory.startsWith(identities))
      .map(readIdentity),
  };
}

function readIdentity({ files }: RenderedBundle): IdentityRequests {
  const named = (start: string) =>
    [...files].flatMap(([name, text]) => (name.startsWith(start) ? [readPut(text)] : []));
  return {
    secret: (JSON.parse(files.get(identityFile) ?? "") as { readonly secret: string }).secret,
    identity: readPut(files.get("managed-identity.json") ?? ""),
    credentials: named("federated-credential-"),
    roleDefinition: named("role-definition.json")[0],
    roleAssignments: named("role-assignment-"),
  };
}

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
function readPut(text: string): PutResource {
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

/**
 * A value as a template must contain it. Azure Resource Manager evaluates texts in brackets, in keys and in values, unless they
 * start with two (Azure documentation, "Syntax and expressions in ARM templates", "Escape characters"). A text that does not
 * end with a bracket is never evaluated, and must not be escaped.
 */
export function literal(value: ValueMap): ValueMap;
export function literal(value: Value): Value;
export function literal(value: Value): Value {
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map((item: Value) => literal(item));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [escaped(key), literal(child)]));
}

function escaped(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? `[${text}` : text;
}

/**
 * The expression for a property of a resource that the deployment creates. The ID is complete, so the resource may be in
 * another resource group (Azure documentation, "Resource functions for ARM templates", "reference").
 */
export function referenceTo(id: string, apiVersion: string, property: string): string {
  return `[reference('${id.replaceAll("'", "''")}', '${apiVersion}').${property}]`;
}
