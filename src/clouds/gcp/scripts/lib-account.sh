# shellcheck shell=sh
# Service accounts: one for each CredentialsRequest, each in its own directory under identities/. Files in $work name the
# accounts that are refused, that this run created, and, if the mode changes nothing, that it would create.

account_step() {
  if ! find_account "$email"; then
    change create "service account $email" create_account
    keep_name "$email" new-accounts
    return 0
  fi
  if ! may_take "${email%%@*}" "service account $email" "$(account_owner)" "$own_description"; then
    keep_name "$email" refused-accounts
    return 0
  fi
  account_changes=$changes
  # An interrupted run may have created the account, so Google may not know it everywhere.
  young='NOT_FOUND: |Unknown service account'
  settings "$account_json" . | grep -v '^disabled=' >"$work/found" || :
  settings service-account.json . >"$work/wanted"
  if ! compare; then
    change change "service account $email: settings" change_account
    differences
  fi
  if [ "$(json text "$account_json" disabled)" = true ]; then
    change change "service account $email: it is disabled in the cloud" send iam service-accounts enable "$email"
  fi
  young=''
  [ "$changes" -ne "$account_changes" ] || line same "service account $email"
}

create_account() {
  send_unless "$present" iam service-accounts create "${email%%@*}" \
    --display-name="$(text service-account.json displayName)" \
    --description="$(text service-account.json description)" || wait_for_account
}

# wait_for_account: the account exists, but the list does not contain it yet. An interrupted run may have created it.
wait_for_account() {
  account_tries=1
  while :; do
    ask '' iam service-accounts list
    keep_items "$work/answer" . email "$work/accounts/names" "$work/accounts/" ''
    if find_account "$email"; then break; fi
    [ "$account_tries" -lt "$max_tries" ] ||
      die "the service account $email already exists, but Google does not list it yet; run the same command again in a few minutes"
    pause "$account_tries"
    account_tries=$((account_tries + 1))
  done
  [ "$(account_owner)" = own ] || created_elsewhere "service account $email"
}

change_account() {
  send iam service-accounts update "$email" --display-name="$(text service-account.json displayName)" \
    --description="$(text service-account.json description)"
}

# erase_account EMAIL: unbinds it first, because Google keeps the bindings of a deleted account.
erase_account() {
  roles_of "$work/bindings" "serviceAccount:$1" >"$work/bound"
  while IFS= read -r one <&4; do
    unbind_project "serviceAccount:$1" "$one"
  done 4<"$work/bound"
  send_unless "$absent" iam service-accounts delete "$1" || :
}

# conditional_notes EMAIL: bindings with a condition are not in any package.
conditional_notes() {
  roles_of "$work/conditional" "serviceAccount:$1" | sort -u >"$work/bound"
  while IFS= read -r one <&4; do
    line note "service account $1: the role $one is bound with a condition, which is not in the package; it is not touched"
  done 4<"$work/bound"
}
