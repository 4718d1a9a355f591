# shellcheck shell=sh
# Calls of a cloud's command-line tool. Responses are JSON, in files in $work; errors are in $work/error.
#
# A cloud's library defines what this file needs:
#   cli CALL...         runs the tool with the options that every call has
#   expected ERRORS     whether $work/error contains one of the errors, written as the cloud's library defines
#   may_repeat          whether a call that failed with $work/error may work later, without a change by the user
#   max_tries           how often such a call is tried
#   call_failed CALL... ends the script with the error

# call FILE ERRORS CALL...: runs a call and writes the response to FILE in $work. Returns 1 if the call fails with one of
# the errors. Any other error ends the script.
call() {
  call_file=$1 call_errors=$2
  shift 2
  if cli "$@" >"$work/$call_file" 2>"$work/error"; then return 0; fi
  if expected "$call_errors"; then return 1; fi
  call_failed "$@"
}

# ask ERRORS CALL...: runs a call that only reads.
ask() {
  call answer "$@"
}

# erase ERRORS CALL...: runs a call that deletes something. Each of the errors means that it no longer exists.
erase() {
  call sent "$@" || return 0
}

# send CALL...: runs a call that changes something, and repeats it as may_repeat decides.
send() {
  send_unless '' "$@"
}

# send_unless PATTERN CALL...: like send, but returns 1 if the error matches the extended regular expression. An empty
# pattern matches nothing.
send_unless() {
  send_pattern=$1
  shift
  send_tries=1
  until cli "$@" >"$work/sent" 2>"$work/error"; do
    if [ -n "$send_pattern" ] && grep -E -q -e "$send_pattern" "$work/error"; then return 1; fi
    may_repeat || call_failed "$@"
    [ "$send_tries" -lt "$max_tries" ] || call_failed "$@"
    pause "$send_tries"
    send_tries=$((send_tries + 1))
  done
}

# pause TRIES: waits longer after each try, up to 10 seconds.
pause() {
  if [ "$1" -lt 5 ]; then sleep "$(($1 * ${CCF_WAIT:-2}))"; else sleep "$((5 * ${CCF_WAIT:-2}))"; fi
}

# stop_at_failure CALL: ends the script with the error of a call.
stop_at_failure() {
  die "$1: $(tr '\n' ' ' <"$work/error" | sed 's/^ *//')${newline}Nothing is lost: fix the cause and run the same command again. It continues from here."
}

# explain TEXT: prints what to do about an error of a call.
explain() {
  printf 'note: %s.\n' "$1" | safely >&2
}

# wait_until WHAT COMMAND...: repeats a command until it succeeds. Many calls return before the change
# is complete.
wait_until() {
  wait_for=$1
  shift
  wait_tries=1
  until "$@"; do
    [ "$wait_tries" -lt "$max_tries" ] || die "the $wait_for; run the same command again in a few minutes"
    pause "$wait_tries"
    wait_tries=$((wait_tries + 1))
  done
}
