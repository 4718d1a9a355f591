import { hasError } from "../../core/finding.ts";
import { listAt } from "../../core/resource.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Inspector } from "../inspector.ts";
import { clientIds } from "./cluster/assigned-ids.ts";
import { azureClaims } from "./cluster/claims.ts";
import { azureIdentity } from "./cluster/platform.ts";
import { readAzureCluster } from "./cluster/read-cluster.ts";
import { mergeAzure } from "./identities/merge.ts";
import { readAzureRequest } from "./identities/request.ts";
import { readLiveAzure } from "./import/read-live.ts";
import { azureNames } from "./names.ts";
import { identityScript, identityText, readIdentitySpec } from "./operators/identity-spec.ts";
import { writtenFields } from "./operators/operator.ts";
import { knownRoles } from "./permissions/known-roles.ts";
import { readRole } from "./permissions/read-role.ts";
import { azureRequestIdentity, fieldOfRequest } from "./permissions/request-identity.ts";
import { serviceOf } from "./permissions/service-of.ts";
import { azureTerms } from "./permissions/terms.ts";
import { clusterBundlePath } from "./rendered/bundle-paths.ts";
import { derivedFiles } from "./rendered/derived-files.ts";
import { readRendered } from "./rendered/rendered.ts";
import { azureRules } from "./rules/all.ts";
import { armTemplate } from "./template/template.ts";
import { settingForms } from "./tokens/component-secret.ts";
import { azureExchange } from "./tokens/exchange.ts";

export const azureInspector: Inspector = {
  ...azureNames,
  merge: mergeAzure,
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-azure",
  unsaidTokenPath: defaultTokenPath,
  identityDirectory: "azure/identities",
  settingForms,
  secret: { tokenKey: "azure_federated_token_file" },
  terms: azureTerms,
  requested: (request, config) => ({ identity: azureRequestIdentity(request, config), findings: [] }),
  fieldOf: fieldOfRequest,
  rules: azureRules,
  serviceOf,
  read: readRendered,
  claims: (identity, items) => {
    const { value: cluster } = readAzureCluster(azureIdentity(identity), items);
    return cluster === undefined ? undefined : azureClaims(azureIdentity(identity), cluster);
  },
  readLive: readLiveAzure,
  tokens: azureExchange,
  operators: {
    writtenFields,
    specify: (items) => {
      const { identities, findings } = readIdentitySpec(items);
      const count = hasError(findings) ? 0 : identities.length;
      return { findings, count, script: () => identityScript(identities), text: () => identityText(identities) };
    },
  },
  exports: {
    derivedFiles,
    adminPolicy: {
      path: "azure/admin-role.json",
      unbounded: {
        code: "admin-role-unbounded",
        bundlePath: clusterBundlePath,
        message:
          "contains admin-role.json, the custom role for the administrator who applies the export. An administrator with this role can assign every role in the subscription, and can therefore do anything in it. Assign the role only while you apply an export.",
      },
      isUnbounded: (role) => listAt(role, ["Actions"]).includes("Microsoft.Authorization/roleAssignments/write"),
    },
  },
  check: (request) => readAzureRequest(request, {}, new Map()).findings,
  features: {
    roles: { known: knownRoles, command: "az role definition list --name ROLE --output json", read: readRole },
    template: armTemplate,
    assignedIds: clientIds,
  },
};
