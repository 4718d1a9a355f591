# shellcheck shell=sh
# Custom roles, and role assignments. A role that is refused is in $work/refused-roles: it is not assigned, because its
# permissions are not those of the package.

# ---- Custom roles: one for each CredentialsRequest that lists permissions.

role_step() {
  [ -n "$role" ] || return 0
  wanted_name=$(json text role-definition.json body/properties/roleName)
  if ! find_role "$role"; then
    if same_name_step; then
      change create "role $wanted_name" put role-definition.json
    else
      keep_name "$role" refused-roles
    fi
    return 0
  fi
  if ! may_take "$wanted_name" "role $wanted_name" "$(role_owner)" 'owner description'; then
    keep_name "$role" refused-roles
    return 0
  fi
  if compare_request role-definition.json "$role_json"; then
    line same "role $wanted_name"
  else
    change change "role $wanted_name: permissions and settings" put role-definition.json
    differences
  fi
}

# same_name_step: names of roles are unique in a tenant, and ccoctl gives roles random IDs. Returns 1 if another role has the
# name.
same_name_step() {
  while IFS= read -r guid <&4; do
    find_role "$guid" || continue
    [ "$(role_name | lowercase)" = "$(printf '%s\n' "$wanted_name" | lowercase)" ] || continue
    keep_name "$guid" refused-roles
    if [ "$(role_owner)" = own ] && has_own_scopes; then
      refuse "role $wanted_name: it exists with the ID $guid. To use it, add 'roleDefinitionID: $guid' to spec.platform.azure.overrides for $(secret_of_identity), then render, export and apply again"
    else
      refuse "role $wanted_name: another role has this name, and names are unique in a tenant. Set identityName in spec.platform.azure.overrides for $(secret_of_identity), or another spec.resourcePrefix, then render, export and apply again"
    fi
    return 1
  done 4<"$work/live/roles/names"
}

# has_own_scopes: whether the role can be assigned only in subscriptions of the package's role.
has_own_scopes() {
  json text role-definition.json body/properties/assignableScopes | lowercase >"$work/own-scopes"
  json text "$role_json" properties/assignableScopes | lowercase >"$work/its-scopes"
  while IFS= read -r one <&6; do
    one=${one#/subscriptions/}
    is_in "/subscriptions/${one%%/*}" own-scopes || return 1
  done 6<"$work/its-scopes"
}

# erase_role GUID: Azure may not know everywhere yet that its assignments are deleted.
erase_role() {
  young='"code": ?"RoleDefinitionHasAssignments"'
  send_unless "$absent" rest --method delete \
    --url "/subscriptions/$account/providers/Microsoft.Authorization/roleDefinitions/$1?api-version=$authorization_api" || :
  young=''
}

# role_users GUID: writes what is assigned the role to $work/users, except the principals in $work/going, and the assignments in
# $work/going-assignments.
role_users() {
  : >"$work/users"
  while read -r guid principal assigned scope <&4; do
    if [ "$assigned" != "$1" ] || is_in "$principal" going || is_in "$guid" going-assignments; then continue; fi
    printf '%s at %s\n' "$principal" "$scope" >>"$work/users"
  done 4<"$work/assignments"
  [ -s "$work/users" ]
}

# ---- Role assignments. Azure cannot change one: it is deleted and created.

# assignments_step: an assignment of the same role, scope and principal is right, under any GUID.
assignments_step() {
  if is_in "$identity" refused-identities; then return 0; fi
  principal=''
  if find_identity "$identity_name"; then principal=$(principal_of "$identity_json"); fi
  own_principal=$principal
  young=''
  orphans_step
  if skip_identity; then return 0; fi
  begin_identity
  while read -r file guid assigned scope <&4; do
    if is_in "$assigned" refused-roles || is_in "$guid" refused-assignments || is_assigned "$assigned" "$scope"; then continue; fi
    change create "managed identity $identity_name: role $(said_role "$assigned") at $scope" create_assignment
    is_added=yes
  done 4<"$wanted_assignments"
  fresh=no
  further_assignments_step
}

# is_assigned ROLE SCOPE
is_assigned() {
  awk -v role="$1" -v scope="$2" -v principal="$own_principal" \
    '$2 == principal && $3 == role && $4 == scope { found = 1 } END { exit !found }' "$work/assignments"
}

# orphans_step: Azure keeps the assignments of a deleted identity. Their GUIDs depend on the name of the identity, so a new one
# has them, too.
orphans_step() {
  while read -r file guid assigned scope <&4; do
    found_principal=$(awk -v guid="$guid" '$1 == guid { print $2 }' "$work/assignments")
    if [ -z "$found_principal" ] || [ "$found_principal" = "$own_principal" ]; then continue; fi
    if grep -F -x -q -e "$guid $found_principal $assigned $scope" "$work/assignments"; then
      change remove "managed identity $identity_name: role $(said_role "$assigned") at $scope, of the deleted principal $found_principal" \
        erase_assignment "$scope" "$guid"
    else
      refuse "managed identity $identity_name: its role assignment at $scope would have the ID $guid, which another role assignment has"
      keep_name "$guid" refused-assignments
    fi
  done 4<"$wanted_assignments"
}

# create_assignment: uses the variables of assignments_step.
create_assignment() {
  assignment_url=$(url_of "$file")
  json -v principal="$own_principal" body "$file" >"$work/body"
  if send_unless 'RoleAssignmentExists|RoleAssignmentUpdateNotPermitted' rest --method put --url "$assignment_url" --body "@$work/body"; then
    return 0
  fi
  # It exists under another GUID, or the GUID is that of an assignment that Azure did not list.
  ask "$absent" rest --method get --url "$assignment_url" || return 0
  printf '{"value": [%s]}\n' "$(cat "$work/answer")" >"$work/one"
  json assignments "$work/one" >"$work/assignment"
  read -r found_guid found_principal found_role found_scope <"$work/assignment"
  [ "$found_role $found_scope" = "$assigned $scope" ] ||
    die "the role assignment $guid exists with another role or at another scope; delete it, and run the same command again"
  [ "$found_principal" != "$own_principal" ] || return 0
  erase_assignment "$scope" "$found_guid"
  send rest --method put --url "$assignment_url" --body "@$work/body"
}

# further_assignments_step: others may have assigned roles to the identity.
further_assignments_step() {
  if is_in "$role" refused-roles; then return 0; fi
  while read -r guid principal assigned scope <&4; do
    [ "$principal" = "$own_principal" ] || continue
    if is_wanted "$assigned" "$scope"; then continue; fi
    some_text="managed identity $identity_name: role $(said_role "$assigned") at $scope"
    if [ "$mode" = status ] || [ "$prune" = yes ]; then
      keep_name "$guid" going-assignments
      later "$some_text: it is not in the package" erase_assignment "$scope" "$guid"
    else
      line note "$some_text is not in the package; --prune removes it"
    fi
  done 4<"$work/assignments"
}

is_wanted() {
  awk -v role="$1" -v scope="$2" '$3 == role && $4 == scope { found = 1 } END { exit !found }' "$wanted_assignments"
}

# said_role GUID: the name of a custom role, or the GUID of a built-in one.
said_role() {
  if find_role "$1"; then role_name; else printf '%s\n' "$1"; fi
}

# erase_assignment SCOPE GUID
erase_assignment() {
  printf '%s\n' "$1" | grep -E -x -q -e '/(subscriptions|providers)/[^]["\\?#%<>|^`{} ]+' ||
    die "a role assignment at $1 cannot be removed by this script; remove it manually"
  send_unless "$absent" rest --method delete \
    --url "$1/providers/Microsoft.Authorization/roleAssignments/$2?api-version=$authorization_api" || :
}
