# shellcheck shell=sh
# Custom roles: one for each CredentialsRequest that lists permissions. A role that is refused is in $work/refused-roles: it
# is not bound, because its permissions are not those of the package.

role_step() {
  [ -n "$role" ] || return 0
  role_id=${role##*/}
  if ! find_role "$role"; then
    create_or_refuse "role $role_id" create_role
    return 0
  fi
  if ! may_take_role; then
    refuse_role
    return 0
  fi
  if is_deleted_role; then
    create_or_refuse "role $role_id, which was deleted" restore_role
    return 0
  fi
  came "$role_json.full" '' iam roles describe
  settings "$role_json.full" . >"$work/found"
  settings role.json . >"$work/wanted"
  if compare; then
    line same "role $role_id"
  else
    change change "role $role_id: settings and permissions" send iam roles update "$role_id" --file=role.json
    differences
  fi
}

refuse_role() {
  keep_name "$role" refused-roles
}

# may_take_role: whether the role may be changed. A role that others use is never adopted: to set its permissions would take
# permissions from them. ccoctl has one role for all clusters of a project.
may_take_role() {
  role_use=''
  case $(json text "$role_json" description) in
    'Created By OpenShift ccoctl'*) role_use='ccoctl created it for all clusters of the project' ;;
  esac
  if [ "$(role_owner)" = none ] && [ -z "$role_use" ]; then
    members_of "$work/bindings" "$role" >"$work/members"
    members_of "$work/conditional" "$role" >>"$work/members"
    if grep -v -F -x -q -e "serviceAccount:$email" "$work/members"; then role_use='other members have it'; fi
  fi
  if [ -n "$role_use" ]; then
    refuse "role $role_id: it already exists, and it is never adopted, because $role_use. Set customRoleID in spec.platform.gcp.overrides for $(secret_of_identity) to another ID, then render, export and apply again"
    return 1
  fi
  may_take "$role_id" "role $role_id" "$(role_owner)" "$own_description"
}

# create_or_refuse TEXT COMMAND: Google blocks the ID of a deleted role for 30 days after the 7 days in which the role can be
# restored (IAM documentation, "Create and manage custom roles").
create_or_refuse() {
  if [ "$mode" != apply ] || "$2"; then
    change create "$1" :
    return 0
  fi
  refuse "role $role_id: a role with this ID was deleted, and Google blocks the ID until 37 days after that. Set customRoleID in spec.platform.gcp.overrides for $(secret_of_identity) to another ID, then render, export and apply again"
  refuse_role
}

create_role() {
  send_unless 'marked for deletion|in a deleted state' iam roles create "$role_id" --file=role.json
}

# restore_role: the role returns with the permissions that it had.
restore_role() {
  if ! send_unless "$absent|$unready|marked for deletion" iam roles undelete "$role_id"; then
    # Google may not show everywhere yet that it is restored.
    ask "$absent" iam roles describe "$role_id" || return 1
    [ "$(json text "$work/answer" deleted)" != true ] || return 1
  fi
  send iam roles update "$role_id" --file=role.json
}

# erase_role NAME
erase_role() {
  send_unless "$absent" iam roles delete "${1##*/}" || :
}

# role_users NAME: members that lose the permissions of the role. The accounts of the package have been unbound.
role_users() {
  members_of "$work/bindings" "$1" >"$work/members"
  members_of "$work/conditional" "$1" >>"$work/members"
  sort -u "$work/members" >"$work/members.sorted"
  while IFS= read -r one <&4; do
    is_in "${one#serviceAccount:}" going || line note "role ${1##*/}: $one has it and loses its permissions"
  done 4<"$work/members.sorted"
}
