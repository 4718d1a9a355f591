# shellcheck shell=sh
# The issuer's bucket and the documents in it, with keyStorage Bucket.
#
# Bucket names are shared by all projects of the world. So the number of the bucket's project is checked before anything
# is written.

# bucket_step: returns 1 if the package does not own the bucket. If the mode changes nothing and the bucket does not exist,
# `bucket_there` is "no".
bucket_step() {
  cd -- "$here/issuer"
  bucket_there=yes
  bucket_made=no
  if ! find_bucket; then
    change create "bucket $bucket" create_bucket
    if [ "$mode" != apply ]; then
      bucket_there=no
      return 0
    fi
    bucket_made=yes
    # Google may not know the new bucket everywhere.
    young='not found: 404|HTTPError 404'
    fresh=yes
  fi
  take_bucket || return 1
  bucket_changes=$changes
  bucket_settings_step
  bucket_policy_step
  [ "$fresh" = yes ] || [ "$changes" -ne "$bucket_changes" ] || line same "bucket $bucket"
  young=''
  fresh=no
}

# Cloud Storage does not say whether a bucket of another project exists.
denied='does not have storage\.buckets\.get|storage\.buckets\.get. denied'

# find_bucket: whether the bucket exists. The bucket is in $work/bucket.
find_bucket() {
  if call bucket "$absent|$denied" storage buckets describe "gs://$bucket" --raw; then
    return 0
  fi
  expected "$absent" ||
    die "the bucket $bucket belongs to another project, or these credentials may not read it; nothing was written to it. To use another name, set spec.platform.gcp.bucket"
  return 1
}

create_bucket() {
  send storage buckets create "gs://$bucket" --location="$(text bucket.json location)" --uniform-bucket-level-access \
    --no-public-access-prevention
}

# take_bucket: whether the bucket may be changed. A new bucket gets its label with a second call. If the script was killed
# between the two calls, the bucket has no labels and no objects.
take_bucket() {
  if [ "$fresh" = yes ]; then
    printf '{"labels": {}}' >"$work/bucket"
    return 0
  fi
  check_bucket
  if [ "$(bucket_owner)" = none ] && [ -z "$(json fields "$work/bucket" labels)" ] && is_empty; then return 0; fi
  may_take "$bucket" "bucket $bucket" "$(bucket_owner)" 'owner label'
}

# check_bucket: what cannot be changed.
check_bucket() {
  found=$(json text "$work/bucket" projectNumber)
  [ "$found" = "$number" ] ||
    die "the bucket $bucket belongs to the project with the number $found, but the package is for $number; nothing was written to it. To use another name, set spec.platform.gcp.bucket"
  found=$(json text "$work/bucket" location)
  wanted=$(json text bucket.json location)
  [ "$found" = "$wanted" ] ||
    die "the bucket $bucket is in the location $found, but the package is for $wanted; a bucket cannot be moved"
}

# bucket_owner: prints the owner according to the label: "own", "other" for another prefix, or "none".
bucket_owner() {
  case $(json text "$work/bucket" labels/openshift-cloud-credential-operator) in
    "$prefix") echo own ;;
    '') echo none ;;
    *) echo other ;;
  esac
}

is_empty() {
  ask '' storage objects list "gs://$bucket/**" --limit=1 --raw
  [ -z "$(json fields "$work/answer" .)" ]
}

bucket_settings_step() {
  bucket_settings "$work/bucket" >"$work/found"
  bucket_settings bucket.json >"$work/wanted"
  lacks || return 0
  change change "bucket $bucket: settings" change_bucket
  missing_lines
}

bucket_settings() {
  json fields "$1" . | { grep -E -e '^(labels\.openshift-cloud-credential-operator|iamConfiguration\.publicAccessPrevention|iamConfiguration\.uniformBucketLevelAccess\.enabled)=' || :; }
}

# change_bucket: sends only what differs, because an organization may refuse the other flags.
change_bucket() {
  new_and_gone
  set -- storage buckets update "gs://$bucket"
  if grep -q '^labels' "$work/new"; then set -- "$@" --update-labels="openshift-cloud-credential-operator=$prefix"; fi
  if [ "$fresh" = no ]; then
    if grep -q '^iamConfiguration\.uniform' "$work/new"; then set -- "$@" --uniform-bucket-level-access; fi
    if grep -q '^iamConfiguration\.public' "$work/new"; then set -- "$@" --no-public-access-prevention; fi
  fi
  send "$@"
}

# bucket_policy_step: what everyone may do with the bucket is exactly what the package says. Other members keep their roles.
bucket_policy_step() {
  if [ "$fresh" = yes ]; then
    : >"$work/found"
  else
    call bucket-policy "$absent" storage buckets get-iam-policy "gs://$bucket" || : >"$work/bucket-policy"
    public_members <"$work/bucket-policy" >"$work/found"
    json -v conditional=1 bindings "$work/bucket-policy" . | public_only | while IFS= read -r one; do
      line note "bucket $bucket: $one is bound with a condition, which is not in the package; it is not touched"
    done
  fi
  json bindings bucket-policy.json . >"$work/wanted"
  compare && return 0
  change change "bucket $bucket: policy" change_bucket_policy
  differences
}

public_members() {
  cat >"$work/some-policy"
  json bindings "$work/some-policy" . | public_only
}

public_only() {
  grep -E -e ' (allUsers|allAuthenticatedUsers)$' || :
}

change_bucket_policy() {
  new_and_gone
  while IFS= read -r one <&3; do
    send storage buckets add-iam-policy-binding "gs://$bucket" --member="${one#* }" --role="${one%% *}" --condition=None
  done 3<"$work/new"
  while IFS= read -r one <&3; do
    send_unless "$unbound" storage buckets remove-iam-policy-binding "gs://$bucket" --member="${one#* }" --role="${one%% *}" \
      --condition=None || :
  done 3<"$work/gone"
}

# ---- Documents.

# documents_step: the discovery document and the keys, compared by their MD5 digests.
documents_step() {
  cd -- "$here/issuer"
  hashed=no
  document_step openid-configuration .well-known/openid-configuration
  document_step keys.json keys.json
}

# document_step FILE NAME
document_step() {
  if [ "$bucket_there/$bucket_made" != yes/no ] ||
    ! ask "$absent" storage objects describe "gs://$bucket/$2" --raw; then
    change create "document $2" put_document "$1" "$2"
    return 0
  fi
  {
    echo "contentType=$(json text "$work/answer" contentType)"
    echo "cacheControl=$(json text "$work/answer" cacheControl)"
    echo "md5Hash=$(json text "$work/answer" md5Hash)"
  } >"$work/found"
  hash_documents
  {
    echo "contentType=$document_type"
    echo "cacheControl=$document_caching"
    echo "md5Hash=$(sed -n "$(place "$1" "$work/hashed-names")p" "$work/hashes")"
  } >"$work/wanted"
  if compare; then
    line same "document $2"
  else
    change change "document $2" put_document "$1" "$2"
    differences
  fi
}

# Google caches public objects for an hour by default, which would hide a new key.
document_type=application/json
document_caching='public, max-age=60'

# hash_documents: writes the digests of both documents to $work/hashes, with one call.
hash_documents() {
  [ "$hashed" = no ] || return 0
  ask '' storage hash openid-configuration keys.json --skip-crc32c
  each url "$work/answer" . >"$work/hashed-names"
  each md5_hash "$work/answer" . >"$work/hashes"
  hashed=yes
}

put_document() {
  send storage cp "$1" "gs://$bucket/$2" --content-type="$document_type" --cache-control="$document_caching"
}

# ---- The bucket of a package that no longer has one.

# find_former_bucket: whether the bucket that served the issuer's URL still exists and is the package's. Sets `bucket`.
find_former_bucket() {
  # With External, others may publish the documents in a bucket.
  [ "$key_storage" = PoolJWKFile ] || return 1
  bucket=${issuer#"https://storage.$universe/"}
  case $bucket in
    "$issuer" | '' | *[!a-z0-9_-]*) former=no ;;
    *) former=yes ;;
  esac
  # If the Cloud Storage API is disabled, the call would fail.
  if [ "$former" = yes ] && is_enabled storage.googleapis.com &&
    call bucket "$absent|$denied" storage buckets describe "gs://$bucket" --raw &&
    [ "$(json text "$work/bucket" projectNumber)/$(bucket_owner)" = "$number/own" ]; then
    return 0
  fi
  bucket=''
  return 1
}

# former_bucket_step: the provider contains the keys, so Google does not read the bucket.
former_bucket_step() {
  find_former_bucket || return 0
  if [ "$prune" = yes ]; then
    line note "bucket $bucket: after its deletion, others can create a bucket with this name. Google does not read the keys there, but a program that trusts $issuer may"
  fi
  extra "bucket $bucket" erase_bucket
  bucket=''
}

# erase_bucket: deletes the package's two documents, then the bucket. If the bucket contains anything else, Google refuses.
erase_bucket() {
  for document in .well-known/openid-configuration keys.json; do
    send_unless "$absent|matched no objects" storage rm "gs://$bucket/$document" || :
  done
  send_unless "$absent" storage buckets delete "gs://$bucket" || :
}
