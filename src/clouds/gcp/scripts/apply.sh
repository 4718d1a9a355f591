#!/bin/sh
# Makes the cloud match the files next to this script. It creates what is missing and changes what differs. If it is
# interrupted at any point, running it again leads to the same state. See `apply.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-gcp.sh
. "$here/lib-gcp.sh"
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
# shellcheck source=lib-pool.sh
. "$here/lib-pool.sh"
# shellcheck source=lib-account.sh
. "$here/lib-account.sh"
# shellcheck source=lib-role.sh
. "$here/lib-role.sh"
# shellcheck source=lib-binding.sh
. "$here/lib-binding.sh"
# shellcheck source=lib-steps.sh
. "$here/lib-steps.sh"

usage() {
  cat <<'END'
Make the cloud match the files next to this script, with the Google Cloud CLI (gcloud).

Usage:
  apply.sh [options]

Options:
  --dry-run             change nothing; print what would change, and exit with 2 if anything would
  --adopt NAME          adopt an existing resource that lacks the owner description (a bucket: the owner label). NAME is
                        the ID of a service account, custom role, pool or provider, or the name of the bucket. What
                        another prefix owns is never adopted, nor a role that others use. May be repeated.
  --prune               remove service accounts, custom roles, providers and the bucket that this prefix owns, but that
                        are not in the package
  -o, --output FORMAT   text or json; json requires --dry-run

The configuration and the environment variables of gcloud apply, for example CLOUDSDK_ACTIVE_CONFIG_NAME. The
credentials must reach the package's project.

Examples:
  apply.sh --dry-run
  CLOUDSDK_ACTIVE_CONFIG_NAME=admin apply.sh
  apply.sh --adopt demo-ingress-abcdefg

Exit codes: 0 done; 2 something would change (--dry-run); 1 failed: fix the cause and run the same command again.
END
}

find_output "$@"
mode=apply
adopt=''
prune=no
while [ "$#" -gt 0 ]; do
  case $1 in
    --dry-run) mode=dry-run ;;
    --prune) prune=yes ;;
    -o | --output)
      check_output "${2:-}"
      shift
      ;;
    --adopt)
      one_name "$1" "${2:-}"
      adopt=$adopt$2$newline
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
check_flags
guard
request_services_step
if issuer_steps; then
  identity_steps
  former_bucket_step
else
  refuse 'service accounts: skipped, because part of the issuer that they would trust was refused'
fi
conclude_apply
