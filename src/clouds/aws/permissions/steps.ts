import type { Condition } from "../../../permissions/condition.ts";
import { matches } from "../../../permissions/glob.ts";
import type { PolicyDocuments } from "../../../permissions/policy-documents.ts";
import type { Way } from "../../../permissions/steps.ts";
import { partitions } from "../cluster/regions.ts";
import { policyPermissions } from "./permissions.ts";

/*
 * Actions with which a role can get more permissions than its own. The rules judge them in a package, and answers to questions name
 * them as steps.
 */

/** Actions that together allow more than each of them says. */
export interface RoleWay extends Way {
  /** The service that a role is passed to, if any: the name of its principal, without the partition's suffix. */
  readonly service?: string;
  /** For the rules, this action only counts with a wildcard in its resource: a role that is named is assumed to be intended. */
  readonly chooses?: "iam:PassRole" | "iam:UpdateAssumeRolePolicy";
  /** Set if it leads to nothing that the role's own policies do not allow already. */
  readonly isNoStep?: true;
}

function changes(action: string, how: string, is?: "own" | "policy" | "other"): RoleWay {
  const name = `iam:${action}`;
  return {
    by: "changing a policy",
    needs: [name],
    how,
    ...(is === undefined ? {} : { target: { action: name, is } }),
  };
}

function passes(service: string, actions: readonly string[], how: string): RoleWay {
  return {
    by: "passing a role",
    needs: ["iam:PassRole", ...actions],
    how,
    service,
    chooses: "iam:PassRole",
    target: { action: "iam:PassRole", is: "other", mustTrust: true },
    fits: (condition) => isPassedTo(condition, service),
  };
}

function uses(action: string, how: string): RoleWay {
  return { by: "running code as another role", needs: [action], how, target: { action, is: "other" } };
}

const credentials = "creating credentials of a user";
const newVersion = "it can create a version of its own policy that allows everything";
const ownPolicy = "it can give itself any policy";
const otherUser = "it can act as another user";

/** The publicly known ways, with actions as in the AWS Service Authorization Reference. */
export const ways: readonly RoleWay[] = [
  changes("CreatePolicyVersion", newVersion, "policy"),
  changes("SetDefaultPolicyVersion", "an older version of its own policy may allow more", "policy"),
  changes("AttachRolePolicy", ownPolicy, "own"),
  changes("AttachUserPolicy", ownPolicy),
  changes("AttachGroupPolicy", ownPolicy),
  changes("PutRolePolicy", ownPolicy, "own"),
  changes("PutUserPolicy", ownPolicy),
  changes("PutGroupPolicy", ownPolicy),
  changes("AddUserToGroup", "a user can join any group"),
  { ...changes("CreateAccessKey", otherUser, "other"), by: credentials },
  { ...changes("CreateLoginProfile", otherUser, "other"), by: credentials },
  { ...changes("UpdateLoginProfile", otherUser, "other"), by: credentials },
  { ...changes("DeleteRolePermissionsBoundary", "the boundary that limits a role can be removed"), isNoStep: true },
  { ...changes("PutRolePermissionsBoundary", "the boundary that limits a role can be replaced"), isNoStep: true },
  // AssumeRoleWithWebIdentity needs no permission, so a trust policy that names the cluster's provider is enough.
  {
    ...uses("iam:UpdateAssumeRolePolicy", "any role can be made to trust the cluster"),
    by: "changing whom a role trusts",
    chooses: "iam:UpdateAssumeRolePolicy",
  },
  {
    ...uses("iam:UpdateAssumeRolePolicy", "any role can be made to trust it"),
    by: "changing whom a role trusts",
    needs: ["iam:UpdateAssumeRolePolicy", "sts:AssumeRole"],
  },
  passes("ec2", ["ec2:RunInstances"], "an instance runs as the role"),
  passes("ec2", ["ec2:AssociateIamInstanceProfile"], "an instance gets the role"),
  passes("ec2", ["autoscaling:CreateAutoScalingGroup", "ec2:CreateLaunchTemplate"], "instances run as the role"),
  passes("ec2", ["autoscaling:CreateLaunchConfiguration"], "instances run as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:InvokeFunction"], "a function runs as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:CreateEventSourceMapping"], "a function runs as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:AddPermission"], "a function runs as the role"),
  uses("lambda:UpdateFunctionCode", "a function's role runs other code"),
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:RunTask"], "a task runs as the role"),
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:StartTask"], "a task runs as the role"),
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:CreateService"], "a task runs as the role"),
  passes("glue", ["glue:CreateDevEndpoint"], "an endpoint runs as the role"),
  passes("glue", ["glue:CreateJob", "glue:StartJobRun"], "a job runs as the role"),
  uses("glue:UpdateDevEndpoint", "an endpoint's role gets another key"),
  passes("cloudformation", ["cloudformation:CreateStack"], "a stack is created by the role"),
  passes(
    "datapipeline",
    ["datapipeline:CreatePipeline", "datapipeline:PutPipelineDefinition", "datapipeline:ActivatePipeline"],
    "a pipeline runs as the role",
  ),
  passes("codebuild", ["codebuild:CreateProject", "codebuild:StartBuild"], "a build runs as the role"),
  passes(
    "sagemaker",
    ["sagemaker:CreateNotebookInstance", "sagemaker:CreatePresignedNotebookInstanceUrl"],
    "a notebook runs as the role",
  ),
  passes("sagemaker", ["sagemaker:CreateTrainingJob"], "a job runs as the role"),
  uses("ssm:SendCommand", "a command runs as an instance's role"),
  uses("ssm:StartSession", "a session runs as an instance's role"),
];

/**
 * Whether a statement with a condition is about passing a role to a service (IAM User Guide, "Granting a user permissions to pass a
 * role to an AWS service": the condition key names the services). In some partitions a service has the partition's suffix, in others
 * that of "aws". A policy variable can name any service.
 */
export function isPassedTo(condition: Condition, service: string): boolean {
  const names = partitions.map(({ dnsSuffix }) => `${service}.${dnsSuffix}`);
  return condition
    .filter(({ key, operator }) => key === "iam:passedtoservice" && /^String(?:Equals|Like)/.test(operator))
    .every(({ values }) =>
      values.some((value) => value.includes("${") || names.some((name) => matches(value.toLowerCase(), name))),
    );
}

/** The steps of a role, those first that need the least. */
export const roleWays: readonly Way[] = [
  {
    by: "assuming a role",
    needs: ["sts:AssumeRole"],
    how: "a role that trusts the account can be assumed",
    target: { action: "sts:AssumeRole", is: "other", mustTrust: true },
  },
  ...ways.filter(({ isNoStep }) => isNoStep !== true),
];

/**
 * Managed policies of AWS whose statements are known and did not change for years (AWS Managed Policy Reference Guide, read in
 * November 2026: version 1 of AdministratorAccess). What such a policy allows is what the role has. IAMFullAccess (version 2) also
 * reads a few things of AWS Organizations, so only its actions of IAM are certain; no policy of AWS by these names denies anything.
 */
export const knownPolicies: PolicyDocuments = new Map(
  partitions.flatMap(({ id }) => {
    const arn = (name: string) => `arn:${id}:iam::aws:policy/${name}`;
    const everything = { Effect: "Allow", Action: "*", Resource: "*" };
    const [more] = policyPermissions({ Statement: [everything] });
    const undecided = `what ${arn("IAMFullAccess")} allows outside IAM is not known`;
    return [
      [arn("AdministratorAccess"), policyPermissions({ Statement: [everything] })] as const,
      [
        arn("IAMFullAccess"),
        [
          ...policyPermissions({ Statement: [{ ...everything, Action: "iam:*" }] }),
          ...(more === undefined ? [] : [{ ...more, undecided }]),
        ],
      ] as const,
    ];
  }),
);
