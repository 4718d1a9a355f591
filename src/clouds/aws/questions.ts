import type { PlatformQuestions } from "../questions.ts";
import { awsNames } from "./cluster/cluster.ts";

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
  spec: (answers) => ({ accountID: answers["account-id"] ?? "", region: answers["region"] ?? "" }),
};
