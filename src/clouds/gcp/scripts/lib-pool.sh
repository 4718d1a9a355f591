# shellcheck shell=sh
# The workload identity pool and its provider, through which Google trusts the issuer.
#
# The subjects of tokens belong to the pool, not to a provider. So a pool is for one cluster, and every provider in it is
# the package's.

# pool_step: returns 1 if identities would trust what the package does not own.
pool_step() {
  cd -- "$here/issuer"
  if ! describe_pool; then
    change create "pool $pool" create_pool
    change create "provider $provider" create_provider
    return 0
  fi
  cp -- "$work/answer" "$work/pool" || die "cannot write to $work"
  may_take "$pool" "pool $pool" "$(owner "$(json text "$work/pool" description)")" "$own_description" || return 1
  pool_state=$(json text "$work/pool" state)
  if [ "$pool_state" = DELETED ]; then
    # The providers in the pool would return with it.
    if find_provider "$absent|$unready" && ! other_providers_step; then return 1; fi
    change create "pool $pool, which was deleted, with its provider" restore_pool
    [ "$mode" = apply ] || return 0
    fresh=yes
  elif [ "$pool_state" != ACTIVE ] && [ "$mode" = apply ]; then
    wait_until "pool $pool is still not active" pool_has_state ACTIVE
  fi
  settings "$work/pool" . >"$work/found"
  settings pool.json . >"$work/wanted"
  if compare; then
    [ "$fresh" = yes ] || line same "pool $pool"
  else
    change change "pool $pool: settings" change_pool
    differences
  fi
  fresh=no
  provider_step
}

create_pool() {
  if send_unless "$present" iam workload-identity-pools create "$pool" --location=global \
    --display-name="$(text pool.json displayName)" --description="$(text pool.json description)"; then
    wait_until "pool $pool is still not active" pool_is_current
  else
    wait_until "pool $pool is still not active" pool_has_state ACTIVE
    [ "$(owner "$(json text "$work/answer" description)")" = own ] || created_elsewhere "pool $pool"
    pool_is_current || change_pool
  fi
}

change_pool() {
  send iam workload-identity-pools update "$pool" --location=global --no-disabled \
    --display-name="$(text pool.json displayName)" --description="$(text pool.json description)"
  wait_until "pool $pool is still changing" pool_is_current
}

# restore_pool: the provider returns with the keys that it had. So it is changed immediately, before anything else can fail.
restore_pool() {
  send_unless "$unready" iam workload-identity-pools undelete "$pool" --location=global || :
  wait_until "pool $pool is still deleted" pool_has_state ACTIVE
  find_provider ''
  if [ -z "$provider_there" ]; then
    create_provider
  elif [ "$(provider_owner)" = own ] || { [ "$(provider_owner)" = none ] && is_adopted "$provider"; }; then
    restore_provider
  fi
}

describe_pool() {
  ask "$absent" iam workload-identity-pools describe "$pool" --location=global
}

# pool_has_state STATE: DELETED is also the state of a pool that does not exist.
pool_has_state() {
  if describe_pool; then [ "$(json text "$work/answer" state)" = "$1" ]; else [ "$1" = DELETED ]; fi
}

# pool_is_current: whether Google shows the pool as in the package. It does not change the files of compare.
pool_is_current() {
  pool_has_state ACTIVE || return 1
  settings "$work/answer" . | sort >"$work/now"
  settings pool.json . | sort >"$work/then"
  cmp -s "$work/now" "$work/then"
}

created_elsewhere() {
  die "another program has created the $1; it is not touched. Run the same command again"
}

# ---- The provider.

# find_provider ERRORS: returns 1 if the providers cannot be listed because of one of the errors. Sets `provider_there` to
# "yes", or to nothing. The provider is in $work/provider, the names of all others
# that are not deleted in $work/other-providers, and their owners in $work/other-owners, one line each.
find_provider() {
  provider_there=''
  ask "$1" iam workload-identity-pools providers list --location=global --workload-identity-pool="$pool" --show-deleted ||
    return 1
  json items "$work/answer" . name >"$work/items"
  : >"$work/other-providers"
  : >"$work/other-owners"
  while IFS= read -r one <&3 && IFS= read -r item <&3; do
    printf '%s\n' "$item" >"$work/one-provider"
    if [ "${one##*/}" = "$provider" ]; then
      provider_there=yes
      cp -- "$work/one-provider" "$work/provider" || die "cannot write to $work"
    elif [ "$(json text "$work/one-provider" state)" != DELETED ]; then
      printf '%s\n' "${one##*/}" >>"$work/other-providers"
      owner "$(json text "$work/one-provider" description)" >>"$work/other-owners"
    fi
  done 3<"$work/items"
}

provider_owner() {
  owner "$(json text "$work/provider" description)"
}

# provider_step: returns 1 if the package does not own a provider in the pool.
provider_step() {
  find_provider ''
  if [ -z "$provider_there" ]; then
    change create "provider $provider" create_provider
  else
    may_take "$provider" "provider $provider" "$(provider_owner)" "$own_description" || return 1
    if [ "$(json text "$work/provider" state)" = DELETED ]; then
      change create "provider $provider, which was deleted" restore_provider
    else
      provider_settings_step
    fi
  fi
  each_other_provider extra_provider
  other_providers_step
}

provider_settings_step() {
  if [ "$mode" = apply ] && [ "$(json text "$work/provider" state)" != ACTIVE ]; then
    wait_until "provider $provider is still not active" provider_has_state "$provider" ACTIVE
  fi
  compare_provider || :
  if lacks_keys; then
    read_provider_again
    compare_provider || :
  fi
  if compare; then
    line same "provider $provider"
    return 0
  fi
  change change "provider $provider: settings" change_provider
  differences
}

# compare_provider: whether the provider is as in the package.
compare_provider() {
  json provider "$work/provider" . >"$work/found"
  wanted_provider >"$work/wanted"
  compare
}

wanted_provider() {
  json provider provider.json .
  if [ "$key_storage" = PoolJWKFile ]; then json keys keys.json .; fi
}

# provider_is_current: whether Google shows the provider as in the package. It does not change the files of compare.
provider_is_current() {
  provider_has_state "$provider" ACTIVE || return 1
  json provider "$work/answer" . | sort -u >"$work/now"
  wanted_provider | sort -u >"$work/then"
  cmp -s "$work/now" "$work/then"
}

# provider_has_state ID STATE: DELETED is also the state of a provider that does not exist.
provider_has_state() {
  if describe_provider "$1"; then [ "$(json text "$work/answer" state)" = "$2" ]; else [ "$2" = DELETED ]; fi
}

describe_provider() {
  ask "$absent" iam workload-identity-pools providers describe "$1" --location=global --workload-identity-pool="$pool"
}

# lacks_keys: the list of providers may lack the keys, which can be long. With a bucket, keys in the provider would be used
# instead of those in the bucket, so a provider without keys is read again, too.
lacks_keys() {
  ! grep -q '^key ' "$work/found"
}

read_provider_again() {
  if describe_provider "$provider"; then cp -- "$work/answer" "$work/provider" || die "cannot write to $work"; fi
}

create_provider() {
  set_provider create-oidc
}

change_provider() {
  set_provider update-oidc
}

restore_provider() {
  if [ "$(json text "$work/provider" state)" = DELETED ]; then
    send_unless "$unready" iam workload-identity-pools providers undelete "$provider" --location=global \
      --workload-identity-pool="$pool" || :
    wait_until "provider $provider is still deleted" provider_has_state "$provider" ACTIVE
  fi
  set_provider update-oidc
}

# set_provider VERB: creates or changes the provider, with all settings of the package.
set_provider() {
  provider_verb=$1
  set -- iam workload-identity-pools providers "$1" "$provider" --location=global --workload-identity-pool="$pool" \
    --display-name="$(text provider.json displayName)" --description="$(text provider.json description)" \
    --issuer-uri="$(text provider.json oidc/issuerUri)" --allowed-audiences="$(audiences)" \
    --attribute-mapping="$(json fields provider.json attributeMapping | tr '\n' ',' | sed 's/,$//')"
  provider_condition=$(text provider.json attributeCondition)
  # A flag without a value clears the setting.
  if [ -n "$provider_condition" ] || [ "$provider_verb" = update-oidc ]; then
    set -- "$@" --attribute-condition="$provider_condition"
  fi
  [ "$provider_verb" != update-oidc ] || set -- "$@" --no-disabled
  if [ "$key_storage" = PoolJWKFile ]; then
    set -- "$@" --jwk-json-path=keys.json
  elif [ "$provider_verb" = update-oidc ] && json provider "$work/provider" . | grep -q '^key '; then
    : >"$work/no-keys"
    set -- "$@" --jwk-json-path="$work/no-keys"
  fi
  if send_unless "$present" "$@"; then
    wait_until "provider $provider is still changing" provider_is_current
  else
    wait_until "provider $provider is still not active" provider_has_state "$provider" ACTIVE
    [ "$(owner "$(json text "$work/answer" description)")" = own ] || created_elsewhere "provider $provider"
    cp -- "$work/answer" "$work/provider" || die "cannot write to $work"
    provider_is_current || set_provider update-oidc
  fi
}

# audiences: as the value of a gcloud flag. An audience may contain the comma that separates them (gcloud topic escaping).
audiences() {
  text provider.json oidc/allowedAudiences >"$work/audiences"
  if grep -q -e , -e '^^' "$work/audiences"; then
    if grep -q -F -e '~;~' "$work/audiences"; then die 'an audience cannot contain both a comma and "~;~"'; fi
    printf '^~;~^'
    sed 's/$/~;~/' "$work/audiences" | tr -d '\n' | sed 's/~;~$//'
  else
    tr '\n' ',' <"$work/audiences" | sed 's/,$//'
  fi
}

# each_other_provider COMMAND: runs COMMAND with the ID and the owner of each other provider in the pool.
each_other_provider() {
  while IFS= read -r one_other <&5 && IFS= read -r one_owner <&6; do
    "$1" "$one_other" "$one_owner"
  done 5<"$work/other-providers" 6<"$work/other-owners"
}

# other_providers_step: other providers in the pool. Their tokens would have the same subjects as the cluster's. Returns 1 if
# the package does not own one of them.
other_providers_step() {
  foreign_provider=no
  each_other_provider refuse_foreign_provider
  [ "$foreign_provider" = no ]
}

refuse_foreign_provider() {
  [ "$2" != own ] || return 0
  refuse "pool $pool: it contains the provider $1, which the package does not own. Its tokens would be trusted like the cluster's. Delete that provider, or set spec.platform.gcp.pool to another name"
  foreign_provider=yes
}

extra_provider() {
  [ "$2" != own ] || extra "provider $1" erase_provider "$1"
}

# erase_provider ID
erase_provider() {
  send_unless "$absent|$unready" iam workload-identity-pools providers delete "$1" --location=global \
    --workload-identity-pool="$pool" || :
  wait_until "provider $1 still exists" provider_has_state "$1" DELETED
}

erase_pool() {
  send_unless "$absent|$unready" iam workload-identity-pools delete "$pool" --location=global || :
  wait_until "pool $pool still exists" pool_has_state DELETED
}
