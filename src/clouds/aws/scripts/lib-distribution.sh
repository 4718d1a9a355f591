# shellcheck shell=sh
# What publishes a private bucket: an origin access control and a CloudFront distribution.
#
# AWS chooses the IDs of both. If the input of a call needs an ID, this file checks its characters and inserts it. Users
# never enter one.

# distribution_step: returns 1 if the distribution does not exist (yet). Its ID and domain are in `distribution` and
# `domain`.
distribution_step() {
  cd -- "$here/issuer"
  distribution_changes=$changes
  access_control_step || return 1
  origin=$(json text create-distribution-with-tags.json \
    DistributionConfigWithTags/DistributionConfig/Origins/Items/1/DomainName)
  named_distribution || find_distribution "Origins.Items[?DomainName=='$origin']"
  if [ -z "$distribution" ]; then
    expected=$(json text "$here/cluster.json" distributionDomain)
    if [ -n "$expected" ]; then
      refuse "distribution: the distribution with the domain $expected does not exist, and a new one would get another domain. Remove distributionDomain from the configuration, then render, export and apply"
      return 1
    fi
    change create "distribution for the bucket $bucket" create_distribution
    [ "$mode" = apply ] || return 0
    fresh=yes
  fi
  json tags "$work/tags-answer" Tags/Items >"$work/found"
  json tags create-distribution-with-tags.json DistributionConfigWithTags/Tags/Items >"$work/wanted"
  if lacks; then
    change change "distribution $distribution: tags" send cloudfront tag-resource --resource "$(distribution_arn)" \
      --tags "{\"Items\": $(json overlay create-distribution-with-tags.json DistributionConfigWithTags/Tags/Items /dev/null nothing)}"
    missing_lines
  fi
  distribution_input
  settings "$work/distribution" Distribution/DistributionConfig >"$work/found"
  settings "$work/distribution-input" DistributionConfigWithTags/DistributionConfig >"$work/wanted"
  if lacks; then
    change change "distribution $distribution: settings" change_distribution
    missing_lines
  fi
  check_domain
  [ "$bucket_made" = no ] || fresh=yes
  bucket_policy_of_distribution
  fresh=no
  [ "$changes" -ne "$distribution_changes" ] || line same "distribution $distribution"
}

# ---- The access control. It cannot have tags, so its description is the owner tag.

access_control_step() {
  name=$(json text create-origin-access-control.json OriginAccessControlConfig/Name)
  find_access_control "$name"
  if [ -z "$access_control" ]; then
    change create "origin access control $name" \
      send cloudfront create-origin-access-control --cli-input-json file://create-origin-access-control.json
    # No distribution can use it yet.
    access_control=none-yet
    [ "$mode" = apply ] || return 0
    access_control=$(json text "$work/sent" OriginAccessControl/Id)
    check_id "$access_control"
    return 0
  fi
  json fields "$work/answer" 1 | grep -v '^Id=' >"$work/found"
  json fields create-origin-access-control.json OriginAccessControlConfig >"$work/wanted"
  case $(json text "$work/answer" 1/Description) in
    "$owner_tag") whose=own ;;
    "${owner_tag%/*}"/*) whose=other ;;
    *) whose=none ;;
  esac
  may_take "$name" "origin access control $name" "$whose" || return 1
  if lacks; then
    change change "origin access control $name" change_access_control
    differences
  fi
}

change_access_control() {
  ask '' cloudfront get-origin-access-control --id "$access_control"
  send cloudfront update-origin-access-control --id "$access_control" \
    --if-match "$(json text "$work/answer" ETag)" --cli-input-json file://create-origin-access-control.json
}

# find_access_control NAME: sets `access_control` to its ID, or to nothing. The access control itself is in $work/answer.
# Names of access controls are unique in an account.
find_access_control() {
  ask '' cloudfront list-origin-access-controls --query "OriginAccessControlList.Items[?Name=='$1']"
  access_control=$(each Id "$work/answer" .)
  [ -z "$access_control" ] || check_id "$access_control"
}

# check_id ID: checks an ID from AWS before it becomes part of an input.
check_id() {
  case $1 in
    '' | *[!A-Z0-9]*) die "AWS returned an invalid ID: $1" ;;
  esac
}

# ---- The distribution.

# named_distribution: the distribution that the bucket policy names, if it is certain to be the issuer's: it has the owner
# tag, the bucket as its origin, and the domain of the package. This avoids listing all distributions. Otherwise it returns
# 1, and the caller searches the list.
named_distribution() {
  [ "$bucket_there/$bucket_made" = yes/no ] || return 1
  chosen_domain=$(json text "$here/cluster.json" distributionDomain)
  alias=$(json text create-distribution-with-tags.json DistributionConfigWithTags/DistributionConfig/Aliases/Items)
  [ -n "$chosen_domain$alias" ] || return 1
  read_bucket_policy
  distribution=$(json policy "$work/bucket-policy-answer" Policy |
    sed -n "s|^.*\"arn:$partition:cloudfront::$account:distribution/\([A-Z0-9][A-Z0-9]*\)\".*\$|\1|p" | sed -n 1p)
  [ -n "$distribution" ] || return 1
  # A policy that was edited by hand may contain any ID.
  call tags-answer 'NoSuchResource InvalidArgument' \
    cloudfront list-tags-for-resource --resource "$(distribution_arn)" || return 1
  [ "$(owner "$work/tags-answer" Tags/Items)" = own ] || return 1
  read_distribution || return 1
  each DomainName "$work/distribution" Distribution/DistributionConfig/Origins/Items |
    grep -F -x -q -e "$origin" || return 1
  if [ -n "$chosen_domain" ]; then
    [ "$domain" = "$chosen_domain" ]
  else
    json text "$work/distribution" Distribution/DistributionConfig/Aliases/Items | grep -F -x -q -e "$alias"
  fi
}

# find_distribution FILTER: finds the distribution that matches the filter and has the owner tag. Its ID is in
# `distribution`, its domain in `domain`, its description by AWS in $work/distribution, its tags in $work/tags-answer.
find_distribution() {
  distribution=''
  domain=''
  own_distributions "$1"
  [ -s "$work/own-distributions" ] || return 0
  distribution=$(cat "$work/own-distributions")
  case $distribution in
    *"$newline"*) choose_distribution ;;
    *) read_distribution || distribution='' ;;
  esac
}

# choose_distribution: if more than one distribution has the owner tag, selects the one with the package's domain.
choose_distribution() {
  chosen_domain=$(json text "$here/cluster.json" distributionDomain)
  while IFS= read -r distribution <&3; do
    if read_distribution && [ "$domain" = "$chosen_domain" ]; then return 0; fi
  done 3<"$work/own-distributions"
  die "more than one distribution has the owner tag ($(tr '\n' ' ' <"$work/own-distributions" | sed 's/ $//')), and the package does not say which one the issuer uses. Set distributionDomain to its domain, or delete the others"
}

# own_distributions FILTER: writes the IDs of distributions with the owner tag to $work/own-distributions, and the tags of
# the last one to $work/tags-answer.
own_distributions() {
  ask '' cloudfront list-distributions --query "DistributionList.Items[?$1].Id"
  json text "$work/answer" . >"$work/candidates"
  : >"$work/own-distributions"
  while IFS= read -r one <&3; do
    check_id "$one"
    ask NoSuchResource cloudfront list-tags-for-resource --resource "arn:$partition:cloudfront::$account:distribution/$one" ||
      continue
    if [ "$(owner "$work/answer" Tags/Items)" = own ]; then
      cp -- "$work/answer" "$work/tags-answer"
      printf '%s\n' "$one" >>"$work/own-distributions"
    else
      line note "distribution $one: it has the same origin but not the owner tag, so it is not touched"
    fi
  done 3<"$work/candidates"
}

read_distribution() {
  ask NoSuchDistribution cloudfront get-distribution --id "$distribution" || return 1
  take_distribution "$work/answer"
}

# take_distribution FILE: takes the domain from the response of AWS that describes the distribution.
take_distribution() {
  cp -- "$1" "$work/distribution"
  domain=$(json text "$work/distribution" Distribution/DomainName)
  case $domain in
    '' | *[!a-z0-9.-]*) die "AWS returned an invalid domain: $domain" ;;
  esac
}

distribution_arn() {
  printf 'arn:%s:cloudfront::%s:distribution/%s' "$partition" "$account" "$distribution"
}

# distribution_input: inserts the ID of the access control into the package's input.
distribution_input() {
  sed "s/\"OriginAccessControlId\": \"\"/\"OriginAccessControlId\": \"$access_control\"/" \
    create-distribution-with-tags.json >"$work/distribution-input"
}

# settings FILE PATH: the settings of a distribution, without the caller reference, which never changes.
settings() {
  json fields "$1" "$2" | grep -v '^CallerReference='
}

# create_distribution: takes the ID from the response, because AWS may not list the new distribution for a while.
#
# CloudFront creates only one distribution for a caller reference. If the reference was used and its distribution still
# exists, that distribution is the package's, and the response to its creation was lost. If the distribution is gone, the
# next reference is derived from its ID, so that an interrupted run tries the same references again.
create_distribution() {
  distribution_input
  cp -- "$work/distribution-input" "$work/again"
  reference_tries=1
  until call sent DistributionAlreadyExists cloudfront create-distribution-with-tags \
    --cli-input-json "$(cat "$work/again")"; do
    distribution=$(sed -n 's/^.*Already exists: *\([A-Z0-9][A-Z0-9]*\).*$/\1/p' "$work/error" | sed -n 1p)
    [ -n "$distribution" ] ||
      die "CloudFront reports that a distribution for the bucket $bucket already exists, but does not list or name it; run the same command again in a few minutes"
    if is_there; then
      take_own_distribution
      return 0
    fi
    [ "$reference_tries" -lt 20 ] || die "all distributions that were created earlier for the bucket $bucket are gone, but CloudFront does not create another; contact AWS Support"
    reference_tries=$((reference_tries + 1))
    sed "s/\"CallerReference\": \"\([a-z0-9-]*\)\"/\"CallerReference\": \"\1-$distribution\"/" \
      "$work/distribution-input" >"$work/again"
  done
  distribution=$(json text "$work/sent" Distribution/Id)
  check_id "$distribution"
  take_distribution "$work/sent"
  json overlay create-distribution-with-tags.json DistributionConfigWithTags /dev/null nothing >"$work/tags-answer"
}

# is_there: whether the distribution exists. AWS may not know a new distribution everywhere, so it counts as gone only
# after three answers.
is_there() {
  gone_tries=1
  until read_distribution; do
    [ "$gone_tries" -lt 3 ] || return 1
    sleep "${CCF_WAIT:-2}"
    gone_tries=$((gone_tries + 1))
  done
}

# take_own_distribution: uses the distribution that was found by its reference, if it has the owner tag.
take_own_distribution() {
  ask '' cloudfront list-tags-for-resource --resource "$(distribution_arn)"
  [ "$(owner "$work/answer" Tags/Items)" = own ] ||
    die "distribution $distribution was created for the bucket $bucket but no longer has the owner tag, so it is not touched, and no other is created. Tag it with $owner_tag=owned, or delete it"
  cp -- "$work/answer" "$work/tags-answer"
}

# Settings that are not in the package do not change.
change_distribution() {
  sed '/"CallerReference": /d' "$work/distribution-input" >"$work/settings"
  update_distribution "$(json overlay "$work/distribution" Distribution/DistributionConfig \
    "$work/settings" DistributionConfigWithTags/DistributionConfig)"
}

# update_distribution CONFIG
update_distribution() {
  send cloudfront update-distribution --id "$distribution" --if-match "$(json text "$work/distribution" ETag)" \
    --distribution-config "$1"
}

# If the issuer's URL contains a distribution domain, it must be the domain of this distribution.
check_domain() {
  expected=$(json text "$here/cluster.json" distributionDomain)
  if [ -n "$expected" ] && [ "$expected" != "$domain" ]; then
    die "the package expects the distribution domain $expected, but the distribution has $domain; correct spec.platform.aws.issuerHosting.distributionDomain and render again"
  fi
}

# Only this distribution may read the bucket.
bucket_policy_of_distribution() {
  sed "s|:distribution/\"|:distribution/$distribution\"|" bucket-policy.json >"$work/bucket-policy.json"
  bucket_policy_step "$work/bucket-policy.json"
}

# domain_lines: what the administrator has to do with the domain that AWS assigned.
domain_lines() {
  alias=$(json text "$here/issuer/create-distribution-with-tags.json" \
    DistributionConfigWithTags/DistributionConfig/Aliases/Items)
  if [ -n "$alias" ]; then
    line next "DNS: create a CNAME record for $alias that points to $domain"
  elif [ -z "$provider" ]; then
    line next "add this to spec.platform.aws.issuerHosting of the ClusterIdentity, then render, export and apply again:"
    printf '              distributionDomain: %s\n' "$domain"
    line next "to let ccf add it, run: ccf set spec.platform.aws.issuerHosting.distributionDomain=$domain PACKAGE"
  fi
}

# disable_distribution: disables it, detaches its access control, and waits until AWS has done so everywhere. That takes
# minutes.
disable_distribution() {
  json fields "$work/distribution" Distribution/DistributionConfig >"$work/found"
  if grep -q -e '^Enabled=true$' -e '\.OriginAccessControlId=.' "$work/found"; then
    printf '{"Enabled": false}' >"$work/off"
    update_distribution "$(json overlay "$work/distribution" Distribution/DistributionConfig "$work/off" . |
      sed 's/"OriginAccessControlId": "[A-Z0-9]*"/"OriginAccessControlId": ""/g')"
  fi
  waited=0
  while read_distribution && [ "$(json text "$work/distribution" Distribution/Status)" != Deployed ]; do
    [ "$waited" -lt 3600 ] || die "distribution $distribution is still not disabled everywhere; run the same command again later"
    waiting "waiting until distribution $distribution is disabled everywhere ($((waited / 60)) minutes)"
    sleep "$((${CCF_WAIT:-2} * 10))"
    waited=$((waited + 20))
  done
}

delete_distribution() {
  erase NoSuchDistribution cloudfront delete-distribution --id "$distribution" \
    --if-match "$(json text "$work/distribution" ETag)"
}

erase_distribution() {
  disable_distribution
  delete_distribution
}

erase_access_control() {
  ask NoSuchOriginAccessControl cloudfront get-origin-access-control --id "$access_control" || return 0
  erase NoSuchOriginAccessControl cloudfront delete-origin-access-control --id "$access_control" \
    --if-match "$(json text "$work/answer" ETag)"
}
