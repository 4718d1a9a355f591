import { textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { azureRoleIds } from "../../generated/azure-role-ids.ts";
import { clusterFile, fileIn, identityFile, identityKey } from "../rendered.ts";

/** What a package wants in Azure: facts about the cluster, and the resources in the order of their creation. */
export interface AzureResources {
  readonly facts: AzureClusterFile;
  readonly wanted: readonly WantedResource[];
  /** The documents of an issuer that is hosted elsewhere, by URL. */
  readonly documents: ReadonlyMap<string, string>;
}

/** What `cluster.json` contains. */
export interface AzureClusterFile {
  readonly subscriptionID: string;
  readonly tenantID: string;
  readonly cloud: string;
  readonly region: string;
  readonly resourcePrefix: string;
  readonly ownerTag: string;
  /** The value of that tag; missing if it is that of the cluster's own package. */
  readonly ownerMark?: string | undefined;
  readonly oidcResourceGroup: string;
  readonly issuer: string;
  readonly previousIssuers?: readonly string[];
  readonly storageAccount?: string;
  readonly container?: string;
  readonly blobEndpoint?: string;
  readonly uploadAuth?: "login" | "key";
}

/** The kinds of resources, as people call them. */
export const kinds = {
  group: "resource group",
  account: "storage account",
  container: "container",
  document: "document",
  role: "custom role",
  identity: "managed identity",
  credential: "federated credential",
  assignment: "role assignment",
} as const;

/** The output of the module for Terraform that contains the client IDs. */
export const terraformOutput = "client_ids";

/** The documents of the issuer: the file in the package, and its path below the issuer. */
const documents = {
  "openid-configuration": ".well-known/openid-configuration",
  "keys.json": "openid/v1/jwks",
} as const;

/** The resources of a package. @param files the files of its bundle ConfigMaps, or of its export, by path; complete. */
export function azureResources(files: ReadonlyMap<string, string>): AzureResources {
  const facts = fileIn(files, `azure/${clusterFile}`) as unknown as AzureClusterFile;
  const groups = ["oidc-resource-group.json", "install-resource-group.json"].map((name) => group(files, name));
  const storage = storageOf(files, facts, groups[0]?.id ?? "");
  const issuer = [groups[0]?.id ?? "", ...storage.map(({ id }) => id)];
  const directories = new Set([...files.keys()].flatMap((path) => /^azure\/identities\/[^/]+\//.exec(path)?.[0] ?? []));
  const parts = [...directories].sort(compareText).map((directory) => identityParts(files, directory, issuer, groups));
  const wanted = [
    ...groups,
    ...storage,
    ...parts.flatMap(({ role }) => role),
    ...parts.map(({ identity }) => identity),
    ...parts.flatMap(({ credentials }) => credentials),
    ...parts.flatMap(({ assignments }) => assignments),
  ];
  // What a cluster publishes is compared with the package of the cluster only.
  const isElsewhere = facts.storageAccount === undefined && facts.ownerMark === undefined;
  const elsewhere = isElsewhere ? Object.entries(documents) : [];
  const texts = elsewhere.map(
    ([file, path]) => [`${facts.issuer}/${path}`, files.get(`azure/issuer/${file}`) ?? ""] as const,
  );
  return { facts, wanted, documents: new Map(texts) };
}

/** A request of the package: the ID of its resource, and the body. */
function request(
  files: ReadonlyMap<string, string>,
  path: string,
): Pick<WantedResource, "id" | "name" | "body" | "source"> {
  const put = fileIn(files, path);
  const id = textAt(put, ["url"]).replace(/\?.*$/, "");
  return { id, name: nameOf(id), body: (valueAt(put, ["body"]) ?? {}) as ValueMap, source: path };
}

/** The last segment of an ID. */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

// An existing group is used as it is, because other things may be in it. The group of the cluster is the installer's.
function group(files: ReadonlyMap<string, string>, file: string): WantedResource {
  const kept = file.startsWith("install") ? { kept: "it is the cluster's" } : {};
  return { kind: kinds.group, ...request(files, `azure/${file}`), needs: [], shared: true, ...kept };
}

function storageOf(files: ReadonlyMap<string, string>, facts: AzureClusterFile, groupId: string): WantedResource[] {
  if (facts.storageAccount === undefined) return [];
  const account = request(files, "azure/issuer/storage-account.json");
  const container = request(files, "azure/issuer/container.json");
  const below = [groupId, account.id];
  return [
    { kind: kinds.account, ...account, needs: [groupId] },
    { kind: kinds.container, ...container, needs: below, part: account.id },
    ...Object.entries(documents).map(([file, path]) => ({
      kind: kinds.document,
      id: `${facts.blobEndpoint}/${facts.container}/${path}`,
      name: path,
      needs: [...below, container.id],
      part: account.id,
      source: `azure/issuer/${file}`,
      body: { content: files.get(`azure/issuer/${file}`) ?? "", contentType: "application/json" },
    })),
  ];
}

function identityParts(
  files: ReadonlyMap<string, string>,
  directory: string,
  issuer: readonly string[],
  groups: readonly WantedResource[],
) {
  const facts = fileIn(files, `${directory}${identityFile}`);
  const [{ clientID }, secret] = [facts, identityKey(facts)];
  const of = (start: string) =>
    [...files.keys()].filter((path) => path.startsWith(`${directory}${start}`)).sort(compareText);
  const own = request(files, `${directory}managed-identity.json`);
  const role: WantedResource[] = of("role-definition.json").map((path) => {
    const one = request(files, path);
    return {
      ...one,
      kind: kinds.role,
      assigned: { secret },
      name: textAt(one.body, ["properties", "roleName"]),
      needs: issuer,
    };
  });
  const assigned = { secret, ...(clientID === undefined ? {} : { clientId: clientID }) };
  const identity: WantedResource = { kind: kinds.identity, ...own, needs: issuer, assigned };
  const part = own.id;
  return {
    role,
    identity,
    credentials: of("federated-credential-").map((path): WantedResource => {
      const { id, body } = request(files, path);
      const subject = textAt(body, ["properties", "subject"]);
      const name = `${own.name}: ${subject} of ${textAt(body, ["properties", "issuer"])}`;
      return { kind: kinds.credential, id, name, body, needs: [...issuer, own.id], part, source: path };
    }),
    assignments: of("role-assignment-").map((path): WantedResource => {
      const { id, body } = request(files, path);
      const scope = scopeOf(id);
      const roleId = textAt(body, ["properties", "roleDefinitionId"]);
      const roles = role.filter((one) => same(nameOf(one.id), nameOf(roleId))).map((one) => one.id);
      const scopes = groups.filter((one) => `${scope}/`.toLowerCase().startsWith(`${one.id}/`.toLowerCase()));
      const roleName = role.find(({ id }) => roles.includes(id))?.name ?? builtInRoleName(nameOf(roleId));
      const name = `${own.name}: ${roleName} at ${scope}`;
      return {
        kind: kinds.assignment,
        id,
        name,
        body,
        needs: [own.id, ...roles, ...scopes.map((one) => one.id)],
        part,
        source: path,
        detail: `role ${roleName} at ${scopeIn(own.id, scope)}`,
      };
    }),
  };
}

/** A scope, shortened if it is in the subscription of a resource. */
function scopeIn(id: string, scope: string): string {
  const [, subscription = ""] = /^(\/subscriptions\/[^/]+)\//.exec(id) ?? [];
  if (same(scope, subscription)) return "the subscription";
  return same(scope.slice(0, subscription.length + 1), `${subscription}/`)
    ? scope.slice(subscription.length + 1)
    : scope;
}

/** The name of a built-in role, or the ID of another role. */
export function builtInRoleName(guid: string): string {
  return Object.entries(azureRoleIds).find(([, id]) => id === guid.toLowerCase())?.[0] ?? guid;
}

/** The scope of a role assignment, by its ID; "" for the root. */
export function scopeOf(id: string): string {
  return id.replace(/\/providers\/Microsoft\.Authorization\/roleAssignments\/[^/]+$/i, "");
}

/** Whether two IDs or names are the same: Azure ignores their case. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  return String(a ?? "").toLowerCase() === String(b ?? "").toLowerCase();
}
