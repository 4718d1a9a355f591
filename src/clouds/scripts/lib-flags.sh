# shellcheck shell=sh
# What the flags of apply.sh and status.sh have in common in every cloud. The script defines usage.

# parse_status_flags FLAG...: the flags of status.sh. Sets `result` to the path of the result, empty if none is asked for.
parse_status_flags() {
  find_output "$@"
  mode=status
  adopt=''
  prune=no
  result=''
  while [ "$#" -gt 0 ]; do
    case $1 in
      --result)
        case ${2:-} in
          '') die '--result requires a value; see status.sh --help' ;;
          /*) result=$2 ;;
          *) result=$PWD/$2 ;;
        esac
        shift 2
        ;;
      -o | --output)
        check_output "${2:-}"
        shift 2
        ;;
      -h | --help)
        output=text
        usage
        exit 0
        ;;
      *) die "unknown option \"$1\"; see status.sh --help" ;;
    esac
  done
}

# check_adopt KINDS: checks that --adopt names something of the package. Its names are in $work/names, and KINDS says what
# they are.
check_adopt() {
  while IFS= read -r one <&3; do
    [ -z "$one" ] || grep -F -x -q -e "$one" "$work/names" ||
      die "--adopt $one: the package has no $1 with that name"
  done 3<<END
$adopt
END
}

# check_prune DIRECTORY KIND: checks that --prune does not remove everything of that kind.
check_prune() {
  if [ "$prune" = yes ] && ! ls -d "$here/$1"/*/ >/dev/null 2>&1; then
    die "--prune: the package contains no $1, so every $2 would be removed; to delete everything, use destroy.sh"
  fi
}
