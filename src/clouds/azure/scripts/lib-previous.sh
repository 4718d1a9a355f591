# shellcheck shell=sh
# Deletes what belongs only to previous issuers: destroy.sh --previous.

# read_previous: writes the previous issuers to $work/previous, one line each.
read_previous() {
  json text "$here/cluster.json" previousIssuers | { grep -v -F -x -e "$issuer" || :; } >"$work/previous"
}

# require_own_issuer: the package's own issuer must match the package, and the identities must trust it. Otherwise the cluster
# still depends on the previous issuers.
require_own_issuer() {
  read_previous
  [ -s "$work/previous" ] || return 0
  asked_mode=$mode
  mode=status
  quiet=yes
  read_everything
  check_group oidc-group.json
  check_group install-group.json
  groups_step
  storage_steps || :
  each_identity trusting_step
  mode=$asked_mode
  quiet=no
  [ "$((changes + refusals))" -eq 0 ] ||
    die "--previous: the package's own issuer does not match the package (see above), so the cluster may still depend on the previous one. Run apply.sh first. Nothing was deleted"
  if [ -n "$storage_account" ]; then
    [ "$documents_checked" = no ] ||
      line note "documents of $issuer: this script checked them; --documents-checked is not needed"
  else
    [ "$documents_checked" = yes ] ||
      die "--previous: the documents of $issuer are hosted elsewhere, and this script does not check them, so the cluster may still depend on the previous issuer. Check them with ccf check-issuer --package DIR, where DIR is this export. If it exits with 0, add --documents-checked. Nothing was deleted"
    line note "documents of $issuer: they are hosted elsewhere; --documents-checked confirms that they were checked"
  fi
}

# trusting_step: whether the identity exists and has the package's credentials for its own issuer.
trusting_step() {
  if ! find_identity "$identity_name" || [ "$(owner "$identity_json")" != own ]; then
    change create "managed identity $identity_name" :
    return 0
  fi
  live_credentials
  cut -f 2- "$work/live-credentials" >"$work/found"
  wanted_credentials
  (export ISSUER="$issuer" && whole awk -F '\t' '$1 == ENVIRON["ISSUER"]' "$work/wanted-credentials") >"$work/wanted" ||
    die 'cannot write a list of credentials'
  if lacks; then
    change change "managed identity $identity_name: federated credentials" :
    missing_lines
  fi
}

# destroy_previous_step: first the trust in the issuers, then what hosts them.
destroy_previous_step() {
  read_everything
  rm -f -- "$work/still-trusted"
  each_identity destroy_previous_credentials
  destroy_other_credentials
  while IFS= read -r one_issuer <&5; do
    destroy_previous_hosting "$one_issuer"
  done 5<"$work/previous"
}

destroy_previous_credentials() {
  if ! find_identity "$identity_name" || [ "$(owner "$identity_json")" != own ]; then return 0; fi
  live_credentials
  while IFS= read -r one <&4; do
    one_name=${one%%"$tab"*}
    one=${one#*"$tab"}
    is_in "${one%%"$tab"*}" previous || continue
    change remove "managed identity $identity_name: federated credential $one_name for $(said_credential "$one")" \
      erase_credential "$(id_of managed-identity.json)" "$one_name"
  done 4<"$work/live-credentials"
}

# destroy_other_credentials: the same for the identities that are not in the package. The issuers that those of others trust are
# in $work/still-trusted: anyone who takes a freed name could use these identities.
destroy_other_credentials() {
  while IFS= read -r one_other <&5; do
    if is_in "$one_other" own-identities || ! find_identity "$one_other"; then continue; fi
    case $one_other in *[!a-z0-9_-]*) die "a managed identity has the name $one_other, whose credentials this script cannot read" ;; esac
    one_id=$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities/$one_other
    read_list other-credentials.json "$one_id/federatedIdentityCredentials?api-version=$identity_api"
    json credentials "$work/live/other-credentials.json" >"$work/other-credentials"
    while IFS= read -r one <&4; do
      one_name=${one%%"$tab"*}
      one=${one#*"$tab"}
      is_in "${one%%"$tab"*}" previous || continue
      one_text="managed identity $one_other: federated credential $one_name for $(said_credential "$one")"
      if [ "$(owner "$identity_json")" = own ]; then
        change remove "$one_text" erase_credential "$one_id" "$one_name"
      else
        line kept "$one_text: the package does not own the identity"
        keep_name "${one%%"$tab"*}" still-trusted
      fi
    done 4<"$work/other-credentials"
  done 5<"$work/live/identities/names"
}

# destroy_previous_hosting URL
destroy_previous_hosting() {
  case $1 in https://*.blob.*/*) ;; *) return 0 ;; esac
  one_container=${1##*/}
  one_account=${1#https://}
  one_account=${one_account%%.*}
  find_account "$one_account" || return 0
  if [ "$(owner "$account_json")" != own ]; then
    line kept "storage account $one_account: the package does not own it"
    return 0
  fi
  if is_in "$1" still-trusted; then
    line kept "storage account $one_account: a managed identity that the package does not own trusts its issuer (see above)"
    return 0
  fi
  one_has_others=no
  if other_containers "$one_account"; then one_has_others=yes; fi
  if [ "$one_account" != "$storage_account" ]; then
    if [ "$one_has_others" = yes ]; then
      line kept "storage account $one_account: it has the container $(sed -n 1p "$work/other-containers"), which the package does not have"
    else
      change remove "storage account $one_account" erase_account "$one_account"
    fi
  elif [ "$one_container" != "$container" ]; then
    ! is_in "$one_container" containers-there ||
      change remove "container $one_container" erase_container "$one_account" "$one_container"
  else
    line kept "storage account $one_account: the package's own issuer uses it"
  fi
}

# erase_container ACCOUNT NAME
erase_container() {
  case $2 in '' | *[!a-z0-9-]*) die "the container $2 has an invalid name" ;; esac
  send_unless "$absent" rest --method delete \
    --url "$group_id/providers/Microsoft.Storage/storageAccounts/$1/blobServices/default/containers/$2?api-version=$storage_api" || :
}
