# shellcheck shell=sh
# Reads the roles of the package and of its prefix, in one call if the credentials allow that. The data of each role is in
# $work/roles, in files named after the role's line number in $work/roles/names.

# The outcome of the call for all roles, until read_roles has used it: "read", "denied", or empty before the call.
details=''

# read_details: reads all roles into $work/details, with the ARN of any role of the account, if the credentials allow that.
read_details() {
  each_role print_role >"$work/own-names"
  roles_filter="starts_with(RoleName, '$prefix-')"
  while IFS= read -r one <&3; do
    case $one in
      "$prefix"-*) ;;
      *) roles_filter="$roles_filter || RoleName == '$one'" ;;
    esac
  done 3<"$work/own-names"
  details=denied
  if call details 'AccessDenied AccessDeniedException' iam get-account-authorization-details --filter Role \
    --query "{Arn: RoleDetailList[0].Arn, Roles: RoleDetailList[?$roles_filter]}"; then details=read; fi
}

# read_roles: reads all roles with two calls. If the first call is denied, it makes separate calls for each role.
read_roles() {
  rm -rf -- "$work/roles"
  mkdir -- "$work/roles"
  each_role print_policy >"$work/own-policies"
  [ -n "$details" ] || read_details
  if [ "$details" = read ]; then
    keep_items "$work/details" Roles RoleName "$work/roles/names" "$work/roles/" ''
    ask '' iam list-roles \
      --query "Roles[?$roles_filter].{RoleName: RoleName, Description: Description, MaxSessionDuration: MaxSessionDuration}"
    keep_items "$work/answer" . RoleName "$work/roles/settings-names" "$work/roles/" .settings
  else
    read_each_role
  fi
  details=''
}

print_role() {
  printf '%s\n' "$role"
}

print_policy() {
  json text put-role-policy.json PolicyName
}

# find_role NAME: whether the role exists. Sets `role_json` to the file with its data, and `role_settings` to the file with
# the fields that only list-roles and get-role return.
find_role() {
  role_place=$(place "$1" "$work/roles/names")
  role_json=$work/roles/$role_place
  [ -n "$role_place" ] && [ -f "$role_json" ] || return 1
  role_settings=$role_json
  [ -f "$work/roles/settings-names" ] || return 0
  settings_place=$(place "$1" "$work/roles/settings-names")
  role_settings=$work/roles/$settings_place.settings
  [ -z "$settings_place" ] || return 0
  # The list may be older than the details.
  call role NoSuchEntity iam get-role --role-name="$1" --query Role || return 1
  role_settings=$work/role
}

# ---- Separate calls for each role, a few in parallel.

read_each_role() {
  ask '' iam list-roles --query "Roles[?$roles_filter].RoleName"
  json text "$work/answer" . >"$work/roles/names"
  kept=0
  while IFS= read -r one <&3; do
    kept=$((kept + 1))
    begin "$work/roles/$kept.role" iam get-role --role-name="$one" --query Role
    own_place=$(place "$one" "$work/own-names")
    [ -n "$own_place" ] || continue
    begin "$work/roles/$kept.policies" iam list-role-policies --role-name="$one"
    begin "$work/roles/$kept.attached" iam list-attached-role-policies --role-name="$one"
    begin "$work/roles/$kept.policy" iam get-role-policy --role-name="$one" --policy-name="$(sed -n "${own_place}p" "$work/own-policies")"
  done 3<"$work/roles/names"
  wait_jobs
  kept=0
  while IFS= read -r one <&3; do
    kept=$((kept + 1))
    keep_role "$work/roles/$kept"
  done 3<"$work/roles/names"
}

# keep_role FILE: combines the responses for one role into the form that the single call for all roles returns.
keep_role() {
  came "$1.role" NoSuchEntity iam get-role || return 0
  if [ -f "$1.policies" ] && came "$1.policies" NoSuchEntity iam list-role-policies && came "$1.attached" NoSuchEntity iam list-attached-role-policies; then
    json text "$1.policies" PolicyNames >"$work/names"
    own_policy=''
    if came "$1.policy" NoSuchEntity iam get-role-policy; then own_policy=$(json text "$1.policy" PolicyName); fi
    {
      printf '{"RolePolicyList": ['
      between=''
      while IFS= read -r name <&4; do
        printf '%s' "$between"
        if [ "$name" = "$own_policy" ]; then json overlay "$1.policy" . /dev/null nothing; else printf '{"PolicyName": "%s"}' "$name"; fi
        between=', '
      done 4<"$work/names"
      printf '], "AttachedManagedPolicies": %s}' "$(json overlay "$1.attached" AttachedPolicies /dev/null nothing)"
    } >"$work/parts"
    json overlay "$1.role" . "$work/parts" . >"$1"
  else
    cp -- "$1.role" "$1"
  fi
}
