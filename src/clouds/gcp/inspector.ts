import { hasError } from "../../core/finding.ts";
import { listAt } from "../../core/resource.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Inspector } from "../inspector.ts";
import { gcpClaims } from "./cluster/claims.ts";
import { gcpIdentity } from "./cluster/platform.ts";
import { readGcpCluster } from "./cluster/read-cluster.ts";
import { mergeGcp } from "./identities/merge.ts";
import { readGcpRequest } from "./identities/request.ts";
import { readLiveGcp } from "./import/read-live.ts";
import { gcpNames } from "./names.ts";
import { accountScript, accountText, readAccountSpec } from "./operators/account-spec.ts";
import { writtenFields } from "./operators/operator.ts";
import { predefinedRoles } from "./permissions/predefined-roles.ts";
import { readRole } from "./permissions/read-role.ts";
import { fieldOfRequest, gcpRequestIdentity } from "./permissions/request-identity.ts";
import { serviceOf } from "./permissions/service-of.ts";
import { gcpTerms } from "./permissions/terms.ts";
import { clusterBundlePath } from "./rendered/bundle-paths.ts";
import { secretFile, settingForms } from "./rendered/credentials-file.ts";
import { derivedFiles } from "./rendered/derived-files.ts";
import { readRendered } from "./rendered/rendered.ts";
import { gcpRules } from "./rules/all.ts";
import { gcpExchange } from "./tokens/exchange.ts";

export const gcpInspector: Inspector = {
  ...gcpNames,
  merge: mergeGcp,
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-gcp",
  unsaidTokenPath: defaultTokenPath,
  identityDirectory: "gcp/identities",
  secret: { file: secretFile },
  settingForms,
  terms: gcpTerms,
  requested: (request, config) => ({ identity: gcpRequestIdentity(request, config), findings: [] }),
  fieldOf: fieldOfRequest,
  rules: gcpRules,
  serviceOf,
  read: readRendered,
  claims: (identity, items) => {
    const { value: cluster } = readGcpCluster(gcpIdentity(identity), items);
    return cluster === undefined ? undefined : gcpClaims(gcpIdentity(identity), cluster);
  },
  readLive: readLiveGcp,
  tokens: gcpExchange,
  operators: {
    writtenFields,
    specify: (items) => {
      const { accounts, findings } = readAccountSpec(items);
      const count = hasError(findings) ? 0 : accounts.length;
      return { findings, count, script: () => accountScript(accounts), text: () => accountText(accounts) };
    },
  },
  exports: {
    derivedFiles,
    adminPolicy: {
      path: "gcp/admin-role.json",
      unbounded: {
        code: "admin-role-unbounded",
        bundlePath: clusterBundlePath,
        message:
          "contains admin-role.json, the custom role for the administrator who applies the export. An administrator with this role can grant every role in the project, and can therefore do anything in it. Grant the role only while you apply an export.",
      },
      isUnbounded: (role) => listAt(role, ["includedPermissions"]).includes("resourcemanager.projects.setIamPolicy"),
    },
  },
  check: (request) => readGcpRequest(request, {}).findings,
  features: {
    roles: { known: predefinedRoles, command: "gcloud iam roles describe ROLE --format=json", read: readRole },
  },
};
