// gcloud iam, gcloud projects, gcloud services.
import { policyCommands, projectFailure } from "./bindings.mjs";
import { authenticated, conflict, Failure, plain } from "./failure.mjs";

/**
 * @import { Command, Situation, Value } from "./types.ts"
 * @import { Response } from "../google/types.ts"
 */

/** @param {Record<string, Command>} commands @param {string} group @returns {Record<string, Command>} */
export function inGroup(commands, group) {
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [`${group} ${name}`, command]));
}

/** @param {Situation} situation */
const poolsPath = ({ project }) => `/v1/projects/${project}/locations/global/workloadIdentityPools`;

/** All items of a list. @param {Situation} situation @param {string} path @param {string} name @param {Record<string, string>} [query] */
export function listed({ ask }, path, name, query = {}) {
  /** @type {Value[]} */
  const all = [];
  let token;
  do {
    const page = ask("GET", path, { query: { ...query, ...(token !== undefined && { pageToken: token }) } });
    all.push(...(page[name] ?? []));
    token = page.nextPageToken;
  } while (token !== undefined);
  return all;
}

/** The options of a pool or provider that were given: the body and the mask of a request. @param {Situation} situation */
function resourceOf({ flags, read }) {
  /** @type {Record<string, Value>} */
  const body = {};
  /** @type {string[]} */
  const mask = [];
  const put = (/** @type {string} */ name, /** @type {Value} */ value) => {
    if (value === undefined) return;
    const [first = "", second] = name.split(".");
    if (second === undefined) body[first] = value;
    else body[first] = { ...body[first], [second]: value };
    mask.push(name);
  };
  put("displayName", flags["display-name"]);
  put("description", flags["description"]);
  put("disabled", flags["disabled"]);
  put("attributeMapping", mapOf(flags["attribute-mapping"]));
  put("attributeCondition", flags["attribute-condition"]);
  put("oidc.issuerUri", flags["issuer-uri"]);
  put("oidc.allowedAudiences", listOf(flags["allowed-audiences"]));
  const keys = flags["jwk-json-path"];
  put("oidc.jwksJson", keys === undefined ? undefined : read(keys));
  return {
    body,
    updateMask: mask.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(","),
  };
}

/** The items of a list in an option, as in `gcloud topic escaping`. @param {string | undefined} text */
function listOf(text) {
  if (text === undefined) return undefined;
  const [start = "", delimiter = ","] = /^\^([^^]+)\^/.exec(text) ?? [];
  return text
    .slice(start.length)
    .split(delimiter)
    .filter((one) => one !== "");
}

/** @param {string | undefined} text */
function mapOf(text) {
  const items = listOf(text)?.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]);
  return items === undefined ? undefined : Object.fromEntries(items);
}

const common = { texts: ["location", "display-name", "description"], choices: ["disabled"], names: 1 };
const oidc = ["issuer-uri", "allowed-audiences", "attribute-mapping", "attribute-condition", "jwk-json-path"];
const named = { texts: ["location"], required: ["location"], names: 1 };
const inPool = { texts: ["location", "workload-identity-pool"], required: ["location", "workload-identity-pool"] };

/** @param {Situation} situation */
const poolPath = (situation) => `${poolsPath(situation)}/${situation.names[0]}`;
/** @param {Situation} situation */
const providersPath = (situation) => `${poolsPath(situation)}/${situation.flags["workload-identity-pool"]}/providers`;
/** @param {Situation} situation */
const providerPath = (situation) => `${providersPath(situation)}/${situation.names[0]}`;

/** @param {string} noun @param {(situation: Situation) => string} path @param {(situation: Situation) => string} parent @param {string} idName @param {Omit<Command, "run">} each @param {string} kind */
function lifecycle(noun, path, parent, idName, each, kind) {
  /** @type {Record<string, Command>} */
  const commands = {
    describe: { ...each, run: (situation) => situation.ask("GET", path(situation)) },
    [`create${kind}`]: {
      ...each,
      texts: [...new Set([...(each.texts ?? []), ...(common.texts ?? []), ...(kind === "" ? [] : oidc)])],
      choices: ["disabled"],
      required: [...(each.required ?? []), ...(kind === "" ? [] : ["issuer-uri", "attribute-mapping"])],
      changes: true,
      run(situation) {
        const { body } = resourceOf(situation);
        const query = { [idName]: situation.names[0] ?? "" };
        const answer = situation.ask("POST", parent(situation), { query, body });
        situation.say(`Created ${noun} [${situation.names[0]}].`);
        return answer;
      },
    },
    [`update${kind}`]: {
      ...each,
      texts: [...new Set([...(each.texts ?? []), ...(common.texts ?? []), ...(kind === "" ? [] : oidc)])],
      choices: ["disabled"],
      changes: true,
      run(situation) {
        const { body, updateMask } = resourceOf(situation);
        const answer = situation.ask("PATCH", path(situation), { query: { updateMask }, body });
        situation.say(`Updated ${noun} [${situation.names[0]}].`);
        return answer;
      },
    },
    delete: {
      ...each,
      changes: true,
      run(situation) {
        const answer = situation.ask("DELETE", path(situation));
        situation.say(`Deleted ${noun} [${situation.names[0]}].`);
        return answer;
      },
    },
    undelete: {
      ...each,
      changes: true,
      run: (situation) => situation.ask("POST", `${path(situation)}:undelete`, { body: {} }),
    },
  };
  return commands;
}

const pools = lifecycle("workload identity pool", poolPath, poolsPath, "workloadIdentityPoolId", named, "");
const providers = lifecycle(
  "workload identity pool provider",
  providerPath,
  providersPath,
  "workloadIdentityPoolProviderId",
  { ...inPool, names: 1 },
  "-oidc",
);

/** @param {Situation} situation */
const accountsPath = ({ project }) => `/v1/projects/${project}/serviceAccounts`;
// gcloud asks for accounts in any project.
/** @param {Situation} situation */
const accountPath = ({ names: [email = ""] }) => `/v1/projects/-/serviceAccounts/${email}`;

/** @param {Situation} _ @param {Response} response */
const plainFailure = (_, response) => new Failure(response, plain(response));

/** @type {Record<string, Command>} */
const accounts = {
  list: {
    names: 0,
    run: (situation) =>
      listed(situation, accountsPath(situation), "accounts", { pageSize: "100" }).map((one) => ({
        disabled: false,
        ...one,
      })),
  },
  describe: { names: 1, run: (situation) => situation.ask("GET", accountPath(situation)) },
  create: {
    names: 1,
    texts: ["display-name", "description"],
    changes: true,
    run(situation) {
      const { flags, names, ask, say } = situation;
      const serviceAccount = { displayName: flags["display-name"], description: flags["description"] };
      const answer = ask("POST", accountsPath(situation), { body: { accountId: names[0], serviceAccount } });
      say(`Created service account [${names[0]}].`);
      return answer;
    },
  },
  update: {
    names: 1,
    texts: ["display-name", "description"],
    changes: true,
    run(situation) {
      const { flags, names, ask, say } = situation;
      /** @type {Record<string, Value>} */
      const given = { displayName: flags["display-name"], description: flags["description"] };
      const mask = Object.keys(given).filter((name) => given[name] !== undefined);
      const body = {
        serviceAccount: Object.fromEntries(mask.map((name) => [name, given[name]])),
        updateMask: mask.join(","),
      };
      const answer = ask("PATCH", accountPath(situation), { body });
      say(`Updated serviceAccount [${names[0]}].`);
      return answer;
    },
  },
  ...Object.fromEntries(
    ["enable", "disable"].map((verb) => [
      verb,
      {
        names: 1,
        changes: true,
        run(/** @type {Situation} */ situation) {
          situation.ask("POST", `${accountPath(situation)}:${verb}`, { body: {} });
          situation.say(`${verb === "enable" ? "Enabled" : "Disabled"} service account [${situation.names[0]}].`);
          return [];
        },
      },
    ]),
  ),
  delete: {
    names: 1,
    changes: true,
    run(situation) {
      situation.ask("DELETE", accountPath(situation));
      situation.say(`deleted service account [${situation.names[0]}]`);
      return [];
    },
  },
  ...policyCommands({
    get: (situation) =>
      situation.response("POST", `${accountPath(situation)}:getIamPolicy`, {
        query: { "options.requestedPolicyVersion": "3" },
      }),
    set: (situation, policy) =>
      situation.response("POST", `${accountPath(situation)}:setIamPolicy`, { body: { policy } }),
    failed: plainFailure,
    updated: ({ names }) => `Updated IAM policy for serviceAccount [${names[0]}].`,
  }),
};

/** @param {Situation} situation */
const rolesPath = ({ project }) => `/v1/projects/${project}/roles`;
/** @param {Situation} situation */
const rolePath = (situation) => `${rolesPath(situation)}/${situation.names[0]}`;

/** @param {Situation} situation */
function roleFile({ flags, read }) {
  const { name: _, ...role } = JSON.parse(read(flags["file"]));
  return role;
}

/** @type {Record<string, Command>} */
const roles = {
  list: {
    names: 0,
    switches: ["show-deleted"],
    run: (situation) =>
      listed(situation, rolesPath(situation), "roles", {
        view: "BASIC",
        showDeleted: String(situation.flags["show-deleted"] === true),
      }),
  },
  describe: { names: 1, run: (situation) => situation.ask("GET", rolePath(situation)) },
  create: {
    names: 1,
    texts: ["file"],
    required: ["file"],
    changes: true,
    run(situation) {
      const [roleId = ""] = situation.names;
      const answer = situation.ask("POST", rolesPath(situation), { body: { roleId, role: roleFile(situation) } });
      situation.say(`Created role [${roleId}].`);
      return answer;
    },
  },
  update: {
    names: 1,
    texts: ["file"],
    required: ["file"],
    changes: true,
    run: (situation) => situation.ask("PATCH", rolePath(situation), { body: roleFile(situation) }),
  },
  delete: { names: 1, changes: true, run: (situation) => situation.ask("DELETE", rolePath(situation)) },
  undelete: {
    names: 1,
    changes: true,
    run: (situation) => situation.ask("POST", `${rolePath(situation)}:undelete`, { body: {} }),
  },
};

/** @type {Record<string, Command>} */
const projects = {
  describe: {
    names: 1,
    run({ names, response }) {
      const answer = response("GET", `/v1/projects/${names[0]}`);
      if (answer.status < 400) return answer.body;
      const said = `[tester@example.com] does not have permission to access projects instance [${names[0]}] (or it may not exist)`;
      throw new Failure(answer, authenticated(`${said}: ${answer.body.error.message}`));
    },
  },
  ...policyCommands({
    get: ({ response, names }) =>
      response("POST", `/v1/projects/${names[0]}:getIamPolicy`, { body: { options: { requestedPolicyVersion: 3 } } }),
    set: ({ response, names }, policy) =>
      response("POST", `/v1/projects/${names[0]}:setIamPolicy`, { body: { policy } }),
    failed: projectFailure,
    updated: ({ names }) => `Updated IAM policy for project [${names[0]}].`,
  }),
};

/** @type {Record<string, Command>} */
const services = {
  list: {
    names: 0,
    switches: ["enabled"],
    required: ["enabled"],
    run: (situation) =>
      listed(situation, `/v1/projects/${situation.project}/services`, "services", { filter: "state:ENABLED" }),
  },
};

/** @type {Record<string, Command>} */
export const iamCommands = {
  ...inGroup(pools, "iam workload-identity-pools"),
  ...inGroup(providers, "iam workload-identity-pools providers"),
  "iam workload-identity-pools providers list": {
    ...inPool,
    names: 0,
    switches: ["show-deleted"],
    run: (situation) =>
      listed(situation, providersPath(situation), "workloadIdentityPoolProviders", {
        showDeleted: String(situation.flags["show-deleted"] === true),
      }),
  },
  ...inGroup(accounts, "iam service-accounts"),
  ...inGroup(roles, "iam roles"),
  ...inGroup(projects, "projects"),
  ...inGroup(services, "services"),
};

/** What most commands say of a refused request. @param {string} command @param {string} project @param {Response} response */
export function failureOf(command, project, response) {
  const { status, message } = response.body.error;
  if (status === "ALREADY_EXISTS" && !command.includes("pools")) {
    return new Failure(response, conflict(`Resource in projects [${project}]`, response));
  }
  if (status === "PERMISSION_DENIED" && inProject.has(command)) {
    const who = `[tester@example.com] does not have permission to access projects instance [${project}] (or it may not exist)`;
    return new Failure(response, authenticated(`${who}: ${message}`));
  }
  return new Failure(response, plain(response));
}

const inProject = new Set(["iam roles list", "iam service-accounts list", "services list"]);
