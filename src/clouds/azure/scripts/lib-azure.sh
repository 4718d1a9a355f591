# shellcheck shell=sh
# The Azure code that the three scripts share: the environment, the subscription check, the owner, and calls of the Azure CLI.
# Everything but documents is read and written with `az rest`, because each file of a package is one request of Azure Resource
# Manager: its URL and its body.

# The directory of an export that contains these scripts.
cloud=azure
cloud_title=Azure

# prepare: call this first, after the options have been parsed. It does not call Azure.
prepare() {
  command -v az >/dev/null 2>&1 || die 'the Azure CLI (az) is required, version 2.45 or later'
  open_work
  mkdir -- "$work/live" || die "cannot write to $work"
  read_cluster
  # These override the user's settings, so that every run behaves the same, and so that errors can be read. The user's login
  # still applies.
  export AZURE_CORE_NO_COLOR=true AZURE_CORE_ONLY_SHOW_ERRORS=true AZURE_CORE_OUTPUT=json
  export AZURE_CORE_COLLECT_TELEMETRY=false
  export AZURE_EXTENSION_USE_DYNAMIC_INSTALL=no
  # Leftovers of these would send documents elsewhere, or with other credentials.
  export AZURE_STORAGE_CONNECTION_STRING='' AZURE_STORAGE_SAS_TOKEN='' AZURE_STORAGE_KEY='' AZURE_STORAGE_ACCOUNT=''
  unset AZURE_STORAGE_SERVICE_ENDPOINT AZURE_STORAGE_AUTH_MODE
}

# read_cluster: `account` is the ID of the subscription, because the output for programs has one name for it in every cloud.
read_cluster() {
  account=$(json text "$here/cluster.json" subscriptionID)
  tenant=$(json text "$here/cluster.json" tenantID)
  cli_cloud=$(json text "$here/cluster.json" cliCloud)
  prefix=$(json text "$here/cluster.json" resourcePrefix)
  owner_tag=$(json text "$here/cluster.json" ownerTag | tr '[:upper:]' '[:lower:]')
  issuer=$(json text "$here/cluster.json" issuer)
  oidc_group=$(json text "$here/cluster.json" oidcResourceGroup)
  storage_account=$(json text "$here/cluster.json" storageAccount)
  container=$(json text "$here/cluster.json" container)
  blob_endpoint=$(json text "$here/cluster.json" blobEndpoint)
  upload_auth=$(json text "$here/cluster.json" uploadAuth)
  is_uuid "$account" || die 'cluster.json does not name a subscription'
  is_uuid "$tenant" || die 'cluster.json does not name a tenant'
  case $cli_cloud in AzureCloud | AzureUSGovernment | AzureChinaCloud) ;; *) die 'cluster.json does not name a cloud' ;; esac
  case $prefix in '' | *[!A-Za-z0-9._-]*) die 'cluster.json does not name a valid prefix' ;; esac
  case $oidc_group in '' | */* | *[\ \?#%{}\\\"]*) die 'cluster.json does not name a valid resource group' ;; esac
  case $storage_account in *[!a-z0-9]*) die 'cluster.json does not name a valid storage account' ;; esac
  case $container in *[!a-z0-9-]*) die 'cluster.json does not name a valid container' ;; esac
  case $blob_endpoint in
    '') ;;
    "https://$storage_account.blob."*) ;;
    *) die 'cluster.json does not name the endpoint of its storage account' ;;
  esac
  # For tests: a stand-in for the blobs of the account.
  if [ -n "$blob_endpoint" ]; then blob_endpoint=${CCF_BLOB_ENDPOINT:-$blob_endpoint}; fi
  case $blob_endpoint in '' | https://*) ;; *) die 'CCF_BLOB_ENDPOINT must begin with https://' ;; esac
  group_id=/subscriptions/$account/resourceGroups/$oidc_group
}

# guard: protects other subscriptions: the login must be for the package's cloud, tenant and subscription.
guard() {
  ask '' account show
  caller=$(json text "$work/answer" user/name)
  case $caller in *[!A-Za-z0-9@._#+-]*) caller=ASSIGNEE ;; esac
  found=$(json text "$work/answer" environmentName)
  [ "$found" = "$cli_cloud" ] ||
    die "the Azure CLI is set to the cloud $found, but the package is for $cli_cloud; nothing was changed. To change it, run: az cloud set --name $cli_cloud"
  found=$(json text "$work/answer" id | tr '[:upper:]' '[:lower:]')
  [ "$found" = "$account" ] ||
    die "the credentials are for the subscription $found, but the package is for $account; nothing was changed. To change it, run: az account set --subscription $account"
  found=$(json text "$work/answer" tenantId | tr '[:upper:]' '[:lower:]')
  [ "$found" = "$tenant" ] ||
    die "the credentials are for the tenant $found, but the package is for $tenant; nothing was changed. To change it, run: az login --tenant $tenant"
}

is_uuid() {
  printf '%s\n' "$1" | grep -E -i -x -q -e '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
}

# ---- Ownership.

# owner FILE: the owner of a resource according to its tags: "own", "other" for another prefix, or "none".
owner() {
  json tags "$1" tags >"$work/tags"
  if grep -F -x -q -e "$owner_tag=owned" "$work/tags"; then
    echo own
  elif grep -q '^openshift\.io_cloud-credential-operator_.*=owned$' "$work/tags"; then
    echo other
  else
    echo none
  fi
}

# ---- Requests. Each is a file {"url": ..., "body": ...}.

authorization_api=2022-04-01
identity_api=2023-01-31
storage_api=2023-01-01
group_api=2021-04-01

# url_of FILE: prints the URL of a request.
url_of() {
  some_url=$(json text "$1" url)
  printf '%s\n' "$some_url" |
    grep -E -x -q -e '/subscriptions/[0-9a-f-]{36}/[^]["\\?#%<>|^`{} ]+\?api-version=[0-9]{4}-[0-9]{2}-[0-9]{2}' ||
    die "$1 does not contain a valid URL"
  case $some_url in */../* | */./* | *//*) die "$1 does not contain a valid URL" ;; esac
  printf '%s\n' "$some_url"
}

# id_of FILE: prints the ID of the resource that a request creates.
id_of() {
  some_id=$(url_of "$1")
  printf '%s\n' "${some_id%%\?*}"
}

# put FILE: sends a request. Azure's answer is in $work/sent.
put() {
  put_url=$(url_of "$1")
  json body "$1" >"$work/body"
  send rest --method put --url "$put_url" --body "@$work/body"
}

# patch FILE ANSWER: sends what differs between a request and Azure's answer.
patch() {
  patch_url=$(url_of "$1")
  json patch "$1" "$2" >"$work/body"
  send rest --method patch --url "$patch_url" --body "@$work/body"
}

# compare_request FILE ANSWER: whether the answer has what the request states.
compare_request() {
  json found "$1" "$2" >"$work/found"
  json wanted "$1" >"$work/wanted"
  compare
}

# ---- Calls: see lib-calls.sh. The errors that a call expects are an extended regular expression. `az rest` prints the answer
# ---- of Azure after the text of the HTTP status.

# Four minutes: as long as a new principal or role may be unknown in a part of Azure.
max_tries=27
# What does not exist. A subscription that does not exist is an error.
absent='"code": ?"(NotFound|ResourceNotFound|ResourceGroupNotFound|ParentResourceNotFound|ContainerNotFound|RoleAssignmentNotFound|RoleDefinitionDoesNotExist)"'
unsettled='"code": ?"(PrincipalNotFound|RoleDefinitionDoesNotExist|RoleDefinitionWithSameNameExists|ParentResourceNotFound|ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity|AnotherOperationInProgress)"'
# The upload lacks a role.
no_data_role='do not have the required permissions'
upload_waits=''
# Errors that a new resource causes for a while. The steps that create one set it.
young=''

# cli CALL...: `az rest` does not repeat a call that Azure refused to limit the load.
cli() {
  cli_error=${carried:-$work/call}.cli
  cli_tries=1
  until az "$@" --only-show-errors --output json </dev/null 2>"$cli_error"; do
    if ! is_busy "$cli_error" || [ "$cli_tries" -ge "$max_tries" ]; then
      without_traceback <"$cli_error" >&2
      return 1
    fi
    await_azure "$cli_error" "$cli_tries"
    cli_tries=$((cli_tries + 1))
  done
}

# without_traceback: az prints a Python traceback below the error if a connection fails.
without_traceback() {
  sed -e '/^ERROR: The command failed with an unexpected error/d' -e '/^Traceback (most recent call last):$/,$d'
}

# is_busy FILE: HTTP status 429, an error of a server, or a storage account that is still being created (Azure documentation,
# "Understand how Azure Resource Manager throttles requests").
is_busy() {
  grep -E -q -e '^ERROR: (Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)' \
    -e '"code": ?"(TooManyRequests|[A-Za-z]*Throttled[A-Za-z]*|ServerTimeout|ServiceUnavailable|StorageAccountOperationInProgress)"' "$1"
}

# await_azure FILE TRIES: waits as long as the error says, because `az rest` does not show the header Retry-After.
await_azure() {
  seconds=$(sed -n "s/.*again after '\{0,1\}\([1-9][0-9]\{0,2\}\)'\{0,1\} seconds.*/\1/p" "$1" | sed -n 1p)
  if [ -n "$seconds" ]; then sleep "$((seconds * ${CCF_WAIT:-2} / 2))"; else pause "$2"; fi
}

expected() {
  [ -n "$1" ] && grep -E -q -e "$1" "$work/error"
}

# may_repeat: what was just created is not known everywhere in Azure, or another change is not complete.
may_repeat() {
  grep -E -q -e "$unsettled${young:+|$young}" "$work/error" || return 1
  if [ "$upload_waits" = no ] && grep -q -e "$no_data_role" "$work/error"; then
    waiting 'waiting for up to ten minutes, until the role for the upload is in effect'
    upload_waits=yes
  fi
}

# call_failed CALL...: explains errors that a policy or the configuration causes.
call_failed() {
  if grep -q -e 'StorageAccountAlreadyTaken' -e 'StorageAccountAlreadyExists' "$work/error"; then
    explain "the name $storage_account is taken: names of storage accounts are shared by all of Azure. Set spec.platform.azure.issuerHosting.storageAccount to another name, then render, export and apply again"
  elif grep -q -e 'RequestDisallowedByPolicy' -e 'PublicAccessNotPermitted' "$work/error"; then
    explain "a policy of the organization does not allow this. If it is about public access to blobs, publish the documents elsewhere: set spec.platform.azure.issuerHosting.type to External and spec.issuer.url, then render, export and apply again"
  elif grep -q -e 'RoleDefinitionWithSameNameExists' "$work/error"; then
    explain "another subscription of the tenant has a custom role with this name, and names are unique in a tenant. Set identityName in spec.platform.azure.overrides for $(secret_of_identity), or another spec.resourcePrefix, then render, export and apply again"
  elif grep -q -e 'AuthorizationFailed' "$work/error"; then
    explain "admin-role.json contains the permissions that the scripts need"
  elif grep -q -e "$no_data_role" "$work/error"; then
    explain "$(data_role_advice)"
  fi
  case $1 in
    rest) stop_at_failure "az rest --method $3 --url ${5%%\?*}" ;;
    storage) stop_at_failure "az $1 $2 $3" ;;
    *) stop_at_failure "az $1 $2" ;;
  esac
}
