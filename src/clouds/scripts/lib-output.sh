# shellcheck shell=sh
# The output for programs, as JSON: `-o json`. It is printed at the end of every run, also after an error.
#
#   {"account": "...", "status": "in sync, differs, refused or failed", "changes": N, "refused": N,
#    "steps": [{"action": "...", "text": "...", "cloud": ["..."], "package": ["..."]}], "error": "..."}

output=text
failure=''

# find_output FLAG...: call this before the flags are parsed, so that errors about flags are JSON, too.
find_output() {
  output_before=''
  for output_flag in "$@"; do
    case $output_before$output_flag in
      -ojson | --outputjson) output=json ;;
    esac
    output_before=$output_flag
  done
}

# check_output FORMAT: checks the value of -o.
check_output() {
  case $1 in
    text | json) ;;
    *) die '-o must be "text" or "json"' ;;
  esac
}

# record KIND TEXT: stores one step for the report.
record() {
  case $1 in
    same) [ "$quiet" = no ] || return 0 ;;
  esac
  printf '%s %s\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ' | safely)" >>"$work/steps"
}

# conclude STATUS TEXT: prints the result at the end: the report, or TEXT.
conclude() {
  if [ "$output" = json ]; then report "$1"; else printf '%s\n' "$2"; fi
}

# conclude_apply: the end of apply.sh.
conclude_apply() {
  if [ "$refusals" -gt 0 ]; then
    conclude refused "$(counted "$changes" change changes), $(counted "$refusals" refusal refusals); see above."
    exit 1
  elif [ "$changes" -eq 0 ]; then
    conclude 'in sync' 'No changes: the cloud matches the package.'
  elif [ "$mode" = apply ]; then
    conclude changed "$(counted "$changes" change changes) made. Another run would make none."
  else
    conclude differs "$(counted "$changes" change changes) would be made."
    exit 2
  fi
}

# report STATUS: prints the JSON, only once.
report() {
  output=text
  report_steps=/dev/null
  if [ -n "$work" ]; then
    [ ! -f "$work/steps" ] || report_steps=$work/steps
    [ ! -f "$work/failure" ] || failure=$(cat -- "$work/failure")
  fi
  failure=$(printf '%s' "${failure:-it was interrupted}" | tr '\n' ' ' | safely)
  REPORT_STATUS=$1 REPORT_ERROR=$failure REPORT_ACCOUNT=${account:-} REPORT_CHANGES=$changes REPORT_REFUSED=$refusals \
    awk '
      function quoted(text,    out, i, c) {
        out = ""
        for (i = 1; i <= length(text); i++) {
          c = substr(text, i, 1)
          out = out (c == "\"" || c == "\\" ? "\\" : "") c
        }
        return "\"" out "\""
      }
      function side(name, lines) {
        return lines == "" ? "" : ", \"" name "\": [" lines "]"
      }
      function put() {
        if (step != "") steps = steps (steps == "" ? "" : ",") "\n    {" step side("cloud", cloud) side("package", package) "}"
        step = cloud = package = ""
      }
      BEGIN {
        action["create"] = "create"
        action["change"] = "change"
        action["remove"] = "remove"
        action["refuse"] = "refuse"
        action["adopted"] = "adopt"
        action["same"] = "none"
      }
      {
        kind = $1
        text = substr($0, length(kind) + 2)
        if (kind == "cloud") cloud = cloud (cloud == "" ? "" : ", ") quoted(text)
        else if (kind == "package") package = package (package == "" ? "" : ", ") quoted(text)
        else {
          put()
          step = "\"action\": \"" (kind in action ? action[kind] : "note") "\", \"text\": " quoted(text)
        }
      }
      END {
        put()
        print "{"
        if (ENVIRON["REPORT_ACCOUNT"] != "") print "  \"account\": " quoted(ENVIRON["REPORT_ACCOUNT"]) ","
        print "  \"status\": " quoted(ENVIRON["REPORT_STATUS"]) ","
        print "  \"changes\": " ENVIRON["REPORT_CHANGES"] ","
        print "  \"refused\": " ENVIRON["REPORT_REFUSED"] ","
        print "  \"steps\": [" steps (steps == "" ? "" : "\n  ") "]" (ENVIRON["REPORT_STATUS"] == "failed" ? "," : "")
        if (ENVIRON["REPORT_STATUS"] == "failed") print "  \"error\": " quoted(ENVIRON["REPORT_ERROR"])
        print "}"
      }
    ' "$report_steps"
}
