# shellcheck shell=sh
# The issuer's bucket and the documents in it.
#
# Each call after the creation names the account that must own the bucket. If another account took the name first, nothing
# is written to its bucket (Amazon S3 User Guide, "Verifying bucket ownership with bucket owner condition").

# bucket_step: the bucket itself, its owner, and its public access block. Returns 1 if the package does not own the bucket.
# If the mode changes nothing and the bucket does not exist, `bucket_there` is "no".
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

# find_bucket: whether the bucket exists. Sets `location` to its region if the AWS CLI reports it. For a bucket of another
# account, S3 answers with 403.
find_bucket() {
  location=''
  if ask '404 NoSuchBucket 403 301 AccessDenied' s3api head-bucket \
    --bucket "$bucket" --expected-bucket-owner "$account"; then
    location=$(json text "$work/answer" BucketRegion)
    return 0
  fi
  case $code in
    404 | NoSuchBucket) return 1 ;;
    *) die "the bucket $bucket belongs to another account, or these credentials may not read it; nothing was written to it. To use another name, set spec.platform.aws.issuerHosting.bucket" ;;
  esac
}

# Creates the bucket with its tags, because some organizations deny buckets without tags. If the AWS CLI, S3 or the
# caller's permissions do not support that, the bucket is created without tags, and a second call adds them. If the script
# is killed between the two calls, the marker file tells the next run that this script was about to create the bucket.
create_bucket() {
  (: >"$here/.creating-$bucket") 2>/dev/null || :
  printf '{"CreateBucketConfiguration": {"Tags": %s}}' \
    "$(json overlay put-bucket-tagging.json Tagging/TagSet /dev/null nothing)" >"$work/create-tags"
  send_unless 'Unknown parameter in .*"Tags"|\((MalformedXML|NotImplemented|UnsupportedArgument)\)|perform: s3:TagResource' \
    s3api create-bucket --cli-input-json "$(json overlay create-bucket.json . "$work/create-tags" .)" ||
    send s3api create-bucket --cli-input-json file://create-bucket.json
}

# tags_of_bucket: writes the tags to $work/bucket-tags.
tags_of_bucket() {
  call bucket-tags NoSuchTagSet s3api get-bucket-tagging --bucket "$bucket" --expected-bucket-owner "$account" ||
    : >"$work/bucket-tags"
}

# S3 replaces all tags in one call, so the call includes the tags that are not the package's.
tag_bucket() {
  json tagging "$work/bucket-tags" TagSet put-bucket-tagging.json >"$work/tagging.json"
  send s3api put-bucket-tagging --cli-input-json "$(cat "$work/tagging.json")"
}

# The issuer's URL contains the region. Before 2024, head-bucket of the AWS CLI did not report it.
check_location() {
  if [ -z "$location" ]; then
    ask '' s3api get-bucket-location --bucket "$bucket" --expected-bucket-owner "$account"
    location=$(json text "$work/answer" LocationConstraint)
    location=${location:-us-east-1}
  fi
  [ "$location" = "$region" ] ||
    die "the bucket $bucket is in the region $location, but the package is for $region; a bucket cannot be moved"
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

# read_bucket_policy: reads the policy into $work/bucket-policy-answer, only once.
read_bucket_policy() {
  [ "$bucket_policy_read" = no ] || return 0
  call bucket-policy-answer NoSuchBucketPolicy s3api get-bucket-policy \
    --bucket "$bucket" --expected-bucket-owner "$account" || : >"$work/bucket-policy-answer"
  bucket_policy_read=yes
}

# bucket_policy_step FILE: who may read the bucket. FILE is bucket-policy.json, or a copy that names the distribution.
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

# documents_step: the discovery document and the keys, compared byte by byte.
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

# erase_bucket: deletes the package's two documents, then the bucket. If the bucket contains anything else, AWS refuses.
erase_bucket() {
  for document in .well-known/openid-configuration keys.json; do
    erase 'NoSuchKey 404 NoSuchBucket' s3api delete-object --bucket "$bucket" --expected-bucket-owner "$account" \
      --key "$document"
  done
  erase NoSuchBucket s3api delete-bucket --bucket "$bucket" --expected-bucket-owner "$account"
}
