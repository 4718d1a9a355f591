# shellcheck shell=sh
# Bindings: the roles of an account on the project, and the subjects that may use the account.
#
# --condition=None means the binding without a condition. Without that flag, gcloud refuses to change a policy that contains
# a condition. A binding is added before another is removed, so that no component loses its credentials.

subject_role=roles/iam.workloadIdentityUser
unbound='Policy binding with the specified principal, role, and condition not found'

# skip_account: whether the account of the identity has no bindings to compare: it is refused, or does not exist because the
# mode changes nothing.
skip_account() {
  is_in "$email" refused-accounts || { [ "$mode" != apply ] && is_in "$email" new-accounts; }
}

# begin_account: the bindings of a new account are part of its creation. It may not be known everywhere yet.
begin_account() {
  if is_in "$email" new-accounts; then
    fresh=yes
    young='NOT_FOUND: |\(or it may not exist\)'
  fi
}

end_account() {
  fresh=no
  young=''
}

# ---- The subjects that may use the account.

trust_step() {
  if skip_account; then return 0; fi
  : >"$work/account-policy"
  if ! is_in "$email" new-accounts && find_account "$email" &&
    came "$account_json.policy" "$absent" iam service-accounts get-iam-policy; then
    cp -- "$account_json.policy" "$work/account-policy" || die "cannot write to $work"
  fi
  json bindings "$work/account-policy" . >"$work/account-bindings"
  members_of "$work/account-bindings" "$subject_role" | pool_members >"$work/found"
  json text bindings.json serviceAccount >"$work/wanted"
  begin_account
  # An interrupted run may have created the account, so Google may not know it everywhere.
  young='NOT_FOUND: |Unknown service account'${young:+"|$young"}
  if ! compare; then
    change change "service account $email: subjects that may use it" change_subjects
    differences
  fi
  end_account
  foreign_notes
}

# pool_members: keeps the members of this pool.
pool_members() {
  grep -E -e "^principal(Set)?://iam\\.googleapis\\.com/$pool_name/" || :
}

change_subjects() {
  new_and_gone
  while IFS= read -r one <&3; do
    send iam service-accounts add-iam-policy-binding "$email" --member="$one" --role="$subject_role" --condition=None
  done 3<"$work/new"
  while IFS= read -r one <&3; do
    plain_text "$one"
    send_unless "$unbound" iam service-accounts remove-iam-policy-binding "$email" --member="$one" --role="$subject_role" \
      --condition=None || :
  done 3<"$work/gone"
}

# plain_text TEXT: json.awk prints a character that JSON escapes with its escape, so such a text is not the text in the cloud.
plain_text() {
  case $1 in
    *\\*) die "a binding of the service account $email has the member $1, which this script cannot remove; remove it manually" ;;
  esac
}

# foreign_notes: everything else that may be done with the account. The package does not say what others may do with it.
foreign_notes() {
  json -v conditional=1 bindings "$work/account-policy" . | sed 's/$/, with a condition/' >"$work/foreign"
  while IFS= read -r one <&4; do
    case $one in
      "$subject_role "*) [ -z "$(printf '%s\n' "${one#* }" | pool_members)" ] || continue ;;
    esac
    printf '%s\n' "$one" >>"$work/foreign"
  done 4<"$work/account-bindings"
  while IFS= read -r one <&4; do
    line note "service account $email: ${one#* } has the role ${one%% *} on it, which is not in the package; it is not touched"
  done 4<"$work/foreign"
}

# ---- The roles of the account on the project.

grants_step() {
  if ! is_in "$email" refused-accounts; then deleted_members_step; fi
  if skip_account; then return 0; fi
  roles_of "$work/bindings" "serviceAccount:$email" >"$work/found"
  json text bindings.json project >"$work/wanted"
  compare || grant
  conditional_notes "$email"
}

# grant: a role that is refused is not bound. Then no role is removed, because the account may need one of them until it has
# its own. If roles are bound, others are removed later: see late_removals_step.
grant() {
  new_and_gone
  begin_account
  grant_added=no
  while IFS= read -r one <&3; do
    if is_in "$one" refused-roles; then continue; fi
    change change "service account $email: role $one on the project" bind_project "$one"
    grant_added=$mode
  done 3<"$work/new"
  end_account
  while IFS= read -r one <&3; do
    if is_in "$role" refused-roles; then
      line note "service account $email: the role $one on the project is not in the package; it is removed when the account has its own role"
      continue
    fi
    if [ "$grant_added" = apply ]; then
      printf '%s %s\n' "$one" "$email" >>"$work/later"
    else
      remove_role "$one" "$email"
    fi
  done 3<"$work/gone"
}

# remove_role ROLE EMAIL
remove_role() {
  change remove "service account $2: role $1 on the project" unbind_project "serviceAccount:$2" "$1"
}

# late_removals_step: removes the roles that others replace. A new binding takes effect after some time, usually two minutes
# (IAM documentation, "Access change propagation"). Until then, a component needs the role that it had.
late_removals_step() {
  [ -s "$work/later" ] || return 0
  line note "waiting $((60 * ${CCF_WAIT:-2})) seconds before roles are removed, so that those that replace them are in effect"
  sleep "$((60 * ${CCF_WAIT:-2}))"
  while IFS= read -r one <&5; do
    remove_role "${one%% *}" "${one#* }"
  done 5<"$work/later"
}

# bind_project ROLE: Google may not know a custom role yet that was just created.
bind_project() {
  case $1 in
    "$role") young="does not exist in the resource's hierarchy${young:+|$young}" ;;
  esac
  send projects add-iam-policy-binding "$account" --member="serviceAccount:$email" --role="$1" --condition=None
}

# unbind_project MEMBER ROLE
unbind_project() {
  send_unless "$unbound" projects remove-iam-policy-binding "$account" --member="$1" --role="$2" --condition=None || :
}

# deleted_members_step: bindings of an earlier account with the same email address. A new account is another one, and does
# not get them (IAM documentation, "Deleted principals").
deleted_members_step() {
  deleted_members "$email"
  while IFS= read -r one <&3; do
    change remove "service account $email: role ${one%% *} of the deleted account ${one##*uid=}" \
      unbind_project "${one#* }" "${one%% *}"
  done 3<"$work/deleted-members"
}

# deleted_members EMAIL: writes the lines "ROLE MEMBER" of deleted accounts with that email address to $work/deleted-members.
deleted_members() {
  (export MEMBER="deleted:serviceAccount:$1?uid=" && whole awk '
    {
      found = substr($0, index($0, " ") + 1)
      if (index(found, ENVIRON["MEMBER"]) == 1 && substr(found, length(ENVIRON["MEMBER"]) + 1) ~ /^[0-9]+$/) print
    }' "$work/bindings") >"$work/deleted-members" || die 'cannot write a list of members'
}
