# shellcheck shell=sh
# The steps of apply.sh and status.sh, in their order: the issuer comes before the identities that trust it.

# issuer_steps: bucket, documents, pool, provider. Returns 1 if identities would trust what the package does not own. A dry
# run stops where the run would. status.sh checks all.
issuer_steps() {
  issuer_result=0
  if [ "$key_storage" = Bucket ]; then
    if bucket_step; then
      documents_step
    else
      [ "$mode" = status ] || return 1
      issuer_result=1
    fi
  fi
  pool_step || issuer_result=1
  return "$issuer_result"
}

# identity_steps: all accounts first, so that Google knows them when they are bound.
identity_steps() {
  read_identities
  each_identity account_step
  each_identity role_step
  each_identity trust_step
  each_identity grants_step
  late_removals_step
  other_accounts_step
  other_roles_step
}

other_accounts_step() {
  while IFS= read -r one_other <&5; do
    if is_in "$one_other" own-emails || ! find_account "$one_other" || [ "$(account_owner)" != own ]; then continue; fi
    conditional_notes "$one_other"
    keep_name "$one_other" going
    extra "service account $one_other" erase_account "$one_other"
  done 5<"$work/accounts/names"
}

other_roles_step() {
  while IFS= read -r one_other <&5; do
    if is_in "$one_other" own-roles || ! find_role "$one_other" || [ "$(role_owner)" != own ] || is_deleted_role; then
      continue
    fi
    if [ "$prune" = yes ]; then role_users "$one_other"; fi
    extra "role ${one_other##*/}" erase_role "$one_other"
  done 5<"$work/roles/names"
}

# check_flags: checks that the values of flags name something that exists. The name of a service account is its ID, with or
# without the rest of its email address.
check_flags() {
  {
    [ -z "$bucket" ] || printf '%s\n' "$bucket"
    printf '%s\n' "$pool" "$provider"
    each_identity print_names
  } >"$work/names"
  check_adopt 'service account, role, pool, provider or bucket'
  adopt=$(printf '%s\n' "$adopt" | sed 's/@.*//')
  check_prune identities 'service account'
}

print_names() {
  printf '%s\n' "$email" "${email%%@*}"
  [ -z "$role" ] || printf '%s\n' "${role##*/}"
}
