# shellcheck shell=sh
# The steps of apply.sh and status.sh, in their order: what is trusted comes before what trusts it.

# issuer_steps: the package's own issuer, and a look at those of before. Fails where roles would trust a provider that is
# not there.
issuer_steps() {
  own_issuer_steps || return 1
  [ -z "$provider" ] || previous_step
}

# own_issuer_steps: bucket and documents, distribution, provider. A dry run ends where the run would; status looks at all.
own_issuer_steps() {
  if [ -f "$here/issuer/create-bucket.json" ]; then
    if bucket_steps; then :; else [ "$mode" = status ] || return 1; fi
  fi
  [ -n "$provider" ] || return 0
  provider_step || [ "$mode" = status ] || return 1
}

bucket_steps() {
  bucket_changes=$changes
  bucket_step || return 1
  if [ -f "$here/issuer/bucket-policy.json" ] && [ ! -f "$here/issuer/create-distribution-with-tags.json" ]; then
    bucket_policy_step bucket-policy.json
  fi
  [ "$changes" -ne "$bucket_changes" ] || line same "bucket $bucket"
  fresh=no
  documents_step
  [ ! -f create-distribution-with-tags.json ] || distribution_step
}

role_steps() {
  read_roles
  each_role role_step
  other_roles
  while IFS= read -r one_other <&5; do
    if [ "$mode" = status ] || [ "$prune" = yes ]; then
      if [ "$prune" = yes ] && find_role "$one_other"; then role_use "$one_other" "$role_json"; fi
      change remove "role $one_other: the package does not have it" erase_role "$one_other"
    else
      line note "role $one_other has the owner tag, and the package does not have it; --prune removes it"
    fi
  done 5<"$work/others"
}

# check_flags: names that are given to flags must be names of something.
check_flags() {
  {
    [ ! -f "$here/issuer/create-bucket.json" ] || json text "$here/issuer/create-bucket.json" Bucket
    printf '%s\n' "${provider#*:oidc-provider/}"
    each_role print_role
  } >"$work/names"
  while IFS= read -r one <&3; do
    [ -z "$one" ] || grep -F -x -q -e "$one" "$work/names" ||
      die "--adopt $one: the package has no role, bucket or provider of that name"
  done 3<<END
$adopt
END
  each Key "$here/cluster.json" tags >"$work/names"
  while IFS= read -r one <&3; do
    if [ -n "$one" ] && grep -F -x -q -e "$one" "$work/names"; then die "--remove-tag $one: the package has that tag"; fi
    case $one in
      *[\"\\]*) die "--remove-tag $one: a tag's key has no quotation mark and no backslash" ;;
    esac
  done 3<<END
$remove_tags
END
  if [ "$prune" = yes ] && ! ls -d "$here"/roles/*/ >/dev/null 2>&1; then
    die '--prune: the package holds no role at all, so that it would remove every role; to delete all, use destroy.sh'
  fi
}

# domain_step: at the end, where it is seen.
domain_step() {
  if [ -n "${domain:-}" ] && [ "$mode" = apply ]; then domain_lines; fi
}
