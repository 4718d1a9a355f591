import { listAt } from "../../core/resource.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Inspector } from "../inspector.ts";
import { gcpClaims, gcpHome } from "./cluster/claims.ts";
import { gcpIdentity, gcpNames } from "./cluster/cluster.ts";
import { readGcpCluster } from "./cluster/read-cluster.ts";
import { derivedFiles } from "./commands.ts";
import { mergeGcp, readGcpRequest } from "./identities/request.ts";
import { readLiveGcp } from "./import/read-live.ts";
import { writtenFields } from "./operators/operator.ts";
import { specify } from "./operators/specification.ts";
import { gcpOperations } from "./permissions/operations.ts";
import { serviceAccountWays } from "./permissions/steps.ts";
import {
  fieldOfRequest,
  gcpRequestIdentity,
  gcpTerms,
  predefinedRoles,
  readRole,
  serviceOf,
} from "./permissions/terms.ts";
import { gcpCompared } from "./rendered/compared.ts";
import { gcpBundles } from "./rendered/facts.ts";
import { ownNamesIn, readRendered } from "./rendered/rendered.ts";
import { secretFile, settingForms } from "./rendered/secret.ts";
import { gcpResources } from "./resources.ts";
import { actAsAny, basicRoleBound, impersonateAny, isJudgedRole, setPolicyAny } from "./rules/escalation.ts";
import {
  externalAccountCopied,
  externalAccountHost,
  externalAccountProvider,
  installConfigOtherProject,
  installConfigProject,
  liveInstallerCredentials,
  serviceAccountKey,
} from "./rules/manifests.ts";
import { gcpRequirements } from "./rules/requirements.ts";
import { memberWithoutSubject } from "./rules/trust.ts";
import { gcpExchange } from "./tokens/exchange.ts";

/** The rules for GCP alone, sorted by code. */
const rules: readonly Rule[] = [
  actAsAny,
  basicRoleBound,
  externalAccountCopied,
  externalAccountHost,
  externalAccountProvider,
  impersonateAny,
  installConfigOtherProject,
  installConfigProject,
  liveInstallerCredentials,
  memberWithoutSubject,
  serviceAccountKey,
  setPolicyAny,
];

export const gcpInspector: Inspector = {
  ...gcpNames,
  merge: mergeGcp,
  webhook: {
    variable: "GOOGLE_APPLICATION_CREDENTIALS",
    annotation: "cloud.google.com/service-account-email",
    isValue: false,
  },
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-gcp",
  unsaidTokenPath: defaultTokenPath,
  rootSecret: "kube-system/gcp-credentials",
  identityDirectory: "gcp/identities",
  secret: { file: secretFile },
  settingForms,
  terms: gcpTerms,
  requested: (request, config) => ({ identity: gcpRequestIdentity(request, config), findings: [] }),
  fieldOf: fieldOfRequest,
  rules,
  serviceOf,
  read: readRendered,
  claims: (identity, items) => {
    const { value: cluster } = readGcpCluster(gcpIdentity(identity), items);
    return cluster === undefined ? undefined : gcpClaims(gcpIdentity(identity), cluster);
  },
  home: gcpHome,
  readLive: readLiveGcp,
  tokens: gcpExchange,
  operators: { writtenFields, specify },
  exports: {
    derivedFiles,
    adminPolicy: {
      path: "gcp/admin-role.json",
      unbounded: {
        code: "admin-role-unbounded",
        bundlePath: gcpBundles.cluster,
        message:
          "contains admin-role.json, the custom role for the administrator who applies the export. An administrator with this role can grant every role in the project, and can therefore do anything in it. Grant the role only while you apply an export.",
      },
      isUnbounded: (role) => listAt(role, ["includedPermissions"]).includes("resourcemanager.projects.setIamPolicy"),
    },
  },
  check: (request) => readGcpRequest(request, {}).findings,
  wanted: (files) => gcpResources(files).wanted,
  files: gcpCompared,
  questions: { ways: serviceAccountWays, operations: gcpOperations },
  features: {
    requirements: ({ gcp = {} }) => gcpRequirements(gcp),
    ownNames: {
      cluster: { projectNumber: "project number", pool: "pool", provider: "provider" },
      identity: ownNamesIn,
    },
    roles: {
      known: predefinedRoles,
      isJudged: isJudgedRole,
      command: "gcloud iam roles describe ROLE --format=json",
      read: readRole,
    },
  },
};
