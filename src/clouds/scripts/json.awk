# Reads JSON for the scripts next to it. It needs only a POSIX awk.
#
#   awk -f json.awk text FILE PATH        the string or number at PATH, or each element of a list on its own line
#   awk -f json.awk fields FILE PATH      every value below PATH, one line each
#   awk -f json.awk items FILE PATH KEY   each object of a list: a line with the string at KEY, a line with the object as JSON
#
# Code for only one cloud is in a separate file, which is loaded before this one.
# A PATH is a list of keys separated by slashes, or "." for the whole document. If nothing exists at the path, no lines are
# printed. An empty FILE means null. The exit code is not 0 if the file is not JSON, contains a duplicate key, or is nested
# more deeply than this awk supports (mawk: about 100 levels).
# Strings are printed with their JSON escapes, so they cannot contain a line break or move a cursor.

BEGIN {
  command = ARGV[1]
  if (command == "text") text(read(ARGV[2], ARGV[3]))
  else if (command == "fields") fields(read(ARGV[2], ARGV[3]), "")
  else if (command == "items") items(read(ARGV[2], ARGV[3]), ARGV[4])
  else give_up("unknown command: " command)
  exit 0
}

function give_up(why) {
  print "json.awk: " why | "cat 1>&2"
  close("cat 1>&2")
  exit 3
}

# ---- Reading. A value is represented by a number v. type[v] is object, list, string or plain. Objects and lists have
# ---- size[v] and part[v, i], objects also key[v, i]. All others have value[v].
# ---- The input is kept in `line`, by line number. In JSON, a scalar never contains a line break, and cutting short strings
# ---- is much faster than cutting the whole input.

function read(file, path,    got, text_line) {
  line_count = 0
  while ((got = (getline text_line < file)) > 0) line[++line_count] = text_line
  if (got < 0) give_up("cannot read " file)
  close(file)
  return at(parse(), path)
}

function parse(    v) {
  line_now = 0
  rest = ""
  if (skip()) v = parse_value()
  else {
    v = ++values
    type[v] = "plain"
    value[v] = "null"
  }
  if (skip()) give_up("unexpected text after the value")
  return v
}

# Skips white space, so that `rest` begins with the next token. Returns 0 at the end of the input.
function skip() {
  while (!match(rest, /[^ \t\r]/)) {
    if (line_now >= line_count) return 0
    rest = line[++line_now]
  }
  if (RSTART > 1) rest = substr(rest, RSTART)
  return 1
}

function parse_value(    v, first) {
  v = ++values
  first = substr(rest, 1, 1)
  size[v] = 0
  if (first == "{") {
    type[v] = "object"
    parse_parts(v, "}")
  } else if (first == "[") {
    type[v] = "list"
    parse_parts(v, "]")
  } else if (first == "\"") {
    type[v] = "string"
    value[v] = parse_string()
  } else {
    type[v] = "plain"
    value[v] = parse_plain()
  }
  return v
}

function parse_plain(    found) {
  if (!match(rest, /^[-+.0-9a-zA-Z]+/)) give_up("expected a value")
  found = substr(rest, 1, RLENGTH)
  if (found !~ /^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)$/) give_up("expected a value")
  rest = substr(rest, RLENGTH + 1)
  return found
}

function parse_parts(v, end,    i, name) {
  rest = substr(rest, 2)
  skip()
  if (substr(rest, 1, 1) == end) {
    rest = substr(rest, 2)
    return
  }
  for (i = 1; ; i++) {
    if (type[v] == "object") {
      name = parse_string()
      if ((v, name) in known) give_up("duplicate key")
      known[v, name]
      skip()
      if (substr(rest, 1, 1) != ":") give_up("expected a colon")
      rest = substr(rest, 2)
      skip()
      key[v, i] = name
    }
    part[v, i] = parse_value()
    size[v] = i
    skip()
    name = substr(rest, 1, 1)
    rest = substr(rest, 2)
    skip()
    if (name == end) return
    if (name != ",") give_up("expected a comma")
  }
}

# Strings keep their JSON escapes, without the quotes, in one canonical form: a character that needs no escape has none.
function parse_string(    found) {
  if (!match(rest, /^"([^"\\]|\\.)*"/)) give_up("expected a string")
  found = substr(rest, 2, RLENGTH - 2)
  rest = substr(rest, RLENGTH + 1)
  if (found ~ /[\001-\037]/) give_up("a string contains a control character")
  return index(found, "\\") ? plainest(found) : found
}

# The string is split at its backslashes. An escaped backslash leaves an empty piece. The pieces are joined in chunks,
# because appending to a long string is slow.
function plainest(escaped,    pieces, n, i, first, code, out, some) {
  n = split(escaped, pieces, "\\")
  out = ""
  some = pieces[1]
  for (i = 2; i <= n; i++) {
    first = substr(pieces[i], 1, 1)
    if (first == "") some = some "\\\\" pieces[++i]
    else if (first == "/") some = some pieces[i]
    else if (first == "u") {
      code = hex(substr(pieces[i], 2, 4))
      if (code >= 55296 && code < 56320 && length(pieces[i]) == 5 && pieces[i + 1] ~ /^u[dD][c-fC-F]/) {
        code = 65536 + (code - 55296) * 1024 + hex(substr(pieces[++i], 2, 4)) - 56320
      }
      some = some character(code) substr(pieces[i], 6)
    } else if (index("\"bfnrt", first)) some = some "\\" pieces[i]
    else give_up("a string contains an invalid escape")
    if (length(some) > 4000) {
      out = out some
      some = ""
    }
  }
  return out some
}

function hex(digits,    i, n) {
  if (length(digits) != 4 || digits ~ /[^0-9a-fA-F]/) give_up("a string contains an invalid escape")
  n = 0
  for (i = 1; i <= 4; i++) n = n * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
  return n
}

# The character in UTF-8. Characters that JSON must escape and lone surrogates stay escaped.
function character(code) {
  if (code == 8) return "\\b"
  if (code == 9) return "\\t"
  if (code == 10) return "\\n"
  if (code == 12) return "\\f"
  if (code == 13) return "\\r"
  if (code == 34) return "\\\""
  if (code == 92) return "\\\\"
  if (code < 32 || (code >= 55296 && code < 57344)) return sprintf("\\u%04x", code)
  if (code < 128) return sprintf("%c", code)
  if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
  if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
  return sprintf("%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64)
}

# The JSON document that a string contains.
function inner(v) {
  line_count = split(raw(value[v]), line, "\n")
  return parse()
}

# The text of a string without its escapes.
function raw(escaped,    out, i, next_one) {
  out = ""
  while ((i = index(escaped, "\\")) > 0) {
    next_one = substr(escaped, i + 1, 1)
    out = out substr(escaped, 1, i - 1)
    if (next_one == "n") out = out "\n"
    else if (next_one == "r") out = out "\r"
    else if (next_one == "t") out = out "\t"
    else if (index("\"\\", next_one)) out = out next_one
    else give_up("a string contains a control character")
    escaped = substr(escaped, i + 2)
  }
  return out escaped
}

# The value at a path, or 0.
function at(v, path,    steps, n, i) {
  if (path == ".") return v
  n = split(path, steps, "/")
  for (i = 1; i <= n && v; i++) v = type[v] == "list" ? part[v, steps[i]] : member(v, steps[i])
  return v
}

function member(v, name,    i) {
  for (i = 1; i <= size[v]; i++) if (key[v, i] == name) return part[v, i]
  return 0
}

function is_null(v) {
  return !v || (type[v] == "plain" && value[v] == "null")
}

# ---- Output.

function text(v,    i) {
  if (is_null(v)) return
  if (type[v] == "list") for (i = 1; i <= size[v]; i++) text(part[v, i])
  else print value[v]
}

function quoted(v) {
  return "\"" value[v] "\""
}

# Lists of strings are sets, so their lines have no index. Lists of objects keep their order.
function fields(v, name,    i) {
  if (!v) return
  if (type[v] == "object") {
    for (i = 1; i <= size[v]; i++) fields(part[v, i], name (name == "" ? "" : ".") key[v, i])
  } else if (type[v] == "list") {
    for (i = 1; i <= size[v]; i++) fields(part[v, i], name (type[part[v, i]] == "object" ? "." i : ""))
  } else {
    print name "=" value[v]
  }
}

function items(v, name,    i) {
  for (i = 1; i <= size[v]; i++) {
    print value[member(part[v, i], name)]
    print json(part[v, i])
  }
}

function json(v,    i, out) {
  if (type[v] == "string") return quoted(v)
  if (type[v] == "plain") return value[v]
  out = ""
  for (i = 1; i <= size[v]; i++) {
    out = out (i == 1 ? "" : ", ") (type[v] == "object" ? "\"" key[v, i] "\": " : "") json(part[v, i])
  }
  return type[v] == "object" ? "{" out "}" : "[" out "]"
}

# Distinct lines, sorted, as one line.
function joined(lines, n, between,    i, j, one, out) {
  for (i = 2; i <= n; i++) {
    one = lines[i]
    for (j = i - 1; j >= 1 && lines[j] > one; j--) lines[j + 1] = lines[j]
    lines[j + 1] = one
  }
  out = ""
  for (i = 1; i <= n; i++) if (i == 1 || lines[i] != lines[i - 1]) out = out (i == 1 ? "" : between) lines[i]
  return out
}
