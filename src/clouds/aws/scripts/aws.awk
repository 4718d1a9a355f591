# Reads the JSON that is specific to AWS: policies, tags and distribution configurations. json.awk reads JSON in general.
#
#   awk -f aws.awk -f json.awk tags FILE PATH       a list of {Key, Value} as lines "key=value"; with -v fold=1, keys in lowercase
#   awk -f aws.awk -f json.awk policy FILE PATH     a policy document in canonical form, one line per statement
#   awk -f aws.awk -f json.awk overlay FILE PATH FILE PATH     the second value laid over the first, as JSON
#   awk -f aws.awk -f json.awk tagging FILE PATH FILE     a put-bucket-tagging.json with the tags of another list added to
#                                                         its own, except the tag with the key of -v without=KEY
#
# json.awk handles every other command.
# Two documents with the same meaning have the same lines after sorting. The order of lists, one value instead of a list of
# one, and the case of names that AWS treats as case-insensitive make no difference.

BEGIN {
  command = ARGV[1]
  if (command ~ /^(tags|policy|overlay|tagging)$/) {
    if (command == "tags") tags(read(ARGV[2], ARGV[3]))
    else if (command == "policy") policy(read(ARGV[2], ARGV[3]))
    else if (command == "overlay") overlay(read(ARGV[2], ARGV[3]), read(ARGV[4], ARGV[5]))
    else tagging(read(ARGV[2], ARGV[3]), read(ARGV[4], "."))
    exit 0
  }
}

function tags(v,    i, name) {
  for (i = 1; i <= size[v]; i++) {
    name = value[member(part[v, i], "Key")]
    # The first "=" of a line must be the one before the value.
    gsub(/=/, "\\u003d", name)
    print (fold ? tolower(name) : name) "=" value[member(part[v, i], "Value")]
  }
}

# S3 returns a policy as a string that contains JSON.
function policy(v,    statements, i) {
  if (is_null(v)) return
  if (type[v] == "string") {
    v = inner(v)
  }
  if (type[v] != "object") give_up("expected a policy")
  print "version " value[member(v, "Version")]
  statements = member(v, "Statement")
  if (type[statements] == "object") print statement(statements)
  else for (i = 1; i <= size[statements]; i++) print statement(part[statements, i])
}

# In IAM, actions and condition keys are case-insensitive, and a statement's Sid has no effect.
function statement(v,    lines, n, i, name) {
  n = 0
  for (i = 1; i <= size[v]; i++) {
    name = key[v, i]
    if (name == "Sid") continue
    if (name == "Action" || name == "NotAction") lines[++n] = name " " set(part[v, i], 1)
    else if (name == "Principal" || name == "NotPrincipal") lines[++n] = name " " principals(part[v, i])
    else if (name == "Condition") lines[++n] = name " " conditions(part[v, i])
    else lines[++n] = named(name) " " set(part[v, i])
  }
  return joined(lines, n, "; ")
}

# "*" and {"AWS": "*"} both mean anyone (IAM User Guide, "AWS JSON policy elements: Principal").
function principals(v,    lines, n, i) {
  if (type[v] != "object") return "AWS " set(v)
  n = 0
  for (i = 1; i <= size[v]; i++) lines[++n] = named(key[v, i]) " " set(part[v, i])
  return joined(lines, n, ", ")
}

function conditions(v,    lines, n, i, j, keys) {
  if (type[v] != "object") return json(v)
  n = 0
  for (i = 1; i <= size[v]; i++) {
    keys = part[v, i]
    if (type[keys] != "object") lines[++n] = named(key[v, i]) " " json(keys)
    else for (j = 1; j <= size[keys]; j++) {
      lines[++n] = named(key[v, i]) " " named(tolower(key[keys, j])) " " set(part[keys, j])
    }
  }
  return joined(lines, n, ", ")
}

# A name is quoted if it could be confused with the syntax around it.
function named(name) {
  return name ~ /^[-A-Za-z0-9:.\/]+$/ ? name : "\"" name "\""
}

# One value, or a sorted list of distinct values. IAM treats true and "true" as the same.
function set(v, in_any_case,    lines, n, i) {
  n = 0
  if (type[v] != "list") lines[++n] = one_of_set(v)
  else for (i = 1; i <= size[v]; i++) lines[++n] = one_of_set(part[v, i])
  if (in_any_case) for (i = 1; i <= n; i++) lines[i] = tolower(lines[i])
  return "[" joined(lines, n, " ") "]"
}

function one_of_set(v) {
  return type[v] == "object" || type[v] == "list" ? json(v) : quoted(v)
}

function overlay(under, over) {
  print over_json(under, over)
}

function over_json(under, over,    i, out, between, name, found) {
  if (!over) return json(under)
  if (!under || type[under] != "object" || type[over] != "object") {
    if (under && type[under] == "list" && type[over] == "list" && size[under] == size[over] && type[part[over, 1]] == "object") {
      out = ""
      for (i = 1; i <= size[over]; i++) out = out (i == 1 ? "" : ", ") over_json(part[under, i], part[over, i])
      return "[" out "]"
    }
    return json(over)
  }
  out = ""
  between = ""
  for (i = 1; i <= size[under]; i++) {
    name = key[under, i]
    if (is_overruled(name, over)) continue
    out = out between "\"" name "\": "
    # The two certificate settings must not be merged: the new one replaces the old one.
    out = out (name == "ViewerCertificate" && member(over, name) ? json(member(over, name)) : over_json(part[under, i], member(over, name)))
    between = ", "
  }
  for (i = 1; i <= size[over]; i++) {
    found = member(under, key[over, i])
    if (!found) {
      out = out between "\"" key[over, i] "\": " json(part[over, i])
      between = ", "
    }
  }
  return "{" out "}"
}

# What CloudFront refuses next to the new value: the items of a list that is now empty, and the legacy cache settings next to
# a cache policy.
function is_overruled(name, over) {
  if (name == "Items") return member(over, "Quantity") && !member(over, "Items")
  return name ~ /^(ForwardedValues|MinTTL|DefaultTTL|MaxTTL)$/ && member(over, "CachePolicyId")
}

# S3 replaces all tags of a bucket in one call, and refuses to remove AWS's own tags, which begin with "aws:".
function tagging(theirs, input,    ours, i, n, name) {
  ours = at(input, "Tagging/TagSet")
  n = size[ours]
  for (i = 1; i <= size[theirs]; i++) {
    name = value[member(part[theirs, i], "Key")]
    if (name == without || has_tag(ours, name)) continue
    part[ours, ++n] = part[theirs, i]
  }
  size[ours] = n
  print json(input)
}

function has_tag(list, name,    i) {
  for (i = 1; i <= size[list]; i++) if (value[member(part[list, i], "Key")] == name) return 1
  return 0
}
