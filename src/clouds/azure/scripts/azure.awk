# Reads and writes the JSON that is specific to Azure: the requests of a package, and the answers of Azure Resource Manager.
# json.awk reads JSON in general.
#
#   awk -f azure.awk -f json.awk body FILE               the body of a request; with -v principal=ID, of a role assignment
#   awk -f azure.awk -f json.awk wanted FILE             the fields of a request's body, one line each, in canonical form
#   awk -f azure.awk -f json.awk found FILE ANSWER       the same fields of an answer
#   awk -f azure.awk -f json.awk fixed FILE ANSWER       the fields that differ and that Azure cannot change: name, value in
#                                                        the answer, value in the request, separated by tabs
#   awk -f azure.awk -f json.awk patch FILE ANSWER       a body with the fields that differ, without those of "fixed"
#   awk -f azure.awk -f json.awk tags FILE PATH          a line "name=value" for each tag
#   awk -f azure.awk -f json.awk pages FILE...           the pages of a list, as one page
#   awk -f azure.awk -f json.awk next FILE               the URL of the next page, or nothing; fails if FILE is not a list
#   awk -f azure.awk -f json.awk assignments FILE        a line "NAME PRINCIPAL ROLE SCOPE" for each role assignment
#   awk -f azure.awk -f json.awk credential FILE PATH    a federated credential: issuer, subject, audiences, after tabs
#   awk -f azure.awk -f json.awk credentials FILE        the same for each one of a list, after its name and a tab
#   awk -f azure.awk -f json.awk grants ACTION FILE      "yes" if a list of permissions allows a data action, else "no"
#
# json.awk handles every other command.
# Azure ignores the case of IDs, names, locations and actions, so lines contain them in lowercase. Issuers, subjects,
# audiences, descriptions and the values of tags keep their case.

BEGIN {
  command = ARGV[1]
  if (command ~ /^(body|wanted|found|fixed|patch|tags|pages|next|assignments|credential|credentials|grants)$/) {
    if (command == "body") body(read(ARGV[2], "body"))
    else if (command == "wanted") leaves(read(ARGV[2], "body"), "")
    else if (command == "tags") tags(read(ARGV[2], ARGV[3]))
    else if (command == "pages") pages()
    else if (command == "next") next_page(read(ARGV[2], "."))
    else if (command == "assignments") assignments(read(ARGV[2], "value"))
    else if (command == "credential") print credential(read(ARGV[2], ARGV[3]))
    else if (command == "credentials") credentials(read(ARGV[2], "value"))
    else if (command == "grants") grants(tolower(ARGV[2]), read(ARGV[3], "value"))
    else compare_with(read(ARGV[2], "body"), read(ARGV[3], "."))
    exit 0
  }
}

function compare_with(wanted, answer) {
  if (command == "found") stated(wanted, answer, "")
  else if (command == "fixed") fixed(wanted, answer)
  else print patch(wanted, answer)
}

# The script has checked that the principal is a UUID.
function body(v,    out) {
  out = json(v)
  if (principal != "" && !sub(/"properties": \{/, "&\"principalId\": \"" principal "\", ", out)) give_up("not a role assignment")
  print out
}

# ---- Canonical lines. A field that is null or empty has no line, because Azure answers with either.

function leaves(v, name,    i) {
  if (is_null(v)) return
  if (type[v] == "object") {
    for (i = 1; i <= size[v]; i++) leaves(part[v, i], field(name, key[v, i]))
  } else if (type[v] == "list") {
    for (i = 1; i <= size[v]; i++) leaves(part[v, i], name (type[part[v, i]] == "object" ? "." i : ""))
  } else if (value[v] != "" || name ~ /^tags\./) {
    print name "=" canonical(name, value[v])
  }
}

# The fields of an answer that a request states. A list is compared as a whole.
function stated(wanted, answer, name,    i) {
  if (!answer) return
  if (type[wanted] != "object" || type[answer] != "object") {
    leaves(answer, name)
    return
  }
  for (i = 1; i <= size[wanted]; i++) stated(part[wanted, i], named(answer, key[wanted, i]), field(name, key[wanted, i]))
}

function field(name, one) {
  return name (name == "" ? "" : ".") (name == "tags" ? tolower(one) : one)
}

# Azure answers with a location's name or its display name.
function canonical(name, given) {
  if (name ~ /^tags\./ || name ~ /(^|\.)description$/) return given
  given = tolower(given)
  if (name == "location") gsub(/ /, "", given)
  return given
}

# The member of an object. The names of tags have no case.
function named(v, name,    i) {
  for (i = 1; i <= size[v]; i++) if (tolower(key[v, i]) == tolower(name)) return part[v, i]
  return 0
}

# ---- What Azure can change.

function is_fixed(name) {
  return name == "location" || name == "kind"
}

function fixed(wanted, answer,    i, name, one) {
  for (i = 1; i <= size[wanted]; i++) {
    name = key[wanted, i]
    one = named(answer, name)
    if (is_fixed(name) && (!one || canonical(name, value[one]) != canonical(name, value[part[wanted, i]])))
      print name "\t" (one ? value[one] : "") "\t" value[part[wanted, i]]
  }
}

# Tags and settings are sent as a whole, because Azure replaces them as a whole: what others have set stays.
function patch(wanted, answer,    i, j, name, one, settings, out, inside) {
  out = ""
  for (i = 1; i <= size[wanted]; i++) {
    name = key[wanted, i]
    one = named(answer, name)
    if (is_fixed(name) || same(part[wanted, i], one, name)) continue
    if (name == "tags") out = joined_to(out, name, merged(one, part[wanted, i]))
    else if (name == "properties") {
      inside = ""
      for (j = 1; j <= size[part[wanted, i]]; j++) {
        settings = key[part[wanted, i], j]
        if (same(part[part[wanted, i], j], named(one, settings), name "." settings)) continue
        inside = joined_to(inside, settings, merged(named(one, settings), part[part[wanted, i], j]))
      }
      out = joined_to(out, name, "{" inside "}")
    } else out = joined_to(out, name, json(part[wanted, i]))
  }
  return "{" out "}"
}

function joined_to(out, name, given) {
  return out (out == "" ? "" : ", ") "\"" name "\": " given
}

function same(wanted, answer, name,    i) {
  if (type[wanted] == "object") {
    for (i = 1; i <= size[wanted]; i++) {
      if (!same(part[wanted, i], named(answer, key[wanted, i]), field(name, key[wanted, i]))) return 0
    }
    return 1
  }
  return answer && type[wanted] != "list" && canonical(name, value[wanted]) == canonical(name, value[answer])
}

# What is in the answer, with what the request says.
function merged(answer, wanted,    i, out) {
  if (type[wanted] != "object" || type[answer] != "object") return json(wanted)
  out = ""
  for (i = 1; i <= size[answer]; i++) {
    if (!named(wanted, key[answer, i])) out = joined_to(out, key[answer, i], json(part[answer, i]))
  }
  for (i = 1; i <= size[wanted]; i++) out = joined_to(out, key[wanted, i], json(part[wanted, i]))
  return "{" out "}"
}

# ---- Lists.

function tags(v,    i) {
  for (i = 1; i <= size[v]; i++) print tolower(key[v, i]) "=" value[part[v, i]]
}

function pages(    i, j, list, out) {
  out = ""
  for (i = 2; i < ARGC; i++) {
    list = read(ARGV[i], "value")
    for (j = 1; j <= size[list]; j++) out = out (out == "" ? "" : ",\n") json(part[list, j])
  }
  print "{\"value\": [" out "]}"
}

# An answer without a list, such as an empty one, must not look like a list without items: that would mean that nothing exists.
function next_page(answer,    list) {
  list = member(answer, "value")
  if (!list || type[list] != "list") give_up("not a list")
  text(member(answer, "nextLink"))
}

# The name of a role is its GUID: Azure answers with the subscription of the scope.
function assignments(list,    i, settings) {
  for (i = 1; i <= size[list]; i++) {
    settings = member(part[list, i], "properties")
    print tolower(value[member(part[list, i], "name")] " " value[member(settings, "principalId")] " " \
      last_part(value[member(settings, "roleDefinitionId")]) " " value[member(settings, "scope")])
  }
}

function last_part(id) {
  sub(/.*\//, "", id)
  return id
}

function credentials(list,    i) {
  for (i = 1; i <= size[list]; i++) print value[member(part[list, i], "name")] "\t" credential(member(part[list, i], "properties"))
}

function credential(v,    audiences, i, n, texts) {
  audiences = member(v, "audiences")
  n = 0
  for (i = 1; i <= size[audiences]; i++) texts[++n] = value[part[audiences, i]]
  return value[member(v, "issuer")] "\t" value[member(v, "subject")] "\t" joined(texts, n, " ")
}

# ---- Permissions. Each entry of the list is what one role allows (Azure documentation, "Understand role definitions").

function grants(action, list,    i) {
  for (i = 1; i <= size[list]; i++) {
    if (matches(action, member(part[list, i], "dataActions")) && !matches(action, member(part[list, i], "notDataActions"))) {
      print "yes"
      return
    }
  }
  print "no"
}

function matches(action, patterns,    i, pattern) {
  for (i = 1; i <= size[patterns]; i++) {
    pattern = tolower(value[part[patterns, i]])
    gsub(/[^a-z0-9\/*]/, ".", pattern)
    gsub(/\*/, ".*", pattern)
    if (action ~ ("^" pattern "$")) return 1
  }
  return 0
}
