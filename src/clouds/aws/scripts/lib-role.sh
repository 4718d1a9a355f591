# shellcheck shell=sh
# Roles: one for each CredentialsRequest, each in its own directory under roles/.

# each_role COMMAND: runs COMMAND for each role of the package, in the role's directory, with the name in `role`.
each_role() {
  for directory in "$here"/roles/*/; do
    [ -d "$directory" ] || continue
    cd -- "$directory"
    role=$(json text create-role.json RoleName)
    [ -n "$role" ] || die "$directory does not contain a role"
    "$@"
  done
}

# role_step: call this after read_roles.
role_step() {
  if ! find_role "$role"; then
    change create "role $role" create_role
    return 0
  fi
  if ! may_take "$role" "role $role" "$(owner "$role_json" Tags)"; then
    print_role >>"$work/refused-roles"
    return 0
  fi
  path=$(json text create-role.json Path)
  found=$(json text "$role_json" Path)
  if [ "$found" != "$path" ]; then
    refuse "role $role: its path is $found, but the package has $path. IAM cannot move a role: keep the path, or delete the role first"
    print_role >>"$work/refused-roles"
    return 0
  fi
  role_changes=$changes
  trust_step
  settings_step
  boundary_step
  role_tags_step
  inline_policies_step
  attached_policies_step
  [ "$changes" -ne "$role_changes" ] || line same "role $role"
}

create_role() {
  send iam create-role --cli-input-json file://create-role.json --assume-role-policy-document file://trust-policy.json
  put_permissions
  for input in attach-role-policy-*.json; do
    [ ! -f "$input" ] || send iam attach-role-policy --cli-input-json "file://$input"
  done
}

put_permissions() {
  send iam put-role-policy --cli-input-json file://put-role-policy.json --policy-document file://permissions-policy.json
}

trust_step() {
  json policy "$role_json" AssumeRolePolicyDocument >"$work/found"
  json policy trust-policy.json . >"$work/wanted"
  compare && return 0
  change change "role $role: trust policy" \
    send iam update-assume-role-policy --role-name="$role" --policy-document file://trust-policy.json
  differences
}

settings_step() {
  for field in Description MaxSessionDuration; do
    printf '%s=%s\n' "$field" "$(json text "$role_settings" "$field")"
  done >"$work/found"
  for field in Description MaxSessionDuration; do
    printf '%s=%s\n' "$field" "$(json text create-role.json "$field")"
  done >"$work/wanted"
  compare && return 0
  change change "role $role: description and session duration" \
    send iam update-role --cli-input-json file://update-role.json
  differences
}

boundary_step() {
  found=$(json text "$role_json" PermissionsBoundary/PermissionsBoundaryArn)
  boundary=$(json text create-role.json PermissionsBoundary)
  [ "$found" != "$boundary" ] || return 0
  if [ -n "$boundary" ]; then
    change change "role $role: permissions boundary is ${found:-none} in the cloud, $boundary in the package" \
      send iam put-role-permissions-boundary --cli-input-json "$(of_role "$role" PermissionsBoundary "$boundary")"
  else
    change change "role $role: permissions boundary is $found in the cloud, none in the package" \
      send iam delete-role-permissions-boundary --role-name="$role"
  fi
}

# of_role ROLE FIELD TEXT: prints the input of a call. TEXT comes from json.awk, so it is already escaped for JSON. A value
# from the cloud is never passed as an option, because the CLI would open file://, and version 1 would fetch https://.
of_role() {
  printf '{"RoleName": "%s", "%s": "%s"}' "$1" "$2" "$3"
}

role_tags_step() {
  json -v fold=1 tags "$role_json" Tags >"$work/found"
  json -v fold=1 tags create-role.json Tags >"$work/wanted"
  if lacks; then
    change change "role $role: tags" send iam tag-role --cli-input-json "$(json_tags RoleName "$role" create-role.json Tags)"
    missing_lines
  fi
}

# The package's policy is the only inline policy of a role that the package owns.
inline_policies_step() {
  each PolicyName "$role_json" RolePolicyList >"$work/names"
  policy=$(json text put-role-policy.json PolicyName)
  policy_place=$(place "$policy" "$work/names")
  json policy "$role_json" "RolePolicyList/${policy_place:-none}/PolicyDocument" >"$work/found"
  json policy permissions-policy.json . >"$work/wanted"
  if ! compare; then
    change change "role $role: permissions" put_permissions
    differences
  fi
  while IFS= read -r one <&3; do
    [ "$one" = "$policy" ] || change remove "role $role: inline policy $one" \
      erase NoSuchEntity iam delete-role-policy --cli-input-json "$(of_role "$role" PolicyName "$one")"
  done 3<"$work/names"
}

attached_policies_step() {
  each PolicyArn "$role_json" AttachedManagedPolicies >"$work/found"
  for input in attach-role-policy-*.json; do
    [ ! -f "$input" ] || json text "$input" PolicyArn
  done >"$work/wanted"
  compare && return 0
  new_and_gone
  while IFS= read -r one <&3; do
    change change "role $role: attached policy $one" \
      send iam attach-role-policy --cli-input-json "$(of_role "$role" PolicyArn "$one")"
  done 3<"$work/new"
  while IFS= read -r one <&3; do
    change remove "role $role: attached policy $one" \
      erase NoSuchEntity iam detach-role-policy --cli-input-json "$(of_role "$role" PolicyArn "$one")"
  done 3<"$work/gone"
}

# other_roles: writes to $work/others the names of roles with this prefix and its owner tag that are not in the package.
other_roles() {
  : >"$work/others"
  while IFS= read -r one <&3; do
    if grep -F -x -q -e "$one" "$work/own-names" || ! find_role "$one"; then continue; fi
    [ "$(owner "$role_json" Tags)" != own ] || printf '%s\n' "$one" >>"$work/others"
  done 3<"$work/roles/names"
}

# erase_role NAME: detaches and deletes its policies first, because IAM requires that.
erase_role() {
  if ask NoSuchEntity iam list-attached-role-policies --role-name="$1"; then
    each PolicyArn "$work/answer" AttachedPolicies >"$work/gone"
    while IFS= read -r one <&4; do
      erase NoSuchEntity iam detach-role-policy --cli-input-json "$(of_role "$1" PolicyArn "$one")"
    done 4<"$work/gone"
  fi
  if ask NoSuchEntity iam list-role-policies --role-name="$1"; then
    json text "$work/answer" PolicyNames >"$work/gone"
    while IFS= read -r one <&4; do
      erase NoSuchEntity iam delete-role-policy --cli-input-json "$(of_role "$1" PolicyName "$one")"
    done 4<"$work/gone"
  fi
  erase NoSuchEntity iam delete-role --role-name="$1"
}
