# shellcheck shell=sh
# Reads the service accounts, the custom roles and the policies of the package, once for all identities.
#
# Accounts are never described one by one: for an account that does not exist, Google answers with 403 (IAM API,
# projects.serviceAccounts.get).

# each_identity COMMAND: runs COMMAND for each identity of the package, in its directory. Sets `email`, and `role` to the full
# name of its custom role or to nothing.
each_identity() {
  [ -f "$work/identities" ] || list_identities
  while IFS= read -r identity <&9 && IFS= read -r email <&9 && IFS= read -r role <&9; do
    cd -- "$here/identities/$identity"
    "$@"
  done 9<"$work/identities"
}

# list_identities: writes three lines for each identity to $work/identities, because reading JSON takes time.
list_identities() {
  : >"$work/identities"
  for directory in "$here"/identities/*/; do
    [ -d "$directory" ] || continue
    email=$(json text "$directory/service-account.json" email)
    case $email in
      '' | *[!a-z0-9@.-]*) die "$directory does not contain a service account" ;;
    esac
    role=''
    if [ -f "$directory/role.json" ]; then
      role=$(json text "$directory/role.json" name)
      case ${role#"projects/$account/roles/"} in
        '' | *[!A-Za-z0-9_.]*) die "$directory does not contain a custom role of the project" ;;
      esac
    fi
    directory=${directory%/}
    printf '%s\n' "${directory##*/}" "$email" "$role" >>"$work/identities"
  done
}

secret_of_identity() {
  json text identity.json secret
}

print_email() {
  printf '%s\n' "$email"
}

print_role() {
  [ -z "$role" ] || printf '%s\n' "$role"
}

# read_lists: the accounts, the custom roles and the bindings of the project. The bindings without a condition are in
# $work/bindings, those with one in $work/conditional, one line "ROLE MEMBER" each.
read_lists() {
  rm -rf -- "$work/accounts" "$work/roles"
  mkdir -- "$work/accounts" "$work/roles"
  each_identity print_email >"$work/own-emails"
  each_identity print_role >"$work/own-roles"
  ask '' iam service-accounts list
  keep_items "$work/answer" . email "$work/accounts/names" "$work/accounts/" ''
  ask '' iam roles list --show-deleted
  keep_items "$work/answer" . name "$work/roles/names" "$work/roles/" ''
  ask '' projects get-iam-policy "$account"
  json bindings "$work/answer" . >"$work/bindings"
  json -v conditional=1 bindings "$work/answer" . >"$work/conditional"
}

# read_identities: also the policy of each account of the package and the permissions of each of its roles, if they exist.
read_identities() {
  read_lists
  each_identity begin_identity
  wait_jobs
}

begin_identity() {
  if find_account "$email"; then
    begin "$account_json.policy" iam service-accounts get-iam-policy "$email"
  fi
  if [ -n "$role" ] && find_role "$role" && ! is_deleted_role; then
    begin "$role_json.full" iam roles describe "${role##*/}"
  fi
}

# find_account EMAIL: whether the account exists. Sets `account_json` to the file with its data.
find_account() {
  account_place=$(place "$1" "$work/accounts/names")
  account_json=$work/accounts/$account_place
  [ -n "$account_place" ]
}

account_owner() {
  owner "$(json text "$account_json" description)"
}

# find_role NAME: whether the role exists or was deleted recently. Sets `role_json` to the file with its data.
find_role() {
  role_place=$(place "$1" "$work/roles/names")
  role_json=$work/roles/$role_place
  [ -n "$role_place" ]
}

role_owner() {
  owner "$(json text "$role_json" description)"
}

is_deleted_role() {
  [ "$(json text "$role_json" deleted)" = true ]
}

# roles_of FILE MEMBER: prints the roles that are bound to the member.
roles_of() {
  (export MEMBER="$2" && whole awk '{ i = index($0, " "); if (substr($0, i + 1) == ENVIRON["MEMBER"]) print substr($0, 1, i - 1) }' "$1") ||
    die 'cannot write a list of roles'
}

# members_of FILE ROLE: prints the members that a role is bound to.
members_of() {
  (export ROLE="$2" && whole awk '{ i = index($0, " "); if (substr($0, 1, i - 1) == ENVIRON["ROLE"]) print substr($0, i + 1) }' "$1") ||
    die 'cannot write a list of members'
}
