# shellcheck shell=sh
# The steps of apply.sh and status.sh, in their order: the issuer comes before the roles that trust it.

# issuer_steps: the package's own issuer, and a check of the previous ones. Returns 1 if roles would trust a provider that
# does not exist.
issuer_steps() {
  own_issuer_steps || return 1
  [ -z "$provider" ] || previous_step
}

# own_issuer_steps: bucket and documents, distribution, provider. A dry run stops where the run would. status.sh checks all.
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
      change remove "role $one_other: it is not in the package" erase_role "$one_other"
    else
      line note "role $one_other has the owner tag but is not in the package; --prune removes it"
    fi
  done 5<"$work/others"
}

# check_flags: checks that the values of flags name something that exists.
check_flags() {
  {
    [ ! -f "$here/issuer/create-bucket.json" ] || json text "$here/issuer/create-bucket.json" Bucket
    printf '%s\n' "${provider#*:oidc-provider/}"
    each_role print_role
  } >"$work/names"
  check_adopt 'role, bucket or provider'
  each Key "$here/cluster.json" tags >"$work/names"
  while IFS= read -r one <&3; do
    if [ -n "$one" ] && grep -F -x -q -e "$one" "$work/names"; then die "--remove-tag $one: the package still has that tag"; fi
    case $one in
      *[\"\\]*) die "--remove-tag $one: a tag key cannot contain a quotation mark or a backslash" ;;
    esac
  done 3<<END
$remove_tags
END
  check_prune roles role
}

# domain_step: prints the next steps at the end, where the user sees them.
domain_step() {
  if [ -n "${domain:-}" ] && [ "$mode" = apply ]; then domain_lines; fi
}
