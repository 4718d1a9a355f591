#!/bin/sh
# Deletes what the package created, in reverse order. It never deletes a resource without the package's owner tag.
# See `destroy.sh --help`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=lib-common.sh
. "$here/lib-common.sh"
# shellcheck source=lib-aws.sh
. "$here/lib-aws.sh"
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
# shellcheck source=lib-distribution.sh
. "$here/lib-distribution.sh"
# shellcheck source=lib-provider.sh
. "$here/lib-provider.sh"
# shellcheck source=lib-role.sh
. "$here/lib-role.sh"
# shellcheck source=lib-steps.sh
. "$here/lib-steps.sh"
# shellcheck source=lib-issuer.sh
. "$here/lib-issuer.sh"
# shellcheck source=lib-use.sh
. "$here/lib-use.sh"
# shellcheck source=lib-destroy.sh
. "$here/lib-destroy.sh"

usage() {
  cat <<'END'
Delete what the package created in the cloud: roles, provider, distribution, bucket. Resources without the package's
owner tag are kept. A cluster that is still running loses its credentials immediately.

Usage:
  destroy.sh [options]

Options:
  --dry-run            delete nothing; print what would be deleted, and exit with 2 if anything would
  --yes                do not ask for confirmation
  --previous           delete only the issuers in spec.issuer.previous: the last step of a move to another issuer. It is
                       refused until the provider, documents and roles of the package's own issuer match the package.
  --documents-checked  with --previous: confirm that ccf check-issuer compared the documents of the package's own issuer
                       with the package and exited with 0. With External hosting, --previous requires this option,
                       because this script does not check documents that are hosted elsewhere.

The output says when each role was last used according to AWS, and which other roles trust a provider that is deleted.
The bucket is deleted last, and only if the provider is gone. Otherwise the provider would trust the next owner of the
bucket's name.

Examples:
  destroy.sh --dry-run
  AWS_PROFILE=admin destroy.sh
  destroy.sh --previous --documents-checked --dry-run

Exit codes: 0 done; 2 something would be deleted (--dry-run); 1 failed: fix the cause and run the same command again.
END
}

mode=apply
adopt=''
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

# Roles first, then the providers that they trust, then the hosting of the documents. A previous issuer may use the same
# bucket, so its provider is deleted before the package's own issuer.
destroy_steps() {
  if [ "$only_previous" = no ]; then
    read_roles
    each_role destroy_role_step
    other_roles
    while IFS= read -r one_other <&5; do
      if find_role "$one_other"; then remove_role "$one_other"; fi
    done 5<"$work/others"
  fi
  destroy_previous_step
  if [ "$only_previous" = no ]; then destroy_issuer_step; fi
}

destroy_role_step() {
  find_role "$role" || return 0
  if [ "$(owner "$role_json" Tags)" = own ]; then
    remove_role "$role"
  else
    line kept "role $role: it has no owner tag"
  fi
}

# remove_role NAME: call this after find_role.
remove_role() {
  printf '%s\n' "$1" >>"$work/going"
  role_use "$1" "$role_json"
  change remove "role $1" erase_role "$1"
}

start
if [ "$only_previous" = yes ]; then require_own_issuer; fi
confirm_and_destroy
