#!/bin/sh
# Deletes what the package created, in reverse order. It never deletes a resource without the package's owner tag or
# description. See `destroy.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-azure.sh
. "$here/lib-azure.sh"
# shellcheck source=lib-output.sh
. "$here/lib-output.sh"
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
# shellcheck source=lib-steps.sh
. "$here/lib-steps.sh"
# shellcheck source=lib-destroy.sh
. "$here/lib-destroy.sh"
# shellcheck source=lib-erase.sh
. "$here/lib-erase.sh"
# shellcheck source=lib-previous.sh
. "$here/lib-previous.sh"

usage() {
  cat <<'END'
Delete what the package created in the cloud: managed identities with their role assignments, custom roles, storage
account, and the resource group, if the package created it and it is empty. Resources without the package's owner tag or
description are kept, and so is the cluster's resource group. A cluster that is still running loses its credentials
immediately.

Usage:
  destroy.sh [options]

Options:
  --dry-run            delete nothing; print what would be deleted, and exit with 2 if anything would
  --yes                do not ask for confirmation
  --previous           delete only what belongs to the issuers in spec.issuer.previous: the last step of a move to
                       another issuer. It is refused until the documents and federated credentials of the package's own
                       issuer match the package.
  --documents-checked  with --previous: confirm that ccf check-issuer compared the documents of the package's own issuer
                       with the package and exited with 0. With External hosting, --previous requires this option,
                       because this script does not check documents that are hosted elsewhere.

The storage account is deleted only after the managed identities are gone. Otherwise they would trust the next owner of
its name. If it contains other containers, it is kept.

Examples:
  destroy.sh --dry-run
  destroy.sh --yes
  destroy.sh --previous --dry-run

Exit codes: 0 done; 2 something would be deleted (--dry-run); 1 failed: fix the cause and run the same command again.
END
}

mode=apply
adopt=''
prune=yes
ask_first=yes
only_previous=no
documents_checked=no
while [ "$#" -gt 0 ]; do
  case $1 in
    --dry-run) mode=dry-run ;;
    --yes) ask_first=no ;;
    --previous) only_previous=yes ;;
    --documents-checked) documents_checked=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "unknown option \"$1\"; see destroy.sh --help" ;;
  esac
  shift
done
if [ "$only_previous/$documents_checked" = no/yes ]; then
  die '--documents-checked requires --previous; see destroy.sh --help'
fi

# Identities first, then what they trust.
destroy_steps() {
  if [ "$only_previous" = yes ]; then
    destroy_previous_step
    return 0
  fi
  rm -f -- "$work/going" "$work/going-ids" "$work/kept-identities" "$work/orphans"
  read_cloud
  destroy_identities_step
  destroy_roles_step
  destroy_accounts_step
  destroy_group_step
}

prepare
guard
if [ "$only_previous" = yes ]; then require_own_issuer; fi
confirm_and_destroy
