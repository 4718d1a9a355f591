# shellcheck shell=sh
# The result of status.sh: a file that says, when the cloud is in step, which package it was compared with. A script sets
# `cloud`, the directory of an export that it is in.

# forget_result FILE: before anything is compared, so that no older result outlives a run that found differences.
forget_result() {
  [ -e "$1" ] || [ -h "$1" ] || return 0
  if [ ! -f "$1" ] || ! grep -q '^ *"status": "in step",$' "$1"; then
    die "--result $1: it is there, and no result of status.sh; give another name"
  fi
  rm -f -- "$1" || die "--result $1: the result that is there cannot be removed"
}

# check_export: every file that the scripts read is as it was exported. Their digests are in $work/sums.
check_export() {
  list=$here/../SHA256SUMS
  [ -f "$list" ] || die '--result: SHA256SUMS is missing; export the package, and run status.sh where the export is'
  if ! printf '' | digest >/dev/null 2>&1; then die '--result: one of sha256sum, shasum and openssl is needed'; fi
  sed -n "/^[0-9a-f]*  $cloud\\//p" "$list" >"$work/sums" || die "cannot read $list"
  sed "s/^[0-9a-f]*  $cloud/./" "$work/sums" >"$work/wanted"
  (cd -- "$here" && find . -type f ! -name '.*') >"$work/found" || die "cannot list the files in $here"
  if ! compare; then
    new_and_gone
    one=$(cat "$work/new" "$work/gone" | head -n 1)
    die "--result: the files beside status.sh are not those that were exported, such as ${one#./}; export the package again"
  fi
  while read -r sum file <&3; do
    [ "$(digest <"$here/../$file")" = "$sum" ] || die "--result: $file is not as it was exported; export the package again"
  done 3<"$work/sums"
}

# digest: SHA-256 of standard input, in hexadecimal.
digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256
  else
    openssl dgst -sha256 -r
  fi | cut -c 1-64
}

# write_result FILE: whole, or not at all.
write_result() {
  cat >"$work/result" <<END || die "cannot write to $work"
{
  "account": "$account",
  "package": "$(digest <"$work/sums")",
  "status": "in step",
  "time": "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
}
END
  cat -- "$work/result" >"$1" || die "--result $1: cannot be written"
}
