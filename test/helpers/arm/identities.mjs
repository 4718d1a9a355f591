// User-assigned managed identities and their federated credentials.
import { Answer } from "./answer.mjs";
import { checkFields, contains, groupOf, locationOf, nameOf, own, paged, tagsOf } from "./common.mjs";
import { ArmError, elsewhere, invalid, noResource } from "./errors.mjs";
import { assignedId } from "./state.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Credential, Identity, State, Value } from "./types.ts"
 */

const type = "Microsoft.ManagedIdentity/userAssignedIdentities";
const under =
  "^/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.ManagedIdentity/userAssignedIdentities";
const versions = ["2023-01-31", "2022-01-31-preview", "2024-11-30"];
const maxCredentials = 20;

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`, "i");

/** This service writes one segment of the ID in lower case. @param {string} id */
const written = (id) => id.replace(/\/resourceGroups\//i, "/resourcegroups/");

/** @param {State} state @param {Identity} identity */
function shown({ tenant }, { id, location, tags, clientId, principalId }) {
  return {
    id: written(id),
    name: nameOf(id),
    type,
    location,
    tags,
    properties: { tenantId: tenant, principalId, clientId },
  };
}

/** @param {Identity} identity @param {string} name */
function shownCredential({ id, credentials }, name) {
  const found = Object.entries(credentials).find(([key]) => key.toLowerCase() === name.toLowerCase());
  const [key, properties] = /** @type {[string, Credential]} */ (found);
  return {
    id: `${written(id)}/federatedIdentityCredentials/${key}`,
    name: key,
    type: `${type}/federatedIdentityCredentials`,
    properties,
  };
}

/** @param {State} state @param {string} path @param {readonly string[]} match @returns {Identity} */
function identityOf(state, path, [, subscription = "", group = "", name = ""]) {
  groupOf(state, subscription, group);
  const id = path.split("/").slice(0, 9).join("/");
  const identity = own(state.identities, id);
  if (identity === undefined) throw noResource(type, name, group);
  return identity;
}

/** @param {Identity} identity @param {string} name */
const keyOf = ({ credentials }, name) =>
  Object.keys(credentials).find((key) => key.toLowerCase() === name.toLowerCase());

/** @param {Identity} identity @param {string} name @param {Value} body @returns {Credential} */
function credentialOf({ id, credentials }, name, body) {
  checkFields(body, ["properties", "name", "id", "type"], "FederatedIdentityCredential");
  const { issuer, subject, audiences, ...rest } = body?.properties ?? {};
  if (Object.keys(rest).length > 0 || typeof issuer !== "string" || typeof subject !== "string") {
    throw invalid("The federated identity credential must have issuer, subject and audiences.");
  }
  if (!Array.isArray(audiences) || audiences.length !== 1) {
    throw invalid("The federated identity credential must have exactly one audience.");
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{2,119}$/.test(name)) {
    throw invalid(`The name '${name}' of the federated identity credential is invalid.`);
  }
  if ([issuer, subject].some((one) => one.length > 600)) throw invalid("The issuer or subject is too long.");
  const others = Object.entries(credentials).filter(([key]) => key.toLowerCase() !== name.toLowerCase());
  if (others.some(([, one]) => one.issuer === issuer && one.subject === subject)) {
    const why = `There is already an existing Federated Identity Credential with the same issuer '${issuer}' and subject '${subject}' under managed identity '${nameOf(id)}'.`;
    throw new ArmError(409, "Conflict", why);
  }
  if (others.length >= maxCredentials) {
    const why = `Too many Federated Identity Credentials: a managed identity can have at most ${maxCredentials}.`;
    throw new ArmError(400, "BadRequest", why);
  }
  return { issuer, subject, audiences };
}

const many = {
  action: `${type}/federatedIdentityCredentials`,
  /** @param {string} rest */
  path: (rest) => at(`/([^/]+)/federatedIdentityCredentials${rest}`),
};

/** @type {readonly Route[]} */
export const identities = [
  {
    method: "GET",
    path: at(""),
    versions,
    action: `${type}/read`,
    run(world, [, subscription = "", group = ""], request) {
      const { id } = groupOf(world.state, subscription, group);
      const here = Object.values(world.state.identities).filter((one) => contains(id, one.id));
      return paged(
        world,
        request,
        here.map((one) => shown(world.state, one)),
      );
    },
  },
  {
    method: "GET",
    path: /^\/subscriptions\/([^/]+)\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities$/i,
    versions,
    action: `${type}/read`,
    run(world, [, subscription = ""], request) {
      const all = Object.values(world.state.identities);
      const here = all.filter((one) => contains(`/subscriptions/${subscription}`, one.id));
      return paged(
        world,
        request,
        here.map((one) => shown(world.state, one)),
      );
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/read`,
    run: ({ state }, match, { path }) => shown(state, identityOf(state, path, match)),
  },
  {
    method: "PUT",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/write`,
    run({ state, settings }, [id = "", subscription = "", group = "", name = ""], { body }) {
      groupOf(state, subscription, group);
      checkFields(body, ["location", "tags", "properties", "name", "id", "type"], "Identity");
      if (!/^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/.test(name)) {
        throw new ArmError(400, "InvalidResourceName", `The resource name '${name}' is invalid.`);
      }
      const [location, tags] = [locationOf(body), tagsOf(body)];
      const before = own(state.identities, id);
      if (before !== undefined && before.location !== location) {
        throw elsewhere(name, group, before.location, location);
      }
      const made = () => {
        const number = ++state.identitiesMade;
        return {
          ...{ id, clientId: assignedId("a", number), principalId: assignedId("b", number), credentials: {} },
          ...{ hidden: settings.hiddenPrincipals, unready: settings.hiddenParents },
        };
      };
      const identity = { ...(before ?? made()), location, tags };
      state.identities[id.toLowerCase()] = identity;
      return new Answer(before === undefined ? 201 : 200, shown(state, identity));
    },
  },
  {
    method: "PATCH",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/write`,
    run({ state }, match, { path, body }) {
      const identity = identityOf(state, path, match);
      checkFields(body, ["location", "tags", "properties"], "IdentityUpdate");
      if (body.location !== undefined && locationOf(body) !== identity.location) {
        throw elsewhere(nameOf(identity.id), match[2] ?? "", identity.location, body.location);
      }
      // What is not in the request is lost: a caller must not rely on more.
      if (body.tags !== undefined) identity.tags = tagsOf(body);
      return shown(state, identity);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    versions,
    action: `${type}/delete`,
    run({ state }, [id = "", subscription = "", group = ""]) {
      groupOf(state, subscription, group);
      const isThere = own(state.identities, id) !== undefined;
      // Its role assignments stay, for a principal that no longer exists.
      delete state.identities[id.toLowerCase()];
      return new Answer(isThere ? 200 : 204);
    },
  },
  {
    method: "GET",
    path: many.path(""),
    versions,
    action: `${many.action}/read`,
    run(world, match, request) {
      const identity = identityOf(world.state, request.path, match);
      const list = Object.keys(identity.credentials).map((name) => shownCredential(identity, name));
      return paged(world, request, list);
    },
  },
  {
    method: "GET",
    path: many.path("/([^/]+)"),
    versions,
    action: `${many.action}/read`,
    run({ state }, match, { path }) {
      const identity = identityOf(state, path, match);
      const [, , group = "", name = "", credential = ""] = match;
      if (keyOf(identity, credential) === undefined) {
        throw noResource(type, `${name}/federatedIdentityCredentials/${credential}`, group);
      }
      return shownCredential(identity, credential);
    },
  },
  {
    method: "PUT",
    path: many.path("/([^/]+)"),
    versions,
    action: `${many.action}/write`,
    run({ state, settings }, match, { path, body }) {
      const [, , , name = "", credential = ""] = match;
      const id = path.split("/").slice(0, 9).join("/");
      const identity = own(state.identities, id);
      if (identity === undefined || identity.unready > 0) {
        if (identity !== undefined) identity.unready--;
        const why = `Failed to perform 'write' on resource(s) of type 'userAssignedIdentities/federatedIdentityCredentials', because the parent resource '${id}' could not be found.`;
        throw new ArmError(404, "ParentResourceNotFound", why);
      }
      concurrent(settings, name);
      const key = keyOf(identity, credential);
      identity.credentials[key ?? credential] = credentialOf(identity, credential, body);
      return new Answer(key === undefined ? 201 : 200, shownCredential(identity, credential));
    },
  },
  {
    method: "DELETE",
    path: many.path("/([^/]+)"),
    versions,
    action: `${many.action}/delete`,
    run({ state, settings }, match, { path }) {
      const identity = identityOf(state, path, match);
      concurrent(settings, match[3] ?? "");
      const key = keyOf(identity, match[4] ?? "");
      if (key === undefined) return new Answer(204);
      delete identity.credentials[key];
      return new Answer(200);
    },
  },
];

/** @param {import("./types.ts").Settings} settings @param {string} name */
function concurrent(settings, name) {
  if (settings.conflicts <= 0) return;
  settings.conflicts--;
  const why = `Too many Federated Identity Credentials are written concurrently for the managed identity '${name}'. Concurrent Federated Identity Credentials writes under the same managed identity are not supported.`;
  throw new ArmError(409, "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity", why);
}
