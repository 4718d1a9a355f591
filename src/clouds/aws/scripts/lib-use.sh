# shellcheck shell=sh
# What still uses what is deleted, and what must be live before a former issuer goes.

# require_own_issuer: for --previous. The package's own issuer must be in the cloud as the package says, and its roles must
# trust it; otherwise the former issuers are what the cluster lives on.
require_own_issuer() {
  previous=1
  previous_issuer || return 0
  [ -n "$provider" ] ||
    die "--previous: the package's own issuer is not known yet, so that the cluster still lives on the former one. Run apply.sh, write the domain that it prints into the configuration, render, export and apply; nothing was deleted"
  asked_mode=$mode
  mode=status
  quiet=yes
  own_issuer_steps
  read_roles
  each_role trusting_step
  mode=$asked_mode
  quiet=no
  [ "$((changes + refusals))" -eq 0 ] ||
    die "--previous: the cloud does not have the package's own issuer as the package says (see above), so that the cluster may still live on the former one. Run apply.sh first; nothing was deleted"
  if [ -f "$here/issuer/create-distribution-with-tags.json" ]; then
    [ "$(json text "$work/distribution" Distribution/Status)" = Deployed ] ||
      die "--previous: distribution $distribution is not deployed everywhere yet; run the same again in some minutes. Nothing was deleted"
  fi
  require_documents
}

# require_documents: own_issuer_steps has looked at those in the package's bucket. Those that are hosted elsewhere are not
# for the AWS CLI to read, so that a person has to say that they are published.
require_documents() {
  host=${provider#*:oidc-provider/}
  if [ -f "$here/issuer/create-bucket.json" ]; then
    [ "$documents_checked" = no ] ||
      line note "documents of $host: this script looked at them itself; --documents-checked is not needed"
    return 0
  fi
  [ "$documents_checked" = yes ] ||
    die "--previous: the documents of $host are hosted elsewhere, and this script does not look at them, so that the cluster may still live on the former issuer. Check them with ccf check-issuer --package DIR, where DIR is this export; when it exits with 0, give --documents-checked, too. Nothing was deleted"
  line note "documents of $host: they are hosted elsewhere, and were checked, as --documents-checked says"
}

# trusting_step: whether the role is there, and trusts who the package says.
trusting_step() {
  if find_role "$role"; then trust_step; else change create "role $role" :; fi
}

# role_use NAME FILE: says when AWS last saw a use of the role.
role_use() {
  role_used=$(json text "$2" RoleLastUsed/LastUsedDate)
  [ -z "$role_used" ] ||
    line note "role $1 was last used at $role_used in $(json text "$2" RoleLastUsed/Region): what uses it loses its credentials"
}

# users_of_provider ARN: says which roles trust it that are not deleted, and do not trust the package's own provider.
users_of_provider() {
  users_filter="contains(to_string(AssumeRolePolicyDocument), '\"$1\"')"
  [ "$1" = "$provider" ] || [ -z "$provider" ] ||
    users_filter="$users_filter && !contains(to_string(AssumeRolePolicyDocument), '\"$provider\"')"
  ask '' iam list-roles --query "Roles[?$users_filter].RoleName"
  json text "$work/answer" . >"$work/candidates"
  while IFS= read -r one <&3; do
    if [ ! -f "$work/going" ] || ! grep -F -x -q -e "$one" "$work/going"; then
      line note "role $one trusts the provider ${1#*:oidc-provider/}, and is not deleted: what uses it loses its credentials"
    fi
  done 3<"$work/candidates"
}
