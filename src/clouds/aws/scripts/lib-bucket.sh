# shellcheck shell=sh
# The issuer's bucket and the documents in it.
#
# Each call after the creation names the account that must own the bucket: one that somebody else took first is not
# written to (Amazon S3 User Guide, "Verifying bucket ownership with bucket owner condition").

# bucket_step: the bucket itself, who it belongs to, and what may be public. Fails when it is not ours. Where nothing is
# changed, it may not be there: then `bucket_there` is "no".
bucket_step() {
  cd -- "$here/issuer"
  bucket=$(json text create-bucket.json Bucket)
  bucket_there=yes
  bucket_made=no
  bucket_policy_read=no
  if ! find_bucket; then
    change create "bucket $bucket" create_bucket
    if [ "$mode" != apply ]; then
      bucket_there=no
      return 0
    fi
    bucket_made=yes
    fresh=yes
  fi
  tags_of_bucket
  bucket_owner=$(owner "$work/bucket-tags" TagSet)
  if [ "$bucket_owner" = none ] && { [ "$fresh" = yes ] || [ -f "$here/.creating-$bucket" ]; }; then bucket_owner=own; fi
  may_take "$bucket" "bucket $bucket" "$bucket_owner" || return 1
  check_location
  cp -- "$work/tags" "$work/found" || die "cannot write to $work"
  json tags put-bucket-tagging.json Tagging/TagSet >"$work/wanted"
  if lacks; then
    change change "bucket $bucket: tags" tag_bucket
    missing_lines
  fi
  [ "$mode" != apply ] || rm -f -- "$here/.creating-$bucket"
  access_block_step
}

# Whether the bucket is there, and in `location` its region, where the AWS CLI says that with it. A bucket of another
# account answers with 403.
find_bucket() {
  location=''
  if ask '404 NoSuchBucket 403 301 AccessDenied' s3api head-bucket \
    --bucket "$bucket" --expected-bucket-owner "$account"; then
    location=$(json text "$work/answer" BucketRegion)
    return 0
  fi
  case $code in
    404 | NoSuchBucket) return 1 ;;
    *) die "the bucket $bucket belongs to another account, or these credentials may not see it; nothing is written to it. Another name: spec.platform.aws.issuerHosting.bucket" ;;
  esac
}

# A bucket gets its tags with its creation, because organizations deny one without. Where AWS CLI, S3 or the
# caller's permissions do not have that, it is created without, and the tags follow in a second call. Should the script be killed between the two, the file
# beside it says that this bucket is one that it was about to create.
create_bucket() {
  (: >"$here/.creating-$bucket") 2>/dev/null || :
  printf '{"CreateBucketConfiguration": {"Tags": %s}}' \
    "$(json overlay put-bucket-tagging.json Tagging/TagSet /dev/null nothing)" >"$work/create-tags"
  send_unless 'Unknown parameter in .*"Tags"|\((MalformedXML|NotImplemented|UnsupportedArgument)\)|perform: s3:TagResource' \
    s3api create-bucket --cli-input-json "$(json overlay create-bucket.json . "$work/create-tags" .)" ||
    send s3api create-bucket --cli-input-json file://create-bucket.json
}

# tags_of_bucket: in $work/bucket-tags.
tags_of_bucket() {
  call bucket-tags NoSuchTagSet s3api get-bucket-tagging --bucket "$bucket" --expected-bucket-owner "$account" ||
    : >"$work/bucket-tags"
}

# S3 replaces all tags at once, so that tags of others are sent with ours.
tag_bucket() {
  json tagging "$work/bucket-tags" TagSet put-bucket-tagging.json >"$work/tagging.json"
  send s3api put-bucket-tagging --cli-input-json "$(cat "$work/tagging.json")"
}

# The issuer's URL holds the region. Before 2024 the AWS CLI did not say it with the bucket.
check_location() {
  if [ -z "$location" ]; then
    ask '' s3api get-bucket-location --bucket "$bucket" --expected-bucket-owner "$account"
    location=$(json text "$work/answer" LocationConstraint)
    location=${location:-us-east-1}
  fi
  [ "$location" = "$region" ] ||
    die "the bucket $bucket is in the region $location, and the package is for $region; a bucket cannot be moved"
}

access_block_step() {
  ask NoSuchPublicAccessBlockConfiguration s3api get-public-access-block \
    --bucket "$bucket" --expected-bucket-owner "$account" || : >"$work/answer"
  json fields "$work/answer" PublicAccessBlockConfiguration >"$work/found"
  json fields put-public-access-block.json PublicAccessBlockConfiguration >"$work/wanted"
  compare && return 0
  change change "bucket $bucket: public access block" \
    send s3api put-public-access-block --cli-input-json file://put-public-access-block.json
  differences
}

# read_bucket_policy: in $work/bucket-policy-answer, once.
read_bucket_policy() {
  [ "$bucket_policy_read" = no ] || return 0
  call bucket-policy-answer NoSuchBucketPolicy s3api get-bucket-policy \
    --bucket "$bucket" --expected-bucket-owner "$account" || : >"$work/bucket-policy-answer"
  bucket_policy_read=yes
}

# bucket_policy_step FILE: who may read. The file is bucket-policy.json, or that with the distribution in it.
bucket_policy_step() {
  [ "$bucket_there" = yes ] || return 0
  read_bucket_policy
  json policy "$work/bucket-policy-answer" Policy >"$work/found"
  json policy "$1" . >"$work/wanted"
  compare && return 0
  change change "bucket $bucket: policy" \
    send s3api put-bucket-policy --bucket "$bucket" --expected-bucket-owner "$account" --policy "$(cat "$1")"
  differences
}

# documents_step: the discovery document and the keys. They are compared byte by byte.
documents_step() {
  cd -- "$here/issuer"
  for input in put-object-*.json; do
    [ -f "$input" ] || continue
    document=$(json text "$input" Key)
    if [ "$bucket_there/$bucket_made" = yes/no ] && ask 'NoSuchKey 404' s3api get-object --bucket "$bucket" --expected-bucket-owner "$account" \
      --key "$document" "$work/object"; then
      if cmp -s "$work/object" "${document##*/}" &&
        [ "$(json text "$work/answer" ContentType)" = "$(json text "$input" ContentType)" ]; then
        line same "document $document"
      else
        change change "document $document" put_document
      fi
    else
      change create "document $document" put_document
    fi
  done
}

put_document() {
  send s3api put-object --cli-input-json "file://$input" --body "${document##*/}"
}

# erase_bucket: our two documents, then the bucket. What somebody else put into it makes AWS refuse.
erase_bucket() {
  for document in .well-known/openid-configuration keys.json; do
    erase 'NoSuchKey 404 NoSuchBucket' s3api delete-object --bucket "$bucket" --expected-bucket-owner "$account" \
      --key "$document"
  done
  erase NoSuchBucket s3api delete-bucket --bucket "$bucket" --expected-bucket-owner "$account"
}
