// Storage accounts and their blob containers.
import { Answer } from "./answer.mjs";
import { checkFields, contains, groupOf, locationOf, nameOf, own, paged, tagsOf } from "./common.mjs";
import { ArmError, elsewhere, noResource } from "./errors.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Account, Container, Settings, State, Value, World } from "./types.ts"
 */

const type = "Microsoft.Storage/storageAccounts";
const containerType = `${type}/blobServices/containers`;
const under = "^/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.Storage/storageAccounts";
const versions = ["2023-01-01", "2022-09-01", "2023-05-01"];

/** The key of every account. */
const accountKey = Buffer.from("the key of a storage account that does not exist").toString("base64");

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`, "i");

/** @param {Account} account */
function shown({ id, location, kind, sku, tags, properties, pending }) {
  const name = nameOf(id);
  return {
    sku: { ...sku, tier: "Standard" },
    kind,
    id,
    name,
    type,
    location,
    tags,
    properties: {
      ...properties,
      encryption: {
        services: { blob: { keyType: "Account", enabled: true } },
        keySource: "Microsoft.Storage",
      },
      accessTier: "Hot",
      provisioningState: pending > 0 ? "ResolvingDNS" : "Succeeded",
      creationTime: "2026-01-01T00:00:00.0000000Z",
      primaryEndpoints: { blob: `https://${name}.blob.core.windows.net/` },
      primaryLocation: location,
      statusOfPrimary: "available",
    },
  };
}

/** @param {Account} account @param {string} name @param {Container} container */
function shownContainer({ id }, name, { publicAccess, metadata }) {
  return {
    id: `${id}/blobServices/default/containers/${name}`,
    name,
    type: containerType,
    etag: '"0x8D0000000000000"',
    properties: {
      deleted: false,
      remainingRetentionDays: 0,
      defaultEncryptionScope: "$account-encryption-key",
      denyEncryptionScopeOverride: false,
      publicAccess,
      leaseStatus: "Unlocked",
      leaseState: "Available",
      lastModifiedTime: "2026-01-01T00:00:00.0000000Z",
      hasImmutabilityPolicy: false,
      hasLegalHold: false,
      ...(metadata && { metadata }),
    },
  };
}

/** @param {State} state @param {readonly string[]} match @returns {Account} */
function accountOf(state, [, subscription = "", group = "", name = ""]) {
  const { id } = groupOf(state, subscription, group);
  const account = own(state.accounts, name);
  if (account === undefined || !contains(id, account.id)) throw noResource(type, name, group);
  return account;
}

/** An account whose creation is complete. @param {State} state @param {readonly string[]} match */
function readyAccount(state, match) {
  const account = accountOf(state, match);
  if (account.pending > 0) {
    const why = `The storage account ${nameOf(account.id)} cannot complete the operation because another operation is in progress.`;
    throw new ArmError(409, "StorageAccountOperationInProgress", why);
  }
  return account;
}

/** @param {Settings} settings @param {string} name @param {Value} properties */
function policed({ publicBlobs }, name, properties) {
  if (publicBlobs === "modified") return { ...properties, allowBlobPublicAccess: false };
  if (publicBlobs === "denied" && properties.allowBlobPublicAccess === true) {
    const policy =
      '[{"policyAssignment":{"name":"Storage accounts should not allow public access"},"policyDefinition":{"name":"Storage account public access should be disallowed"}}]';
    const why = `Resource '${name}' was disallowed by policy. Policy identifiers: '${policy}'.`;
    throw new ArmError(403, "RequestDisallowedByPolicy", why, { target: name, additionalInfo: [] });
  }
  return properties;
}

const fields = ["sku", "kind", "location", "tags", "properties", "identity", "extendedLocation"];
const known = [
  "allowBlobPublicAccess",
  "allowSharedKeyAccess",
  "minimumTlsVersion",
  "networkAcls",
  "publicNetworkAccess",
  "supportsHttpsTrafficOnly",
  "accessTier",
  "encryption",
];

/** What Azure adds to the rules of a firewall. @param {Value} properties */
const complete = (properties) => ({
  ...properties,
  networkAcls: {
    ...{ bypass: "AzureServices", virtualNetworkRules: [], ipRules: [], defaultAction: "Allow" },
    ...properties.networkAcls,
  },
});

/** @param {World} world @param {Account} account @param {Value} body */
function change({ settings }, account, body) {
  checkFields(body, fields, "StorageAccountUpdateParameters");
  checkFields(body.properties, known, "StorageAccountPropertiesUpdateParameters");
  if (body.kind !== undefined && body.kind !== account.kind) {
    throw new ArmError(
      409,
      "PropertyImmutable",
      "The property 'kind' was specified in the input, but it cannot be updated.",
    );
  }
  account.properties = policed(settings, nameOf(account.id), complete({ ...account.properties, ...body.properties }));
  if (body.sku !== undefined) account.sku = body.sku;
  // What is not in the request is lost: a caller must not rely on more.
  if (body.tags !== undefined) account.tags = tagsOf(body);
}

/** @param {World} world @param {readonly string[]} match @param {Value} body */
function create({ state, settings, address }, [id = "", subscription = "", group = "", name = ""], body) {
  if (!/^[a-z0-9]{3,24}$/.test(name)) {
    const why = `${name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.`;
    throw new ArmError(400, "AccountNameInvalid", why);
  }
  const taken = own(state.accounts, name);
  if (taken !== undefined) {
    const isHere = state.subscriptions.some((one) => contains(`/subscriptions/${one}`, taken.id));
    if (isHere) {
      const why = `The account ${name} is already in another resource group in this subscription.`;
      throw new ArmError(409, "StorageAccountInAnotherResourceGroup", why);
    }
    throw new ArmError(409, "StorageAccountAlreadyTaken", `The storage account named ${name} is already taken.`);
  }
  checkFields(body, fields, "StorageAccountCreateParameters");
  checkFields(body.properties, known, "StorageAccountPropertiesCreateParameters");
  const account = {
    ...{ id, location: locationOf(body), kind: body.kind, sku: body.sku, tags: tagsOf(body), containers: {} },
    properties: policed(settings, name, complete(body.properties ?? {})),
    pending: settings.pending,
  };
  state.accounts[name] = account;
  if (settings.pending === 0) return shown(account);
  const operation = `${address}/subscriptions/${subscription}/providers/Microsoft.Storage/locations/eastus/asyncoperations/${group}?api-version=2023-01-01`;
  return new Answer(202, undefined, { location: operation, "retry-after": "17" });
}

/** @param {Account} account @param {Value} body @param {Container | undefined} before @returns {Container} */
function containerOf(account, body, before) {
  checkFields(body, ["properties", "name", "id", "type"], "BlobContainer");
  checkFields(body?.properties, ["publicAccess", "metadata"], "ContainerProperties");
  const { publicAccess = before?.publicAccess ?? "None", metadata = before?.metadata } = body?.properties ?? {};
  if (publicAccess !== "None" && account.properties.allowBlobPublicAccess === false) {
    const why =
      "Public access is not permitted on this storage account.\nRequestId:00000000-0000-4000-8000-000000000000";
    throw new ArmError(409, "PublicAccessNotPermitted", why);
  }
  return { publicAccess, ...(metadata && { metadata }), blobs: before?.blobs ?? {} };
}

const noContainer = () =>
  new ArmError(
    404,
    "ContainerNotFound",
    "The specified container does not exist.\nRequestId:00000000-0000-4000-8000-000000000000",
  );

/** @param {string} rest */
const containers = (rest) => at(`/([^/]+)/blobServices/default/containers${rest}`);

/** @type {readonly Route[]} */
export const storage = [
  {
    method: "GET",
    path: at(""),
    versions,
    action: `${type}/read`,
    run(world, [, subscription = "", group = ""], request) {
      const { id } = groupOf(world.state, subscription, group);
      const here = Object.values(world.state.accounts).filter((one) => contains(id, one.id));
      return paged(world, request, here.map(shown));
    },
  },
  {
    method: "POST",
    path: /^\/subscriptions\/([^/]+)\/providers\/Microsoft\.Storage\/checkNameAvailability$/i,
    versions,
    action: "Microsoft.Storage/checkNameAvailability/read",
    run({ state }, _, { body }) {
      if (own(state.accounts, body.name) === undefined) return { nameAvailable: true };
      const message = `The storage account named ${body.name} is already taken.`;
      return { nameAvailable: false, reason: "AlreadyExists", message };
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/read`,
    run({ state }, match) {
      const account = accountOf(state, match);
      const answer = shown(account);
      if (account.pending > 0) account.pending--;
      return answer;
    },
  },
  {
    method: "PUT",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/write`,
    run(world, match, { body }) {
      const [, subscription = "", group = "", name = ""] = match;
      const { id } = groupOf(world.state, subscription, group);
      const before = own(world.state.accounts, name);
      if (before === undefined || !contains(id, before.id)) return create(world, match, body);
      readyAccount(world.state, match);
      const location = locationOf(body);
      if (location !== before.location) throw elsewhere(name, group, before.location, location);
      change(world, before, { tags: {}, ...body });
      return shown(before);
    },
  },
  {
    method: "PATCH",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/write`,
    run(world, match, { body }) {
      const account = readyAccount(world.state, match);
      change(world, account, body);
      return shown(account);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/delete`,
    run({ state }, [, subscription = "", group = "", name = ""]) {
      const { id } = groupOf(state, subscription, group);
      const account = own(state.accounts, name);
      if (account === undefined || !contains(id, account.id)) return new Answer(204);
      delete state.accounts[name.toLowerCase()];
      return new Answer(200);
    },
  },
  {
    method: "POST",
    path: at("/([^/]+)/listKeys"),
    versions,
    action: `${type}/listKeys/action`,
    run({ state }, match) {
      readyAccount(state, match);
      const keys = ["key1", "key2"].map((keyName) => ({
        creationTime: "2026-01-01T00:00:00.0000000Z",
        keyName,
        value: accountKey,
        permissions: "FULL",
      }));
      return { keys };
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)/managementPolicies/default"),
    versions,
    action: `${type}/managementPolicies/read`,
    run({ state }, match) {
      const { id, lifecycle } = readyAccount(state, match);
      if (lifecycle === undefined)
        throw new ArmError(404, "ManagementPolicyNotFound", `No ManagementPolicy found for account ${nameOf(id)}`);
      const place = { id: `${id}/managementPolicies/default`, name: "DefaultManagementPolicy" };
      return { ...place, type: `${type}/managementPolicies`, properties: { policy: { rules: lifecycle } } };
    },
  },
  {
    method: "GET",
    path: containers(""),
    versions,
    action: `${containerType}/read`,
    run(world, match, request) {
      const account = readyAccount(world.state, match);
      const list = Object.entries(account.containers).map(([name, one]) => shownContainer(account, name, one));
      return paged(world, request, list);
    },
  },
  {
    method: "GET",
    path: containers("/([^/]+)"),
    versions,
    action: `${containerType}/read`,
    run({ state }, match) {
      const account = readyAccount(state, match);
      const [, , , , name = ""] = match;
      const found = own(account.containers, name);
      if (found === undefined) throw noContainer();
      return shownContainer(account, name, found);
    },
  },
  {
    method: "PUT",
    path: containers("/([^/]+)"),
    versions,
    action: `${containerType}/write`,
    run({ state }, match, { body }) {
      const account = readyAccount(state, match);
      const [id = "", , , , name = ""] = match;
      const before = own(account.containers, name);
      account.containers[name] = containerOf(account, body, before);
      const properties = {
        deleted: false,
        remainingRetentionDays: 0,
        publicAccess: account.containers[name].publicAccess,
        hasImmutabilityPolicy: false,
        hasLegalHold: false,
      };
      return new Answer(before === undefined ? 201 : 200, { id, name, type: containerType, properties });
    },
  },
  {
    method: "PATCH",
    path: containers("/([^/]+)"),
    versions,
    action: `${containerType}/write`,
    run({ state }, match, { body }) {
      const account = readyAccount(state, match);
      const [, , , , name = ""] = match;
      const before = own(account.containers, name);
      if (before === undefined) throw noContainer();
      account.containers[name] = containerOf(account, body, before);
      return shownContainer(account, name, account.containers[name]);
    },
  },
  {
    method: "DELETE",
    path: containers("/([^/]+)"),
    versions,
    action: `${containerType}/delete`,
    run({ state }, match) {
      const account = readyAccount(state, match);
      const [, , , , name = ""] = match;
      if (own(account.containers, name) === undefined) return new Answer(204);
      delete account.containers[name];
      return new Answer(200);
    },
  },
  ...["file", "table", "queue"].map((service) => {
    const one = service === "file" ? "shares" : `${service}s`;
    return {
      method: "GET",
      path: at(`/([^/]+)/${service}Services/default/${one}`),
      versions,
      action: `${type}/${service}Services/${one}/read`,
      run(
        /** @type {World} */ world,
        /** @type {readonly string[]} */ match,
        /** @type {import("./types.ts").Request} */ request,
      ) {
        const account = readyAccount(world.state, match);
        const names = account.others?.[/** @type {"shares" | "tables" | "queues"} */ (one)] ?? [];
        return paged(
          world,
          request,
          names.map((name) => ({ id: `${account.id}/${one}/${name}`, name })),
        );
      },
    };
  }),
];
