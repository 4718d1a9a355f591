// Workload identity pools and their providers, in IAM v1.
import { checkFields, checkLength, exists, own, paged, told } from "./common.mjs";
import { GoogleError, invalid, missing, unready } from "./errors.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Pool, Provider, Settings, State, Value, World } from "./types.ts"
 */

const under = "^/v1/projects/([^/]+)/locations/global/workloadIdentityPools";
const poolFields = ["name", "displayName", "description", "disabled", "state", "mode"];
const providerFields = [...poolFields, "attributeMapping", "attributeCondition", "oidc"];
const pattern = /^(?!gcp-)[a-z0-9-]{4,32}$/;

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`);

/** @param {State} state @param {string} id */
const poolName = ({ number }, id) => `projects/${number}/locations/global/workloadIdentityPools/${id}`;

/** @param {State} state @param {string} id @returns {Pool} */
function poolOf({ pools }, id) {
  const pool = own(pools, id);
  if (pool === undefined) throw missing();
  return pool;
}

/** @param {State} state @param {string} poolId @param {string} id @returns {Provider} */
function providerOf(state, poolId, id) {
  const provider = own(poolOf(state, poolId).providers, id);
  if (provider === undefined) throw missing();
  return provider;
}

/** @param {Value} one */
function fieldsOf({ pending: _, before: _before, providers: _providers, ...fields }) {
  return structuredClone(fields);
}

const expiry = { expireTime: "2026-12-24T00:00:00Z" };

/** What a read sees. @param {Pool | Provider} one @param {string} name @returns {Value} */
function read(one, name) {
  if (one.pending > 0) {
    one.pending--;
    if (one.before === undefined) throw missing();
    return shown(one.before, name);
  }
  return shown(fieldsOf(one), name);
}

/** @param {Value} fields @param {string} name */
function shown(fields, name) {
  return told({ name, ...fields, ...(fields.state === "DELETED" && expiry) });
}

/** The operation of a change, which is not done yet. @param {string} name @param {Settings} settings */
function operation(name, { pending }) {
  return { name: `${name}/operations/operation1`, done: pending === 0 };
}

/** Lets the next reads see the state before a change. @param {Pool | Provider} one @param {Value} before @param {Settings} settings */
function begin(one, before, { pending }) {
  one.pending = pending;
  one.before = before;
}

/** What the first reads of a new resource see. @param {Value} fields @param {Settings} settings */
function beforeCreation(fields, { begun }) {
  return begun === "absent" ? undefined : { ...fields, state: "STATE_UNSPECIFIED" };
}

/** @param {Value} body @param {readonly string[]} fields */
function checkCommon(body, fields) {
  checkFields(body, fields, "resource");
  checkLength(body.displayName, 32, "display_name");
  checkLength(body.description, 256, "description");
}

/** @param {World} world @param {Value} body of a provider. */
function checkProvider({ settings }, body) {
  checkCommon(body, providerFields);
  const { oidc, attributeMapping, attributeCondition } = body;
  checkFields(oidc, ["issuerUri", "allowedAudiences", "jwksJson"], "provider.oidc");
  if (!/^https:\/\/[^/?#]+/.test(oidc?.issuerUri ?? "")) throw invalid("The issuer URI must be a valid HTTPS URL.");
  if (attributeMapping?.["google.subject"] === undefined) {
    throw invalid("The attribute mapping must map google.subject.");
  }
  checkLength(attributeCondition, 4096, "attribute_condition");
  if ((oidc.allowedAudiences ?? []).length > 10) throw invalid("At most 10 audiences are allowed.");
  if (oidc.jwksJson) checkKeys(oidc.jwksJson);
  if (settings.constraints.includes("iam.workloadIdentityPoolProviders")) {
    const violation = { type: "constraints/iam.workloadIdentityPoolProviders", subject: "orgpolicy", description: "x" };
    const details = [{ "@type": "type.googleapis.com/google.rpc.PreconditionFailure", violations: [violation] }];
    throw new GoogleError("FAILED_PRECONDITION", `Org Policy violated for value: '${oidc.issuerUri}'.`, details);
  }
}

const keyFields = ["kty", "alg", "use", "kid", "n", "e", "crv", "x", "y"];

/** @param {string} text */
function checkKeys(text) {
  /** @type {Value} */
  let keys;
  try {
    keys = JSON.parse(text).keys;
  } catch {
    throw invalid("The JWKS is not valid JSON.");
  }
  if (!Array.isArray(keys) || keys.length === 0) throw invalid("The JWKS must contain keys.");
  for (const key of keys) {
    checkFields(key, keyFields, "jwks.keys");
    const isSupported = key.kty === "RSA" || (key.kty === "EC" && key.crv === "P-256");
    if (!isSupported) throw invalid(`The JWKS contains a key of an unsupported type: ${key.kty} ${key.crv ?? ""}.`);
  }
}

/** Takes over the masked fields. @param {Value} target @param {Value} body @param {string} mask @param {readonly string[]} fields */
function patch(target, body, mask, fields) {
  for (const path of mask.split(",")) {
    const [first = "", second] = path.split(".").map(camel);
    if (!fields.includes(first) || first === "name" || first === "state") throw invalid(`Invalid update mask: ${path}`);
    const value = second === undefined ? body[first] : body[first]?.[second];
    if (second === undefined) target[first] = value;
    else target[first] = { ...target[first], [second]: value };
    const into = second === undefined ? target : target[first];
    const name = second ?? first;
    if (value === undefined || value === "" || value === false) delete into[name];
  }
}

/** @param {string} name */
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** @param {Pool} pool */
function checkActive(pool) {
  if (pool.state !== "ACTIVE" || pool.pending > 0) throw unready("The workload identity pool is not active.");
}

/**
 * Deletes or undeletes.
 *
 * @param {World} world @param {Pool | Provider} one @param {string} name @param {"ACTIVE" | "DELETED"} state
 */
function setState({ settings }, one, name, state) {
  if (one.state === state) throw unready(`${name} is ${state === "DELETED" ? "already" : "not"} deleted.`);
  begin(one, fieldsOf(one), settings);
  one.state = state;
  return operation(name, settings);
}

/** @type {readonly Route[]} */
export const pools = [
  {
    method: "GET",
    path: at(""),
    permission: "iam.workloadIdentityPools.list",
    run({ state, settings }, _, { query }) {
      const all = Object.entries(state.pools).filter(
        ([, { state: now }]) => query["showDeleted"] === "True" || query["showDeleted"] === "true" || now === "ACTIVE",
      );
      const list = all.map(([id, pool]) => shown(fieldsOf(pool), poolName(state, id)));
      return paged(list, "workloadIdentityPools", query, settings.page);
    },
  },
  {
    method: "POST",
    path: at(""),
    permission: "iam.workloadIdentityPools.create",
    run({ state, settings }, _, { query, body }) {
      const id = query["workloadIdentityPoolId"] ?? "";
      if (!pattern.test(id)) throw invalid(`Invalid workload identity pool ID: ${id}`);
      if (own(state.pools, id) !== undefined) throw exists("Requested entity already exists");
      checkCommon(body, poolFields);
      const fields = told({ ...body, state: "ACTIVE" });
      delete fields.name;
      state.pools[id] = { ...fields, providers: {}, pending: 0 };
      begin(poolOf(state, id), beforeCreation(fields, settings), settings);
      return operation(poolName(state, id), settings);
    },
  },
  {
    method: "GET",
    path: at("/([^/:]+)"),
    permission: "iam.workloadIdentityPools.get",
    run: ({ state }, [, , id = ""]) => read(poolOf(state, id), poolName(state, id)),
  },
  {
    method: "PATCH",
    path: at("/([^/:]+)"),
    permission: "iam.workloadIdentityPools.update",
    run({ state, settings }, [, , id = ""], { query, body }) {
      const pool = poolOf(state, id);
      if (pool.state === "DELETED") throw unready("The workload identity pool is deleted.");
      checkCommon(body, poolFields);
      const before = fieldsOf(pool);
      patch(pool, body, query["updateMask"] ?? "", poolFields);
      begin(pool, before, settings);
      return operation(poolName(state, id), settings);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/:]+)"),
    permission: "iam.workloadIdentityPools.delete",
    run: (world, [, , id = ""]) => setState(world, poolOf(world.state, id), poolName(world.state, id), "DELETED"),
  },
  {
    method: "POST",
    path: at("/([^/:]+):undelete"),
    permission: "iam.workloadIdentityPools.undelete",
    run: (world, [, , id = ""]) => setState(world, poolOf(world.state, id), poolName(world.state, id), "ACTIVE"),
  },
  {
    method: "GET",
    path: at("/([^/:]+)/providers"),
    permission: "iam.workloadIdentityPoolProviders.list",
    run({ state, settings }, [, , id = ""], { query }) {
      const all = Object.entries(poolOf(state, id).providers).filter(
        ([, { state: now }]) => query["showDeleted"] === "True" || query["showDeleted"] === "true" || now === "ACTIVE",
      );
      const list = all.map(([name, one]) => shown(fieldsOf(one), `${poolName(state, id)}/providers/${name}`));
      if (!settings.keysInList) for (const { oidc } of list) delete oidc.jwksJson;
      return paged(list, "workloadIdentityPoolProviders", query, settings.page);
    },
  },
  {
    method: "POST",
    path: at("/([^/:]+)/providers"),
    permission: "iam.workloadIdentityPoolProviders.create",
    run(world, [, , poolId = ""], { query, body }) {
      const { state, settings } = world;
      const pool = poolOf(state, poolId);
      checkActive(pool);
      const id = query["workloadIdentityPoolProviderId"] ?? "";
      if (!pattern.test(id)) throw invalid(`Invalid workload identity pool provider ID: ${id}`);
      if (own(pool.providers, id) !== undefined) throw exists("Requested entity already exists");
      checkProvider(world, body);
      const fields = told({ ...body, oidc: told(body.oidc), state: "ACTIVE" });
      delete fields.name;
      pool.providers[id] = { ...fields, pending: 0 };
      begin(providerOf(state, poolId, id), beforeCreation(fields, settings), settings);
      return operation(`${poolName(state, poolId)}/providers/${id}`, settings);
    },
  },
  {
    method: "GET",
    path: at("/([^/:]+)/providers/([^/:]+)"),
    permission: "iam.workloadIdentityPoolProviders.get",
    run: ({ state }, [, , pool = "", id = ""]) =>
      read(providerOf(state, pool, id), `${poolName(state, pool)}/providers/${id}`),
  },
  {
    method: "PATCH",
    path: at("/([^/:]+)/providers/([^/:]+)"),
    permission: "iam.workloadIdentityPoolProviders.update",
    run(world, [, , pool = "", id = ""], { query, body }) {
      const { state, settings } = world;
      const provider = providerOf(state, pool, id);
      checkActive(poolOf(state, pool));
      if (provider.state === "DELETED" || provider.before?.state === "DELETED") {
        if (provider.state === "DELETED" || provider.pending > 0) throw unready("The provider is deleted.");
      }
      const changed = fieldsOf(provider);
      patch(changed, body, query["updateMask"] ?? "", providerFields);
      checkProvider(world, changed);
      const before = fieldsOf(provider);
      const { providers } = poolOf(state, pool);
      providers[id] = { ...changed, pending: 0 };
      begin(providerOf(state, pool, id), before, settings);
      return operation(`${poolName(state, pool)}/providers/${id}`, settings);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/:]+)/providers/([^/:]+)"),
    permission: "iam.workloadIdentityPoolProviders.delete",
    run: (world, [, , pool = "", id = ""]) =>
      setState(world, providerOf(world.state, pool, id), `${poolName(world.state, pool)}/providers/${id}`, "DELETED"),
  },
  {
    method: "POST",
    path: at("/([^/:]+)/providers/([^/:]+):undelete"),
    permission: "iam.workloadIdentityPoolProviders.undelete",
    run(world, [, , pool = "", id = ""]) {
      checkActive(poolOf(world.state, pool));
      const name = `${poolName(world.state, pool)}/providers/${id}`;
      return setState(world, providerOf(world.state, pool, id), name, "ACTIVE");
    },
  },
];
