# Reads the JSON that is specific to GCP: IAM policies and providers. json.awk reads JSON in general.
#
#   awk -f gcp.awk -f json.awk raw FILE PATH         a string without its escapes, as a gcloud flag takes it, or
#                                                    each string of a list
#   awk -f gcp.awk -f json.awk bindings FILE PATH    an IAM policy: a line "ROLE MEMBER" for each member of each binding
#                                                    without a condition; with -v conditional=1, of those with one
#   awk -f gcp.awk -f json.awk provider FILE PATH    a provider in canonical form, one line for each setting and each key
#   awk -f gcp.awk -f json.awk keys FILE PATH        a JSON Web Key Set in canonical form, one line for each key
#
# json.awk handles every other command.
# Two providers with the same meaning have the same lines after sorting. The order of lists and of the fields of a key makes
# no difference.

BEGIN {
  command = ARGV[1]
  if (command ~ /^(raw|bindings|provider|keys)$/) {
    if (command == "raw") unescaped(read(ARGV[2], ARGV[3]))
    else if (command == "bindings") bindings(read(ARGV[2], ARGV[3]))
    else if (command == "provider") provider(read(ARGV[2], ARGV[3]))
    else keys(read(ARGV[2], ARGV[3]))
    exit 0
  }
}

function unescaped(v,    i) {
  if (is_null(v)) return
  if (type[v] == "list") for (i = 1; i <= size[v]; i++) unescaped(part[v, i])
  else print raw(value[v])
}

# A role never contains a space, so the first space of a line is the one before the member.
function bindings(v,    list, i, j, members) {
  list = member(v, "bindings")
  for (i = 1; i <= size[list]; i++) {
    if (!is_null(member(part[list, i], "condition")) != (conditional ? 1 : 0)) continue
    members = member(part[list, i], "members")
    for (j = 1; j <= size[members]; j++) print value[member(part[list, i], "role")] " " value[part[members, j]]
  }
}

# Google omits a field with its default value, so such a field has no line.
function provider(v,    oidc, jwks) {
  setting("displayName", member(v, "displayName"))
  setting("description", member(v, "description"))
  if (value[member(v, "disabled")] == "true") print "disabled=true"
  fields(member(v, "attributeMapping"), "attributeMapping")
  setting("attributeCondition", member(v, "attributeCondition"))
  oidc = member(v, "oidc")
  setting("issuerUri", member(oidc, "issuerUri"))
  fields(member(oidc, "allowedAudiences"), "allowedAudiences")
  jwks = member(oidc, "jwksJson")
  if (!is_null(jwks) && value[jwks] != "") keys(inner(jwks))
}

function setting(name, v) {
  if (!is_null(v) && value[v] != "") print name "=" value[v]
}

function keys(v,    list, i) {
  list = member(v, "keys")
  for (i = 1; i <= size[list]; i++) print "key " key_line(part[list, i])
}

# The key ID first, so that a person finds the key.
function key_line(v,    lines, n, i) {
  n = 0
  for (i = 1; i <= size[v]; i++) if (key[v, i] != "kid") lines[++n] = key[v, i] "=" json(part[v, i])
  return json(member(v, "kid")) ": " joined(lines, n, " ")
}
