# shellcheck shell=sh
# What the scripts of every cloud share: a place for their files, lines for people, and changes. Nothing here knows a cloud.
#
# A script sets `mode` before it uses them:
#   apply     what differs is changed
#   dry-run   nothing is changed; the lines say what would be
#   status    nothing is changed; the lines say how cloud and package differ

changes=0
refusals=0
# What is set on a resource that was created a moment ago belongs to its creation: it is neither said nor counted, so that
# a dry run, which cannot look at what does not exist yet, counts the same.
fresh=no
# Whether only what differs is said.
quiet=no
work=''
newline='
'
# Texts are bytes, for every tool, and before the first file is read.
export LC_ALL=C
# What ends in a part of the script (a command substitution, a pipe) ends all of it: see die.
trap 'exit 1' USR1
trap finish EXIT

# open_work: a directory of its own for a script's files, and what a signal does.
open_work() {
  umask 077
  work=$(CDPATH='' cd -- "${TMPDIR:-/tmp}" && pwd -P) || die "cannot use the directory ${TMPDIR:-/tmp}"
  work_made=$work/ccf-$$
  # It is removed at the end, which must never happen to a directory of others.
  work=''
  mkdir -- "$work_made" || die "cannot make the directory $work_made"
  work=$work_made
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  colours
}

# finish: at the end, whatever it is.
finish() {
  end_jobs
  [ "$output" = text ] || report failed
  [ -z "$work" ] || rm -rf -- "$work"
}

colours() {
  good='' warn='' bad='' plain=''
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    escape=$(printf '\033')
    good="${escape}[32m" warn="${escape}[33m" bad="${escape}[31m" plain="${escape}[0m"
  fi
}

# each FIELD FILE PATH: that field of each object of a list, a line for each.
each() {
  json fields "$2" "$3" | sed -n "s/^\.[0-9]*\.$1=//p"
}

# ---- Lines for people.

# line KIND TEXT: one step. A kind has a word for each mode.
line() {
  if [ "$output" = json ]; then
    record "$1" "$2"
    return 0
  fi
  case $mode/$1 in
    apply/create) show "$good" created "$2" ;;
    apply/change) show "$warn" changed "$2" ;;
    apply/remove) show "$warn" removed "$2" ;;
    dry-run/create) show "$good" 'would create' "$2" ;;
    dry-run/change) show "$warn" 'would change' "$2" ;;
    dry-run/remove) show "$warn" 'would remove' "$2" ;;
    status/create) show "$warn" missing "$2" ;;
    status/change) show "$warn" differs "$2" ;;
    status/remove) show "$warn" extra "$2" ;;
    */same) [ "$quiet" = yes ] || show '' 'in step' "$2" ;;
    */refuse) show "$bad" refused "$2" ;;
    *) show '' "$1" "$2" ;;
  esac
}

show() {
  printf '%s%-13s%s ' "$1" "$2" "$plain"
  printf '%s\n' "$3" | safely
}

# What comes from the cloud may hold what a terminal would act on.
safely() {
  tr -c '\n -~' '?'
}

# waiting TEXT: progress of something that takes long.
waiting() {
  printf '%s\n' "$1" >&2
}

# counted N ONE MANY: "1 change", "2 changes".
counted() {
  if [ "$1" -eq 1 ]; then printf '1 %s' "$2"; else printf '%s %s' "$1" "$3"; fi
}

# die TEXT: in a command substitution `exit` would end that alone, and the script would go on with half an answer.
die() {
  printf 'error: %s\n' "$1" | safely >&2
  failure=$1
  [ -z "$work" ] || printf '%s\n' "$1" >"$work/failure"
  kill -s USR1 "$$"
  exit 1
}

# refuse TEXT: something is left as it is that the package would have otherwise. The script goes on, and ends badly.
refuse() {
  refusals=$((refusals + 1))
  line refuse "$1"
}

# ---- Changes.

# change KIND TEXT CALL...: one step: said, counted, and done where the mode is apply.
change() {
  change_kind=$1 change_text=$2
  shift 2
  # What is still there because nothing is removed is removed once.
  if [ "$mode/$change_kind" = dry-run/remove ]; then
    if [ -f "$work/removed" ] && grep -F -x -q -e "$change_text" "$work/removed"; then return 0; fi
    printf '%s\n' "$change_text" >>"$work/removed"
  fi
  if [ "$fresh" = yes ]; then
    "$@"
    return 0
  fi
  changes=$((changes + 1))
  if [ "$mode" = apply ]; then "$@"; fi
  line "$change_kind" "$change_text"
}

# compare: whether the lines in $work/found and $work/wanted are the same, in whatever order.
compare() {
  sort -u "$work/found" >"$work/found.sorted" || die "cannot write to $work"
  sort -u "$work/wanted" >"$work/wanted.sorted" || die "cannot write to $work"
  cmp -s "$work/found.sorted" "$work/wanted.sorted"
}

# lacks: whether a line of $work/wanted is not in $work/found; what is there beside them does not count.
lacks() {
  ! compare && [ -n "$(comm -13 "$work/found.sorted" "$work/wanted.sorted")" ]
}

# new_and_gone: the lines that compare found in the package alone, in $work/new, and in the cloud alone, in $work/gone.
new_and_gone() {
  comm -13 "$work/found.sorted" "$work/wanted.sorted" >"$work/new"
  comm -23 "$work/found.sorted" "$work/wanted.sorted" >"$work/gone"
}

# differences: the lines that compare or lacks found to be different, after the step that they belong to.
differences() {
  [ "$fresh" = no ] || return 0
  comm -23 "$work/found.sorted" "$work/wanted.sorted" | detail cloud
  missing_lines
}

missing_lines() {
  [ "$fresh" = no ] || return 0
  comm -13 "$work/found.sorted" "$work/wanted.sorted" | detail package
}

# detail SIDE: lines of what differs, below the step.
detail() {
  if [ "$output" = json ]; then
    safely | sed "s/^/$1 /" >>"$work/steps"
  else
    sed "s/^/$(printf '%14s%-9s' '' "$1")/" | safely
  fi
}

# ---- Ownership.

# may_take NAME TEXT OWNER: whether what is there already may be changed. If not, it is said.
may_take() {
  case $3 in
    own) return 0 ;;
    other) refuse "$2: it carries the owner tag of another resource prefix, and cannot be taken over" ;;
    *)
      if printf '%s\n' "$adopt" | grep -F -x -q -e "$1"; then
        line adopted "$2: it has no owner tag yet"
        return 0
      fi
      refuse "$2: it is there already, without the owner tag, and is not touched. To take it over: apply.sh --adopt $1"
      ;;
  esac
  return 1
}
