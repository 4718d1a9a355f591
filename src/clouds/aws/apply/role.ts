import { strangeIssuers } from "../../../apply/document.ts";
import { takenOver } from "../../../apply/kinds.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Inside, Kind, KindWithoutCommand, Live, Reading, Refusal } from "../../../apply/resource.ts";
import { readingOf } from "../../../apply/state-reader.ts";
import { entryOf, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { differencesOf } from "../../fields.ts";
import { changedBy, roleFields, updateRole } from "../kinds/role.ts";
import { kinds, partName } from "../resources.ts";
import {
  type Context,
  changeIamTags,
  documentIn,
  ifYoung,
  ownerByTags,
  policyDifferences,
  policyText,
  settledLive,
  tagDifferences,
  tagsIn,
} from "./common.ts";

/** The role of one request, with its trust policy, boundary and tags. What it may do is in policies of their own. */
export function role(context: Context): KindWithoutCommand {
  const { client } = context;
  const read = ({ id }: { readonly id: string }) => roleReading(context, id);
  const differences: Kind["differences"] = ({ body }, live) => [
    ...differencesOf(roleFields, body, live?.value),
    ...policyDifferences("trust", body["AssumeRolePolicyDocument"] ?? null, live?.value["AssumeRolePolicyDocument"]),
    ...tagDifferences(context, tagsIn(body), live && tagsIn(live.value)),
  ];

  return {
    // A role of others does not keep the provider: what trusts a provider is said in a note.
    free: true,
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const AssumeRolePolicyDocument = policyText(wanted.body["AssumeRolePolicyDocument"]);
      const input = { ...wanted.body, AssumeRolePolicyDocument };
      const created = await client.ask("iam:CreateRole", input, { expect: /^EntityAlreadyExists$/ });
      context.young.add(wanted.id);
      const isDone = (one: Live) => differences(wanted, one).length === 0 || one.owner !== "own";
      if (created !== undefined) return settledLive({ read, differences }, wanted, isDone);
      return takenOver(wanted, await settledLive({ read, differences }, wanted, () => true), differences);
    },
    async update(wanted, live) {
      const { body, name: RoleName } = wanted;
      const changed = differences(wanted, live).map(({ field }) => field);
      const isChangedBy = (operation: string) =>
        changed.some((field) => entryOf<string | undefined>(changedBy, field) === operation);
      const document = policyText(body["AssumeRolePolicyDocument"]);
      if (changed.includes("trust"))
        await client.send("iam:UpdateAssumeRolePolicy", { RoleName, PolicyDocument: document });
      if (isChangedBy("UpdateRole")) await client.send("iam:UpdateRole", updateRole({ ...body, RoleName }));
      if (isChangedBy("PutRolePermissionsBoundary")) {
        const { PermissionsBoundary } = body;
        if (PermissionsBoundary === undefined) await client.send("iam:DeleteRolePermissionsBoundary", { RoleName });
        else await client.send("iam:PutRolePermissionsBoundary", { RoleName, PermissionsBoundary });
      }
      await changeIamTags(context, "Role", { RoleName }, tagsIn(body), tagsIn(live.value));
      return settledLive({ read, differences }, wanted);
    },
    inside: ({ value }) => policiesInside(context, textAt(value, ["RoleName"])),
    async remove({ value }) {
      const what = { RoleName: textAt(value, ["RoleName"]) };
      const gone = { expect: /^NoSuchEntity$/ };
      for (const PolicyArn of await attachedOf(context, what.RoleName))
        await client.ask("iam:DetachRolePolicy", { ...what, PolicyArn }, gone);
      for (const PolicyName of await inlineOf(context, what.RoleName))
        await client.ask("iam:DeleteRolePolicy", { ...what, PolicyName }, gone);
      await client.ask("iam:DeleteRole", what, gone);
    },
  };
}

/** The policies of a role besides that of the package, which has the name of the role. Attached policies stay when they are detached. */
async function policiesInside(context: Context, RoleName: string): Promise<Inside[]> {
  const [inline, attached] = [await inlineOf(context, RoleName), await attachedOf(context, RoleName)];
  const wanted = context.resources.wanted.flatMap(({ kind, body }) =>
    body["RoleName"] === RoleName ? textAt(body, [kind === kinds.inlinePolicy ? "PolicyName" : "PolicyArn"]) : [],
  );
  const isOther = (policy: string) => policy !== RoleName && !wanted.includes(policy);
  return [
    ...inline
      .filter(isOther)
      .map((name) => ({ kind: kinds.inlinePolicy, name: partName(RoleName, name), isForeign: true })),
    ...attached
      .filter(isOther)
      .map((arn) => ({ kind: kinds.attachedPolicy, name: partName(RoleName, arn), isForeign: false })),
  ];
}

/** The name in the ARN of a role. */
export function roleNameIn(arn: string): string {
  return arn.replace(/#.*$/, "").slice(arn.replace(/#.*$/, "").lastIndexOf("/") + 1);
}

/** Reads a role. Its name decides, because a role with this name and another path exists as well. */
export async function roleReading(context: Context, id: string): Promise<Reading> {
  const more = { ...ifYoung(context, id), expect: /^NoSuchEntity$/ };
  const answer = await context.client.ask("iam:GetRole", { RoleName: roleNameIn(id) }, more);
  return readingOf(answer && liveRole(context, (answer["Role"] ?? {}) as ValueMap));
}

/** A role as an answer describes it. */
export function liveRole(context: Context, answer: ValueMap): Live {
  const boundary = textAt(answer, ["PermissionsBoundary", "PermissionsBoundaryArn"]);
  const value: ValueMap = {
    ...answer,
    PermissionsBoundary: boundary,
    AssumeRolePolicyDocument: documentIn(textAt(answer, ["AssumeRolePolicyDocument"])),
  };
  const owner = ownerByTags(context, tagsIn(answer));
  const refusal = owner === "own" ? strangeTrust(context, value["AssumeRolePolicyDocument"] ?? null) : undefined;
  return { id: textAt(answer, ["Arn"]), value, owner, ...(refusal === undefined ? {} : { refusal }) };
}

/** The providers that a trust policy names. */
export function trustedProviders(document: Value): string[] {
  // IAM also takes one statement that is not in a list.
  const statements = [valueAt(document, ["Statement"]) ?? []].flat() as Value[];
  return statements.flatMap((statement) => {
    const one = (statement as ValueMap)?.["Principal"] ?? null;
    const federated = typeof one === "object" && one !== null ? (one as ValueMap)["Federated"] : undefined;
    return [federated ?? []].flat().map(String);
  });
}

function strangeTrust({ resources: { facts } }: Context, document: Value): Refusal | undefined {
  const own = [facts.provider, ...facts.previousIssuers.map(({ provider }) => provider)];
  return strangeIssuers(trustedProviders(document), own);
}

/** The ARNs of the policies that are attached to a role. */
export async function attachedOf({ client }: Context, RoleName: string): Promise<string[]> {
  const list = await ifExists(() => client.list("iam:ListAttachedRolePolicies", { RoleName }, ["AttachedPolicies"]));
  return list.map((one) => textAt(one, ["PolicyArn"]));
}

/** The names of the inline policies of a role. */
export async function inlineOf({ client }: Context, RoleName: string): Promise<string[]> {
  const list = await ifExists(() => client.list("iam:ListRolePolicies", { RoleName }, ["PolicyNames"]));
  return list.map(String);
}

async function ifExists(list: () => Promise<Value[]>): Promise<Value[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof CloudError && error.code === "NoSuchEntity") return [];
    throw error;
  }
}
