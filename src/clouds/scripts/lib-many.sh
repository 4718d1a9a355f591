# shellcheck shell=sh
# Reads many resources of one kind: a list that one call returns, or calls that run a few in parallel.

jobs=0
job_ids=''

# keep_items FILE PATH KEY NAMES PREFIX END: writes the string at KEY of each object of a list to NAMES, one line each, and
# each object to its own file: PREFIX, the number of the line, END.
keep_items() {
  json items "$1" "$2" "$3" >"$work/items"
  : >"$4"
  kept=0
  while IFS= read -r one <&3 && IFS= read -r item <&3; do
    kept=$((kept + 1))
    printf '%s\n' "$one" >>"$4"
    printf '%s\n' "$item" >"$5$kept$6"
  done 3<"$work/items"
}

# place NAME FILE: prints the line number of NAME.
place() {
  grep -n -F -x -e "$1" "$2" | sed -n '1s/:.*//p'
}

# begin FILE CALL...: starts a call in the background. If it fails, its error is in FILE.error, and FILE.failed exists.
begin() {
  begin_file=$1
  shift
  carry_out "$begin_file" "$@" &
  jobs=$((jobs + 1))
  job_ids="$job_ids $!"
  [ "$jobs" -lt 4 ] || wait_jobs
}

carry_out() {
  carried=$1
  shift
  cli "$@" >"$carried" 2>"$carried.error" || : >"$carried.failed"
}

wait_jobs() {
  wait
  jobs=0
  job_ids=''
}

# end_jobs: stops background calls if the script ends before they do.
end_jobs() {
  [ -n "$job_ids" ] || return 0
  # shellcheck disable=SC2086 # They are numbers.
  kill $job_ids 2>/dev/null || :
  wait_jobs
}

# came FILE ERRORS CALL...: whether the call in the background succeeded. Returns 1 if it failed with one of the errors.
came() {
  [ -f "$1.failed" ] || return 0
  cp -- "$1.error" "$work/error"
  came_errors=$2
  shift 2
  expected "$came_errors" || call_failed "$@"
  return 1
}

# ---- Names, one line each.

# keep_name NAME FILE: adds a line to a file in $work. What follows depends on it, so a failure ends the script.
keep_name() {
  printf '%s\n' "$1" >>"$work/$2" || die "cannot write to $work"
}

# is_in NAME FILE: whether a file in $work exists and contains the name as a line.
is_in() {
  [ -f "$work/$2" ] && grep -F -x -q -e "$1" "$work/$2"
}
