import { isUuid } from "../../core/hash.ts";
import { isMap, listAt, type Value, valueAt } from "../../core/resource.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Rule } from "../../rules/rule.ts";
import type { AssignedIdFeature, Inspector } from "../inspector.ts";
import { azureClaims, azureHome } from "./cluster/claims.ts";
import { clientIdKey, clientIdsAnnotations, clientIdsName } from "./cluster/client-ids.ts";
import { azureIdentity, azureNames } from "./cluster/cluster.ts";
import { readAzureCluster } from "./cluster/read-cluster.ts";
import { derivedFiles } from "./commands.ts";
import { mergeAzure, readAzureRequest } from "./identities/request.ts";
import { readLiveAzure } from "./import/read-live.ts";
import { writtenFields } from "./operators/operator.ts";
import { specify } from "./operators/specification.ts";
import { azureOperations } from "./permissions/operations.ts";
import { managedIdentityWays } from "./permissions/steps.ts";
import {
  azureRequestIdentity,
  azureTerms,
  fieldOfRequest,
  knownRoles,
  readRole,
  serviceOf,
} from "./permissions/terms.ts";
import { azureCompared } from "./rendered/compared.ts";
import { azureBundles } from "./rendered/facts.ts";
import { ownNamesIn, readRendered } from "./rendered/rendered.ts";
import { settingForms } from "./rendered/secret.ts";
import { azureResources, terraformOutput } from "./resources.ts";
import {
  actAsIdentityAny,
  assignRoleAny,
  isJudgedRole,
  listKeysAny,
  roleScopeSubscription,
  runCommandAny,
} from "./rules/escalation.ts";
import {
  clientIdUnused,
  clientSecret,
  installConfigAzure,
  liveAzureCredentials,
  secretOtherTenant,
  webhookSecretMissing,
} from "./rules/manifests.ts";
import { azureRequirements } from "./rules/requirements.ts";
import { credentialWithoutSubject } from "./rules/trust.ts";
import { azureExchange } from "./tokens/exchange.ts";

/** The client IDs that Azure assigns to managed identities. */
const clientIds: AssignedIdFeature = {
  noun: "client ID",
  settingKey: "azure_client_id",
  must: "a UUID",
  idOf: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  keyOf: clientIdKey,
  unwrap,
  store(identity) {
    const azure = azureIdentity(identity);
    return { name: clientIdsName(azure), path: "azure/identities.yaml", annotations: clientIdsAnnotations(azure) };
  },
};

// `terraform output -json` prints the outputs of a root module, or with the name of one that is the whole module, those of the
// module.
function unwrap(value: Value): Value {
  const places = [[terraformOutput, "value"], [terraformOutput]];
  return places.map((path) => valueAt(value, path)).find(isMap) ?? value;
}

/** The rules for Azure alone, sorted by code. */
const rules: readonly Rule[] = [
  actAsIdentityAny,
  assignRoleAny,
  clientIdUnused,
  clientSecret,
  credentialWithoutSubject,
  installConfigAzure,
  listKeysAny,
  liveAzureCredentials,
  roleScopeSubscription,
  runCommandAny,
  secretOtherTenant,
  webhookSecretMissing,
];

export const azureInspector: Inspector = {
  ...azureNames,
  merge: mergeAzure,
  webhook: { variable: "AZURE_CLIENT_ID", annotation: "azure.workload.identity/client-id", isValue: true },
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-azure",
  unsaidTokenPath: defaultTokenPath,
  rootSecret: "kube-system/azure-credentials",
  identityDirectory: "azure/identities",
  settingForms,
  secret: { tokenKey: "azure_federated_token_file" },
  terms: azureTerms,
  requested: (request, config) => ({ identity: azureRequestIdentity(request, config), findings: [] }),
  fieldOf: fieldOfRequest,
  rules,
  serviceOf,
  read: readRendered,
  claims: (identity, items) => {
    const { value: cluster } = readAzureCluster(azureIdentity(identity), items);
    return cluster === undefined ? undefined : azureClaims(azureIdentity(identity), cluster);
  },
  home: azureHome,
  readLive: readLiveAzure,
  tokens: azureExchange,
  operators: { writtenFields, specify },
  exports: {
    derivedFiles,
    adminPolicy: {
      path: "azure/admin-role.json",
      unbounded: {
        code: "admin-role-unbounded",
        bundlePath: azureBundles.cluster,
        message:
          "contains admin-role.json, the custom role for the administrator who applies the export. An administrator with this role can assign every role in the subscription, and can therefore do anything in it. Assign the role only while you apply an export.",
      },
      isUnbounded: (role) => listAt(role, ["Actions"]).includes("Microsoft.Authorization/roleAssignments/write"),
    },
  },
  check: (request) => readAzureRequest(request, {}, new Map()).findings,
  wanted: (files) => azureResources(files).wanted,
  files: azureCompared,
  questions: { ways: managedIdentityWays, operations: azureOperations },
  features: {
    requirements: ({ azure = {} }) => azureRequirements(azure),
    roles: {
      known: knownRoles,
      isJudged: isJudgedRole,
      command: "az role definition list --name ROLE --output json",
      read: readRole,
    },
    ownNames: {
      cluster: {
        tenantID: "tenant",
        oidcResourceGroup: "resource group of the identities",
        installResourceGroup: "resource group of the cluster",
        storageAccount: "storage account",
        container: "container",
      },
      identity: ownNamesIn,
    },
    assignedIds: clientIds,
  },
};
