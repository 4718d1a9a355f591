# shellcheck shell=sh
# The result of status.sh: a file that names the package that the cloud is in sync with. A cloud's library sets `cloud` to
# the directory of an export that contains the script.

# forget_result FILE: removes the earlier result before the comparison, so that it does not survive a run that finds
# differences.
forget_result() {
  [ -e "$1" ] || [ -h "$1" ] || return 0
  if [ ! -f "$1" ] || ! grep -q '^ *"status": "in sync",$' "$1"; then
    die "--result $1: the file exists and is not a result of status.sh; use another name"
  fi
  rm -f -- "$1" || die "--result $1: cannot remove the earlier result"
}

# check_export: checks that every file that the scripts read is unchanged since the export. Writes the digests to $work/sums.
check_export() {
  list=$here/../SHA256SUMS
  [ -f "$list" ] || die '--result: SHA256SUMS is missing; export the package, and run status.sh in that export'
  if ! printf '' | digest >/dev/null 2>&1; then die '--result requires sha256sum, shasum or openssl'; fi
  sed -n "/^[0-9a-f]*  $cloud\\//p" "$list" >"$work/sums" || die "cannot read $list"
  sed "s/^[0-9a-f]*  $cloud/./" "$work/sums" >"$work/wanted"
  (cd -- "$here" && find . -type f ! -name '.*') >"$work/found" || die "cannot list the files in $here"
  if ! compare; then
    new_and_gone
    one=$(cat "$work/new" "$work/gone" | head -n 1)
    die "--result: the files next to status.sh are not the files of the export, for example ${one#./}; export the package again"
  fi
  while read -r sum file <&3; do
    [ "$(digest <"$here/../$file")" = "$sum" ] || die "--result: $file has changed since the export; export the package again"
  done 3<"$work/sums"
}

# digest: prints the SHA-256 of standard input, in hexadecimal.
digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256
  else
    openssl dgst -sha256 -r
  fi | cut -c 1-64
}

# write_result FILE: writes the complete result, or fails.
write_result() {
  cat >"$work/result" <<END || die "cannot write to $work"
{
  "account": "$account",
  "package": "$(digest <"$work/sums")",
  "status": "in sync",
  "time": "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
}
END
  cat -- "$work/result" >"$1" || die "--result $1: cannot write the file"
}

# conclude_status FILE: the end of status.sh. FILE is empty if no result is asked for.
conclude_status() {
  all_differences=$((changes + refusals))
  if [ "$all_differences" -eq 0 ]; then
    [ -z "$1" ] || write_result "$1"
    conclude 'in sync' 'In sync: the cloud matches the package.'
  else
    conclude differs "$(counted "$all_differences" difference differences). To see what apply.sh would do, run: apply.sh --dry-run"
    exit 2
  fi
}
