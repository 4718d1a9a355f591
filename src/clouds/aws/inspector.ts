import { isMap, listAt } from "../../core/resource.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Inspector } from "../inspector.ts";
import { unboundedSid } from "./cluster/admin-policy.ts";
import { awsClaims, awsHome } from "./cluster/claims.ts";
import { awsIdentity, awsNames } from "./cluster/cluster.ts";
import { readAwsCluster } from "./cluster/read-cluster.ts";
import { derivedFiles } from "./commands.ts";
import { mergeAws, readAwsRequest } from "./identities/request.ts";
import { readLiveAws } from "./import/read-live.ts";
import { operatorsTokenPath, writtenFields } from "./operators/operator.ts";
import { specify } from "./operators/specification.ts";
import { mergePolicies } from "./permissions/merge-policies.ts";
import { awsOperations } from "./permissions/operations.ts";
import { knownPolicies, roleWays } from "./permissions/steps.ts";
import {
  awsRequestIdentity,
  awsTerms,
  effectFindings,
  fieldOfRequest,
  readPolicyDocuments,
} from "./permissions/terms.ts";
import { awsCompared } from "./rendered/compared.ts";
import { awsBundles } from "./rendered/facts.ts";
import { readRendered } from "./rendered/rendered.ts";
import { secretFile, settingForms } from "./rendered/secret.ts";
import { awsResources } from "./resources.ts";
import { assumeRoleAny, iamWildcard, passRoleAny, privilegeEscalation, stsWildcard } from "./rules/escalation.ts";
import { managedPolicyEscalation, managedPolicyUnbounded, managedPolicyUnjudged } from "./rules/managed-policies.ts";
import {
  installConfigRegion,
  liveRootCredentials,
  longLivedKey,
  requestTokenPathRule as requestTokenPath,
  secretCopied,
} from "./rules/manifests.ts";
import { awsRequirements } from "./rules/requirements.ts";
import { conditionKeyScheme, trustSubjectWildcard, trustWithoutSubject } from "./rules/trust.ts";
import { awsExchange } from "./tokens/exchange.ts";

const boundaryField = "spec.platform.aws.roles.permissionsBoundaryARN";

/** The rules for AWS alone, sorted by code. */
const rules: readonly Rule[] = [
  assumeRoleAny,
  conditionKeyScheme,
  iamWildcard,
  installConfigRegion,
  liveRootCredentials,
  longLivedKey,
  managedPolicyEscalation,
  managedPolicyUnbounded,
  managedPolicyUnjudged,
  passRoleAny,
  privilegeEscalation,
  requestTokenPath,
  secretCopied,
  stsWildcard,
  trustSubjectWildcard,
  trustWithoutSubject,
];

export const awsInspector: Inspector = {
  ...awsNames,
  merge: mergeAws,
  webhook: { variable: "AWS_ROLE_ARN", annotation: "eks.amazonaws.com/role-arn", isValue: true },
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-aws",
  unsaidTokenPath: operatorsTokenPath,
  rootSecret: "kube-system/aws-creds",
  identityDirectory: "aws/roles",
  secret: { file: secretFile },
  settingForms,
  terms: awsTerms,
  requested: (request, config) => ({
    identity: awsRequestIdentity(request, config),
    findings: effectFindings(request),
  }),
  fieldOf: fieldOfRequest,
  rules,
  // An action starts with its service.
  serviceOf: () => undefined,
  read: readRendered,
  claims: (identity, items) => {
    const { value: cluster } = readAwsCluster(awsIdentity(identity), items);
    return cluster === undefined ? undefined : awsClaims(awsIdentity(identity), cluster);
  },
  home: awsHome,
  readLive: readLiveAws,
  check: (request) => readAwsRequest(request, new Map()).findings,
  operators: { writtenFields, specify },
  exports: {
    derivedFiles,
    adminPolicy: {
      path: "aws/admin-policy.json",
      merge: mergePolicies,
      unbounded: {
        code: "admin-policy-unbounded",
        bundlePath: awsBundles.cluster,
        field: boundaryField,
        message: `contains admin-policy.json, the policy for the administrator who applies the export, without a permissions boundary. An administrator with this policy can create roles and policies, and can therefore do anything in the account. To limit it, set "${boundaryField}".`,
      },
      isUnbounded: (policy) =>
        listAt(policy, ["Statement"]).some((value) => isMap(value) && value["Sid"] === unboundedSid),
    },
  },
  tokens: awsExchange,
  wanted: (files) => awsResources(files).wanted,
  files: awsCompared,
  questions: { ways: roleWays, operations: awsOperations, policies: knownPolicies },
  features: {
    requirements: ({ aws = {} }) => awsRequirements(aws),
    boundaries: {
      term: "Permissions boundary",
      text: "A policy that limits a role in AWS: the role may do only what both its permissions and the boundary allow.",
    },
    policyDocuments: readPolicyDocuments,
    policyAccount: (arn) => /^arn:[^:]+:iam::(\d+):policy\//.exec(arn)?.[1],
  },
};
