# shellcheck shell=sh
# Deletes an issuer: first its provider, so that IAM no longer trusts it, then the resources that host its documents.

# destroy_issuer_step: the package's own issuer.
destroy_issuer_step() {
  [ -z "$provider" ] || erase_provider_step "$provider"
  bucket=''
  if [ -f "$here/issuer/create-bucket.json" ]; then bucket=$(json text "$here/issuer/create-bucket.json" Bucket); fi
  if [ -f "$here/issuer/create-distribution-with-tags.json" ]; then
    origin=$(json text "$here/issuer/create-distribution-with-tags.json" \
      DistributionConfigWithTags/DistributionConfig/Origins/Items/1/DomainName)
    erase_distributions_step "Origins.Items[?DomainName=='$origin']"
    erase_access_control_step "$(json text "$here/issuer/create-origin-access-control.json" OriginAccessControlConfig/Name)"
  fi
  [ -z "$bucket" ] || erase_bucket_step "$provider"
}

# destroy_previous_step: the issuers that the cluster has moved away from. Resources that the package's own issuer also
# uses are not deleted here: a bucket that is used again, or a distribution that got a custom domain.
destroy_previous_step() {
  previous=1
  while previous_issuer; do
    if [ "$previous_arn" = "$provider" ]; then
      keep_for_own "provider ${provider#*:oidc-provider/}: it is the package's own"
    else
      erase_provider_step "$previous_arn"
    fi
    previous=$((previous + 1))
  done
  # Two previous issuers may share a bucket, so all providers are deleted before the first bucket.
  previous=1
  while previous_issuer; do
    bucket=$(json text "$here/cluster.json" "previousIssuers/$previous/bucket")
    previous_domain=$(json text "$here/cluster.json" "previousIssuers/$previous/domain")
    if [ -n "$bucket" ]; then erase_previous_bucket; fi
    if [ -n "$previous_domain" ]; then erase_previous_distribution "$previous_domain"; fi
    previous=$((previous + 1))
  done
}

# erase_previous_distribution DOMAIN: finds the distribution by its domain, either CloudFront's or a custom one. Only the
# distribution names its bucket, so it is deleted last: after an interruption, the next run finds the rest.
erase_previous_distribution() {
  find_distribution "DomainName=='$1' || contains(Aliases.Items || \`[]\`, '$1')"
  [ -n "$distribution" ] || return 0
  require_gone "$previous_arn" "distribution $distribution"
  bucket=$(json text "$work/distribution" Distribution/DistributionConfig/Origins/Items/1/DomainName)
  bucket=${bucket%%.*}
  if [ -f "$here/issuer/create-distribution-with-tags.json" ] && is_own_bucket; then
    keep_for_own "distribution $distribution: the package's own issuer uses it"
    return 0
  fi
  if [ "$mode" = apply ]; then disable_distribution; fi
  erase_access_control_step "$bucket"
  erase_previous_bucket
  change remove "distribution $distribution" delete_distribution
}

erase_previous_bucket() {
  if is_own_bucket; then keep_for_own "bucket $bucket: the package's own issuer uses it"; else erase_bucket_step "$previous_arn"; fi
}

# is_own_bucket: whether the package's own issuer has its documents in the bucket of a previous one.
is_own_bucket() {
  [ -f "$here/issuer/create-bucket.json" ] && [ "$(json text "$here/issuer/create-bucket.json" Bucket)" = "$bucket" ]
}

# keep_for_own TEXT: with --previous, the resource is kept. Without it, the steps of the package's own issuer delete it.
keep_for_own() {
  [ "$only_previous" = no ] || line kept "$1"
}

# erase_provider_step ARN: deletes the provider if it has the owner tag, and confirms that it is gone.
erase_provider_step() {
  ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$1" || return 0
  if [ "$(owner "$work/answer" Tags)" = own ]; then
    users_of_provider "$1"
    change remove "provider ${1#*:oidc-provider/}" erase_provider "$1"
  else
    line kept "provider ${1#*:oidc-provider/}: it has no owner tag"
    printf '%s\n' "$1" >>"$work/kept-providers"
  fi
}

erase_provider() {
  erase NoSuchEntity iam delete-open-id-connect-provider --open-id-connect-provider-arn "$1"
  provider_tries=1
  while ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$1"; do
    [ "$provider_tries" -lt 10 ] || die "the provider $1 still exists after it was deleted; run the same command again later"
    sleep "${CCF_WAIT:-2}"
    provider_tries=$((provider_tries + 1))
  done
}

# erase_distributions_step FILTER: more than one distribution may have the owner tag.
erase_distributions_step() {
  own_distributions "$1"
  while IFS= read -r distribution <&4; do
    read_distribution || continue
    require_gone "$provider" "distribution $distribution"
    change remove "distribution $distribution" erase_distribution
  done 4<"$work/own-distributions"
}

erase_access_control_step() {
  find_access_control "$1"
  [ -n "$access_control" ] || return 0
  if [ "$(json text "$work/answer" 1/Description)" = "$owner_tag" ]; then
    change remove "origin access control $1" erase_access_control
  else
    line kept "origin access control $1: its description is not the owner tag"
  fi
}

# erase_bucket_step ARN: deletes the bucket, if the provider with that ARN is gone.
erase_bucket_step() {
  find_bucket || return 0
  tags_of_bucket
  if [ "$(owner "$work/bucket-tags" TagSet)" != own ]; then
    line kept "bucket $bucket: it has no owner tag"
    return 0
  fi
  require_gone "$1" "bucket $bucket"
  change remove "bucket $bucket" erase_bucket
}

# require_gone ARN WHAT: the resources of an issuer are deleted only after the provider with that ARN is gone. If the mode
# deletes nothing, a provider with the owner tag counts as gone.
require_gone() {
  [ -n "$1" ] || return 0
  if [ "$mode" = apply ]; then
    ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$1" || return 0
  else
    [ -f "$work/kept-providers" ] && grep -F -x -q -e "$1" "$work/kept-providers" || return 0
  fi
  die "the $2 is kept, because the provider $1 still exists and would trust the next owner of the name. Delete the provider first"
}
