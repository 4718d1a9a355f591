#!/bin/sh
# Deletes what the package made, in the reverse order, and nothing that does not carry its owner tag.
# `destroy.sh --help` says more.
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
# shellcheck source=lib-issuer.sh
. "$here/lib-issuer.sh"
# shellcheck source=lib-use.sh
. "$here/lib-use.sh"

usage() {
  cat <<'END'
Delete what the package made in the cloud: roles, provider, distribution, bucket. Only what carries its owner tag goes.
A cluster that still runs loses its credentials at once.

Usage:
  destroy.sh [flags]

Flags:
  --dry-run            delete nothing, say what would be deleted; exit 2 when something would
  --yes                do not ask
  --previous           delete the issuers below spec.issuer.previous alone: the end of a move to another issuer. It is
                       refused until provider, documents and roles of the package's own issuer are in the cloud as the
                       package says.
  --documents-checked  with --previous, where hosting is External: the documents of the package's own issuer were
                       checked against the package with ccf check-issuer, which exited with 0. --previous is refused
                       without it there, because this script does not look at documents that are hosted elsewhere.

It says when AWS last saw a role in use, and which other roles trust a provider that goes. The bucket goes last, and
only when the provider is gone, which would otherwise believe another owner of the freed name.

Examples:
  destroy.sh --dry-run
  AWS_PROFILE=admin destroy.sh
  destroy.sh --previous --documents-checked --dry-run

Exit codes: 0 done, 2 something would be deleted (--dry-run), 1 failed; then run the same again.
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
    *) die "$1 is no flag of destroy.sh; see destroy.sh --help" ;;
  esac
  shift
done
if [ "$only_previous/$documents_checked" = no/yes ]; then
  die '--documents-checked needs --previous; see destroy.sh --help'
fi

# Roles first, then who they trust, then where its documents are. A bucket may be that of a former issuer too, whose
# provider goes before it.
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
    line left "role $role: it has no owner tag"
  fi
}

# remove_role NAME: after find_role.
remove_role() {
  printf '%s\n' "$1" >>"$work/going"
  role_use "$1" "$role_json"
  change remove "role $1" erase_role "$1"
}

start
if [ "$only_previous" = yes ]; then require_own_issuer; fi
if [ "$mode" = apply ] && [ "$ask_first" = yes ]; then
  [ -t 0 ] || die 'nobody can be asked here; look at destroy.sh --dry-run, then use --yes'
  mode=dry-run
  destroy_steps
  mode=apply
  if [ "$changes" -gt 0 ]; then
    printf 'Delete all of this? Type the prefix (%s) to go on: ' "$prefix" | safely
    read -r typed
    [ "$typed" = "$prefix" ] || die 'nothing was deleted'
  fi
  changes=0
fi
destroy_steps

if [ "$changes" -eq 0 ]; then
  echo 'Nothing to delete.'
elif [ "$mode" = apply ]; then
  echo "$(counted "$changes" thing things) deleted."
else
  echo "$(counted "$changes" thing things) would be deleted."
  exit 2
fi
