# shellcheck shell=sh
# The AWS code that the three scripts share: the environment, the account check, the owner tag, and calls of the AWS CLI.
# The resource kinds are in lib-bucket.sh, lib-distribution.sh, lib-provider.sh and lib-role.sh, not here.

# The directory of an export that contains these scripts.
cloud=aws
cloud_title=AWS

# start: call this first, after the options have been parsed.
start() {
  prepare
  guard_account
}

# guard_with_roles: call this after prepare, in a script that reads the roles next.
guard_with_roles() {
  [ ! -d "$here/roles" ] || read_details
  guard_account
}

# prepare: the part of start that does not call AWS.
prepare() {
  command -v aws >/dev/null 2>&1 || die 'the AWS CLI (aws) is required, version 1.27 or later'
  open_work
  read_cluster
  # These override the user's settings, so that every run behaves the same. The user's profile and endpoint still apply.
  # Version 1 of the CLI reads the first of the two region variables.
  export AWS_PAGER='' AWS_CLI_AUTO_PROMPT=off AWS_CLI_FILE_ENCODING=UTF-8
  export AWS_RETRY_MODE=standard AWS_MAX_ATTEMPTS=5
  export AWS_DEFAULT_REGION="$region" AWS_REGION="$region"
}

read_cluster() {
  account=$(json text "$here/cluster.json" accountID)
  partition=$(json text "$here/cluster.json" partition)
  region=$(json text "$here/cluster.json" region)
  prefix=$(json text "$here/cluster.json" resourcePrefix)
  owner_tag=$(json text "$here/cluster.json" ownerTag)
  provider=$(json text "$here/cluster.json" identityProviderARN)
  case $account in '' | *[!0-9]*) die 'cluster.json does not name an account' ;; esac
}

# Protects other accounts: the credentials must be for the package's account. IAM returns only roles of the caller's
# account. If the roles have been read, the ARN of any role therefore names the account, too.
guard_account() {
  caller=''
  if [ "$details" = read ]; then caller=$(json text "$work/details" Arn); fi
  if [ -z "$caller" ]; then
    ask '' sts get-caller-identity
    caller=$(json text "$work/answer" Arn)
  fi
  found=${caller#arn:*:*:*:}
  found=${found%%:*}
  [ "$found" = "$account" ] ||
    die "the credentials are for the account $found, but the package is for $account; nothing was changed"
  case $caller in
    "arn:$partition:"*) ;;
    *) die "the credentials are not for the partition $partition, which the package is for; nothing was changed" ;;
  esac
}

# ---- Ownership.

# owner FILE PATH: the owner according to the tags at PATH: "own", "other" for another prefix, or "none".
owner() {
  json tags "$1" "$2" >"$work/tags"
  if grep -F -x -q -e "$owner_tag=owned" "$work/tags"; then
    echo own
  elif grep -q '^openshift\.io/cloud-credential-operator/.*=owned$' "$work/tags"; then
    echo other
  else
    echo none
  fi
}

# ---- Calls: see lib-calls.sh. The errors that a call expects are AWS's error codes.

max_tries=6

cli() {
  aws "$@" --output json </dev/null
}

# expected CODES: also sets `code` to the error code.
expected() {
  code=$(error_code)
  case " $1 " in
    *" ${code:-?} "*) return 0 ;;
    *) return 1 ;;
  esac
}

# may_repeat: AWS may not know a resource yet that was just created, or the resource is still changing (IAM User Guide,
# "Changes that I make are not always immediately visible").
may_repeat() {
  case $(error_code) in
    NoSuchEntity | NoSuchBucket | ConcurrentModification | OperationAborted) ;;
    *) return 1 ;;
  esac
}

error_code() {
  sed -n 's/^[^(]*An error occurred (\([A-Za-z0-9.]*\)) when calling the .*/\1/p' "$work/error" | sed -n 1p
}

call_failed() {
  if grep -q -i -e 'block public' -e 'BlockPublic' -e 'public polic' "$work/error"; then
    printf '%s\n' "note: Block Public Access is enabled for the whole account or organization, so its buckets cannot be public. Use the hosting type S3CloudFront." >&2
  fi
  stop_at_failure "aws $1 $2"
}
