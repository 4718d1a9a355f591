import type { Extra, Kind, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { liveIn, partReading } from "../../../apply/state-reader.ts";
import { textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { kinds, partName, policyId } from "../resources.ts";
import { type Context, documentIn, grantsOf, ifYoung, policyDifferences, policyText, settledLive } from "./common.ts";
import { attachedOf, roleNameIn, roleReading } from "./role.ts";

/** A policy inside a role: what the role may do. The role is its owner mark. */
export function inlinePolicy(context: Context): KindWithoutCommand {
  const { client } = context;
  const differences: Kind["differences"] = ({ body }, live) =>
    policyDifferences("permissions", body["PolicyDocument"] ?? null, live?.value["PolicyDocument"]);

  const read = readIn(context, async (roleArn, PolicyName, owner) => {
    const input = { RoleName: roleNameIn(roleArn), PolicyName };
    const answer = await client.ask("iam:GetRolePolicy", input, { expect: /^NoSuchEntity$/ });
    return answer && liveInline(roleArn, answer, owner);
  });

  const put = async (wanted: WantedResource) => {
    const { PolicyName = "", PolicyDocument } = wanted.body;
    // The role that was read, whatever the file of an export names.
    const RoleName = roleNameIn(wanted.id);
    const input = { RoleName, PolicyName, PolicyDocument: policyText(PolicyDocument) };
    await client.send("iam:PutRolePolicy", input, ifYoung(context, wanted.part ?? ""));
    return settledLive({ read, differences }, wanted);
  };

  return {
    within: true,
    read,
    readExtra: read,
    differences,
    create: put,
    update: put,
    async remove({ value }) {
      const { RoleName = "", PolicyName = "" } = value;
      await client.ask("iam:DeleteRolePolicy", { RoleName, PolicyName }, { expect: /^NoSuchEntity$/ });
    },
  };
}

/** Reads a policy of a role by its ID, which names both. */
function readIn(
  context: Context,
  find: (roleArn: string, policy: string, owner: Owner) => Promise<Live | undefined>,
): (one: { readonly id: string }) => Promise<Reading> {
  return async ({ id }) => {
    const [roleArn = "", policy = ""] = id.split("#");
    const role = liveIn(await roleReading(context, roleArn));
    return role === undefined ? { state: "absent" } : partReading(await find(roleArn, policy, role.owner), role.owner);
  };
}

/** A policy as an answer describes it. @param answer of the request for it, or an item of a list. */
export function liveInline(roleArn: string, answer: Value, owner: Owner): Live {
  const PolicyName = textAt(answer, ["PolicyName"]);
  const PolicyDocument = documentIn(textAt(answer, ["PolicyDocument"]));
  const value: ValueMap = { RoleName: roleNameIn(roleArn), PolicyName, PolicyDocument };
  return { id: policyId(roleArn, PolicyName), value, owner };
}

/** A policy of a role that is not in the package. A render gives the role's own name to its only policy. */
export function extraInline(roleArn: string, answer: Value, owner: Owner): Extra {
  const live = liveInline(roleArn, answer, owner);
  const [role, policy] = [roleNameIn(roleArn), textAt(answer, ["PolicyName"])];
  const base = { kind: kinds.inlinePolicy, id: live.id, name: partName(role, policy), live };
  const grants = grantsOf(live.value["PolicyDocument"] ?? null);
  return { ...base, needs: [roleArn], part: roleArn, grants, ...(policy === role ? {} : { foreign: true }) };
}

/** That a managed policy is attached to a role. The role is its owner mark; the policy is others'. */
export function attachedPolicy(context: Context): KindWithoutCommand {
  const { client } = context;

  const differences: Kind["differences"] = (_, live) =>
    live === undefined ? [{ field: "attached", wanted: true }] : [];

  const read = readIn(context, async (roleArn, policyArn, owner) => {
    const isThere = (await attachedOf(context, roleNameIn(roleArn))).includes(policyArn);
    return isThere ? liveAttached(roleArn, policyArn, owner) : undefined;
  });

  return {
    within: true,
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const { PolicyArn = "" } = wanted.body;
      // The role that was read, whatever the file of an export names.
      const RoleName = roleNameIn(wanted.part ?? "");
      // A policy that does not exist is an error of the same code.
      const repeat = /^NoSuchEntity: .*role/i;
      await client.send("iam:AttachRolePolicy", { RoleName, PolicyArn }, ifYoung(context, wanted.part ?? "", repeat));
      return settledLive({ read, differences }, wanted);
    },
    update: async (_, live) => live,
    async remove({ value }) {
      const { RoleName = "", PolicyArn = "" } = value;
      await client.ask("iam:DetachRolePolicy", { RoleName, PolicyArn }, { expect: /^NoSuchEntity$/ });
    },
  };
}

/** An attached policy, by the ARNs of the role and of the policy. */
export function liveAttached(roleArn: string, PolicyArn: string, owner: Owner): Live {
  return { id: policyId(roleArn, PolicyArn), value: { RoleName: roleNameIn(roleArn), PolicyArn }, owner };
}

/** An attached policy that is not in the package. */
export function extraAttached(roleArn: string, policyArn: string, owner: Owner): Extra {
  const live = liveAttached(roleArn, policyArn, owner);
  const name = partName(roleNameIn(roleArn), policyArn);
  const grants = [`allows what ${policyArn} allows, whose document is not read`];
  return { kind: kinds.attachedPolicy, id: live.id, name, live, needs: [roleArn], part: roleArn, grants };
}
