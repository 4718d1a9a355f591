// Service accounts, in IAM v1.
import { checkFields, checkLength, exists, own, paged, told } from "./common.mjs";
import { denied, GoogleError, invalid, missing } from "./errors.mjs";
import { accountDomain, forgetMember, setPolicy, shownPolicy } from "./policies.mjs";
import { uniqueId } from "./state.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Account, State, Value, World } from "./types.ts"
 */

const under = "^/v1/projects/([^/]+)/serviceAccounts";

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`);

/** @param {State} state @param {string} email @returns {Value} */
function shown({ project, accounts }, email) {
  const { uniqueId: id, displayName, description, disabled } = /** @type {Account} */ (accounts[email]);
  const name = `projects/${project}/serviceAccounts/${email}`;
  const fields = { name, projectId: project, uniqueId: id, email, displayName, description, disabled };
  return told({ ...fields, etag: "MDEwMjE5MjA=", oauth2ClientId: id });
}

/**
 * The account of a request.
 *
 * @param {World} world @param {readonly string[]} match @param {string} permission that is denied if it is missing.
 * @returns {Account}
 */
function accountOf({ state }, [, project, email = ""], permission) {
  const account = own(state.accounts, email);
  // In `projects/-/`, Google does not say whether an account exists.
  if (account === undefined) throw project === "-" ? denied(permission) : missing();
  if (account.hidden > 0) {
    account.hidden--;
    throw new GoogleError("NOT_FOUND", `Unknown service account`);
  }
  return account;
}

/** @param {string} role */
function checkAccountRole(role) {
  if (!/^roles\/[A-Za-z0-9_.]+$/.test(role)) throw invalid(`Role ${role} is not supported for this resource.`);
}

/** @type {readonly Route[]} */
export const accounts = [
  {
    method: "GET",
    path: at(""),
    permission: "iam.serviceAccounts.list",
    run({ state, settings }, _, { query }) {
      const seen = Object.keys(state.accounts).map((email) => shown(state, email));
      return paged(seen, "accounts", query, settings.page);
    },
  },
  {
    method: "POST",
    path: at(""),
    permission: "iam.serviceAccounts.create",
    run({ state, settings }, _, { body }) {
      const { accountId, serviceAccount = {} } = body;
      if (!/^[a-z]([-a-z0-9]{4,28}[a-z0-9])$/.test(accountId)) throw invalid(`Invalid account ID: ${accountId}`);
      if (settings.constraints.includes("iam.disableServiceAccountCreation")) {
        const violation = { type: "constraints/iam.disableServiceAccountCreation", subject: "orgpolicy" };
        const details = [{ "@type": "type.googleapis.com/google.rpc.PreconditionFailure", violations: [violation] }];
        throw new GoogleError(
          "FAILED_PRECONDITION",
          "Service account creation is not allowed on this project.",
          details,
        );
      }
      checkAccount(serviceAccount);
      const email = `${accountId}${accountDomain(state.project)}`;
      if (own(state.accounts, email) !== undefined) {
        throw exists(`Service account ${accountId} already exists within project projects/${state.project}.`);
      }
      const { displayName, description } = serviceAccount;
      const fields = told({ displayName, description });
      const uid = uniqueId(++state.accountsMade);
      const policy = { bindings: [], changes: 0 };
      state.accounts[email] = { ...fields, uniqueId: uid, policy, hidden: settings.hidden };
      return shown(state, email);
    },
  },
  {
    method: "GET",
    path: at("/([^/:]+)"),
    permission: "iam.serviceAccounts.get",
    run(world, match) {
      accountOf(world, match, "iam.serviceAccounts.get");
      return shown(world.state, match[2] ?? "");
    },
  },
  {
    method: "PATCH",
    path: at("/([^/:]+)"),
    permission: "iam.serviceAccounts.update",
    run(world, match, { body }) {
      const account = accountOf(world, match, "iam.serviceAccounts.update");
      checkAccount(body.serviceAccount);
      for (const name of String(body.updateMask).split(",")) {
        if (name !== "displayName" && name !== "display_name" && name !== "description") {
          throw invalid(`Invalid update mask: ${name}`);
        }
        const field = name === "description" ? "description" : "displayName";
        const value = body.serviceAccount[field];
        if (value) account[field] = value;
        else delete account[field];
      }
      return shown(world.state, match[2] ?? "");
    },
  },
  {
    method: "DELETE",
    path: at("/([^/:]+)"),
    permission: "iam.serviceAccounts.delete",
    run({ state }, [, , email = ""]) {
      const account = own(state.accounts, email);
      if (account === undefined) throw denied("iam.serviceAccounts.delete");
      delete state.accounts[email];
      forgetMember(state, email, account.uniqueId);
      return {};
    },
  },
  ...["enable", "disable"].map((verb) => ({
    method: "POST",
    path: at(`/([^/:]+):${verb}`),
    permission: `iam.serviceAccounts.${verb}`,
    run(/** @type {World} */ world, /** @type {readonly string[]} */ match) {
      const account = accountOf(world, match, `iam.serviceAccounts.${verb}`);
      if (verb === "disable") account.disabled = true;
      else delete account.disabled;
      return {};
    },
  })),
  {
    method: "POST",
    path: at("/([^/:]+):getIamPolicy"),
    permission: "iam.serviceAccounts.getIamPolicy",
    run(world, match, { query, body }) {
      const { policy } = accountOf(world, match, "iam.serviceAccounts.getIamPolicy");
      const version = query["options.requestedPolicyVersion"] ?? body?.options?.requestedPolicyVersion ?? 0;
      return shownPolicy(policy, Number(version));
    },
  },
  {
    method: "POST",
    path: at("/([^/:]+):setIamPolicy"),
    permission: "iam.serviceAccounts.setIamPolicy",
    run(world, match, { body }) {
      const { policy } = accountOf(world, match, "iam.serviceAccounts.setIamPolicy");
      setPolicy(world, policy, body?.policy, checkAccountRole);
      return shownPolicy(policy, 3);
    },
  },
];

/** @param {Value} account */
function checkAccount(account) {
  checkFields(account, ["name", "email", "displayName", "description", "etag"], "service_account");
  checkLength(account?.displayName, 100, "display_name");
  checkLength(account?.description, 256, "description");
}
