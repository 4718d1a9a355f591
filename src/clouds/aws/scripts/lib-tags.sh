# shellcheck shell=sh
# Tags that were in the package once. The script cannot distinguish them from tags that others added, so the administrator
# has to name them: apply.sh --remove-tag KEY.

remove_tags_step() {
  while IFS= read -r tag <&6; do
    [ -z "$tag" ] || remove_tag_step
  done 6<<END
$remove_tags
END
}

remove_tag_step() {
  each_role remove_role_tag
  [ ! -f "$here/issuer/create-open-id-connect-provider.json" ] || remove_provider_tag
  [ ! -f "$here/issuer/create-bucket.json" ] || remove_bucket_tag
  if [ -n "${distribution:-}" ]; then remove_distribution_tag; fi
}

# has_old_tag FILE PATH: whether the tags at PATH include the tag to remove. A resource that the package does not own has
# already ended the steps before this, except for roles, which remove_role_tag skips.
has_old_tag() {
  each Key "$1" "$2" >"$work/keys"
  grep -F -x -q -e "$tag" "$work/keys"
}

remove_role_tag() {
  find_role "$role" || return 0
  if [ -f "$work/refused-roles" ] && grep -F -x -q -e "$role" "$work/refused-roles"; then return 0; fi
  has_old_tag "$role_json" Tags || return 0
  change remove "role $role: tag $tag" \
    send iam untag-role --cli-input-json "{\"RoleName\": \"$role\", \"TagKeys\": [\"$tag\"]}"
}

remove_provider_tag() {
  ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$provider" || return 0
  has_old_tag "$work/answer" Tags || return 0
  change remove "provider ${provider#*:oidc-provider/}: tag $tag" send iam untag-open-id-connect-provider \
    --cli-input-json "{\"OpenIDConnectProviderArn\": \"$provider\", \"TagKeys\": [\"$tag\"]}"
}

remove_bucket_tag() {
  cd -- "$here/issuer"
  bucket=$(json text create-bucket.json Bucket)
  find_bucket || return 0
  tags_of_bucket
  has_old_tag "$work/bucket-tags" TagSet || return 0
  json -v "without=$tag" tagging "$work/bucket-tags" TagSet put-bucket-tagging.json >"$work/tagging.json"
  change remove "bucket $bucket: tag $tag" send s3api put-bucket-tagging --cli-input-json "$(cat "$work/tagging.json")"
}

remove_distribution_tag() {
  ask NoSuchResource cloudfront list-tags-for-resource --resource "$(distribution_arn)" || return 0
  has_old_tag "$work/answer" Tags/Items || return 0
  change remove "distribution $distribution: tag $tag" \
    send cloudfront untag-resource --resource "$(distribution_arn)" --tag-keys "{\"Items\": [\"$tag\"]}"
}
