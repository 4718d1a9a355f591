# shellcheck shell=sh
# What still uses the resources to delete, and what must work before a previous issuer is deleted.

# require_own_issuer: for --previous. The package's own issuer must match the package, and the roles must trust it.
# Otherwise the cluster still depends on the previous issuers.
require_own_issuer() {
  previous=1
  previous_issuer || return 0
  [ -n "$provider" ] ||
    die "--previous: the package's own issuer is not known yet, so the cluster still depends on the previous one. Run apply.sh, add the domain that it prints to the configuration, then render, export and apply. Nothing was deleted"
  asked_mode=$mode
  mode=status
  quiet=yes
  own_issuer_steps
  read_roles
  each_role trusting_step
  mode=$asked_mode
  quiet=no
  [ "$((changes + refusals))" -eq 0 ] ||
    die "--previous: the package's own issuer does not match the package (see above), so the cluster may still depend on the previous one. Run apply.sh first. Nothing was deleted"
  if [ -f "$here/issuer/create-distribution-with-tags.json" ]; then
    [ "$(json text "$work/distribution" Distribution/Status)" = Deployed ] ||
      die "--previous: distribution $distribution is not deployed everywhere yet; run the same command again in a few minutes. Nothing was deleted"
  fi
  require_documents
}

# require_documents: own_issuer_steps has checked the documents in the package's bucket. The AWS CLI cannot read documents
# that are hosted elsewhere, so the administrator has to confirm that they are published.
require_documents() {
  host=${provider#*:oidc-provider/}
  if [ -f "$here/issuer/create-bucket.json" ]; then
    [ "$documents_checked" = no ] ||
      line note "documents of $host: this script checked them; --documents-checked is not needed"
    return 0
  fi
  [ "$documents_checked" = yes ] ||
    die "--previous: the documents of $host are hosted elsewhere, and this script does not check them, so the cluster may still depend on the previous issuer. Check them with ccf check-issuer --package DIR, where DIR is this export. If it exits with 0, add --documents-checked. Nothing was deleted"
  line note "documents of $host: they are hosted elsewhere; --documents-checked confirms that they were checked"
}

# trusting_step: whether the role exists and has the trust policy of the package.
trusting_step() {
  if find_role "$role"; then trust_step; else change create "role $role" :; fi
}

# role_use NAME FILE: prints when the role was last used, according to AWS.
role_use() {
  role_used=$(json text "$2" RoleLastUsed/LastUsedDate)
  [ -z "$role_used" ] ||
    line note "role $1 was last used at $role_used in $(json text "$2" RoleLastUsed/Region): anything that still uses it loses its credentials"
}

# users_of_provider ARN: prints the roles that trust this provider, are not deleted, and do not trust the package's own
# provider.
users_of_provider() {
  users_filter="contains(to_string(AssumeRolePolicyDocument), '\"$1\"')"
  [ "$1" = "$provider" ] || [ -z "$provider" ] ||
    users_filter="$users_filter && !contains(to_string(AssumeRolePolicyDocument), '\"$provider\"')"
  ask '' iam list-roles --query "Roles[?$users_filter].RoleName"
  json text "$work/answer" . >"$work/candidates"
  while IFS= read -r one <&3; do
    if [ ! -f "$work/going" ] || ! grep -F -x -q -e "$one" "$work/going"; then
      line note "role $one trusts the provider ${1#*:oidc-provider/} and is not deleted: anything that uses it loses its credentials"
    fi
  done 3<"$work/candidates"
}
