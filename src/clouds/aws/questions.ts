import { isMap, type Value, type ValueMap } from "../../core/resource.ts";
import type { PlatformQuestions } from "../questions.ts";
import { awsNames } from "./cluster/cluster.ts";
import { partitionOfRegion } from "./cluster/regions.ts";
import { providerArn } from "./cluster/resource-names.ts";

export const awsQuestions: PlatformQuestions = {
  ...awsNames,
  identities: "roles",
  exchangeHelp: {
    exchange: "sts:AssumeRoleWithWebIdentity for a role",
    identity: "a role, by name or ARN",
    identityFile: '"aws iam get-role"',
    providerFile: '"aws iam get-open-id-connect-provider"',
  },
  questions: [
    {
      flag: "account-id",
      value: "ID",
      text: "AWS account ID (12 digits)",
      asked: "AWS account ID (12 digits)",
      example: "000000000000",
    },
    {
      flag: "region",
      value: "REGION",
      text: "AWS region",
      asked: "AWS region, such as us-east-2",
      example: "us-east-1",
    },
  ],
  like: {
    own: [
      ["identityProviderARN"],
      ["issuerHosting", "bucket"],
      ["issuerHosting", "distributionDomain"],
      ["issuerHosting", "domain"],
      ["issuerHosting", "certificateARN"],
      ["thumbprints"],
      ["overrides", "*", "roleName"],
    ],
    moved: inAccount,
  },
  spec: specOf,
  identitiesOnly: (answers, issuerUrl) => {
    const partition = partitionOfRegion(answers["region"] ?? "")?.id ?? "aws";
    return {
      ...specOf(answers),
      identityProviderARN: providerArn({ partition, accountId: answers["account-id"] ?? "" }, issuerUrl),
      issuerHosting: { type: "External" },
    };
  },
};

function specOf(answers: Readonly<Record<string, string>>): ValueMap {
  return { accountID: answers["account-id"] ?? "", region: answers["region"] ?? "" };
}

// A boundary and a managed policy are in the account of their role.
function inAccount(spec: ValueMap, { accountID: before }: ValueMap): ValueMap {
  const { accountID: now } = spec;
  if (typeof now !== "string" || typeof before !== "string" || now === before) return spec;
  const moved = (value: Value): Value => {
    if (typeof value === "string")
      return value.replace(/^(arn:[^:]*:[^:]*:[^:]*:)(\d{12})(?=:)/, (all, start, account) =>
        account === before ? `${start}${now}` : all,
      );
    if (Array.isArray(value)) return value.map(moved);
    return isMap(value) ? movedAll(value) : value;
  };
  const movedAll = (map: ValueMap): ValueMap =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, moved(value)]));
  return movedAll(spec);
}
