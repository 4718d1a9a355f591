import { ruleCode } from "../../../core/finding.ts";
import { entryOf } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";

/*
 * A package names a managed policy and does not contain its document. What the policies of AWS allow is known by their names. AWS
 * changes these policies, but their names say what they are for.
 */

/**
 * AWS managed policies that give everything, or the means to get it, and what each allows (AWS Managed Policy Reference Guide, read
 * in November 2026: version 12 of PowerUserAccess, 2 of IAMFullAccess).
 */
const unboundedPolicies: Readonly<Record<string, string>> = {
  AdministratorAccess: "every action",
  IAMFullAccess: "every action of IAM, so the role can give itself any policy",
  PowerUserAccess:
    "nearly every action outside IAM, such as sts:AssumeRole on any role, and code and commands that run as other roles",
};

/**
 * Other AWS managed policies whose statements break the rules `privilege-escalation` or `assume-role-any`: all that did in March 2026
 * (AWS Managed Policy Reference Guide), without those that only services can use. Job functions are among them.
 */
const escalatingPolicies: ReadonlySet<string> = new Set(
  `
  AWS-SSM-DiagnosisAutomation-AdministrationRolePolicy
  AWS-SSM-DiagnosisAutomation-OperationalAccountAdministrationRolePolicy
  AWS-SSM-RemediationAutomation-AdministrationRolePolicy
  AWS-SSM-RemediationAutomation-OperationalAccountAdministrationRolePolicy AWSApplicationMigrationEC2Access
  AWSApplicationMigrationFullAccess AWSApplicationMigrationNetworkMigrationMultiAccount AWSApplicationMigrationSSMAccess
  AWSB9InternalServicePolicy AWSBackupFullAccess AWSBackupOperatorAccess AWSBatchServiceRole AWSCloud9Administrator
  AWSCloud9EnvironmentMember AWSCloud9User AWSCodeBuildAdminAccess AWSCodeBuildDeveloperAccess AWSCodeStarServiceRole
  AWSDataLifecycleManagerSSMFullAccess AWSDataPipelineRole AWSDataPipeline_FullAccess AWSDataPipeline_PowerUser
  AWSDeepRacerCloudFormationAccessPolicy AWSElasticBeanstalkFullAccess
  AWSElasticBeanstalkManagedUpdatesCustomerRolePolicy AWSElasticBeanstalkRoleCore AWSElasticBeanstalkService
  AWSElasticDisasterRecoveryConsoleFullAccess AWSElasticDisasterRecoveryConsoleFullAccess_v2
  AWSElasticDisasterRecoveryEc2InstancePolicy AWSElasticDisasterRecoveryLaunchActionsPolicy
  AWSElasticDisasterRecoveryRecoveryInstancePolicy AWSFaultInjectionSimulatorEC2Access
  AWSFaultInjectionSimulatorECSAccess AWSFaultInjectionSimulatorSSMAccess AWSGlueConsoleFullAccess
  AWSGlueConsoleSageMakerNotebookFullAccess AWSGlueServiceNotebookRole AWSGlueServiceRole AWSLambdaFullAccess
  AWSLambda_FullAccess AWSLicenseManagerMasterAccountRolePolicy AWSMarketplaceFullAccess
  AWSMarketplaceImageBuildFullAccess AWSMcpServiceActionsFullAccess AWSOpsWorksCMServiceRole AWSOpsWorksRegisterCLI
  AWSOpsWorksRegisterCLI_OnPremises AWSPartnerCentralChannelManagement AWSPartnerCentralFullAccess
  AWSQuickSetupDeploymentRolePolicy AWSQuickSetupDistributorPermissionsBoundary AWSQuickSetupEnableDHMCExecutionPolicy
  AWSQuickSetupJITNADeploymentRolePolicy AWSQuickSetupManageJITNAResourcesExecutionPolicy
  AWSQuickSetupManagedInstanceProfileExecutionPolicy AWSQuickSetupPatchPolicyDeploymentRolePolicy
  AWSQuickSetupPatchPolicyPermissionsBoundary AWSQuickSetupSSMDeploymentRolePolicy
  AWSQuickSetupSSMHostMgmtPermissionsBoundary AWSQuickSetupSSMManageResourcesExecutionPolicy AWSRoboMakerServicePolicy
  AWSSSMForSAPServiceLinkedRolePolicy AWSSystemsManagerJustInTimeAccessTokenPolicy
  AWSSystemsManagerJustInTimeAccessTokenSessionPolicy AWSThinkboxAWSPortalAdminPolicy
  AWSThinkboxDeadlineResourceTrackerAdminPolicy AWSThinkboxDeadlineSpotEventPluginAdminPolicy
  AWSTransformApplicationDeploymentPolicy AWSTransformApplicationECSDeploymentPolicy
  AdministratorAccess-AWSElasticBeanstalk AdministratorAccess-Amplify AmazonApplicationWizardFullaccess
  AmazonBraketFullAccess AmazonConnectFullAccess AmazonDataZoneRedshiftGlueProvisioningPolicy
  AmazonDataZoneSageMakerProvisioningRolePolicy AmazonDynamoDBFullAccesswithDataPipeline
  AmazonEC2ContainerServiceFullAccess AmazonEC2RolePolicyForLaunchWizard AmazonEC2SpotFleetTaggingRole
  AmazonECSInfrastructureRolePolicyForManagedInstances AmazonECS_FullAccess AmazonEKSComputePolicy
  AmazonEMRServicePolicy_v2 AmazonElasticMapReduceFullAccess AmazonElasticMapReduceRole
  AmazonLambdaRolePolicyForLaunchWizardSAP AmazonLaunchWizardFullAccessV2 AmazonLaunchWizardFullaccess
  AmazonLaunchWizard_Fullaccess AmazonRedshiftAllCommandsFullAccess AmazonSSMAutomationRole AmazonSSMFullAccess
  AmazonSSMMaintenanceWindowRole AmazonSageMakerCanvasFullAccess AmazonSageMakerFullAccess
  AmazonSageMakerPipelinesIntegrations AmazonSageMakerSpacesControllerPolicy AmazonSecurityLakeAdministrator
  AmplifyBackendDeployFullAccess AwsGlueSessionUserRestrictedNotebookServiceRole AwsGlueSessionUserRestrictedServiceRole
  CloudWatch-CrossAccountAccess CloudWatchInternetMonitorFullAccess CloudWatchSyntheticsFullAccess
  CloudwatchApplicationInsightsServiceLinkedRolePolicy DataScientist DatabaseAdministrator EC2FastLaunchFullAccess
  ROSAInstallerPolicy ROSANodePoolManagementPolicy SageMakerStudioAdminIAMDefaultExecutionPolicy
  SageMakerStudioAdminIAMPermissiveExecutionPolicy SageMakerStudioEMRContainersSystemNamespaceRolePolicy
  SageMakerStudioEMRInstanceRolePolicy SageMakerStudioProjectProvisioningRolePolicy SageMakerStudioProjectUserRolePolicy
  SageMakerStudioUserIAMDefaultExecutionPolicy SageMakerStudioUserIAMPermissiveExecutionPolicy
  ServerMigrationServiceLaunchRole ServerMigrationServiceRole ServerMigration_ServiceRole SystemAdministrator
`.match(/\S+/g),
);

/** The name of a managed policy of AWS; undefined if the policy is a customer's. */
function nameOfAws(arn: string): string | undefined {
  return /^arn:[^:]+:iam::aws:policy\/(?:.*\/)?([^/]+)$/.exec(arn)?.[1];
}

function isUnbounded(arn: string): boolean {
  return entryOf(unboundedPolicies, nameOfAws(arn) ?? "") !== undefined;
}

function isEscalating(arn: string): boolean {
  return escalatingPolicies.has(nameOfAws(arn) ?? "");
}

export const managedPolicyUnbounded: Rule = {
  code: ruleCode("managed-policy-unbounded"),
  severity: "error",
  reads: "package",
  summary: "A rendered role has a managed policy of AWS that allows everything, or the means to get it.",
  why: "The policy `AdministratorAccess` allows every action, and `IAMFullAccess` every action of IAM. `PowerUserAccess` allows nearly every action outside IAM, including those with which a component can act as other roles. What the component's own request asks for no longer matters.",
  cure: "Remove the policy from `managedPolicyARNs` of the override, and name the actions that the component calls. If a permissions boundary limits the role, accept the finding with that as the reason.",
  escalates: true,
  check: ({ rendered }) =>
    rendered.flatMap(({ resource, managedPolicies }) => {
      const found = managedPolicies.flatMap((arn) => {
        const allowed = entryOf(unboundedPolicies, nameOfAws(arn) ?? "");
        return allowed === undefined ? [] : [`${quoteWhole(arn)} (${allowed})`];
      });
      if (found.length === 0 || resource === undefined) return [];
      const message = `has the managed policy ${found.join(", ")}; remove it from "managedPolicyARNs", and name the actions that the component calls.`;
      return [{ message, resource }];
    }),
};

export const managedPolicyEscalation: Rule = {
  code: ruleCode("managed-policy-escalation"),
  severity: "warning",
  reads: "package",
  summary:
    "A rendered role has a managed policy of AWS with which it can extend its own permissions, or assume other roles.",
  why: "Many managed policies of AWS, such as `AmazonSSMFullAccess`, `AWSLambda_FullAccess`, and most job functions, allow combinations of actions with which a component can act as another role (`privilege-escalation`, `assume-role-any`). The package does not contain the document of such a policy, so its name is judged. If you pass the document with `--policy-documents`, its statements are judged instead.",
  cure: "Remove the policy from `managedPolicyARNs` of the override, and name the actions that the component calls. If a permissions boundary limits the role, accept the finding with that as the reason.",
  escalates: true,
  check: ({ rendered, documents }) =>
    rendered.flatMap(({ resource, managedPolicies }) => {
      const found = managedPolicies.filter((arn) => isEscalating(arn) && !documents.has(arn)).map(quoteWhole);
      if (found.length === 0 || resource === undefined) return [];
      const message = `has the managed policy ${found.join(", ")} of AWS, with which it can act as other roles; remove it from "managedPolicyARNs", and name the actions that the component calls.`;
      return [{ message, resource }];
    }),
};

export const managedPolicyUnjudged: Rule = {
  code: ruleCode("managed-policy-unjudged"),
  severity: "warning",
  reads: "package",
  summary: "A rendered role has a managed policy whose document is not known.",
  why: "A managed policy is attached by its ARN, and the package does not contain its document. The policy may allow everything. So no rule judges it, and that nothing else is found says nothing about the role.",
  cure: "Pass the document: run `aws iam get-account-authorization-details --filter LocalManagedPolicy AWSManagedPolicy > policies.json` in the account of the cluster, and `ccf validate --policy-documents policies.json`. The rules then judge its statements. A function cannot read the file, so accept the finding with the result as the reason.",
  check: ({ rendered, documents }) =>
    rendered.flatMap(({ resource, managedPolicies }) => {
      const isKnown = (arn: string) => documents.has(arn) || isUnbounded(arn) || isEscalating(arn);
      const found = managedPolicies.filter((arn) => !isKnown(arn)).map(quoteWhole);
      if (found.length === 0 || resource === undefined) return [];
      const message = `has the managed policy ${found.join(", ")}, which cannot be judged, because its document is not known; pass it with "ccf validate --policy-documents FILE", or accept the finding with the reason.`;
      return [{ message, resource, isUndecided: true }];
    }),
};
