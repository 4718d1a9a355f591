import type { State as AwsState } from "../helpers/amazon/types.ts";
import type { State as AzureState } from "../helpers/arm/types.ts";
import type { State as GcpState, Value } from "../helpers/google/types.ts";

/*
 * What a cloud's state lacks of a package, computed from the files of the export alone: an oracle beside the engine, whose own
 * comparison would not see a field that it forgot. Additions of others do not count.
 */

type Files = ReadonlyMap<string, string>;

/** A set: each entry must be there. */
class Some {
  readonly entries: readonly Value[];
  constructor(entries: readonly Value[]) {
    this.entries = entries;
  }
}

/** A value without what has no meaning in policies and lists: their order, and a list around one entry. */
function plain(value: Value): string {
  if (Array.isArray(value)) return value.map(plain).sort().join();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${key}:${plain(value[key])}`).join()}}`;
}

function lacks(found: Value, wanted: Value, at: string): string[] {
  const said = () => [`${at} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
  if (wanted instanceof Some) {
    const all = (Array.isArray(found) ? found : []) as Value[];
    return wanted.entries.flatMap((one) =>
      all.some((other) => lacks(other, one, "").length === 0) ? [] : [`${at} lacks ${JSON.stringify(one)}`],
    );
  }
  if (wanted === undefined || wanted === "" || wanted === false) return found ? said() : [];
  if (Array.isArray(wanted)) {
    return plain(found) === plain(wanted) ? [] : said();
  }
  if (typeof wanted !== "object" || wanted === null) {
    const [a, b] = [found, wanted].map((one) =>
      String(one)
        .toLowerCase()
        .replace(/^east us$/, "eastus"),
    );
    return a === b ? [] : said();
  }
  return Object.entries(wanted).flatMap(([key, one]) => lacks(found?.[key], one, `${at}.${key}`));
}

const reader = (files: Files) => (path: string) => JSON.parse(files.get(path) ?? "null") as Value;
const last = (name: string) => name.slice(name.lastIndexOf("/") + 1);
const directories = (files: Files, base: string) =>
  new Set([...files.keys()].flatMap((path) => new RegExp(`^${base}/[^/]+`).exec(path)?.[0] ?? []));
const member = (role: string, name: string) => ({ role, members: new Some([name]), condition: undefined });

/** What a project of Google Cloud lacks. */
export function gcpLacks(state: GcpState, files: Files): string[] {
  const read = reader(files);
  const { bucket, keyStorage } = read("gcp/cluster.json");
  const { name: poolName, ...pool } = read("gcp/issuer/pool.json");
  const { name: providerName, oidc, attributeCondition, ...provider } = read("gcp/issuer/provider.json");
  const jwksJson = keyStorage === "PoolJWKFile" ? files.get("gcp/issuer/keys.json") : undefined;
  const trust = { ...provider, state: "ACTIVE", attributeCondition, oidc: { ...oidc, jwksJson } };
  const wanted: Value = {
    pools: { [last(poolName)]: { ...pool, state: "ACTIVE", providers: { [last(providerName)]: trust } } },
    ...{ accounts: {}, roles: {}, buckets: {} },
  };
  const project: Value[] = [];
  for (const directory of directories(files, "gcp/identities")) {
    const { name: _, email, ...account } = read(`${directory}/service-account.json`);
    const bindings = read(`${directory}/bindings.json`);
    const users = bindings.serviceAccount.map((one: string) => member("roles/iam.workloadIdentityUser", one));
    wanted.accounts[email] = { ...account, disabled: false, policy: { bindings: new Some(users) } };
    const role = read(`${directory}/role.json`);
    if (role !== null) {
      const { name, ...fields } = role;
      wanted.roles[last(name)] = { ...fields, deleted: false };
    }
    project.push(...bindings.project.map((one: string) => member(one, `serviceAccount:${email}`)));
    for (const [name, roles] of Object.entries<string[]>(bindings.buckets ?? {})) {
      const entries = roles.map((one) => member(one, `serviceAccount:${email}`));
      wanted.buckets[name] = { policy: { bindings: new Some(entries) } };
    }
  }
  wanted.policy = { bindings: new Some(project) };
  if (bucket !== undefined) {
    const { name, ...settings } = read("gcp/issuer/bucket.json");
    const objects = Object.fromEntries(
      [".well-known/openid-configuration", "keys.json"].map((path) => [
        path,
        { body: files.get(`gcp/issuer/${last(path)}`) },
      ]),
    );
    const open = member("roles/storage.legacyObjectReader", "allUsers");
    wanted.buckets[name] = { ...settings, objects, policy: { bindings: new Some([open]) } };
  }
  return lacks(state, wanted, "project");
}

/** What the subscriptions of a package for Azure lack. */
export function azureLacks(state: AzureState, files: Files): string[] {
  const read = reader(files);
  const idOf = (put: Value) => String(put.url).replace(/\?.*$/, "").toLowerCase();
  const { storageAccount, container } = read("azure/cluster.json");
  const wanted: Value = { accounts: {}, identities: {}, definitions: {} };
  const said: string[] = [];
  for (const directory of directories(files, "azure/identities")) {
    const of = (start: string) =>
      [...files.keys()].filter((path) => path.startsWith(`${directory}/${start}`)).map((path) => read(path));
    const [identity] = of("managed-identity.json");
    wanted.identities[idOf(identity)] = identity.body;
    const found = state.identities[idOf(identity)];
    const credentials = of("federated-credential-").map(({ body }) => body.properties);
    said.push(...lacks(Object.values(found?.credentials ?? {}), new Some(credentials), `credentials of ${directory}`));
    for (const role of of("role-definition.json")) wanted.definitions[last(idOf(role))] = role.body.properties;
    const assignments = of("role-assignment-").map((put) => ({
      scope: idOf(put).replace(/\/providers\/microsoft\.authorization\/.*$/, ""),
      role: last(put.body.properties.roleDefinitionId),
      ...{ principalId: found?.principalId ?? "none", condition: undefined },
    }));
    said.push(...lacks(Object.values(state.assignments), new Some(assignments), `assignments of ${directory}`));
  }
  for (const definition of Object.values(wanted.definitions) as Value[])
    definition.permissions = new Some(definition.permissions);
  if (storageAccount !== undefined) {
    const { kind, sku, tags, location, properties } = read("azure/issuer/storage-account.json").body;
    const blob = (file: string) => ({ body: files.get(`azure/issuer/${file}`) });
    const blobs = {
      ".well-known/openid-configuration": blob("openid-configuration"),
      "openid/v1/jwks": blob("keys.json"),
    };
    const { publicAccess } = read("azure/issuer/container.json").body.properties;
    const containers = { [container]: { publicAccess, blobs } };
    wanted.accounts[storageAccount] = { ...{ kind, sku, tags, location, properties }, containers };
  }
  return [...said, ...lacks(state, wanted, "subscription")];
}

/** What an account of AWS lacks. */
export function awsLacks(state: AwsState, files: Files): string[] {
  const read = reader(files);
  const wanted: Value = { roles: {}, buckets: {}, providers: {} };
  for (const directory of directories(files, "aws/roles")) {
    const { RoleName, Path, Description, MaxSessionDuration, PermissionsBoundary, Tags } = read(
      `${directory}/create-role.json`,
    );
    const attached = [...files.keys()].filter((path) => path.startsWith(`${directory}/attach-`)).map(read);
    wanted.roles[RoleName] = {
      ...{ path: Path, description: Description, maxSessionDuration: MaxSessionDuration },
      ...{ permissionsBoundary: PermissionsBoundary, tags: new Some(Tags) },
      attachedPolicies: new Some(attached.map(({ PolicyArn }) => PolicyArn)),
      trustPolicy: read(`${directory}/trust-policy.json`),
      inlinePolicies: { [RoleName]: read(`${directory}/permissions-policy.json`) },
    };
  }
  const provider = read("aws/issuer/create-open-id-connect-provider.json");
  const { accountID, partition } = read("aws/cluster.json");
  const bucket = read("aws/issuer/create-bucket.json")?.Bucket;
  if (provider !== null) {
    const url = String(provider.Url).replace("https://", "");
    const arn = `arn:${partition}:iam::${accountID}:oidc-provider/${url}`;
    wanted.providers[arn] = { url, clientIds: new Some(provider.ClientIDList), tags: new Some(provider.Tags) };
  }
  if (bucket !== undefined) {
    const { PublicAccessBlockConfiguration: publicAccessBlock } = read("aws/issuer/put-public-access-block.json");
    const objects =
      provider === null
        ? {}
        : { ".well-known/openid-configuration": { body: files.get("aws/issuer/openid-configuration") } };
    wanted.buckets[bucket] = {
      publicAccessBlock,
      objects,
      tags: new Some(read("aws/issuer/put-bucket-tagging.json").Tagging.TagSet),
    };
  }
  return lacks(state, wanted, "account");
}
