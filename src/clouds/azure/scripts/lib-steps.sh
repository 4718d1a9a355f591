# shellcheck shell=sh
# The steps of apply.sh and status.sh, in their order: the issuer comes before the identities that trust it.

# read_everything: what the steps compare. Documents and credentials are read only if the account and the identities exist.
read_everything() {
  read_cloud
  look_at_documents
  each_identity look_at_credentials
  wait_jobs
  each_identity complete_credentials
}

# check_everything: what would stop the steps later is found before anything is written.
check_everything() {
  check_group oidc-group.json
  check_group install-group.json
  if [ -n "$storage_account" ] && is_there storage-account.json; then
    fixed_differences "$storage_account" "storage account $storage_account" "$here/issuer/storage-account.json" "$work/live/storage-account.json"
  fi
  each_identity check_identity
  data_role_before
}

check_identity() {
  if find_identity "$identity_name"; then
    fixed_differences "$identity_name" "managed identity $identity_name" managed-identity.json "$identity_json"
  fi
}

# fixed_differences NAME TEXT FILE ANSWER: what Azure cannot change. A resource of someone else is refused later: see may_take.
fixed_differences() {
  case $(owner "$4") in
    own) ;;
    none) is_adopted "$1" || return 0 ;;
    *) return 0 ;;
  esac
  json fixed "$3" "$4" >"$work/fixed"
  while IFS=$tab read -r one_field one_found one_wanted <&4; do
    if [ "$mode" = status ]; then
      refuse "$2: its $one_field is $one_found, but the package has $one_wanted, and Azure cannot change it"
    else
      die "the $2 has the $one_field $one_found, but the package has $one_wanted, and Azure cannot change it. Nothing was changed. Delete it, or use another name"
    fi
  done 4<"$work/fixed"
}

# identity_steps: each kind for all identities, so that Azure knows roles and principals everywhere when they are assigned.
identity_steps() {
  each_identity role_step
  each_identity identity_step
  each_identity credentials_step
  each_identity assignments_step
  late_removals_step
  other_identities_step
  other_roles_step
  other_accounts_step
}

other_identities_step() {
  while IFS= read -r one_other <&5; do
    if is_in "$one_other" own-identities || ! find_identity "$one_other" || [ "$(owner "$identity_json")" != own ]; then
      continue
    fi
    keep_name "$(principal_of "$identity_json")" going
    extra "managed identity $one_other" erase_identity "$one_other"
  done 5<"$work/live/identities/names"
}

other_roles_step() {
  while IFS= read -r one_other <&5; do
    if is_in "$one_other" own-roles || is_in "$one_other" refused-roles || ! find_role "$one_other" ||
      [ "$(role_owner)" != own ]; then
      continue
    fi
    if role_users "$one_other"; then
      line note "role $(role_name) with the ID $one_other has the owner of this package but is not in it; it is not touched, because it is assigned to $(sed -n 1p "$work/users")"
    else
      extra "role $(role_name)" erase_role "$one_other"
    fi
  done 5<"$work/live/roles/once"
}

# other_accounts_step: the storage account of an issuer that the cluster no longer has.
other_accounts_step() {
  while IFS= read -r one_other <&5; do
    if [ "$one_other" = "$storage_account" ] || is_previous_account "$one_other"; then continue; fi
    find_account "$one_other"
    [ "$(owner "$account_json")" = own ] || continue
    if [ "$prune" = yes ]; then
      if other_containers "$one_other"; then
        line note "storage account $one_other has the owner of this package but is not in it; it is not removed, because it has the container $(sed -n 1p "$work/other-containers")"
        continue
      fi
      line note "storage account $one_other: after its deletion, others can take its name. No managed identity of the package trusts its issuer, but a program elsewhere may"
    fi
    extra "storage account $one_other" erase_account "$one_other"
  done 5<"$work/live/accounts/names"
}

# is_previous_account NAME: whether a previous issuer of the package is in the account.
is_previous_account() {
  json text "$here/cluster.json" previousIssuers | grep -q -e "^https://$1\\.blob\\."
}

# check_flags: checks that the values of flags name something that exists.
check_flags() {
  {
    [ -z "$storage_account" ] || printf '%s\n' "$storage_account"
    each_identity print_names
  } >"$work/names"
  check_adopt 'managed identity, role or storage account'
  check_prune identities 'managed identity'
}

print_names() {
  printf '%s\n' "$identity_name"
  [ -z "$role" ] || json text role-definition.json body/properties/roleName
}
