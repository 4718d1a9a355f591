#!/bin/sh
# Reports where the cloud differs from the files next to this script. It only reads. See `status.sh --help`.
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
# shellcheck source=lib-result.sh
. "$here/lib-result.sh"

usage() {
  cat <<'END'
Report where the cloud differs from the files next to this script, with the Azure CLI (az). It only reads.

Usage:
  status.sh [options]

Each difference is one line: missing, differs, extra (only in the cloud), or refused (exists without the package's owner
tag or description, or cannot be changed by apply.sh). The lines below it show the values in the cloud and in the
package. The client IDs of the managed identities are compared with those in the Secrets of the export.

Options:
  -o, --output FORMAT   text or json
  --result FILE         if the cloud is in sync, record that in FILE, with the package that it was compared with, for
                        "ccf upgradeable-to"; otherwise remove the earlier result

The login of the Azure CLI applies. It must be for the package's subscription, tenant and cloud.

Examples:
  status.sh
  status.sh > differences.txt
  status.sh --result ../../status.json

Exit codes: 0 in sync; 2 differences found; 1 failed, so the state is unknown.
END
}

parse_status_flags "$@"
[ -z "$result" ] || forget_result "$result"
prepare
[ -z "$result" ] || check_export
guard
read_everything
check_everything
groups_step
storage_steps || :
identity_steps
client_ids_step
conclude_status "$result"
