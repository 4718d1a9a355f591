#!/bin/sh
# Deletes what the package created, in reverse order. It never deletes a resource without the package's owner description
# or label. See `destroy.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-gcp.sh
. "$here/lib-gcp.sh"
# shellcheck source=lib-output.sh
. "$here/lib-output.sh"
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
# shellcheck source=lib-destroy.sh
. "$here/lib-destroy.sh"
# shellcheck source=lib-erase.sh
. "$here/lib-erase.sh"

usage() {
  cat <<'END'
Delete what the package created in the cloud: bindings, service accounts, provider, pool, documents, bucket. Resources
without the package's owner description or label are kept. A cluster that is still running loses its credentials.

Usage:
  destroy.sh [options]

Options:
  --dry-run        delete nothing; print what would be deleted, and exit with 2 if anything would
  --yes            do not ask for confirmation
  --delete-roles   also delete the custom roles. Google blocks the ID of a deleted role until 37 days after that, and
                   counts it towards the limit of 300 roles. Within 7 days, apply.sh restores the role. After that, the
                   configuration needs another customRoleID. A role that is not bound permits nothing.

The bucket is deleted last, and only if the pool is gone. Otherwise the provider would trust the next owner of the
bucket's name. Google keeps a deleted pool for 30 days. Within that time, apply.sh restores it.

Examples:
  destroy.sh --dry-run
  CLOUDSDK_ACTIVE_CONFIG_NAME=admin destroy.sh
  destroy.sh --yes --delete-roles

Exit codes: 0 done; 2 something would be deleted (--dry-run); 1 failed: fix the cause and run the same command again.
END
}

mode=apply
adopt=''
prune=yes
ask_first=yes
delete_roles=no
while [ "$#" -gt 0 ]; do
  case $1 in
    --dry-run) mode=dry-run ;;
    --yes) ask_first=no ;;
    --delete-roles) delete_roles=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "unknown option \"$1\"; see destroy.sh --help" ;;
  esac
  shift
done

# Accounts first, then the pool that they trust, then the bucket that the pool's provider trusts.
destroy_steps() {
  read_lists
  destroy_accounts_step
  destroy_roles_step
  destroy_pool_step
  destroy_bucket_step
}

prepare
guard
confirm_and_destroy
