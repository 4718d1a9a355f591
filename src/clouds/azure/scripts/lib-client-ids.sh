# shellcheck shell=sh
# The client IDs, which Azure assigns: the components need them in their Secrets, so they go back into the package.

# check_identities_file FILE NAME: never overwrites a file that this script has not written. NAME is what the user calls it.
check_identities_file() {
  if [ ! -d "${1%/*}/" ] || [ ! -w "${1%/*}/" ]; then
    die "--identities $2: the directory does not exist, or cannot be written; nothing was changed"
  fi
  [ -e "$1" ] || [ -h "$1" ] || return 0
  if [ ! -f "$1" ] || ! grep -q '^ *fn\.cloudcredential\.dev/azure-subscription: ' "$1"; then
    die "--identities $2: the file exists and does not contain client IDs; use another name"
  fi
}

# identities_file_step FILE NAME: writes the ConfigMap with the client IDs of all identities, or nothing.
identities_file_step() {
  cat >"$work/client-ids" <<END || die "cannot write to $work"
apiVersion: v1
kind: ConfigMap
metadata:
  name: azure-identities
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/azure-subscription: $account
    fn.cloudcredential.dev/azure-tenant: $tenant
    fn.cloudcredential.dev/resource-prefix: "$prefix"
data:
END
  each_identity print_client_id >"$work/client-id-lines"
  if [ -s "$work/client-id-lines" ]; then
    cat -- "$work/client-id-lines" >>"$work/client-ids"
  else
    sed 's/^data:$/data: {}/' "$work/client-ids" >"$work/no-client-ids"
    mv -- "$work/no-client-ids" "$work/client-ids"
  fi
  new_directory "$1.ccf"
  if ! cat -- "$work/client-ids" >"$made/file" || ! mv -f -- "$made/file" "$1"; then
    rm -rf -- "$made"
    die "--identities $2: cannot write the file"
  fi
  rm -rf -- "$made"
  line note "client IDs: written to $2. Store them in the package with: ccf set-identities DIR --from $2. Then render and export the package again, so that it contains them"
}

print_client_id() {
  if is_in "$identity" refused-identities || ! find_identity "$identity_name"; then
    die "--identities: the managed identity $identity_name was refused, so its client ID is unknown, and the file was not written"
  fi
  one=$(secret_of_identity)
  case $one in
    *[!a-z0-9./-]* | */*/* | /* | */) die "$identity/identity.json does not name a Secret" ;;
    */*) ;;
    *) die "$identity/identity.json does not name a Secret" ;;
  esac
  printf '  %s_%s: %s\n' "${one%%/*}" "${one#*/}" "$(client_id_of "$identity_json")"
}

# client_id_of FILE
client_id_of() {
  some_id=$(json text "$1" properties/clientId | lowercase)
  is_uuid "$some_id" || die "Azure's answer does not contain the client ID of a managed identity"
  printf '%s\n' "$some_id"
}

# client_ids_step: compares the client IDs with those in the package.
client_ids_step() {
  rm -f -- "$work/without-client-id"
  each_identity client_id_step
  [ -f "$work/without-client-id" ] || return 0
  line note "client IDs: the package does not have those of $(counted "$(($(wc -l <"$work/without-client-id")))" 'managed identity' 'managed identities'), but the components need them. To write them to a file, run: apply.sh --identities FILE"
}

client_id_step() {
  if is_in "$identity" refused-identities || ! find_identity "$identity_name"; then return 0; fi
  known_id=$(json text identity.json clientID | lowercase)
  if [ -z "$known_id" ]; then
    keep_name "$identity" without-client-id
    return 0
  fi
  is_uuid "$known_id" || die "$identity/identity.json does not contain a client ID"
  some_id=$(client_id_of "$identity_json")
  [ "$some_id" != "$known_id" ] || return 0
  refuse "managed identity $identity_name: its client ID is $some_id, but the package has $known_id, which its component would use without success. If the package is of this cluster, run apply.sh --identities FILE and ccf set-identities --allow replacement, then render and export again"
}
