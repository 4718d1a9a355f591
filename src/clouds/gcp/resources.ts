import { clusterMark } from "../../core/owner-mark.ts";
import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { keysPath } from "../../oidc/issuer-url.ts";
import { clusterFile, fileIn, identityFile, markIn } from "../rendered.ts";

/** What a package wants in a project: facts about the cluster, and the resources in the order of their creation. */
export interface GcpResources {
  readonly facts: GcpClusterFile;
  readonly wanted: readonly WantedResource[];
  /** The documents of an issuer that is hosted elsewhere, by URL. */
  readonly documents: ReadonlyMap<string, string>;
}

/** What `cluster.json` contains, and what follows from it. */
export interface GcpClusterFile {
  readonly projectId: string;
  readonly projectNumber: string;
  readonly region: string;
  readonly universe: string;
  readonly prefix: string;
  /** Says which package made a resource, in the description. */
  readonly ownerMark: string;
  readonly keyStorage: string;
  readonly issuer: string;
  readonly bucket: string | undefined;
  /** The bucket that the issuer's URL names although the keys are in the provider: the issuer may have had it before. */
  readonly formerBucket: string | undefined;
  /** The name of the pool: `projects/<number>/locations/global/workloadIdentityPools/<ID>`. */
  readonly pool: string;
  /** The APIs that the components call. */
  readonly services: readonly string[];
}

/** The kinds of resources, as people call them. */
export const kinds = {
  bucket: "bucket",
  document: "document",
  pool: "workload identity pool",
  provider: "provider",
  role: "custom role",
  account: "service account",
  /** A member of the policy of a service account or a bucket, which exists only with it. */
  member: "policy member",
  projectRole: "project role",
  /** A role of an account on a bucket that is not the package's. */
  bucketRole: "bucket role",
} as const;

/** The role with which a subject may use a service account. */
export const subjectRole = "roles/iam.workloadIdentityUser";

/** The documents of the issuer: the file in the package, and its path below the issuer. */
const documentPaths = { "openid-configuration": ".well-known/openid-configuration", [keysPath]: keysPath } as const;

/** The directory of the issuer in an export. */
export const issuerDirectory = "gcp/issuer";

/** The resources of a package. @param files the files of its bundle ConfigMaps, or of its export, by path; complete. */
export function gcpResources(files: ReadonlyMap<string, string>): GcpResources {
  const facts = factsOf(files);
  const issuer = issuerOf(files, facts);
  const needs = issuer.map(({ id }) => id);
  const directories = new Set([...files.keys()].flatMap((path) => /^gcp\/identities\/[^/]+/.exec(path)?.[0] ?? []));
  const parts = [...directories].sort(compareText).map((directory) => identityParts(files, directory, facts, needs));
  const wanted = [
    ...issuer,
    ...parts.flatMap(({ role }) => role),
    ...parts.map(({ account }) => account),
    ...parts.flatMap(({ members }) => members),
    ...parts.flatMap(({ projectRoles }) => projectRoles),
    ...parts.flatMap(({ bucketRoles }) => bucketRoles),
  ];
  // What a cluster publishes is compared with the package of the cluster only.
  const isElsewhere = facts.keyStorage === "External" && facts.ownerMark === clusterMark;
  const elsewhere = isElsewhere ? Object.entries(documentPaths) : [];
  const texts = elsewhere.map(
    ([file, path]) => [`${facts.issuer}/${path}`, files.get(`${issuerDirectory}/${file}`) ?? ""] as const,
  );
  return { facts, wanted, documents: new Map(texts) };
}

function factsOf(files: ReadonlyMap<string, string>): GcpClusterFile {
  const cluster = fileIn(files, `gcp/${clusterFile}`);
  const fact = (name: string) => textAt(cluster, [name]);
  const [issuer, universe] = [fact("issuer"), fact("universeDomain")];
  const inBucket = issuer.startsWith(`https://storage.${universe}/`) ? nameOf(issuer) : "";
  const isFormer = fact("keyStorage") === "PoolJWKFile" && /^[a-z0-9][a-z0-9_-]+$/.test(inBucket);
  const identities = [...files.keys()].filter((path) => path.endsWith(`/${identityFile}`));
  const services = identities.flatMap((path) => listAt(fileIn(files, path), ["services"]).map(String));
  return {
    projectId: fact("projectID"),
    projectNumber: fact("projectNumber"),
    region: fact("region"),
    universe,
    prefix: fact("resourcePrefix"),
    ownerMark: markIn(cluster),
    keyStorage: fact("keyStorage"),
    issuer,
    bucket: fact("bucket") || undefined,
    formerBucket: isFormer ? inBucket : undefined,
    pool:
      textAt(fileIn(files, `${issuerDirectory}/pool.json`), ["name"]) ||
      `projects/${fact("projectNumber")}/locations/global/workloadIdentityPools/${fact("pool")}`,
    services: [...new Set(services)].sort(),
  };
}

function bodyOf(files: ReadonlyMap<string, string>, path: string): ValueMap {
  const { name: _, ...body } = fileIn(files, path);
  return body;
}

/** The last segment of a name; of a service account, its ID. */
export function nameOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).replace(/@.*$/, "");
}

/** The name of a bucket, in the form of the other resources. */
export function bucketId(name: string): string {
  return `buckets/${name}`;
}

/** Identifies an entry of a policy. @param policy the name of the resource that has it. */
export function memberId(policy: string, role: string, member: string): string {
  return `${policy}#${role}#${member}`;
}

function issuerOf(files: ReadonlyMap<string, string>, facts: GcpClusterFile): WantedResource[] {
  const { formerBucket, pool } = facts;
  // In the package of a team, the issuer is in that of the cluster.
  if (facts.ownerMark !== clusterMark) return [];
  const storage = facts.bucket === undefined ? [] : storageOf(files, facts.bucket);
  const ids = storage.map(({ id }) => id);
  // The bucket goes last: its next owner could be the issuer of a pool that trusts it.
  const needs = formerBucket === undefined ? ids : [bucketId(formerBucket)];
  const providerFile = `${issuerDirectory}/provider.json`;
  const providerId = textAt(fileIn(files, providerFile), ["name"]);
  const body = bodyOf(files, providerFile);
  const keys =
    facts.keyStorage === "PoolJWKFile" ? { jwksJson: files.get(`${issuerDirectory}/${keysPath}`) ?? "" } : {};
  const oidc = { ...(valueAt(body, ["oidc"]) as ValueMap), ...keys };
  const poolBody = bodyOf(files, `${issuerDirectory}/pool.json`);
  const source = issuerDirectory;
  return [
    ...storage,
    { kind: kinds.pool, id: pool, name: nameOf(pool), needs, body: poolBody, source },
    {
      ...{ kind: kinds.provider, id: providerId, name: nameOf(providerId), source },
      ...{ needs: [...ids, pool], body: { ...body, oidc } },
    },
  ];
}

function storageOf(files: ReadonlyMap<string, string>, name: string): WantedResource[] {
  const [id, source] = [bucketId(name), issuerDirectory];
  const bucket: WantedResource = {
    ...{ kind: kinds.bucket, id, name, needs: [], source },
    body: bodyOf(files, `${issuerDirectory}/bucket.json`),
  };
  const bindings = listAt(fileIn(files, `${issuerDirectory}/bucket-policy.json`), ["bindings"]);
  const members = bindings.flatMap((one) =>
    listAt(one, ["members"]).map((member) => memberOf(id, name, textAt(one, ["role"]), String(member), [id])),
  );
  const needs = [id, ...members.map((one) => one.id)];
  const documents = Object.entries(documentPaths).map(([file, path]) => {
    // The default for public objects would hide a new key for an hour (Cloud Storage, "Cache-Control").
    const told = { contentType: "application/json", cacheControl: "public, max-age=60" };
    const body = { content: files.get(`${issuerDirectory}/${file}`) ?? "", ...told };
    return { kind: kinds.document, id: `${id}/${path}`, name: path, needs, part: id, body, source };
  });
  return [bucket, ...members, ...documents];
}

function memberOf(policy: string, name: string, role: string, member: string, needs: string[]): WantedResource {
  const body = { policy, role, member };
  return {
    ...{ kind: kinds.member, id: memberId(policy, role, member), name: memberName(name, role, member) },
    ...{ needs, part: policy, body },
  };
}

/** The roles on buckets in the bindings of a service account. */
export function bucketRolesIn(bindings: Value): readonly { readonly bucket: string; readonly role: string }[] {
  const buckets = valueAt(bindings, ["buckets"]);
  return Object.entries(isMap(buckets) ? buckets : {}).flatMap(([bucket, roles]) =>
    (Array.isArray(roles) ? (roles as readonly Value[]) : [roles]).map((role) => ({ bucket, role: String(role) })),
  );
}

/** How people call an entry of a policy. @param name of the resource that has the policy, or of the member. */
export function memberName(name: string, role: string, member: string): string {
  return role === subjectRole ? `${name}: ${member.replace(/^.*\/subject\//, "")}` : `${name}: ${role} for ${member}`;
}

function identityParts(
  files: ReadonlyMap<string, string>,
  directory: string,
  { projectId }: GcpClusterFile,
  issuer: readonly string[],
) {
  const file = `${directory}/service-account.json`;
  const { email, ...body } = bodyOf(files, file);
  const id = textAt(fileIn(files, file), ["name"]);
  const [name, base] = [nameOf(id), { source: directory }];
  const account: WantedResource = { kind: kinds.account, id, name, needs: issuer, body, ...base };
  const roleName = textAt(fileIn(files, `${directory}/role.json`), ["name"]);
  const role: WantedResource = {
    ...{ kind: kinds.role, id: roleName, name: nameOf(roleName), needs: issuer, ...base },
    body: bodyOf(files, `${directory}/role.json`),
  };
  const bindings = fileIn(files, `${directory}/bindings.json`);
  const member = `serviceAccount:${email}`;
  return {
    role: roleName === "" ? [] : [role],
    account,
    members: listAt(bindings, ["serviceAccount"]).map((one) =>
      memberOf(id, name, subjectRole, String(one), [...issuer, id]),
    ),
    projectRoles: listAt(bindings, ["project"])
      .map(String)
      .map((one): WantedResource => {
        const policy = `projects/${projectId}`;
        const needs = [id, ...(one === roleName ? [one] : [])];
        const key = { id: memberId(policy, one, member), name: `${name}: ${one}` };
        const detail = `role ${one.startsWith(`${policy}/`) ? nameOf(one) : one}`;
        return { kind: kinds.projectRole, ...key, needs, part: id, body: { policy, role: one, member }, detail };
      }),
    bucketRoles: bucketRolesIn(bindings).map(({ bucket, role }): WantedResource => {
      const policy = bucketId(bucket);
      const key = { id: memberId(policy, role, member), name: `${name}: ${role} on ${bucket}` };
      const detail = `role ${role} on bucket ${bucket}`;
      return { kind: kinds.bucketRole, ...key, needs: [id], part: id, body: { policy, role, member }, detail };
    }),
  };
}
