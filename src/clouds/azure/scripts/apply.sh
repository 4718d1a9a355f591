#!/bin/sh
# Makes the cloud match the files next to this script. It creates what is missing and changes what differs. If it is
# interrupted at any point, running it again leads to the same state. See `apply.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-azure.sh
. "$here/lib-azure.sh"
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
# shellcheck source=lib-storage.sh
. "$here/lib-storage.sh"
# shellcheck source=lib-identity.sh
. "$here/lib-identity.sh"
# shellcheck source=lib-role.sh
. "$here/lib-role.sh"
# shellcheck source=lib-client-ids.sh
. "$here/lib-client-ids.sh"
# shellcheck source=lib-steps.sh
. "$here/lib-steps.sh"

usage() {
  cat <<'END'
Make the cloud match the files next to this script, with the Azure CLI (az).

Usage:
  apply.sh [options]

Options:
  --dry-run             change nothing; print what would change, and exit with 2 if anything would
  --identities FILE     write a ConfigMap with the client IDs that Azure assigned, for "ccf set-identities". The next
                        render of the package then contains them, for example in the Secrets
  --adopt NAME          adopt an existing resource that lacks the owner tag (a custom role: the owner description). NAME
                        is the name of a managed identity, custom role or storage account. What another prefix owns is
                        never adopted. May be repeated.
  --prune               remove managed identities, custom roles and storage accounts that this prefix owns, but that are
                        not in the package, and other role assignments of its managed identities
  -o, --output FORMAT   text or json; json requires --dry-run

The login of the Azure CLI applies. It must be for the package's subscription, tenant and cloud.

Examples:
  apply.sh --dry-run
  apply.sh --identities identities.yaml
  apply.sh --adopt demo-openshift-ingress-operator-cloud-credentials

Exit codes: 0 done; 2 something would change (--dry-run); 1 failed: fix the cause and run the same command again.
END
}

find_output "$@"
mode=apply
adopt=''
prune=no
identities_file=''
identities_name=''
while [ "$#" -gt 0 ]; do
  case $1 in
    --dry-run) mode=dry-run ;;
    --prune) prune=yes ;;
    --identities)
      case ${2:-} in
        '') die '--identities requires a value; see apply.sh --help' ;;
        /*) identities_file=$2 ;;
        *) identities_file=$PWD/$2 ;;
      esac
      identities_name=$2
      shift
      ;;
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
if [ -n "$identities_file" ]; then
  [ "$mode" = apply ] || die '--identities cannot be used with --dry-run: the client IDs of new identities are not known yet'
  check_identities_file "$identities_file" "$identities_name"
fi
prepare
check_flags
guard
read_everything
check_everything
groups_step
if storage_steps; then
  identity_steps
  if [ -n "$identities_file" ]; then
    identities_file_step "$identities_file" "$identities_name"
  else
    client_ids_step
  fi
else
  refuse 'managed identities: skipped, because part of the issuer that they would trust was refused'
fi
conclude_apply
