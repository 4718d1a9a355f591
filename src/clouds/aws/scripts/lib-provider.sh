# shellcheck shell=sh
# The OpenID Connect provider, through which IAM trusts the issuer.

# provider_step: returns 1 if the package does not own the provider.
provider_step() {
  cd -- "$here/issuer"
  input=create-open-id-connect-provider.json
  if [ ! -f "$input" ]; then
    ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$provider" ||
      die "the provider $provider, which the configuration names, does not exist"
    line same "provider ${provider#*:oidc-provider/}: exists, and is not managed by this package"
    return 0
  fi
  host=${provider#*:oidc-provider/}
  if ! ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$provider"; then
    change create "provider $host" send iam create-open-id-connect-provider --cli-input-json "file://$input"
    return 0
  fi
  may_take "$host" "provider $host" "$(owner "$work/answer" Tags)" || return 1
  provider_changes=$changes
  provider_tags
  json text "$work/answer" ClientIDList >"$work/found"
  json text "$input" ClientIDList >"$work/wanted"
  if ! compare; then
    change change "provider $host: client IDs" change_client_ids
    differences
  fi
  json text "$work/answer" ThumbprintList | tr 'A-F' 'a-f' >"$work/found"
  json text "$input" ThumbprintList >"$work/wanted"
  # If the package has no thumbprints, IAM retrieves one itself.
  if [ -s "$work/wanted" ] && ! compare; then
    change change "provider $host: thumbprints" change_thumbprints
    differences
  fi
  [ "$changes" -ne "$provider_changes" ] || line same "provider $host"
}

provider_tags() {
  json -v fold=1 tags "$work/answer" Tags >"$work/found"
  json -v fold=1 tags "$input" Tags >"$work/wanted"
  lacks || return 0
  change change "provider $host: tags" send iam tag-open-id-connect-provider --cli-input-json \
    "$(json_tags OpenIDConnectProviderArn "$provider" "$input" Tags)"
  missing_lines
}

# json_tags FIELD NAME FILE PATH: prints the input of a call that tags a resource.
json_tags() {
  printf '{"%s": "%s", "Tags": %s}' "$1" "$2" "$(json overlay "$3" "$4" /dev/null nothing)"
}

# The CLI gets audiences as JSON, because version 1 would fetch an option value that begins with https://.
change_client_ids() {
  new_and_gone
  while IFS= read -r one <&3; do
    send iam add-client-id-to-open-id-connect-provider --cli-input-json \
      "{\"OpenIDConnectProviderArn\": \"$provider\", \"ClientID\": \"$one\"}"
  done 3<"$work/new"
  while IFS= read -r one <&3; do
    send iam remove-client-id-from-open-id-connect-provider --cli-input-json \
      "{\"OpenIDConnectProviderArn\": \"$provider\", \"ClientID\": \"$one\"}"
  done 3<"$work/gone"
}

change_thumbprints() {
  send iam update-open-id-connect-provider-thumbprint --cli-input-json "$(
    printf '{"OpenIDConnectProviderArn": "%s", "ThumbprintList": %s}' "$provider" \
      "$(json overlay "$input" ThumbprintList /dev/null nothing)"
  )"
}

# previous_step: issuers that roles still trust during a migration. They are checked, but never changed.
previous_step() {
  previous=1
  while previous_issuer; do
    if ask NoSuchEntity iam get-open-id-connect-provider --open-id-connect-provider-arn "$previous_arn"; then
      line same "previous provider ${previous_arn#*:oidc-provider/}"
    else
      line note "previous provider ${previous_arn#*:oidc-provider/}: it does not exist, so AWS refuses its tokens"
    fi
    previous=$((previous + 1))
  done
}

# previous_issuer: sets `previous_arn` to the provider of the previous issuer with the number in `previous`. Returns 1 after
# the last one.
previous_issuer() {
  previous_arn=$(json text "$here/cluster.json" "previousIssuers/$previous/identityProviderARN")
  [ -n "$previous_arn" ]
}
