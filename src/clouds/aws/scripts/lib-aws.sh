# shellcheck shell=sh
# What the three scripts share that only AWS means: the environment, the account's guard, the owner's tag and the calls of
# the AWS CLI. Nothing here knows a kind of resource; lib-bucket.sh, lib-distribution.sh, lib-provider.sh and lib-role.sh do.

# start: to be called first, after the options have been read.
start() {
  prepare
  guard_account
}

# guard_with_roles: after prepare, for a script that goes on to read the roles.
guard_with_roles() {
  [ ! -d "$here/roles" ] || read_details
  guard_account
}

# prepare: all of start that asks AWS nothing.
prepare() {
  command -v aws >/dev/null 2>&1 || die 'the AWS CLI (aws) is needed, version 1.27 or 2'
  open_work
  read_cluster
  # The same whatever the person's own settings are; profile and endpoint stay theirs. The first of the two names of the
  # region is the one that version 1 of the CLI reads.
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
  case $account in '' | *[!0-9]*) die 'cluster.json names no account' ;; esac
}

# Nothing is ever applied to the wrong account: who is asking must be of the account that the package is for. IAM shows the
# roles of one's own account alone, so that the ARN of any role says it as well, where the roles have been read.
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
    die "the credentials are of the account $found, and the package is for $account; nothing was changed"
  case $caller in
    "arn:$partition:"*) ;;
    *) die "the credentials are not of the partition $partition, which the package is for; nothing was changed" ;;
  esac
}

# json COMMAND FILE PATH...: see aws.awk and json.awk.
json() {
  awk -f "$here/aws.awk" -f "$here/json.awk" "$@" || die "an answer or a file of the package cannot be read ($*)"
}

# ---- Ownership.

# owner FILE PATH: whose the tags there say something is: "own", "other" for another prefix, "none".
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

# ---- Calls. Their answers are JSON, in $work/answer; their errors in $work/error.

# call FILE CODES CALL...: a call, whose answer goes to a file in $work. Fails when AWS answers with one of the codes, which
# is in `code` then; with any other, the script ends.
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

# ask CODES CALL...: a call that only reads.
ask() {
  call answer "$@"
}

# send CALL...: a call that changes something. What AWS does not know yet because it was made a moment ago, or is still
# changing, is tried again (IAM User Guide, "Changes that I make are not always immediately visible").
send() {
  send_unless '' "$@"
}

# send_unless PATTERN CALL...: fails where the error has that extended pattern, if there is one.
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

# erase CODES CALL...: a call that deletes something; with one of the codes it is gone already.
erase() {
  call sent "$@" || return 0
}

error_code() {
  sed -n 's/^[^(]*An error occurred (\([A-Za-z0-9.]*\)) when calling the .*/\1/p' "$work/error" | sed -n 1p
}

call_failed() {
  if grep -q -i -e 'block public' -e 'BlockPublic' -e 'public polic' "$work/error"; then
    printf '%s\n' "note: Block Public Access is on for the whole account or organization, so no bucket of it can be public. Use the hosting type S3CloudFront." >&2
  fi
  die "aws $1 $2: $(tr '\n' ' ' <"$work/error" | sed 's/^ *//')${newline}Nothing is lost: when the cause is mended, run the same again, and it goes on from here."
}
