#!/bin/sh
# Reports where the cloud differs from the files next to this script. It only reads. See `status.sh --help`.
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
# shellcheck source=lib-result.sh
. "$here/lib-result.sh"

usage() {
  cat <<'END'
Report where the cloud differs from the files next to this script, with the AWS CLI. It only reads.

Usage:
  status.sh [options]

Each difference is one line: missing, differs, extra (only in the cloud), or refused (exists without the package's owner
tag). The lines below it show the values in the cloud and in the package.

Options:
  -o, --output FORMAT   text or json
  --result FILE         if the cloud is in sync, record that in FILE, with the package that it was compared with, for
                        "ccf upgradeable-to"; otherwise remove the earlier result

The AWS CLI's own environment variables apply, for example AWS_PROFILE and AWS_ENDPOINT_URL. The credentials must be for
the package's account.

Examples:
  status.sh
  AWS_PROFILE=auditor status.sh > differences.txt
  status.sh --result ../../status.json

Exit codes: 0 in sync; 2 differences found; 1 failed, so the state is unknown.
END
}

parse_status_flags "$@"
[ -z "$result" ] || forget_result "$result"
prepare
[ -z "$result" ] || check_export
guard_with_roles
issuer_steps
[ ! -d "$here/roles" ] || role_steps

conclude_status "$result"
