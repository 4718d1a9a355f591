#!/bin/sh
# Makes the cloud what the files beside this script say: creates what is missing, changes what differs, leaves what is
# right. Interrupted anywhere and run again, it ends in the same state. `apply.sh --help` says more.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
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
# shellcheck source=lib-tags.sh
. "$here/lib-tags.sh"

usage() {
  cat <<'END'
Make the cloud what the files beside this script say, with the AWS CLI.

Usage:
  apply.sh [flags]

Flags:
  --dry-run             change nothing, say what would change; exit 2 when something would
  --adopt NAME          take over what is there already without the owner tag: the name of a role, of the bucket, or the
                        provider's host. May be repeated. Tags of others stay; what belongs to another prefix is never
                        taken.
  --prune               remove roles of this prefix, with its owner tag, that the package does not have
  --remove-tag KEY      remove a tag that the package does not have any more from all that is its own. May be repeated.
  -o, --output FORMAT   text or json, with --dry-run

The AWS CLI's own environment counts: AWS_PROFILE, AWS_ENDPOINT_URL. The account must be the package's.

Examples:
  apply.sh --dry-run
  AWS_PROFILE=admin apply.sh
  apply.sh --adopt demo-openshift-ingress-operator-cloud-credentials

Exit codes: 0 done, 2 something would change (--dry-run), 1 failed; then run the same again.
END
}

find_output "$@"
mode=apply
adopt=''
prune=no
remove_tags=''
while [ "$#" -gt 0 ]; do
  case $1 in
    --dry-run) mode=dry-run ;;
    --prune) prune=yes ;;
    -o | --output)
      check_output "${2:-}"
      shift
      ;;
    --adopt | --remove-tag)
      [ -n "${2:-}" ] || die "$1 needs a value; see apply.sh --help"
      case $2 in
        *"$newline"*) die "$1 takes one name; see apply.sh --help" ;;
      esac
      if [ "$1" = --adopt ]; then adopt=$adopt$2$newline; else remove_tags=$remove_tags$2$newline; fi
      shift
      ;;
    -h | --help)
      output=text
      usage
      exit 0
      ;;
    *) die "$1 is no flag of apply.sh; see apply.sh --help" ;;
  esac
  shift
done

if [ "$output/$mode" = json/apply ]; then die '-o json needs --dry-run'; fi
prepare
guard_with_roles
check_flags
if issuer_steps; then
  if [ -d "$here/roles" ]; then
    role_steps
  fi
  remove_tags_step
else
  refuse 'roles: not looked at, because what they would trust is not right'
fi
domain_step

if [ "$refusals" -gt 0 ]; then
  conclude refused "$(counted "$changes" change changes), and $(counted "$refusals" thing things) refused: see above."
  exit 1
elif [ "$changes" -eq 0 ]; then
  conclude 'in step' 'No change: the cloud is what the package says.'
elif [ "$mode" = apply ]; then
  conclude changed "$(counted "$changes" change changes) made. A second run makes none."
else
  conclude differs "$(counted "$changes" change changes) would be made."
  exit 2
fi
