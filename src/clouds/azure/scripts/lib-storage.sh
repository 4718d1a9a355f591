# shellcheck shell=sh
# The resource groups, and the storage account with the documents of the issuer.

# ---- Resource groups. One that exists is used as it is.

groups_step() {
  group_step oidc-group.json oidc-resource-group.json
  group_step install-group.json install-resource-group.json
}

# check_group NAME FILE
check_group() {
  is_there "$1" || return 0
  [ "$(json text "$work/live/$1" properties/provisioningState)" != Deleting ] ||
    die "the resource group $(json text "$work/live/$1" name) is being deleted; run the same command again when it is gone. Nothing was changed"
}

# group_step NAME FILE
group_step() {
  group=$(id_of "$here/$2")
  group=${group##*/}
  if ! is_there "$1"; then
    change create "resource group $group" create_group "$here/$2"
    return 0
  fi
  json found "$here/$2" "$work/live/$1" | grep '^location=' >"$work/found" || :
  json wanted "$here/$2" | grep '^location=' >"$work/wanted"
  compare ||
    line note "resource group $group: its location is $(json text "$work/live/$1" location), not $(json text "$here/$2" body/location); resources can have other locations than their group"
  line same "resource group $group"
}

create_group() {
  put "$1"
  young='"code": ?"ResourceGroupNotFound"'
}

# ---- The storage account.

# storage_steps: returns 1 if the package does not own the storage account.
storage_steps() {
  [ -n "$storage_account" ] || return 0
  access_changed=no
  account_step || return 1
  container_step
  documents_step
}

# account_step: `account_there` is "no" if the account does not exist because the mode changes nothing.
account_step() {
  account_there=yes
  if ! is_there storage-account.json; then
    change create "storage account $storage_account" create_account
    [ "$mode" = apply ] || account_there=no
    return 0
  fi
  cp -- "$work/live/storage-account.json" "$work/account"
  may_take "$storage_account" "storage account $storage_account" "$(owner "$work/account")" || return 1
  if [ "$mode" = apply ]; then await_account; fi
  if compare_request "$here/issuer/storage-account.json" "$work/account"; then
    line same "storage account $storage_account"
  else
    change change "storage account $storage_account: settings" change_account
    differences
  fi
}

create_account() {
  put "$here/issuer/storage-account.json"
  access_changed=yes
  wait_until "storage account $storage_account is not ready yet" account_is_ready
  check_account
}

change_account() {
  cp -- "$work/found.sorted" "$work/found.before"
  cp -- "$work/wanted.sorted" "$work/wanted.before"
  patch "$here/issuer/storage-account.json" "$work/account"
  access_changed=yes
  wait_until "storage account $storage_account is not ready yet" account_is_ready
  check_account
  mv -- "$work/found.before" "$work/found.sorted"
  mv -- "$work/wanted.before" "$work/wanted.sorted"
}

await_account() {
  case $(json text "$work/account" properties/provisioningState) in
    Succeeded | '') ;;
    *) wait_until "storage account $storage_account is not ready yet" account_is_ready ;;
  esac
}

# account_is_ready: the account is in $work/account.
account_is_ready() {
  call account "$absent" rest --method get --url "$(url_of "$here/issuer/storage-account.json")" || return 1
  [ "$(json text "$work/account" properties/provisioningState)" = Succeeded ]
}

# check_account: a policy can change the settings that a request states, without an error.
check_account() {
  compare_request "$here/issuer/storage-account.json" "$work/account" || {
    new_and_gone
    die "Azure did not accept the settings of the storage account $storage_account: $(tr '\n' ' ' <"$work/gone")instead of $(tr '\n' ' ' <"$work/new")- a policy of the organization may set them. If it does not allow public access to blobs, set spec.platform.azure.issuerHosting.type to External and spec.issuer.url, then render, export and apply again"
  }
}

container_step() {
  if [ "$account_there" = no ] || ! is_there container.json; then
    change create "container $container" create_container
    return 0
  fi
  if compare_request "$here/issuer/container.json" "$work/live/container.json"; then
    line same "container $container"
  else
    change change "container $container: public access" change_container
    differences
  fi
}

create_container() {
  put "$here/issuer/container.json"
  access_changed=yes
}

change_container() {
  patch "$here/issuer/container.json" "$work/live/container.json"
  access_changed=yes
}

# ---- Storage accounts by name, also those that are not in the package.

# find_account NAME: whether the account is in the resource group. Sets `account_json` to the file with its data.
find_account() {
  some_place=$(place "$1" "$work/live/accounts/names")
  account_json=$work/live/accounts/$some_place
  [ -n "$some_place" ]
}

# other_containers NAME: whether the account has containers besides those of the package's issuers. Their names are in
# $work/other-containers, and those of all containers in $work/containers-there.
other_containers() {
  read_list containers.json \
    "$group_id/providers/Microsoft.Storage/storageAccounts/$1/blobServices/default/containers?api-version=$storage_api"
  each name "$work/live/containers.json" value >"$work/containers-there"
  {
    printf '%s\n' "$container" "$prefix"
    json text "$here/cluster.json" previousIssuers | sed -n "s|^https://$1\\.blob\\.[a-z.]*/||p"
  } >"$work/own-containers"
  grep -v -F -x -f "$work/own-containers" "$work/containers-there" >"$work/other-containers" || :
  [ -s "$work/other-containers" ]
}

# erase_account NAME
erase_account() {
  case $1 in '' | *[!a-z0-9]*) die "the storage account $1 has an invalid name" ;; esac
  send_unless "$absent" rest --method delete \
    --url "$group_id/providers/Microsoft.Storage/storageAccounts/$1?api-version=$storage_api" || :
}

# ---- Documents. They are read as everyone reads them.

documents='openid-configuration=.well-known/openid-configuration keys.json=openid/v1/jwks'
# Azure answers with XML, and with several codes to those who have no credentials.
no_document='<Code>(BlobNotFound|ContainerNotFound|ResourceNotFound|PublicAccessNotPermitted|NoAuthenticationInformation|AuthorizationFailure)</Code>'

# is_public: whether the documents can be read, according to the account and the container that were read first.
is_public() {
  if ! is_there storage-account.json || ! is_there container.json; then return 1; fi
  case $(json text "$work/live/container.json" properties/publicAccess) in Blob | Container) ;; *) return 1 ;; esac
  for one in allowBlobPublicAccess publicNetworkAccess networkAcls/defaultAction; do
    case $(json text "$work/live/storage-account.json" "properties/$one") in
      false | Disabled | SecuredByPerimeter | Deny) return 1 ;;
    esac
  done
}

# look_at_documents: starts to read both documents.
look_at_documents() {
  if [ -z "$storage_account" ] || ! is_public; then return 0; fi
  for document in $documents; do
    begin "$work/live/get-${document%%=*}" rest --method get --url "$blob_endpoint/$container/${document#*=}" \
      --skip-authorization-header --output-file "$work/live/${document%%=*}"
  done
}

# document_state FILE NAME: prints "same", "differs" or "missing".
document_state() {
  if [ ! -f "$work/live/get-$1" ] || ! came "$work/live/get-$1" "$no_document" rest --method get --url "$blob_endpoint/$container/$2"; then
    echo missing
  elif cmp -s "$work/live/$1" "$here/issuer/$1"; then
    echo same
  else
    echo differs
  fi
}

documents_step() {
  sent_documents=''
  # The account or the container has just become public.
  if [ "$access_changed" = yes ] && is_there container.json; then
    look_again
  elif [ "$mode" != apply ] && is_there container.json && ! is_public; then
    line note 'documents: they cannot be compared until they are public'
    return 0
  fi
  for document in $documents; do
    document_step "${document%%=*}" "${document#*=}"
  done
  for document in $sent_documents; do
    wait_until "document ${document#*=} is not what $blob_endpoint/$container/${document#*=} serves" \
      reads_back "${document%%=*}" "${document#*=}"
  done
}

look_again() {
  for document in $documents; do
    : >"$work/live/get-${document%%=*}"
    rm -f -- "$work/live/get-${document%%=*}.failed" "$work/live/${document%%=*}"
    wait_tries=1
    until read_document "${document%%=*}" "${document#*=}" || expected 'BlobNotFound' || [ "$wait_tries" -ge 10 ]; do
      pause "$wait_tries"
      wait_tries=$((wait_tries + 1))
    done
  done
}

# read_document FILE NAME: the document is in $work/live.
read_document() {
  ask "$no_document" rest --method get --url "$blob_endpoint/$container/$2" --skip-authorization-header \
    --output-file "$work/live/$1"
}

reads_back() {
  read_document "$1" "$2" && cmp -s "$work/live/$1" "$here/issuer/$1"
}

# document_step FILE NAME
document_step() {
  case $(document_state "$1" "$2") in
    same) line same "document $2" ;;
    missing) change create "document $2" put_document "$1" "$2" ;;
    *) change change "document $2" put_document "$1" "$2" ;;
  esac
}

put_document() {
  set -- "$1" "$2" storage blob upload --blob-endpoint "$blob_endpoint" --container-name "$container" --name "$2" \
    --file "$here/issuer/$1" --content-type application/json --overwrite --no-progress
  sent_documents="$sent_documents $1=$2"
  shift 2
  if [ "$upload_auth" = key ]; then
    read_key
    export AZURE_STORAGE_KEY="$storage_key"
    upload "$@" --auth-mode key --account-name "$storage_account"
    export AZURE_STORAGE_KEY=''
  else
    check_data_role
    if [ "$data_role" = no ]; then
      die "$(data_role_advice). The documents were not uploaded; run the same command again after that"
    fi
    upload "$@" --auth-mode login
  fi
}

# upload CALL...: what was granted or allowed a moment ago may take ten minutes to be in effect (Azure documentation,
# "Troubleshoot Azure RBAC").
upload() {
  usual_tries=$max_tries
  usual_young=$young
  upload_waits=no
  max_tries=65
  young="$no_data_role|KeyBasedAuthenticationNotPermitted|ContainerNotFound"
  send "$@"
  max_tries=$usual_tries
  young=$usual_young
}

# read_key: a key of the account never appears in arguments, and in no file but a private one.
read_key() {
  [ -z "${storage_key:-}" ] || return 0
  key_url=$(id_of "$here/issuer/storage-account.json")/listKeys?api-version=$storage_api
  send rest --method post --url "$key_url"
  storage_key=$(json text "$work/sent" keys/1/value)
  rm -f -- "$work/sent"
  [ -n "$storage_key" ] || die "Azure's answer does not contain a key of the storage account $storage_account"
}

# ---- The role that the upload requires: Owner and Contributor do not contain it.

data_role=unknown
data_scope=''
data_action=Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write

# check_data_role: sets `data_role` to "yes" or "no", or leaves it unknown if neither the account nor its group exists yet, or
# if the caller may not ask. Azure documents the answer for resources and groups only, so that for a subscription counts only if
# it is yes.
check_data_role() {
  if [ "$upload_auth" != login ] || [ "$data_role" = yes ]; then return 0; fi
  for one in "$(id_of "$here/issuer/storage-account.json")" "$group_id" "/subscriptions/$account"; do
    ask . rest --method get --url "$one/providers/Microsoft.Authorization/permissions?api-version=$authorization_api" || continue
    data_role=$(json grants "$data_action" "$work/answer")
    data_scope=$one
    # The role can be on the next page.
    [ "$data_role" = yes ] || [ -z "$(json text "$work/answer" nextLink)" ] || data_role=unknown
    [ "$data_role/$one" != "no//subscriptions/$account" ] || data_role=unknown
    return 0
  done
}

data_role_advice() {
  printf 'the upload requires the role Storage Blob Data Contributor, which Owner and Contributor do not contain. To grant it, run: az role assignment create --role "Storage Blob Data Contributor" --assignee "%s" --scope "%s"' "$caller" "$(data_role_scope)"
}

data_role_scope() {
  case $data_scope in */providers/*) printf '%s' "$data_scope" ;; *) printf '%s' "$group_id" ;; esac
}

# data_role_before: checks the role, or names it, before anything is written.
data_role_before() {
  if [ -z "$storage_account" ] || [ "$upload_auth" != login ] || [ "$mode" = status ]; then return 0; fi
  for document in $documents; do
    [ "$(document_state "${document%%=*}" "${document#*=}")" = same ] || data_role=needed
  done
  [ "$data_role" = needed ] || return 0
  data_role=unknown
  check_data_role
  case $data_role in
    yes) ;;
    no)
      [ "$mode" = dry-run ] || die "$(data_role_advice). Nothing was changed"
      line note "$(data_role_advice)"
      ;;
    *) line note "$(data_role_advice), once the resource group $oidc_group exists" ;;
  esac
}
