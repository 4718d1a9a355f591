#!/bin/sh
# Makes the cloud match the files next to this script. It creates what is missing and changes what differs. If it is
# interrupted at any point, running it again leads to the same state. See `apply.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-aws.sh
. "$here/lib-aws.sh"
# shellcheck source=lib-output.sh
. "$here/lib-output.sh"
# shellcheck source=lib-flags.sh
. "$here/lib-flags.sh"
# shellcheck source=lib-calls.sh
. "$here/lib-calls.sh"
# shellcheck source=lib-many.sh
. "$here/lib-many.sh"
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
Make the cloud match the files next to this script, with the AWS CLI.

Usage:
  apply.sh [options]

Options:
  --dry-run             change nothing; print what would change, and exit with 2 if anything would
  --adopt NAME          adopt an existing resource that lacks the owner tag. NAME is the name of a role or of the
                        bucket, or the host of the provider. The resource keeps its other tags. A resource with the
                        owner tag of another prefix is never adopted. May be repeated.
  --prune               remove roles that have this prefix and its owner tag, but are not in the package
  --remove-tag KEY      remove a tag that is no longer in the package from every resource that the package owns.
                        May be repeated.
  -o, --output FORMAT   text or json; json requires --dry-run

The AWS CLI's own environment variables apply, for example AWS_PROFILE and AWS_ENDPOINT_URL. The credentials must be for
the package's account.

Examples:
  apply.sh --dry-run
  AWS_PROFILE=admin apply.sh
  apply.sh --adopt demo-openshift-ingress-operator-cloud-credentials

Exit codes: 0 done; 2 something would change (--dry-run); 1 failed: fix the cause and run the same command again.
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
      one_name "$1" "${2:-}"
      if [ "$1" = --adopt ]; then adopt=$adopt$2$newline; else remove_tags=$remove_tags$2$newline; fi
      shift
      ;;
    -h | --help)
      output=text
      usage
      exit 0
      ;;
    *) die "unknown option \"$1\"; see apply.sh --help" ;;
  esac
  shift
done

if [ "$output/$mode" = json/apply ]; then die '-o json requires --dry-run'; fi
prepare
guard_with_roles
check_flags
if issuer_steps; then
  if [ -d "$here/roles" ]; then
    role_steps
  fi
  remove_tags_step
else
  refuse 'roles: skipped, because part of the issuer that they would trust was refused'
fi
domain_step

conclude_apply
