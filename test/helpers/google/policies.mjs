// IAM policies, which projects, service accounts, and buckets have.
import { checkEtag, etag, own } from "./common.mjs";
import { concurrent, invalid, StorageError } from "./errors.mjs";

/** @import { Binding, Policy, State, Value, World } from "./types.ts" */

/** @param {Policy} policy @param {number} version that the caller understands. @returns {Value} */
export function shownPolicy({ bindings, changes }, version) {
  const hasConditions = bindings.some(({ condition }) => condition !== undefined);
  if (bindings.length === 0 && changes === 0) return { etag: "ACAB" };
  const shown = bindings.map((binding) => (version >= 3 ? binding : withoutCondition(binding)));
  return {
    version: hasConditions && version >= 3 ? 3 : 1,
    etag: etag(changes),
    ...(shown.length > 0 && { bindings: structuredClone(shown) }),
  };
}

// Callers of an older version see that there is a condition, but not which.
/** @param {Binding} binding @returns {Value} */
function withoutCondition({ role, members, condition }) {
  return condition === undefined ? { role, members } : { role: `${role}_withcond_0123456789abcdef0123`, members };
}

/**
 * Replaces a policy.
 *
 * @param {World} world @param {Policy} policy @param {Value} given
 * @param {(role: string) => void} checkRole throws if this role cannot be granted here.
 */
export function setPolicy({ state, settings }, policy, given, checkRole) {
  if (settings.conflicts > 0) {
    settings.conflicts--;
    throw concurrent();
  }
  checkEtag(given?.etag === "ACAB" ? undefined : given?.etag, policy.changes);
  /** @type {Binding[]} */
  const bindings = given?.bindings ?? [];
  const hasConditions = bindings.some(({ condition }) => condition !== undefined);
  if (hasConditions && (given.version ?? 0) < 3) {
    throw invalid("Policies with conditional bindings must have version 3.");
  }
  const known = new Set(policy.bindings.flatMap(({ members }) => members));
  const roles = new Set(policy.bindings.map(({ role }) => role));
  for (const { role, members = [] } of bindings) {
    if (!roles.has(role)) checkRole(role);
    for (const member of members.filter((one) => !known.has(one))) checkMember(state, member);
  }
  policy.bindings = merged(bindings);
  policy.changes++;
}

/** One binding for each role and condition. @param {Binding[]} bindings @returns {Binding[]} */
function merged(bindings) {
  /** @type {Map<string, Binding>} */
  const all = new Map();
  for (const { role, members = [], condition } of bindings) {
    const key = JSON.stringify([role, condition]);
    const before = all.get(key)?.members ?? [];
    const sum = [...new Set([...before, ...members])];
    if (sum.length > 0) all.set(key, { role, members: sum, ...(condition !== undefined && { condition }) });
  }
  return [...all.values()];
}

const people = /^(?:user|group|domain):.+|^allUsers$|^allAuthenticatedUsers$/;

/** @param {State} state @param {string} member that is new in a policy. */
function checkMember(state, member) {
  const email = /^serviceAccount:(.+)$/.exec(member)?.[1];
  if (email !== undefined) {
    const account = own(state.accounts, email);
    if (isForeign(state, email) || (account !== undefined && account.hidden === 0)) return;
    if (account !== undefined) account.hidden--;
    throw invalid(`Service account ${email} does not exist.`);
  }
  const pool =
    /^principal(?:Set)?:\/\/iam\.googleapis\.com\/projects\/(\d+)\/locations\/global\/workloadIdentityPools\/([^/]+)\/./.exec(
      member,
    );
  if (pool !== null) {
    const [, number = "", id = ""] = pool;
    if (number !== state.number || own(state.pools, id)?.state === "ACTIVE") return;
    const name = `projects/${number}/locations/global/workloadIdentityPools/${id}`;
    throw invalid(`Identity Pool does not exist (${name}). Please check that you specified a valid resource name.`);
  }
  if (member.startsWith("deleted:")) throw invalid(`The member ${member} is deleted and cannot be added.`);
  if (!people.test(member)) throw invalid(`The member ${member} is of an unknown type.`);
}

/** @param {State} state @param {string} email */
function isForeign({ project }, email) {
  return !email.endsWith(accountDomain(project));
}

/** The part of the email address of a service account after its ID. @param {string} project */
export function accountDomain(project) {
  const [domain, id] = project.includes(":") ? project.split(":") : ["", project];
  return `@${id}${domain === "" ? "" : `.${domain}`}.iam.gserviceaccount.com`;
}

/** What happens to the members of all policies when an account is deleted. @param {State} state @param {string} email @param {string} uid */
export function forgetMember(state, email, uid) {
  const policies = [
    state.policy,
    ...Object.values(state.accounts).map(({ policy }) => policy),
    ...Object.values(state.buckets).map(({ policy }) => policy),
  ];
  for (const { bindings } of policies) {
    for (const binding of bindings) {
      binding.members = binding.members.map((member) =>
        member === `serviceAccount:${email}` ? `deleted:serviceAccount:${email}?uid=${uid}` : member,
      );
    }
  }
}

/** @param {World} world @param {Value} given */
export function checkBucketPolicy({ settings }, given) {
  /** @type {Binding[]} */
  const bindings = given?.bindings ?? [];
  const isPublic = bindings.some(({ members }) => members.includes("allUsers"));
  if (!isPublic) return;
  if (settings.constraints.includes("storage.publicAccessPrevention")) {
    const why = "are not allowed since public access prevention is enforced";
    throw new StorageError(412, `The member bindings allUsers and allAuthenticatedUsers ${why}.`);
  }
  if (settings.constraints.includes("iam.allowedPolicyMemberDomains")) {
    throw new StorageError(412, "One or more users named in the policy do not belong to a permitted customer.");
  }
}
