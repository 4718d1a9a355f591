# shellcheck shell=sh
# Managed identities: one for each CredentialsRequest, each in its own directory under identities/, with its federated
# credentials. Files in $work name the identities that are refused, that this run created, and, if the mode changes nothing,
# that it would create.

identity_step() {
  if ! find_identity "$identity_name"; then
    change create "managed identity $identity_name" create_identity
    keep_name "$identity" new-identities
    return 0
  fi
  if ! may_take "$identity_name" "managed identity $identity_name" "$(owner "$identity_json")"; then
    keep_name "$identity" refused-identities
    return 0
  fi
  if compare_request managed-identity.json "$identity_json"; then
    line same "managed identity $identity_name"
  else
    change change "managed identity $identity_name: tags" patch managed-identity.json "$identity_json"
    differences
  fi
}

create_identity() {
  put managed-identity.json
  principal_of "$work/sent" >/dev/null
  cp -- "$work/sent" "$work/made/$(print_identity)" || die "cannot write to $work"
}

# skip_identity: whether what belongs to the identity is not compared: it is refused, or does not exist because the mode changes
# nothing.
skip_identity() {
  is_in "$identity" refused-identities || { [ "$mode" != apply ] && is_in "$identity" new-identities; }
}

# begin_identity: what belongs to a new identity is part of its creation.
begin_identity() {
  is_added=no
  if is_in "$identity" new-identities; then fresh=yes; fi
}

# later KIND TEXT COMMAND...: removes something. If this run added something to the identity, that happens at the end:
# see late_removals_step.
later() {
  if [ "$is_added" = yes ] && [ "$mode" = apply ]; then
    printf '%s\n' "$@" '' >>"$work/later"
  else
    later_text=$1
    shift
    change remove "$later_text" "$@"
  fi
}

# late_removals_step: removes what something else replaces. A new credential or assignment takes effect after some minutes
# (Microsoft Entra documentation, "Important considerations and restrictions for federated identity credentials").
late_removals_step() {
  [ -s "$work/later" ] || return 0
  line note "waiting $((60 * ${CCF_WAIT:-2})) seconds before credentials and role assignments are removed, so that those that replace them are in effect"
  sleep "$((60 * ${CCF_WAIT:-2}))"
  while IFS= read -r later_text <&5; do
    set --
    while IFS= read -r one <&5 && [ -n "$one" ]; do set -- "$@" "$one"; done
    change remove "$later_text" "$@"
  done 5<"$work/later"
}

# ---- Federated credentials. Azure writes only one of an identity at a time.

look_at_credentials() {
  find_identity "$identity_name" || return 0
  look "credentials-$identity.json" "$(id_of managed-identity.json)/federatedIdentityCredentials?api-version=$identity_api"
}

complete_credentials() {
  some_list=credentials-$identity.json
  if [ -f "$work/live/$some_list.url" ]; then complete_list "$some_list" "$(cat -- "$work/live/$some_list.url")"; fi
}

# credentials_step: those of the cloud are matched by issuer, subject and audience, under any name. Those of the package are
# added before others are removed. A removal ends the trust in an issuer immediately.
credentials_step() {
  if skip_identity; then return 0; fi
  live_credentials
  cut -f 2- "$work/live-credentials" >"$work/found"
  wanted_credentials
  cp -- "$work/wanted-credentials" "$work/wanted"
  begin_identity
  if compare; then
    fresh=no
    return 0
  fi
  new_and_gone
  cp -- "$work/new" "$work/new-credentials"
  make_room
  for file in federated-credential-*.json; do
    [ -f "$file" ] || continue
    one=$(json credential "$file" body/properties)
    is_in "$one" new-credentials || continue
    change create "managed identity $identity_name: federated credential for $(said_credential "$one")" create_credential "$file"
    is_added=yes
  done
  fresh=no
  while IFS= read -r one <&4; do
    printf '%s%s%s\n' "$(name_with_subject "$one")" "$tab" "${one%"$tab"*}"
  done 4<"$work/new-credentials" >"$work/rewritten-subjects"
  while IFS= read -r one <&4; do
    if is_in "${one#*"$tab"}" wanted-credentials || is_rewritten "$one"; then continue; fi
    later "managed identity $identity_name: federated credential ${one%%"$tab"*} for $(said_credential "${one#*"$tab"}")" \
      erase_credential "$(id_of managed-identity.json)" "${one%%"$tab"*}"
  done 4<"$work/live-credentials"
}

tab=$(printf '\t')

# live_credentials: writes a line with name, issuer, subject and audience for each one to $work/live-credentials.
live_credentials() {
  : >"$work/live-credentials"
  if [ -f "$work/live/credentials-$identity.json" ] && is_there "credentials-$identity.json"; then
    json credentials "$work/live/credentials-$identity.json" >"$work/live-credentials"
  fi
}

# wanted_credentials: the same without names, for those of the package, to $work/wanted-credentials.
wanted_credentials() {
  for file in federated-credential-*.json; do
    [ -f "$file" ] || continue
    json credential "$file" body/properties
  done | sort -u >"$work/wanted-credentials"
}

# said_credential LINE: for people.
said_credential() {
  printf '%s\n' "$1" | awk -F '\t' '{ print $2 " of " $1 ($3 == "openshift" ? "" : ", audience " $3) }'
}

# make_room: an identity has at most 20 credentials. If the new ones do not fit, those that are not in the package go first.
make_room() {
  some_count=$(cat "$work/live-credentials" "$work/new-credentials" | wc -l)
  [ "$some_count" -gt 20 ] || return 0
  : >"$work/kept-credentials"
  while IFS= read -r one <&4; do
    if is_in "${one#*"$tab"}" wanted-credentials; then
      keep_name "$one" kept-credentials
    else
      change remove "managed identity $identity_name: federated credential ${one%%"$tab"*} for $(said_credential "${one#*"$tab"}")" \
        erase_credential "$(id_of managed-identity.json)" "${one%%"$tab"*}"
    fi
  done 4<"$work/live-credentials"
  mv -- "$work/kept-credentials" "$work/live-credentials"
}

# create_credential FILE: never writes over a credential that the package needs. One that it does not need may have the name.
create_credential() {
  put_url=$(url_of "$1")
  credential_id=${put_url%%\?*}
  free_id=$credential_id
  some_name=$(name_with_subject "$(json credential "$1" body/properties)")
  case $some_name in
    '' | *[!A-Za-z0-9_-]*) ;;
    *) free_id=${credential_id%/*}/$some_name ;;
  esac
  suffix=1
  while credential_is_needed "${free_id##*/}"; do
    suffix=$((suffix + 1))
    free_id=$credential_id-$suffix
  done
  json body "$1" >"$work/body"
  keep_name "${free_id##*/}" "rewritten-$identity"
  send rest --method put --url "$free_id?${put_url#*\?}" --body "@$work/body"
}

credential_is_needed() {
  some_credential=$(awk -F '\t' -v name="$1" 'tolower($1) == tolower(name) { print substr($0, length($1) + 2) }' "$work/live-credentials")
  [ -n "$some_credential" ] && is_in "$some_credential" wanted-credentials
}

# name_with_subject CREDENTIAL: the name of a credential in the cloud with the same issuer and subject, but another audience. An
# identity cannot have a second one (Microsoft Entra documentation, "Important considerations and restrictions for federated
# identity credentials").
name_with_subject() {
  CREDENTIAL=$1 awk -F '\t' '
    BEGIN { split(ENVIRON["CREDENTIAL"], wanted, "\t") }
    $2 == wanted[1] && $3 == wanted[2] { print $1; exit }' "$work/live-credentials"
}

# is_rewritten LINE: whether this run gives the name of a credential in the cloud to one of the package.
is_rewritten() {
  if [ "$mode" = apply ]; then
    is_in "${1%%"$tab"*}" "rewritten-$identity"
  else
    is_in "${1%"$tab"*}" rewritten-subjects || is_new_name "${1%%"$tab"*}"
  fi
}

# is_new_name NAME: whether a credential that would be created has the name.
is_new_name() {
  [ -f "federated-credential-$1.json" ] && ! credential_is_needed "$1" &&
    is_in "$(json credential "federated-credential-$1.json" body/properties)" new-credentials
}

# erase_credential ID NAME: ID is that of the identity.
erase_credential() {
  case $2 in '' | *[!A-Za-z0-9_-]*) die "a federated credential has the name $2, which this script cannot remove; remove it manually" ;; esac
  send_unless "$absent" rest --method delete --url "$1/federatedIdentityCredentials/$2?api-version=$identity_api" || :
}

# ---- An identity that the package owns but no longer contains.

# erase_identity NAME: deletes its role assignments first, because Azure keeps those of a deleted identity.
erase_identity() {
  case $1 in *[!A-Za-z0-9_-]*) die "a managed identity has the name $1, which this script cannot remove; remove it manually" ;; esac
  find_identity "$1" || return 0
  erased=$(principal_of "$identity_json")
  while read -r guid principal assigned scope <&6; do
    [ "$principal" = "$erased" ] || continue
    erase_assignment "$scope" "$guid"
  done 6<"$work/assignments"
  send_unless "$absent" rest --method delete \
    --url "$group_id/providers/Microsoft.ManagedIdentity/userAssignedIdentities/$1?api-version=$identity_api" || :
}
