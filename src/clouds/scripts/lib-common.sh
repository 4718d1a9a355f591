# shellcheck shell=sh
# What the scripts of every cloud share: a directory for temporary files, output for people, and changes. Nothing here
# depends on a cloud. A cloud's library sets `cloud` to its directory in an export, and `cloud_title` to its name.
#
# A script sets `mode` before it uses these functions:
#   apply     change what differs
#   dry-run   change nothing; print what would change
#   status    change nothing; print how the cloud differs from the package

changes=0
refusals=0
# "yes" while a new resource is set up. Those settings are part of its creation, so they are not printed or counted. A dry
# run cannot look at a resource that does not exist yet, but must count the same.
fresh=no
# "yes" if only differences are printed.
quiet=no
work=''
newline='
'
# Every tool treats text as bytes. This must be set before the first file is read.
export LC_ALL=C
# An error in a subshell (a command substitution, a pipe) ends the whole script: see die.
trap 'exit 1' USR1
trap finish EXIT

# open_work: creates a private directory for the script's files, and sets what signals do.
open_work() {
  umask 077
  work=$(CDPATH='' cd -- "${TMPDIR:-/tmp}" && pwd -P) || die "cannot use the directory ${TMPDIR:-/tmp}"
  work_in=$work
  # The directory in `work` is removed at the end, so `work` is set only after this script has created it.
  work=''
  new_directory "$work_in/ccf-$$"
  work=$made
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  colors
}

# new_directory NAME: creates a directory with this name and a number, and sets `made` to it. A killed script leaves its
# directory, and a later one may have the same process ID. What exists is never used, followed, or removed.
new_directory() {
  made_number=1
  made=$1-1
  until mkdir -- "$made" 2>/dev/null; do
    if [ ! -e "$made" ] && [ ! -h "$made" ]; then
      # The same again, so that mkdir prints the reason.
      mkdir -- "$made" || die "cannot create the directory $made"
      return 0
    fi
    [ "$made_number" -lt 100 ] || die "$1-1 to $1-100 already exist; remove those that scripts have left"
    made_number=$((made_number + 1))
    made=$1-$made_number
  done
}

# finish: runs at every end of the script, also after an error or a signal.
finish() {
  end_jobs
  [ "$output" = text ] || report failed
  [ -z "$work" ] || rm -rf -- "$work"
}

colors() {
  good='' warn='' bad='' plain=''
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    escape=$(printf '\033')
    good="${escape}[32m" warn="${escape}[33m" bad="${escape}[31m" plain="${escape}[0m"
  fi
}

# whole COMMAND...: prints the output of a command, or fails. On a full disk, some awks print nothing and succeed, and a list
# without entries looks as if nothing existed. The shell reports that it cannot write.
whole() {
  whole_text=$("$@" && printf .) || return 1
  printf '%s' "${whole_text%.}"
}

# json COMMAND FILE PATH...: see json.awk, and the awk file of the cloud.
json() {
  whole awk -f "$here/$cloud.awk" -f "$here/json.awk" "$@" || die "cannot read a response of $cloud_title or a file of the package ($*)"
}

# each FIELD FILE PATH: prints that field of each object of a list, one line each.
each() {
  json fields "$2" "$3" | sed -n "s/^\.[0-9]*\.$1=//p"
}

# ---- Output for people.

# line KIND TEXT: prints one step. The label of a kind depends on the mode.
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
    */same) [ "$quiet" = yes ] || show '' 'in sync' "$2" ;;
    */refuse) show "$bad" refused "$2" ;;
    *) show '' "$1" "$2" ;;
  esac
}

show() {
  printf '%s%-13s%s ' "$1" "$2" "$plain"
  printf '%s\n' "$3" | safely
}

# Text from the cloud may contain control characters that a terminal would interpret.
safely() {
  tr -c '\n -~' '?'
}

# waiting TEXT: prints the progress of a long operation.
waiting() {
  printf '%s\n' "$1" >&2
}

# counted N ONE MANY: "1 change", "2 changes".
counted() {
  if [ "$1" -eq 1 ]; then printf '1 %s' "$2"; else printf '%s %s' "$1" "$3"; fi
}

# die TEXT: ends the script with an error. In a command substitution, `exit` would end only the subshell, and the script
# would continue with an incomplete result. The signal therefore ends the script itself.
die() {
  printf 'error: %s\n' "$1" | safely >&2
  failure=$1
  [ -z "$work" ] || printf '%s\n' "$1" >"$work/failure"
  kill -s USR1 "$$"
  exit 1
}

# refuse TEXT: reports a difference that the script does not change. The script continues, and its exit code is not 0.
refuse() {
  refusals=$((refusals + 1))
  line refuse "$1"
}

# one_name FLAG NAME: checks the value of a flag that may be repeated.
one_name() {
  [ -n "$2" ] || die "$1 requires a value; see apply.sh --help"
  case $2 in
    *"$newline"*) die "$1 accepts only one name; see apply.sh --help" ;;
  esac
}

# ---- Changes.

# change KIND TEXT CALL...: prints and counts one step, and runs CALL if the mode is apply.
change() {
  change_kind=$1 change_text=$2
  shift 2
  # A dry run removes nothing, so it can find the same resource twice. It is reported once.
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

# compare: whether $work/found and $work/wanted contain the same lines, in any order.
compare() {
  sort -u "$work/found" >"$work/found.sorted" || die "cannot write to $work"
  sort -u "$work/wanted" >"$work/wanted.sorted" || die "cannot write to $work"
  cmp -s "$work/found.sorted" "$work/wanted.sorted"
}

# lacks: whether a line of $work/wanted is missing from $work/found. Additional lines of $work/found do not matter.
lacks() {
  ! compare && [ -n "$(comm -13 "$work/found.sorted" "$work/wanted.sorted")" ]
}

# new_and_gone: call this after compare. Writes lines that are only in the package to $work/new, and lines that are only in
# the cloud to $work/gone.
new_and_gone() {
  comm -13 "$work/found.sorted" "$work/wanted.sorted" >"$work/new"
  comm -23 "$work/found.sorted" "$work/wanted.sorted" >"$work/gone"
}

# differences: prints the lines that compare or lacks found to differ, below the step that they belong to.
differences() {
  [ "$fresh" = no ] || return 0
  comm -23 "$work/found.sorted" "$work/wanted.sorted" | detail cloud
  missing_lines
}

missing_lines() {
  [ "$fresh" = no ] || return 0
  comm -13 "$work/found.sorted" "$work/wanted.sorted" | detail package
}

# detail SIDE: prints standard input as the lines of one side, below the step.
detail() {
  if [ "$output" = json ]; then
    safely | sed "s/^/$1 /" >>"$work/steps"
  else
    sed "s/^/$(printf '%14s%-9s' '' "$1")/" | safely
  fi
}

# ---- Ownership.

# may_take NAME TEXT OWNER [MARK]: whether an existing resource may be changed. If not, prints the reason. MARK is what shows
# the owner of a resource, if it is not a tag.
may_take() {
  mark=${4:-owner tag}
  case $3 in
    own) return 0 ;;
    other) refuse "$2: it has the $mark of another resource prefix and cannot be adopted" ;;
    *)
      if is_adopted "$1"; then
        line adopted "$2: it has no $mark yet"
        return 0
      fi
      refuse "$2: it already exists without the $mark, so it is not touched. To adopt it, run: apply.sh --adopt $1"
      ;;
  esac
  return 1
}

# is_adopted NAME: whether the user named the resource with --adopt.
is_adopted() {
  printf '%s\n' "$adopt" | grep -F -x -q -e "$1"
}

# extra TEXT COMMAND...: a resource that the package owns but no longer contains.
extra() {
  extra_text=$1
  shift
  if [ "$mode" = status ] || [ "$prune" = yes ]; then
    change remove "$extra_text: it is not in the package" "$@"
  else
    line note "$extra_text has the owner of this package but is not in it; --prune removes it"
  fi
}
