# shellcheck shell=sh
# The AWS code that the three scripts share: the environment, the account check, the owner tag, and calls of the AWS CLI.
# The resource kinds are in lib-bucket.sh, lib-distribution.sh, lib-provider.sh and lib-role.sh, not here.

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

# json COMMAND FILE PATH...: see aws.awk and json.awk.
json() {
  awk -f "$here/aws.awk" -f "$here/json.awk" "$@" || die "cannot read a response of AWS or a file of the package ($*)"
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

# ---- Calls. Responses are JSON, in $work/answer. Errors are in $work/error.

# call FILE CODES CALL...: runs a call and writes the response to FILE in $work. Returns 1 if AWS answers with one of the
# error codes, and sets `code` to it. Any other error ends the script.
call() {
  call_file=$1 call_codes=$2
  shift 2
  if aws "$@" --output json </dev/null >"$work/$call_file" 2>"$work/error"; then return 0; fi
  code=$(error_code)
  case " $call_codes " in
    *" ${code:-?} "*) return 1 ;;
  esac
  call_failed "$@"
}

# ask CODES CALL...: runs a call that only reads.
ask() {
  call answer "$@"
}

# send CALL...: runs a call that changes something. If AWS does not know a resource yet that was just created, or if the
# resource is still changing, the call is retried (IAM User Guide, "Changes that I make are not always immediately
# visible").
send() {
  send_unless '' "$@"
}

# send_unless PATTERN CALL...: like send, but returns 1 if the error matches the extended regular expression. An empty
# pattern matches nothing.
send_unless() {
  send_pattern=$1
  shift
  send_tries=1
  until aws "$@" --output json </dev/null >"$work/sent" 2>"$work/error"; do
    if [ -n "$send_pattern" ] && grep -E -q -e "$send_pattern" "$work/error"; then return 1; fi
    case $(error_code) in
      NoSuchEntity | NoSuchBucket | ConcurrentModification | OperationAborted) ;;
      *) call_failed "$@" ;;
    esac
    [ "$send_tries" -lt 6 ] || call_failed "$@"
    sleep "$((send_tries * ${CCF_WAIT:-2}))"
    send_tries=$((send_tries + 1))
  done
}

# erase CODES CALL...: runs a call that deletes something. Each of the error codes means that it no longer exists.
erase() {
  call sent "$@" || return 0
}

error_code() {
  sed -n 's/^[^(]*An error occurred (\([A-Za-z0-9.]*\)) when calling the .*/\1/p' "$work/error" | sed -n 1p
}

call_failed() {
  if grep -q -i -e 'block public' -e 'BlockPublic' -e 'public polic' "$work/error"; then
    printf '%s\n' "note: Block Public Access is enabled for the whole account or organization, so its buckets cannot be public. Use the hosting type S3CloudFront." >&2
  fi
  die "aws $1 $2: $(tr '\n' ' ' <"$work/error" | sed 's/^ *//')${newline}Nothing is lost: fix the cause and run the same command again. It continues from here."
}
