import { sha256 } from "../../../core/hash.ts";
import type { Resource } from "../../../core/resource.ts";
import type { Specification } from "../../inspector.ts";
import {
  attempts,
  pauseSeconds,
  type Specified,
  secretText,
  shellQuote,
  specification,
  subscriptionText,
  tableRows,
  variablesOf,
} from "../../specification.ts";
import { azureNames, maxIdentityName } from "../cluster/cluster.ts";
import { apiVersions } from "../cluster/resource-names.ts";
import { credentialName } from "../identities/identity.ts";
import { type AzureRequest, readAzureRequest } from "../identities/request.ts";
import { clientIdVariables, clusterVariables, operatorWords, writtenFields } from "./operator.ts";

/** A managed identity that an OLM operator's author asks administrators to create, and the variables for its client ID. */
type SpecifiedIdentity = Specified<AzureRequest>;

/** Specifies the managed identities that an OLM operator's CredentialsRequests require. */
export function specify(items: readonly Resource[]): Specification {
  return specification(items, {
    ...azureNames,
    read: (one) => readAzureRequest(one, {}, new Map(), writtenFields),
    variables: clientIdVariables,
    script: identityScript,
    text: identityText,
  });
}

const maxPrefix = 32;
const maxNameEnd = maxIdentityName - maxPrefix - "-".length;

/** What follows the prefix in the name of a managed identity: as in a package, unless that is too long. */
function nameEnd({ secretNamespace, secretName }: AzureRequest): string {
  const end = `${secretNamespace}-${secretName}`.replaceAll(".", "-");
  if (end.length <= maxNameEnd) return end;
  return `${end.slice(0, maxNameEnd - 9)}-${sha256(`${secretNamespace}/${secretName}`).toString("hex").slice(0, 8)}`;
}

/** The permissions of the custom role, as JSON; "" without a custom role. */
function permissionsOf({ customRole }: AzureRequest): string {
  return customRole === undefined ? "" : JSON.stringify(customRole);
}

/** The name of a federated credential and its subject. Only the cluster knows the issuer, so the name depends on the subject. */
function credentialOf({ name, subject }: AzureRequest["tokenSubjects"][number]): string {
  return `${credentialName(name, subject)}=${subject}`;
}

/**
 * The script with which an administrator creates the managed identities, for any POSIX shell and az 2.45 or later. It gets
 * the issuer, the tenant and the resource groups from the cluster, and the operator's permissions from the requests. Every
 * value from a request is quoted.
 */
function identityScript(identities: readonly SpecifiedIdentity[]): string {
  const calls = identities.map(({ request, variables }) => {
    const { secretNamespace, secretName, roles, tokenSubjects } = request;
    const words = [
      nameEnd(request),
      `${secretNamespace}/${secretName}`,
      variables.join(" "),
      roles.map(({ id }) => id).join(" "),
      permissionsOf(request),
      tokenSubjects.map(credentialOf).join(" "),
    ];
    return `make_identity ${words.map(shellQuote).join(" \\\n  ")}\n`;
  });
  const readsVariables = identities.some(({ variables }) => variables.length > 0);
  return [scriptHead, scriptTail, readsVariables ? `${printCluster}\n` : "", ...calls].join("");
}

const printCluster = `printf 'TENANTID=%s\\nSUBSCRIPTIONID=%s\\n' "$tenant" "$subscription"`;

// Every cluster with short-term credentials has it: with it, the cloud-credential-operator deploys the webhook.
const knownSecret = { namespace: "openshift-cloud-credential-operator", name: "azure-credentials" };

const scriptHead = `#!/bin/sh
# Creates the managed identities of an operator on a cluster with short-term credentials on Azure, and prints their client
# IDs.
#
#   sh SCRIPT PREFIX [RESOURCE_GROUP]
#
# PREFIX is the start of the identities' names, usually the cluster's name. RESOURCE_GROUP is an existing resource group for
# the identities, by default PREFIX-oidc. oc must be logged in to the cluster, and az (2.45 or later) to its subscription.
# Run the script again to update the managed identities that it created.
set -eu
LC_ALL=C
AZURE_CORE_ONLY_SHOW_ERRORS=true
export LC_ALL AZURE_CORE_ONLY_SHOW_ERRORS

fail() {
  printf 'error: %s\\n' "$1" >&2
  exit 1
}

lower() {
  printf '%s\\n' "$1" | tr '[:upper:]' '[:lower:]'
}

[ "$#" -eq 1 ] || [ "$#" -eq 2 ] || fail "usage: sh $0 PREFIX [RESOURCE_GROUP]"
prefix=$1
group=\${2:-$prefix-oidc}
case $prefix in
  '' | *[!a-z0-9-]* | -* | *-)
    fail "the prefix must contain only lowercase letters, digits and -, and not begin or end with -"
    ;;
esac
[ "\${#prefix}" -le ${maxPrefix} ] || fail "the prefix must have at most ${maxPrefix} characters"

install=$(oc get infrastructure.config.openshift.io cluster \\
  -o 'jsonpath={.status.platformStatus.azure.resourceGroupName}')
[ -n "$install" ] || fail "the cluster is not on Azure"
issuer=$(oc get authentication.config.openshift.io cluster -o 'jsonpath={.spec.serviceAccountIssuer}')
case $issuer in
  https://*) ;;
  *) fail "the cluster has no public issuer of service account tokens, so it does not use short-term credentials" ;;
esac
tenant=$(oc extract -n ${knownSecret.namespace} secret/${knownSecret.name} \\
  --keys=azure_tenant_id --to=- | tr '[:upper:]' '[:lower:]' | sed -n 's/^[0-9a-f-]\\{36\\}$/&/p')
[ -n "$tenant" ] || fail "the Secret ${knownSecret.namespace}/${knownSecret.name} contains no tenant"
account=$(az account show --query "join(' ', [tenantId, id])" --output tsv)
account=$(lower "$account")
[ "\${account%% *}" = "$tenant" ] ||
  fail "az is logged in to the tenant \${account%% *}, but the cluster is in the tenant $tenant"
subscription=\${account#* }
az group show --name "$install" --output none ||
  fail "the cluster's resource group $install is not in the subscription $subscription, or you may not read it"
region=$(az group show --name "$group" --query location --output tsv) ||
  fail "the resource group $group does not exist in the subscription $subscription, or you may not read it"
# In a few regions, managed identities take no federated credentials. Those of the platform are where they do.
platform=$(az identity list --resource-group "$group" --query '[0].location' --output tsv)
region=\${platform:-$region}
`;

const scriptTail = `
# Repeats a command while Azure does not know a new managed identity or role yet.
repeat() {
  attempt=1
  until said=$("$@" 2>&1); do
    case $said in
      *PrincipalNotFound* | *"does not exist in the directory"* | *RoleDefinitionDoesNotExist*) ;;
      *ParentResourceNotFound*) ;;
      *) fail "$said" ;;
    esac
    [ "$attempt" -lt ${attempts} ] || fail "$said"
    attempt=$((attempt + 1))
    sleep ${pauseSeconds}
  done
}

authorization=/subscriptions/$subscription/providers/Microsoft.Authorization
version=api-version=${apiVersions.authorization}

# End of the name, Secret, variables, IDs of roles, permissions of a custom role, names and subjects of credentials.
make_identity() {
  name=$prefix-$1
  found=$(az identity list --resource-group "$group" \\
    --query "[].join(' ', [name, tags.OpenShiftSecret || '-'])" --output tsv)
  found=$(lower "$found" | sed -n "s/^$name //p")
  if [ -z "$found" ]; then
    az identity create --name "$name" --resource-group "$group" --location "$region" \\
      --tags "OpenShiftSecret=$2" --output none
  elif [ "$found" != "$2" ]; then
    fail "the managed identity $name already exists, but is not for $2; use another prefix"
  fi
  found=$(az identity show --name "$name" --resource-group "$group" \\
    --query "join(' ', [clientId, principalId])" --output tsv)
  client=\${found% *}
  principal=\${found#* }
  wanted=$4
  if [ -n "$5" ]; then
    description="OpenShift role for $2"
    found=$(az rest --method get --url "$authorization/roleDefinitions?$version" \\
      --url-parameters "\\$filter=roleName eq '$name'" \\
      --query "value[?properties.roleName=='$name'].join(' ', [name, properties.description || '-'])" --output tsv)
    # The client ID is a UUID that no other role has.
    case $found in
      '') role=$client ;;
      *" $description") role=$(lower "\${found%% *}") ;;
      *) fail "the custom role $name already exists, but is not for $2; use another prefix" ;;
    esac
    properties="\\"roleName\\":\\"$name\\",\\"type\\":\\"CustomRole\\",\\"description\\":\\"$description\\""
    properties="$properties,\\"permissions\\":[$5],\\"assignableScopes\\":[\\"/subscriptions/$subscription\\"]"
    az rest --method put --url "$authorization/roleDefinitions/$role?$version" \\
      --body "{\\"properties\\":{$properties}}" --output none
    wanted="$wanted $role"
  fi
  scope=/subscriptions/$subscription/resourceGroups/$install
  found=$(az rest --method get --url "$authorization/roleAssignments?$version" \\
    --url-parameters "\\$filter=principalId eq '$principal'" \\
    --query "value[?properties.principalId=='$principal'].join(' ', [properties.roleDefinitionId, properties.scope])" \\
    --output tsv)
  found=$(lower "$found" | sed 's,^[^ ]*/,,')
  for role in $wanted; do
    if printf '%s\\n' "$found" | grep -Fqx -- "$role $(lower "$scope")"; then continue; fi
    properties="\\"roleDefinitionId\\":\\"$authorization/roleDefinitions/$role\\",\\"principalId\\":\\"$principal\\""
    # A UUID that depends on the identity and the role.
    repeat az rest --method put --output none \\
      --url "$scope/providers/Microsoft.Authorization/roleAssignments/\${principal%-*}-\${role##*-}?$version" \\
      --body "{\\"properties\\":{$properties,\\"principalType\\":\\"ServicePrincipal\\"}}"
  done
  for pair in $6; do
    repeat az identity federated-credential create --name "\${pair%%=*}" --identity-name "$name" \\
      --resource-group "$group" --issuer "$issuer" --subject "\${pair#*=}" --audiences openshift --output none
  done
  printf '%s\\n' "$found" | while read -r role at; do
    [ -n "$role" ] || continue
    case " $wanted " in
      *" $role "*) [ "$at" = "$(lower "$scope")" ] && continue ;;
    esac
    printf 'note: %s also has the role %s at %s, which the operator does not need\\n' "$name" "$role" "$at" >&2
  done
  az identity federated-credential list --identity-name "$name" --resource-group "$group" \\
    --query "[].join(' ', [issuer, subject])" --output tsv | while read -r other subject; do
    case "$other $6 " in
      "$issuer "*"=$subject "*) ;;
      *) printf 'note: %s also trusts %s of %s, which the operator does not need\\n' "$name" "$subject" "$other" >&2 ;;
    esac
  done
  if [ -z "$3" ]; then printf '%s: %s\\n' "$2" "$client"; fi
  for variable in $3; do printf '%s=%s\\n' "$variable" "$client"; done
}

`;

/** The section for administrators in the operator's description, as Markdown: identities, script, and instructions. */
function identityText(identities: readonly SpecifiedIdentity[]): string {
  const what = identities.length === 1 ? "a managed identity" : `${identities.length} managed identities`;
  return `## Clusters with short-term credentials on Azure

The operator needs ${what} in the cluster's subscription. The script below contains the roles and permissions.

| Secret | Kubernetes service accounts that use it | variable with its client ID |
| --- | --- | --- |
${tableRows(identities)}

Before you install the operator, or update it to a version with other permissions, save this script as \`make-identities.sh\`
and run \`sh make-identities.sh PREFIX\`. PREFIX is the start of the identities' names, for example the cluster's name. \`oc\` must
be logged in to the cluster, and az to the cluster's subscription. The script prints the values of the variables.

\`\`\`sh
${identityScript(identities)}\`\`\`
${subscriptionText(variablesOf(identities, clusterVariables), "values")}${secretText(operatorWords.secretsSince)}`;
}
