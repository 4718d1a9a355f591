/** Actions that together allow more than each of them says. */
export interface Way {
  /** All of them are needed. The names are in AWS's spelling (Service Authorization Reference). */
  readonly needs: readonly string[];
  /** The service that a role is passed to, if any: the name of its principal, without the partition's suffix. */
  readonly service?: string;
  /** This action only counts with a wildcard in its resource: a role that is named is assumed to be intended. */
  readonly chooses?: "iam:PassRole" | "iam:UpdateAssumeRolePolicy";
  readonly how: string;
}

function changes(action: string, how: string): Way {
  return { needs: [`iam:${action}`], how };
}

function passes(service: string, actions: readonly string[], how: string): Way {
  return { needs: ["iam:PassRole", ...actions], service, chooses: "iam:PassRole", how };
}

const newVersion = "it can create a version of its own policy that allows everything";
const ownPolicy = "it can give itself any policy";
const otherUser = "it can act as another user";

/** The publicly known ways, with actions as in the AWS Service Authorization Reference. */
export const ways: readonly Way[] = [
  changes("CreatePolicyVersion", newVersion),
  changes("SetDefaultPolicyVersion", "an older version of its own policy may allow more"),
  changes("AttachRolePolicy", ownPolicy),
  changes("AttachUserPolicy", ownPolicy),
  changes("AttachGroupPolicy", ownPolicy),
  changes("PutRolePolicy", ownPolicy),
  changes("PutUserPolicy", ownPolicy),
  changes("PutGroupPolicy", ownPolicy),
  changes("AddUserToGroup", "a user can join any group"),
  changes("CreateAccessKey", otherUser),
  changes("CreateLoginProfile", otherUser),
  changes("UpdateLoginProfile", otherUser),
  changes("DeleteRolePermissionsBoundary", "the boundary that limits a role can be removed"),
  changes("PutRolePermissionsBoundary", "the boundary that limits a role can be replaced"),
  // AssumeRoleWithWebIdentity needs no permission, so a trust policy that names the cluster's provider is enough.
  {
    needs: ["iam:UpdateAssumeRolePolicy"],
    chooses: "iam:UpdateAssumeRolePolicy",
    how: "any role can be made to trust the cluster",
  },
  { needs: ["iam:UpdateAssumeRolePolicy", "sts:AssumeRole"], how: "any role can be made to trust it" },
  passes("ec2", ["ec2:RunInstances"], "an instance runs as the role"),
  passes("ec2", ["ec2:AssociateIamInstanceProfile"], "an instance gets the role"),
  passes("ec2", ["autoscaling:CreateAutoScalingGroup", "ec2:CreateLaunchTemplate"], "instances run as the role"),
  passes("ec2", ["autoscaling:CreateLaunchConfiguration"], "instances run as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:InvokeFunction"], "a function runs as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:CreateEventSourceMapping"], "a function runs as the role"),
  passes("lambda", ["lambda:CreateFunction", "lambda:AddPermission"], "a function runs as the role"),
  { needs: ["lambda:UpdateFunctionCode"], how: "a function's role runs other code" },
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:RunTask"], "a task runs as the role"),
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:StartTask"], "a task runs as the role"),
  passes("ecs-tasks", ["ecs:RegisterTaskDefinition", "ecs:CreateService"], "a task runs as the role"),
  passes("glue", ["glue:CreateDevEndpoint"], "an endpoint runs as the role"),
  passes("glue", ["glue:CreateJob", "glue:StartJobRun"], "a job runs as the role"),
  { needs: ["glue:UpdateDevEndpoint"], how: "an endpoint's role gets another key" },
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
  { needs: ["ssm:SendCommand"], how: "a command runs as an instance's role" },
  { needs: ["ssm:StartSession"], how: "a session runs as an instance's role" },
];
