# shellcheck shell=sh
# The steps of destroy.sh. What the package owns is found by its tag or description, also if the package does not contain it.
#
# Files in $work: the principals whose assignments are deleted are in `going`, identities that stay in `kept-identities`,
# and the IDs of deleted resources of the resource group in `going-ids`.

# destroy_identities_step: the identities of the package, and all others that it owns, with their role assignments.
destroy_identities_step() {
  while IFS= read -r one_other <&5; do
    find_identity "$one_other" || continue
    if [ "$(owner "$identity_json")" = own ]; then
      keep_name "$(principal_of "$identity_json")" going
      json text "$identity_json" id | lowercase >>"$work/going-ids"
      change remove "managed identity $one_other" erase_identity "$one_other"
    elif is_in "$one_other" own-identities; then
      line kept "managed identity $one_other: the package does not own it"
      keep_name "$one_other" kept-identities
    fi
  done 5<"$work/live/identities/names"
  each_identity destroy_orphans
}

# destroy_orphans: the assignments of a deleted identity, see orphans_step.
destroy_orphans() {
  if is_in "$(print_identity)" kept-identities; then return 0; fi
  while read -r file guid assigned scope <&4; do
    while read -r found_guid found_principal found_role found_scope <&6; do
      if [ "$found_guid $found_role $found_scope" != "$guid $assigned $scope" ] || is_in "$found_principal" going; then
        continue
      fi
      keep_name "$found_principal" orphans
      change remove "managed identity $identity_name: role $(said_role "$assigned") at $scope, of the deleted principal $found_principal" \
        erase_assignment "$scope" "$guid"
    done 6<"$work/assignments"
  done 4<"$wanted_assignments"
  if [ -f "$work/orphans" ]; then cat -- "$work/orphans" >>"$work/going"; fi
}

destroy_roles_step() {
  while IFS= read -r one_other <&5; do
    find_role "$one_other" || continue
    if [ "$(role_owner)" != own ]; then
      ! is_in "$one_other" own-roles || line kept "role $(role_name): the package does not own it"
    elif role_users "$one_other"; then
      line kept "role $(role_name): it is assigned to $(sed -n 1p "$work/users")"
    else
      change remove "role $(role_name)" erase_role "$one_other"
    fi
  done 5<"$work/live/roles/once"
}

# destroy_accounts_step: the storage accounts of the issuer and of its previous ones. They go when no identity remains that
# could trust the next owner of their names.
destroy_accounts_step() {
  while IFS= read -r one_other <&5; do
    destroy_account "$one_other"
  done 5<"$work/live/accounts/names"
}

# destroy_account NAME
destroy_account() {
  find_account "$1"
  if [ "$(owner "$account_json")" != own ]; then
    [ "$1" != "$storage_account" ] || line kept "storage account $1: the package does not own it"
    return 0
  fi
  if other_containers "$1"; then
    line kept "storage account $1: it has the container $(sed -n 1p "$work/other-containers"), which the package does not have"
    return 0
  fi
  require_identities_gone "storage account $1"
  if trusted_by_others "$1"; then
    line kept "storage account $1: the managed identity $one_identity, which the package does not own, trusts its issuer"
    return 0
  fi
  json text "$account_json" id | lowercase >>"$work/going-ids"
  change remove "storage account $1" erase_account "$1"
}

# trusted_by_others ACCOUNT: whether an identity of the group that the package does not own trusts an issuer in the account.
# Sets `one_identity` to its name.
trusted_by_others() {
  while IFS= read -r one_identity <&6; do
    if ! find_identity "$one_identity" || [ "$(owner "$identity_json")" = own ]; then continue; fi
    case $one_identity in *[!a-z0-9_-]*) die "a managed identity has the name $one_identity, whose credentials this script cannot read" ;; esac
    read_list other-credentials.json \
      "$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities/$one_identity/federatedIdentityCredentials?api-version=$identity_api"
    json credentials "$work/live/other-credentials.json" | cut -f 2 >"$work/other-credentials"
    ! grep -q -e "^https://$1\\.blob\\." "$work/other-credentials" || return 0
  done 6<"$work/live/identities/names"
  return 1
}

# require_identities_gone WHAT
require_identities_gone() {
  if [ "$mode" = apply ]; then
    wait_until "managed identities of the package still exist, so the $1 is kept" identities_are_gone
  fi
  if [ -s "$work/kept-identities" ]; then
    die "the $1 is kept, because the managed identity $(sed -n 1p "$work/kept-identities") still exists and could trust the next owner of the name. Delete the managed identity first"
  fi
}

# identities_are_gone: reads the list again.
identities_are_gone() {
  read_list identities.json "$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities?api-version=$identity_api"
  keep_list identities
  while IFS= read -r some_identity <&6; do
    find_identity "$some_identity" || continue
    [ "$(owner "$identity_json")" != own ] || return 1
  done 6<"$work/live/identities/names"
}

# destroy_group_step: the resource group, if the package created it and it is empty. The group of the cluster is never deleted.
destroy_group_step() {
  if is_there install-group.json && [ "$(owner "$work/live/install-group.json")" = own ]; then
    line kept "resource group $(json text "$work/live/install-group.json" name): it is the cluster's"
  fi
  is_there oidc-group.json || return 0
  if [ "$(owner "$work/live/oidc-group.json")" != own ]; then
    line kept "resource group $oidc_group: the package did not create it"
    return 0
  fi
  ask "$absent" rest --method get --url "$group_id/resources?api-version=$group_api" || return 0
  next=$(json next "$work/answer")
  json items "$work/answer" value id | sed -n 'p;n' | lowercase >"$work/names"
  while IFS= read -r one <&4; do
    if is_in "$one" going-ids; then continue; fi
    line kept "resource group $oidc_group: it contains $one"
    return 0
  done 4<"$work/names"
  if [ -n "$next" ]; then
    line kept "resource group $oidc_group: it contains other resources"
    return 0
  fi
  change remove "resource group $oidc_group" erase_group
}

erase_group() {
  send_unless "$absent" rest --method delete --url "$group_id?api-version=$group_api" || return 0
  wait_until "resource group $oidc_group still exists" group_is_gone
}

group_is_gone() {
  ! ask "$absent" rest --method get --url "$group_id?api-version=$group_api"
}
