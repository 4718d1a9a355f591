import { base32Hash } from "../../../core/hash.ts";
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
import { gcpNames, maxAccountId } from "../cluster/cluster.ts";
import { type GcpRequest, readGcpRequest } from "../identities/request.ts";
import { clusterVariables, emailVariables, operatorWords, writtenFields } from "./operator.ts";

/** A service account that an OLM operator's author asks administrators to create, and the variables for its email address. */
type SpecifiedAccount = Specified<GcpRequest>;

/** Specifies the service accounts that an OLM operator's CredentialsRequests require. */
export function specify(items: readonly Resource[]): Specification {
  return specification(items, {
    ...gcpNames,
    read: (one) => readGcpRequest(one, {}, writtenFields),
    variables: emailVariables,
    script: accountScript,
    text: accountText,
  });
}

const maxPrefix = 12;
const hashLength = 5;
const maxNamespace = maxAccountId - maxPrefix - hashLength - "--".length;

/** What follows the prefix in the ID of a service account: the namespace of its Secret, and a hash of the whole Secret. */
function idEnd({ secretNamespace, secretName }: GcpRequest): string {
  const namespace = secretNamespace
    .replace(/^openshift-(?=.)/, "")
    .slice(0, maxNamespace)
    .replace(/-+$/, "");
  return `${namespace}-${base32Hash(`${secretNamespace}/${secretName}`, hashLength)}`;
}

/**
 * The script with which an administrator creates the service accounts, for any POSIX shell. It gets the project and the
 * audience from the cluster, and the operator's permissions from the requests. Every value from a request is quoted.
 */
function accountScript(accounts: readonly SpecifiedAccount[]): string {
  const calls = accounts.map(({ request, variables }) => {
    const { secretNamespace, secretName, permissions, roles, principals } = request;
    const words = [
      idEnd(request),
      `${secretNamespace}/${secretName}`,
      variables.join(" "),
      permissions.join(","),
      roles.join(" "),
      principals.join(" "),
    ];
    return `make_account ${words.map(shellQuote).join(" \\\n  ")}\n`;
  });
  const readsVariables = accounts.some(({ variables }) => variables.length > 0);
  return [scriptHead, scriptTail, readsVariables ? `${printCluster}\n` : "", ...calls].join("");
}

const printCluster = `printf 'AUDIENCE=%s\\nPROJECT_NUMBER=%s\\nPOOL_ID=%s\\nPROVIDER_ID=%s\\n' "$audience" "$number" "$pool" "$provider"`;

// A component of every cluster whose cloud-credential-operator creates Secrets.
const knownSecret = {
  namespace: "openshift-cloud-credential-operator",
  name: "cloud-credential-operator-gcp-ro-creds",
};

const scriptHead = `#!/bin/sh
# Creates the service accounts of an operator on a cluster with short-term credentials on Google Cloud, and prints their
# email addresses.
#
#   sh SCRIPT PREFIX [AUDIENCE]
#
# PREFIX is the start of the accounts' IDs, usually the cluster's name. AUDIENCE is the name of the cluster's provider,
# //iam.googleapis.com/projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER. If it is omitted, the
# script reads it from a Secret of the cluster. oc must be logged in to the cluster, and gcloud must have credentials for
# the cluster's project. Run the script again to update the service accounts that it created.
set -eu
LC_ALL=C
CLOUDSDK_CORE_DISABLE_PROMPTS=1
CLOUDSDK_CORE_VERBOSITY=error
export LC_ALL CLOUDSDK_CORE_DISABLE_PROMPTS CLOUDSDK_CORE_VERBOSITY

fail() {
  printf 'error: %s\\n' "$1" >&2
  exit 1
}

[ "$#" -eq 1 ] || [ "$#" -eq 2 ] || fail "usage: sh $0 PREFIX [AUDIENCE]"
prefix=$1
case $prefix in
  [!a-z]* | *[!a-z0-9-]* | *- | '' | ?????????????*)
    fail "the prefix must be at most ${maxPrefix} lowercase letters, digits and -, begin with a letter, and not end with -"
    ;;
esac

project=$(oc get infrastructure.config.openshift.io cluster -o 'jsonpath={.status.platformStatus.gcp.projectID}')
case $project in
  '') fail "the cluster is not on Google Cloud" ;;
  *[!a-z0-9:.-]*) fail "the cluster's project has an unknown form: \\"$project\\"" ;;
esac

audience=\${2-}
if [ -z "$audience" ]; then
  audience=$(oc extract -n ${knownSecret.namespace} \\
    secret/${knownSecret.name} --keys=service_account.json --to=- |
    sed -n 's/^.*"audience": *"\\([^"]*\\)".*$/\\1/p')
fi
form='^//iam\\.googleapis\\.com/projects/\\([0-9]*\\)/locations/global/workloadIdentityPools/\\([a-z0-9-]*\\)/providers/\\([a-z0-9-]*\\)$'
number=$(printf '%s\\n' "$audience" | sed -n "s,$form,\\\\1,p")
pool=$(printf '%s\\n' "$audience" | sed -n "s,$form,\\\\2,p")
provider=$(printf '%s\\n' "$audience" | sed -n "s,$form,\\\\3,p")
if [ -z "$number" ] || [ -z "$pool" ] || [ -z "$provider" ]; then
  fail "the audience is not the name of a provider: \\"$audience\\""
fi
state=$(gcloud iam workload-identity-pools providers describe "\${audience#//iam.googleapis.com/}" \\
  --project="$project" --format='value(state)') ||
  fail "the provider does not exist, or you may not read it: $audience"
[ "$state" = ACTIVE ] || fail "the provider is not active: $audience"
`;

const scriptTail = `
# Repeats a command while Google Cloud does not know a new service account yet, or another caller changes the same policy.
repeat() {
  attempt=1
  until said=$("$@" 2>&1); do
    case $said in
      *"does not exist"* | *"oncurrent policy changes"*) ;;
      *) fail "$said" ;;
    esac
    [ "$attempt" -lt ${attempts} ] || fail "$said"
    attempt=$((attempt + 1))
    sleep ${pauseSeconds}
  done
}

# End of the ID, Secret, variables, permissions, roles, subjects of tokens.
make_account() {
  id=$prefix-$1
  case $project in
    *:*) email=$id@\${project#*:}.\${project%%:*}.iam.gserviceaccount.com ;;
    *) email=$id@$project.iam.gserviceaccount.com ;;
  esac
  description="OpenShift service account for $2"
  found=$(gcloud iam service-accounts list --project="$project" --filter="email=$email" \\
    --format='value[separator=" "](email,description)')
  if [ -z "$found" ]; then
    gcloud iam service-accounts create "$id" --project="$project" --description="$description" >/dev/null
  elif [ "$found" != "$email $description" ]; then
    fail "the service account $email already exists, but is not for $2; use another prefix"
  fi
  wanted=$5
  if [ -n "$4" ]; then
    role=$(printf '%s' "$id" | tr - _)
    name=projects/$project/roles/$role
    description="OpenShift role for $2"
    found=$(gcloud iam roles list --project="$project" --show-deleted --filter="name=$name" \\
      --format='value[separator=" "](deleted.yesno(yes="deleted", no="present"),description)')
    case $found in
      '') verb=create ;;
      "present $description" | " $description") verb=update ;;
      "deleted $description")
        gcloud iam roles undelete "$role" --project="$project" >/dev/null
        verb=update
        ;;
      *) fail "the custom role $name already exists, but is not for $2; use another prefix" ;;
    esac
    gcloud iam roles "$verb" "$role" --project="$project" --title="$id" --description="$description" \\
      --stage=GA --permissions="$4" --quiet >/dev/null
    wanted="$wanted $name"
  fi
  for role in $wanted; do
    repeat gcloud projects add-iam-policy-binding "$project" --member="serviceAccount:$email" --role="$role" \\
      --condition=None
  done
  members=principal://iam.googleapis.com/projects/$number/locations/global/workloadIdentityPools/$pool/subject
  for subject in $6; do
    repeat gcloud iam service-accounts add-iam-policy-binding "$email" --project="$project" \\
      --member="$members/$subject" --role=roles/iam.workloadIdentityUser --condition=None
  done
  bound=$(gcloud projects get-iam-policy "$project" --flatten='bindings[].members' \\
    --filter="bindings.members=serviceAccount:$email" --format='value(bindings.role)')
  for role in $bound; do
    case " $wanted " in
      *" $role "*) ;;
      *) printf 'note: %s also has %s, which the operator does not need\\n' "$email" "$role" >&2 ;;
    esac
  done
  if [ -z "$3" ]; then printf '%s: %s\\n' "$2" "$email"; fi
  for variable in $3; do printf '%s=%s\\n' "$variable" "$email"; done
}

`;

/** The section for administrators in the operator's description, as Markdown: accounts, script, and instructions. */
function accountText(accounts: readonly SpecifiedAccount[]): string {
  const what = accounts.length === 1 ? "a service account" : `${accounts.length} service accounts`;
  return `## Clusters with short-term credentials on Google Cloud

The operator needs ${what} in the cluster's Google Cloud project. The script below contains the roles and permissions.

| Secret | Kubernetes service accounts that use it | variable with its email address |
| --- | --- | --- |
${tableRows(accounts)}

Before you install the operator, or update it to a version with other permissions, save this script as \`make-accounts.sh\` and
run \`sh make-accounts.sh PREFIX\`. PREFIX is the start of the accounts' IDs, for example the cluster's name. \`oc\` must be logged in
to the cluster, and gcloud must have credentials for the cluster's project. The script prints the values of the variables.

\`\`\`sh
${accountScript(accounts)}\`\`\`
${subscriptionText(variablesOf(accounts, clusterVariables), "values")}${secretText(operatorWords.secretsSince)}`;
}
