# shellcheck shell=sh
# A private bucket's way to the world: an origin access control and a CloudFront distribution.
#
# AWS names both with IDs of its own. Where an input needs one, it is put in here, after a look at what it is made of:
# nobody types one into a file.

# distribution_step: fails when the distribution is not there (yet). Its ID and domain are in `distribution`, `domain`.
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
      refuse "distribution: the one with the domain $expected is not there, and a new one gets another domain. Take distributionDomain out of the configuration, render, export and apply"
      return 1
    fi
    change create "distribution before the bucket $bucket" create_distribution
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

# ---- The access control. It has no tags: its description says whose it is.

access_control_step() {
  name=$(json text create-origin-access-control.json OriginAccessControlConfig/Name)
  find_access_control "$name"
  if [ -z "$access_control" ]; then
    change create "origin access control $name" \
      send cloudfront create-origin-access-control --cli-input-json file://create-origin-access-control.json
    # No distribution can have it yet.
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

# find_access_control NAME: its ID in `access_control`, or nothing; what it is in $work/answer. Names of access controls are
# unique in an account.
find_access_control() {
  ask '' cloudfront list-origin-access-controls --query "OriginAccessControlList.Items[?Name=='$1']"
  access_control=$(each Id "$work/answer" .)
  [ -z "$access_control" ] || check_id "$access_control"
}

# check_id ID: what AWS gave must be one of its IDs, before it becomes a part of an input.
check_id() {
  case $1 in
    '' | *[!A-Z0-9]*) die "AWS answered with an ID that is none: $1" ;;
  esac
}

# ---- The distribution.

# named_distribution: the one that the bucket's policy lets in, when it is the issuer's beyond doubt: it carries the owner
# tag, has the bucket behind it, and the domain that the package has. It is found then without a list of all. Otherwise
# this fails, and the list decides.
named_distribution() {
  [ "$bucket_there/$bucket_made" = yes/no ] || return 1
  chosen_domain=$(json text "$here/cluster.json" distributionDomain)
  alias=$(json text create-distribution-with-tags.json DistributionConfigWithTags/DistributionConfig/Aliases/Items)
  [ -n "$chosen_domain$alias" ] || return 1
  read_bucket_policy
  distribution=$(json policy "$work/bucket-policy-answer" Policy |
    sed -n "s|^.*\"arn:$partition:cloudfront::$account:distribution/\([A-Z0-9][A-Z0-9]*\)\".*\$|\1|p" | sed -n 1p)
  [ -n "$distribution" ] || return 1
  # A policy that was edited by hand may hold an ID of anything.
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

# find_distribution FILTER: the one with the owner tag among those that a filter of their list finds: its ID in
# `distribution`, its domain in `domain`, what AWS says of it in $work/distribution, its tags in $work/tags-answer.
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

# choose_distribution: of several with the owner tag, the one whose domain the package has.
choose_distribution() {
  chosen_domain=$(json text "$here/cluster.json" distributionDomain)
  while IFS= read -r distribution <&3; do
    if read_distribution && [ "$domain" = "$chosen_domain" ]; then return 0; fi
  done 3<"$work/own-distributions"
  die "more than one distribution carries the owner tag ($(tr '\n' ' ' <"$work/own-distributions" | sed 's/ $//')), and the package does not say which is the issuer's. Set distributionDomain to the domain of one, or delete the others"
}

# own_distributions FILTER: the IDs of those with the owner tag, in $work/own-distributions; the tags of the last in
# $work/tags-answer.
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
      line note "distribution $one: it has the same origin, but not the owner tag, and is not touched"
    fi
  done 3<"$work/candidates"
}

read_distribution() {
  ask NoSuchDistribution cloudfront get-distribution --id "$distribution" || return 1
  take_distribution "$work/answer"
}

# take_distribution FILE: AWS's answer that describes it.
take_distribution() {
  cp -- "$1" "$work/distribution"
  domain=$(json text "$work/distribution" Distribution/DomainName)
  case $domain in
    '' | *[!a-z0-9.-]*) die "AWS answered with a domain that is none: $domain" ;;
  esac
}

distribution_arn() {
  printf 'arn:%s:cloudfront::%s:distribution/%s' "$partition" "$account" "$distribution"
}

# distribution_input: the package's input with the access control's ID in it.
distribution_input() {
  sed "s/\"OriginAccessControlId\": \"\"/\"OriginAccessControlId\": \"$access_control\"/" \
    create-distribution-with-tags.json >"$work/distribution-input"
}

# settings FILE PATH: what the package says of a distribution. The reference of its creation never changes.
settings() {
  json fields "$1" "$2" | grep -v '^CallerReference='
}

# create_distribution: what was made is known by the answer, because AWS's list may not have it for a while.
#
# A reference that was used once makes no other distribution. Where AWS says that this one was, and the distribution that
# it made is there, that is ours: the answer to its creation was lost. Where it is gone, the next reference follows from
# its ID, so that a run that is interrupted again comes to the same one.
create_distribution() {
  distribution_input
  cp -- "$work/distribution-input" "$work/again"
  reference_tries=1
  until call sent DistributionAlreadyExists cloudfront create-distribution-with-tags \
    --cli-input-json "$(cat "$work/again")"; do
    distribution=$(sed -n 's/^.*Already exists: *\([A-Z0-9][A-Z0-9]*\).*$/\1/p' "$work/error" | sed -n 1p)
    [ -n "$distribution" ] ||
      die "CloudFront says that it has made a distribution for the bucket $bucket before, and neither lists it nor says which; run the same again in some minutes"
    if is_there; then
      take_own_distribution
      return 0
    fi
    [ "$reference_tries" -lt 20 ] || die "the distributions that were made for the bucket $bucket before are all gone; ask AWS why it makes no other"
    reference_tries=$((reference_tries + 1))
    sed "s/\"CallerReference\": \"\([a-z0-9-]*\)\"/\"CallerReference\": \"\1-$distribution\"/" \
      "$work/distribution-input" >"$work/again"
  done
  distribution=$(json text "$work/sent" Distribution/Id)
  check_id "$distribution"
  take_distribution "$work/sent"
  json overlay create-distribution-with-tags.json DistributionConfigWithTags /dev/null nothing >"$work/tags-answer"
}

# is_there: whether the distribution is. What was made a moment ago may be unknown somewhere, so that it is gone when AWS
# has said so three times.
is_there() {
  gone_tries=1
  until read_distribution; do
    [ "$gone_tries" -lt 3 ] || return 1
    sleep "${CCF_WAIT:-2}"
    gone_tries=$((gone_tries + 1))
  done
}

# take_own_distribution: the one that was found by its reference, if it carries the owner tag.
take_own_distribution() {
  ask '' cloudfront list-tags-for-resource --resource "$(distribution_arn)"
  [ "$(owner "$work/answer" Tags/Items)" = own ] ||
    die "distribution $distribution was made for the bucket $bucket, and has no owner tag any more, so that it is not touched and no other is made. Tag it with $owner_tag=owned, or delete it"
  cp -- "$work/answer" "$work/tags-answer"
}

# What the package does not speak of stays as it is.
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

# The issuer's URL may hold the distribution's domain: then it must be this one.
check_domain() {
  expected=$(json text "$here/cluster.json" distributionDomain)
  if [ -n "$expected" ] && [ "$expected" != "$domain" ]; then
    die "the package is for the distribution's domain $expected, and its domain is $domain; correct spec.platform.aws.issuerHosting.distributionDomain, and render again"
  fi
}

# Only this distribution may read the bucket.
bucket_policy_of_distribution() {
  sed "s|:distribution/\"|:distribution/$distribution\"|" bucket-policy.json >"$work/bucket-policy.json"
  bucket_policy_step "$work/bucket-policy.json"
}

# domain_lines: what a person has to do with the domain that AWS gave.
domain_lines() {
  alias=$(json text "$here/issuer/create-distribution-with-tags.json" \
    DistributionConfigWithTags/DistributionConfig/Aliases/Items)
  if [ -n "$alias" ]; then
    line next "DNS: let $alias be a CNAME of $domain"
  elif [ -z "$provider" ]; then
    line next "add to the ClusterIdentity, below spec.platform.aws.issuerHosting, then render, export and apply again:"
    printf '              distributionDomain: %s\n' "$domain"
    line next "or let ccf write it: ccf set-distribution-domain PACKAGE $domain"
  fi
}

# disable_distribution: disables it, lets it go of its access control, and waits until AWS has done so everywhere. That
# takes minutes.
disable_distribution() {
  json fields "$work/distribution" Distribution/DistributionConfig >"$work/found"
  if grep -q -e '^Enabled=true$' -e '\.OriginAccessControlId=.' "$work/found"; then
    printf '{"Enabled": false}' >"$work/off"
    update_distribution "$(json overlay "$work/distribution" Distribution/DistributionConfig "$work/off" . |
      sed 's/"OriginAccessControlId": "[A-Z0-9]*"/"OriginAccessControlId": ""/g')"
  fi
  waited=0
  while read_distribution && [ "$(json text "$work/distribution" Distribution/Status)" != Deployed ]; do
    [ "$waited" -lt 3600 ] || die "distribution $distribution is still not disabled everywhere; run the same again later"
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
