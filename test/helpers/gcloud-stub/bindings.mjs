// The commands for the bindings of a policy: gcloud reads it, changes it, and writes it back.
import { conflict, Failure, Own, plain } from "./failure.mjs";

/**
 * @import { Binding, Command, Situation, Value } from "./types.ts"
 * @import { Response } from "../google/types.ts"
 * @typedef {{
 *   get: (situation: Situation) => Response,
 *   set: (situation: Situation, policy: Value) => Response,
 *   failed: (situation: Situation, response: Response) => Failure,
 *   updated: (situation: Situation) => string | undefined,
 * }} Target
 */

/** The commands to read and change the policy of a resource. @param {Target} target @returns {Record<string, Command>} */
export function policyCommands(target) {
  const flags = { texts: ["member", "role", "condition"], names: 1 };
  return {
    "get-iam-policy": { names: 1, run: (situation) => answered(target, situation, target.get(situation)) },
    "add-iam-policy-binding": {
      ...flags,
      required: ["member", "role"],
      changes: true,
      run: (situation) => change(target, situation, added),
    },
    "remove-iam-policy-binding": {
      ...flags,
      required: ["member", "role"],
      changes: true,
      run: (situation) => change(target, situation, removed),
    },
  };
}

/** @param {Target} target @param {Situation} situation @param {Response} response */
function answered(target, situation, response) {
  if (response.status >= 400) throw target.failed(situation, response);
  return response.body;
}

/** @param {Target} target @param {Situation} situation @param {(bindings: Binding[], situation: Situation) => Binding[]} edit */
function change(target, situation, edit) {
  const { condition } = situation.flags;
  if (condition !== undefined && condition !== "None") throw new Error(`not covered: --condition=${condition}`);
  const policy = answered(target, situation, target.get(situation));
  /** @type {Binding[]} */
  const bindings = policy.bindings ?? [];
  if (condition === undefined && bindings.some((binding) => binding.condition !== undefined)) {
    const [what, more] =
      edit === added
        ? ["Adding a binding without specifying a condition to", ""]
        : [
            "Removing a binding without specifying a condition from",
            " to remove a binding without condition or run command with `--all` to remove all bindings of the specified principal and role.",
          ];
    const why = "a policy containing conditions is prohibited in non-interactive mode";
    throw new Own(`${what} ${why}. Run the command again with \`--condition=None\`${more}`);
  }
  const { bindings: _, ...rest } = policy;
  const wanted = edit(bindings, situation);
  const response = target.set(situation, { ...rest, version: 3, ...(wanted.length > 0 && { bindings: wanted }) });
  const answer = answered(target, situation, response);
  const said = target.updated(situation);
  if (said !== undefined) situation.say(said);
  return answer;
}

/** @param {Binding[]} bindings @param {Situation} situation @returns {Binding[]} */
function added(bindings, { flags: { member, role } }) {
  const found = bindings.find((one) => one.role === role && one.condition === undefined);
  if (found === undefined) return [...bindings, { role, members: [member] }];
  return bindings.map((one) =>
    one === found && !one.members.includes(member) ? { ...one, members: [...one.members, member] } : one,
  );
}

/** @param {Binding[]} bindings @param {Situation} situation @returns {Binding[]} */
function removed(bindings, { flags: { member, role } }) {
  const found = bindings.find(
    (one) => one.role === role && one.condition === undefined && one.members.includes(member),
  );
  if (found === undefined) {
    throw new Own("Policy binding with the specified principal, role, and condition not found!");
  }
  const rest = { ...found, members: found.members.filter((one) => one !== member) };
  return bindings.map((one) => (one === found ? rest : one)).filter(({ members }) => members.length > 0);
}

const lint =
  'ERROR: Policy modification failed. For a binding with condition, run "gcloud alpha iam policies lint-condition" to identify issues in condition.\n';

/** What is said of a policy of a project. @param {Situation} situation @param {Response} response */
export function projectFailure({ names, project }, response) {
  const { code, status } = response.body.error;
  const [name = project] = names;
  if (code === 409) return new Failure(response, conflict(`Resource in projects [${name}:setIamPolicy]`, response));
  return new Failure(response, plain(response), status === "INVALID_ARGUMENT" ? lint : "");
}
