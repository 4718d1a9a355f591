#!/bin/sh
# Says where the cloud differs from the files beside this script. It changes nothing. `status.sh --help` says more.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# The directory of an export that the scripts are in.
cloud=aws
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-aws.sh
. "$here/lib-aws.sh"
# shellcheck source=lib-output.sh
. "$here/lib-output.sh"
# shellcheck source=lib-read.sh
. "$here/lib-read.sh"
# shellcheck source=lib-bucket.sh
. "$here/lib-bucket.sh"
# shellcheck source=lib-distribution.sh
. "$here/lib-distribution.sh"
# shellcheck source=lib-provider.sh
. "$here/lib-provider.sh"
# shellcheck source=lib-role.sh
. "$here/lib-role.sh"
# shellcheck source=lib-steps.sh
. "$here/lib-steps.sh"
# shellcheck source=lib-use.sh
. "$here/lib-use.sh"
# shellcheck source=lib-result.sh
. "$here/lib-result.sh"

usage() {
  cat <<'END'
Say where the cloud differs from the files beside this script, with the AWS CLI. It only reads.

Usage:
  status.sh [flags]

A line for each difference: missing, differs, extra (in the cloud alone), refused (there, but without the owner tag).
Below it, what the cloud has and what the package has.

Flags:
  -o, --output FORMAT   text or json
  --result FILE         when the cloud is in step, write that into FILE, with the package that it was compared with, for
                        "ccf upgradeable-to"; where it is not, the result that is there is removed

The AWS CLI's own environment counts: AWS_PROFILE, AWS_ENDPOINT_URL. The account must be the package's.

Examples:
  status.sh
  AWS_PROFILE=auditor status.sh > differences.txt
  status.sh --result ../../status.json

Exit codes: 0 in step, 2 there are differences, 1 could not tell.
END
}

find_output "$@"
mode=status
adopt=''
prune=no
result=''
while [ "$#" -gt 0 ]; do
  case $1 in
    --result)
      case ${2:-} in
        '') die '--result needs a value; see status.sh --help' ;;
        /*) result=$2 ;;
        *) result=$PWD/$2 ;;
      esac
      shift 2
      ;;
    -o | --output)
      check_output "${2:-}"
      shift 2
      ;;
    -h | --help)
      output=text
      usage
      exit 0
      ;;
    *) die "$1 is no flag of status.sh; see status.sh --help" ;;
  esac
done

[ -z "$result" ] || forget_result "$result"
prepare
[ -z "$result" ] || check_export
guard_with_roles
issuer_steps
[ ! -d "$here/roles" ] || role_steps

differences=$((changes + refusals))
if [ "$differences" -eq 0 ]; then
  [ -z "$result" ] || write_result "$result"
  conclude 'in step' 'In step: the cloud is what the package says.'
else
  conclude differs "$(counted "$differences" difference differences). To see what apply.sh would do: apply.sh --dry-run"
  exit 2
fi
