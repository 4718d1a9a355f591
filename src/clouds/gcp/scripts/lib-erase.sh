# shellcheck shell=sh
# The steps of destroy.sh. What the package owns is found by its description or label, also if the package does not contain
# it.

# destroy_accounts_step: the accounts of the package, and all others that it owns, with their bindings.
destroy_accounts_step() {
  while IFS= read -r one_other <&5; do
    find_account "$one_other" || continue
    if [ "$(account_owner)" = own ]; then
      conditional_notes "$one_other"
      keep_name "$one_other" going
      change remove "service account $one_other" erase_account "$one_other"
    elif is_in "$one_other" own-emails; then
      line kept "service account $one_other: the package does not own it"
      keep_name "$one_other" refused-accounts
    fi
  done 5<"$work/accounts/names"
  each_identity destroy_deleted_members
}

destroy_deleted_members() {
  if ! is_in "$email" refused-accounts; then deleted_members_step; fi
}

# destroy_roles_step: custom roles are kept unless the user asks for more, because Google blocks their IDs.
destroy_roles_step() {
  while IFS= read -r one_other <&5; do
    find_role "$one_other" || continue
    if is_deleted_role; then continue; fi
    if [ "$(role_owner)" != own ]; then
      ! is_in "$one_other" own-roles || line kept "role ${one_other##*/}: the package does not own it"
    elif [ "$delete_roles" = yes ]; then
      role_users "$one_other"
      line warning "role ${one_other##*/}: Google blocks this ID until 37 days after its deletion, and counts it towards the limit of 300 roles"
      change remove "role ${one_other##*/}" erase_role "$one_other"
    else
      line kept "role ${one_other##*/}: it permits nothing unless it is bound; --delete-roles deletes it"
    fi
  done 5<"$work/roles/names"
}

# destroy_pool_step: sets `pool_kept` if a pool remains that could trust the issuer.
destroy_pool_step() {
  pool_kept=''
  describe_pool || return 0
  [ "$(json text "$work/answer" state)" != DELETED ] || return 0
  cp -- "$work/answer" "$work/pool" || die "cannot write to $work"
  find_provider ''
  if [ -n "$provider_there" ] && [ "$(json text "$work/provider" state)" != DELETED ]; then
    if [ "$(provider_owner)" = own ]; then
      change remove "provider $provider" erase_provider "$provider"
    else
      keep_pool "provider $provider: the package does not own it"
    fi
  fi
  each_other_provider destroy_other_provider
  if [ "$(owner "$(json text "$work/pool" description)")" != own ]; then keep_pool "pool $pool: the package does not own it"; fi
  if [ -z "$pool_kept" ]; then
    change remove "pool $pool" erase_pool
  else
    line kept "pool $pool: see above"
  fi
}

destroy_other_provider() {
  if [ "$2" = own ]; then
    change remove "provider $1" erase_provider "$1"
  else
    keep_pool "provider $1: the package does not own it"
  fi
}

# keep_pool REASON
keep_pool() {
  line kept "$1"
  pool_kept=yes
}

# destroy_bucket_step: the bucket of the issuer, also if the package no longer has one.
destroy_bucket_step() {
  erased_bucket=$bucket
  if [ -n "$erased_bucket" ]; then
    find_bucket || return 0
    found=$(json text "$work/bucket" projectNumber)
    if [ "$found" != "$number" ] || [ "$(bucket_owner)" != own ]; then
      line kept "bucket $bucket: the package does not own it"
      return 0
    fi
  else
    find_former_bucket || return 0
  fi
  [ -z "$pool_kept" ] ||
    die "the bucket $bucket is kept, because the pool $pool still exists and could trust the next owner of the bucket's name. Delete the pool first"
  change remove "bucket $bucket" erase_bucket
  bucket=$erased_bucket
}
