# shellcheck shell=sh
# Reads the package, and what Azure has of it: as lists, and several at the same time, because a call takes a second or more.
#
# Azure's answers are in $work/live. Names in the lists are in lowercase, because Azure ignores their case.

# each_identity COMMAND: runs COMMAND for each identity of the package, in its directory. Sets `identity_name`, the ID of the
# custom role in `role`, or nothing, and `wanted_assignments`, a file with a line "FILE GUID ROLE SCOPE" for each assignment.
each_identity() {
  [ -f "$work/identities" ] || list_identities
  while IFS= read -r identity <&9 && IFS= read -r identity_name <&9 && IFS= read -r role <&9; do
    wanted_assignments=$work/package/$identity
    cd -- "$here/identities/$identity"
    "$@"
  done 9<"$work/identities"
}

# list_identities: writes three lines for each identity to $work/identities, because reading JSON takes time.
list_identities() {
  : >"$work/identities"
  mkdir -- "$work/package" || die "cannot write to $work"
  printf '%s\n' "$account" >"$work/subscriptions"
  for directory in "$here"/identities/*/; do
    [ -d "$directory" ] || continue
    directory=${directory%/}
    one=$(id_of "$directory/managed-identity.json")
    case ${one#"$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities/"} in
      '' | *[!A-Za-z0-9_-]*) die "$directory does not contain a managed identity of the resource group $oidc_group" ;;
    esac
    some_role=''
    if [ -f "$directory/role-definition.json" ]; then
      some_role=$(id_of "$directory/role-definition.json")
      some_role=${some_role##*/roleDefinitions/}
      is_uuid "$some_role" || die "$directory does not contain a custom role"
    fi
    printf '%s\n' "${directory##*/}" "${one##*/}" "$some_role" >>"$work/identities"
    list_assignments "$directory" >"$work/package/${directory##*/}"
  done
  sort -u "$work/subscriptions" >"$work/subscriptions.sorted"
}

list_assignments() {
  for file in "$1"/role-assignment-*.json; do
    [ -f "$file" ] || continue
    one=$(id_of "$file")
    scope=${one%/providers/Microsoft.Authorization/roleAssignments/*}
    guid=${one##*/}
    one=$(json text "$file" body/properties/roleDefinitionId)
    one=${one##*/}
    subscription=${scope#/subscriptions/}
    subscription=${subscription%%/*}
    if ! is_uuid "$guid" || ! is_uuid "$one" || ! is_uuid "$subscription"; then
      die "$file does not contain a role assignment"
    fi
    printf '%s\n' "$subscription" >>"$work/subscriptions"
    printf '%s %s\n' "${file##*/}" "$(printf '%s\n' "$guid $one $scope" | lowercase)"
  done
}

lowercase() {
  tr '[:upper:]' '[:lower:]'
}

secret_of_identity() {
  json text "$here/identities/$identity/identity.json" secret
}

print_identity() {
  printf '%s\n' "$identity_name" | lowercase
}

print_role() {
  [ -z "$role" ] || printf '%s\n' "$role"
}

# ---- Azure.

# read_cloud: reads everything that the steps compare, but not documents and credentials.
read_cloud() {
  rm -rf -- "$work/live" "$work/made"
  mkdir -- "$work/live" "$work/live/identities" "$work/live/accounts" "$work/live/roles" "$work/made" ||
    die "cannot write to $work"
  each_identity print_identity >"$work/own-identities"
  each_identity print_role >"$work/own-roles"
  each_read look
  wait_jobs
  each_read look_at_list
  keep_list identities
  keep_list accounts
  json pages "$work"/live/roles-*.json >"$work/live/roles.json"
  keep_list roles
  # The list of each subscription contains a role that can be assigned in several ones.
  sort -u "$work/live/roles/names" >"$work/live/roles/once"
  for one in "$work"/live/assignments-*.json; do
    json assignments "$one"
  done | sort -u >"$work/assignments"
}

# each_read COMMAND: runs COMMAND with the name and the URL of each resource and of each list.
each_read() {
  "$1" oidc-group.json "$(url_of "$here/oidc-resource-group.json")"
  "$1" install-group.json "$(url_of "$here/install-resource-group.json")"
  if [ -n "$storage_account" ]; then
    "$1" storage-account.json "$(url_of "$here/issuer/storage-account.json")"
    "$1" container.json "$(url_of "$here/issuer/container.json")"
  fi
  "$1" accounts.json "$group_id/providers/Microsoft.Storage/storageAccounts?api-version=$storage_api"
  "$1" identities.json "$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities?api-version=$identity_api"
  while IFS= read -r subscription <&8; do
    "$1" "roles-$subscription.json" \
      "/subscriptions/$subscription/providers/Microsoft.Authorization/roleDefinitions?api-version=$authorization_api&\$filter=type%20eq%20%27CustomRole%27"
    "$1" "assignments-$subscription.json" \
      "/subscriptions/$subscription/providers/Microsoft.Authorization/roleAssignments?api-version=$authorization_api"
  done 8<"$work/subscriptions.sorted"
}

# look NAME URL: starts to read a resource or a list.
look() {
  printf '%s\n' "$2" >"$work/live/$1.url"
  begin "$work/live/$1" rest --method get --url "$2"
}

# is_there NAME: whether a resource exists. Azure's answer is in $work/live/NAME.
is_there() {
  came "$work/live/$1" "$absent" rest --method get --url "$(cat -- "$work/live/$1.url")"
}

# look_at_list NAME URL: completes a list. Resources are not lists.
look_at_list() {
  case $1 in oidc-group.json | install-group.json | storage-account.json | container.json) ;; *) complete_list "$1" "$2" ;; esac
}

# complete_list NAME URL: reads the further pages of a list.
complete_list() {
  if ! came "$work/live/$1" "$absent" rest --method get --url "$2"; then
    printf '{"value": []}\n' >"$work/live/$1"
    return 0
  fi
  next=$(json next "$work/live/$1")
  [ -n "$next" ] || return 0
  page=1
  mkdir -- "$work/pages"
  mv -- "$work/live/$1" "$work/pages/100"
  while [ -n "$next" ]; do
    case $next in https://*) ;; *) die "Azure's list has a next page that is not a URL: $next" ;; esac
    case $next in *\\*) die "Azure's list has a next page with an invalid URL: $next" ;; esac
    [ "$page" -lt 900 ] || die "Azure's list has too many pages: $2"
    ask '' rest --method get --url "$next"
    mv -- "$work/answer" "$work/pages/$((100 + page))"
    next=$(json next "$work/pages/$((100 + page))")
    page=$((page + 1))
  done
  json pages "$work"/pages/* >"$work/live/$1"
  rm -rf -- "$work/pages"
}

# read_list NAME URL: reads a complete list now.
read_list() {
  rm -f -- "$work/live/$1.failed"
  look "$1" "$2"
  wait_jobs
  complete_list "$1" "$2"
}

# keep_list KIND: writes each resource of a list to a file, and their names to $work/live/KIND/names.
keep_list() {
  keep_items "$work/live/$1.json" value name "$work/live/$1/mixed" "$work/live/$1/" ''
  lowercase <"$work/live/$1/mixed" >"$work/live/$1/names"
}

# find_identity NAME: whether the identity exists. Sets `identity_json` to the file with its data.
find_identity() {
  some_name=$(printf '%s\n' "$1" | lowercase)
  identity_json=$work/made/$some_name
  [ ! -f "$identity_json" ] || return 0
  some_place=$(place "$some_name" "$work/live/identities/names")
  identity_json=$work/live/identities/$some_place
  [ -n "$some_place" ]
}

# principal_of FILE: the ID of an identity's principal, which role assignments name.
principal_of() {
  some_id=$(json text "$1" properties/principalId | lowercase)
  is_uuid "$some_id" || die "Azure's answer does not contain the principal of a managed identity"
  printf '%s\n' "$some_id"
}

# find_role GUID: whether the custom role exists. Sets `role_json` to the file with its data.
find_role() {
  some_place=$(place "$1" "$work/live/roles/names")
  role_json=$work/live/roles/$some_place
  [ -n "$some_place" ]
}

# role_owner: a custom role has no tags.
role_owner() {
  case $(json text "$role_json" properties/description) in
    "Custom role for OpenShift. Owned by: $prefix") echo own ;;
    'Custom role for OpenShift. Owned by: '*) echo other ;;
    *) echo none ;;
  esac
}

role_name() {
  json text "$role_json" properties/roleName
}
