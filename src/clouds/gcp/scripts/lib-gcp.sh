# shellcheck shell=sh
# The GCP code that the three scripts share: the environment, the project check, the owner, and calls of gcloud. The resource
# kinds are in lib-bucket.sh, lib-pool.sh, lib-account.sh, lib-role.sh and lib-binding.sh, not here.

# The directory of an export that contains these scripts.
cloud=gcp
cloud_title=Google

# prepare: call this first, after the options have been parsed. It does not call Google.
prepare() {
  command -v gcloud >/dev/null 2>&1 || die 'the Google Cloud CLI (gcloud) is required'
  open_work
  read_cluster
  # These override the user's settings, so that every run behaves the same, and so that errors can be read. The user's
  # configuration, account and endpoints still apply.
  export CLOUDSDK_CORE_DISABLE_PROMPTS=1 CLOUDSDK_CORE_VERBOSITY=error CLOUDSDK_CORE_USER_OUTPUT_ENABLED=true
  export CLOUDSDK_CORE_SHOW_STRUCTURED_LOGS=never CLOUDSDK_CORE_LOG_HTTP=false
  export CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK=1 CLOUDSDK_SURVEY_DISABLE_PROMPTS=1
  if [ "$universe" != googleapis.com ] || [ -n "${CLOUDSDK_CORE_UNIVERSE_DOMAIN:-}" ]; then
    export CLOUDSDK_CORE_UNIVERSE_DOMAIN="$universe"
  fi
}

# read_cluster: `account` is the ID of the project, because the output for programs has one name for it in every cloud.
read_cluster() {
  account=$(json text "$here/cluster.json" projectID)
  number=$(json text "$here/cluster.json" projectNumber)
  universe=$(json text "$here/cluster.json" universeDomain)
  universe=${universe:-googleapis.com}
  prefix=$(json text "$here/cluster.json" resourcePrefix)
  owner_text=$(json text "$here/cluster.json" owner)
  key_storage=$(json text "$here/cluster.json" keyStorage)
  issuer=$(json text "$here/cluster.json" issuer)
  pool=$(json text "$here/cluster.json" pool)
  provider=$(json text "$here/cluster.json" provider)
  bucket=$(json text "$here/cluster.json" bucket)
  case $account in '' | *[!a-z0-9.:-]*) die 'cluster.json does not name a project' ;; esac
  case $number in '' | *[!0-9]*) die 'cluster.json does not name a project number' ;; esac
  case $pool$provider in '' | *[!a-z0-9-]*) die 'cluster.json does not name a pool and a provider' ;; esac
  case $bucket in *[!a-z0-9_-]*) die 'cluster.json does not name a valid bucket' ;; esac
  pool_name=projects/$number/locations/global/workloadIdentityPools/$pool
}

# guard: protects other projects. A project ID can be used again in another organization or universe, a number cannot.
guard() {
  ask '' projects describe "$account"
  found=$(json text "$work/answer" projectNumber)
  [ "$found" = "$number" ] ||
    die "the project $account has the number $found, but the package is for $number; nothing was changed"
  ask '' services list --enabled
  each 'config\.name' "$work/answer" . >"$work/services"
  needed='iam iamcredentials sts cloudresourcemanager'
  [ "$key_storage" != Bucket ] || needed="$needed storage"
  lacking=''
  for one in $needed; do
    is_enabled "$one.googleapis.com" || lacking="$lacking $one.googleapis.com"
  done
  [ -z "$lacking" ] ||
    die "the project $account has not enabled these services:$lacking. Nothing was changed. To enable them, run: gcloud services enable$lacking --project=$account"
}

is_enabled() {
  grep -F -x -q -e "$1" "$work/services"
}

# request_services_step: services that the components call. They are not needed to apply the package.
request_services_step() {
  each_identity print_services | sort -u >"$work/names"
  while IFS= read -r one <&3; do
    is_enabled "$one" ||
      line note "service $one: a request needs it, but the project has not enabled it. To enable it, run: gcloud services enable $one --project=$account"
  done 3<"$work/names"
}

print_services() {
  json text identity.json services
}

# text FILE PATH: prints a string without its escapes.
text() {
  json raw "$1" "$2"
}

# owner TEXT: the owner according to a description: "own", "other" for another prefix, or "none".
owner() {
  case $1 in
    "$owner_text") echo own ;;
    'Owned by: '*) echo other ;;
    *) echo none ;;
  esac
}

# own_description: what shows the owner of everything except a bucket.
own_description='owner description'

# settings FILE PATH: the fields of a pool, an account or a role that the package sets. Google omits a field with its default
# value, so such a field has no line.
settings() {
  json fields "$1" "$2" |
    { grep -E -e '^(displayName|title|description|stage|includedPermissions)=.' -e '^disabled=true$' || :; }
}

# ---- Calls: see lib-calls.sh. The errors that a call expects are an extended regular expression, because gcloud prints
# ---- errors for people.

max_tries=27
# What does not exist. For accounts, Google answers with 403 instead.
absent='^ERROR: .*(NOT_FOUND: |not found: 404|HTTPError 404)'
# What a call creates exists already: an interrupted run created it, and Google does not show it everywhere yet.
present='ALREADY_EXISTS|already exists'
# What a call deletes or restores is deleted or restored already: Google does not show that everywhere yet.
unready='FAILED_PRECONDITION: '
# Errors that a new resource causes for a while. The steps that create one add to it.
young=''

cli() {
  gcloud "$@" --project="$account" --quiet --format=json </dev/null
}

expected() {
  [ -n "$1" ] && grep -E -q -e "$1" "$work/error"
}

# may_repeat: gcloud does not repeat a change of a policy that another change overtook, and Google needs up to some minutes
# until a new account is known everywhere (IAM documentation, "Retry failed requests" and "Access change propagation").
may_repeat() {
  grep -E -q -e "concurrent policy changes|Service account .* does not exist${young:+|$young}" "$work/error"
}

# call_failed CALL...: explains errors that the organization or the configuration causes.
call_failed() {
  if grep -q -e 'iam\.workloadIdentityPoolProviders' -e 'Org Policy violated for value' "$work/error"; then
    explain "the organization policy constraints/iam.workloadIdentityPoolProviders does not allow this issuer. Ask an administrator of the organization to allow $issuer"
  elif grep -q -i -e 'public access prevention' "$work/error"; then
    explain "the organization enforces public access prevention, so its buckets cannot be public. Set spec.platform.gcp.keyStorage to PoolJWKFile, then render, export and apply again"
  elif grep -q -e 'do not belong to a permitted customer' -e 'iam\.allowedPolicyMemberDomains' "$work/error"; then
    case $1 in
      storage) explain "the organization policy constraints/iam.allowedPolicyMemberDomains does not allow public buckets. Set spec.platform.gcp.keyStorage to PoolJWKFile, then render, export and apply again" ;;
      *) explain "the organization policy constraints/iam.allowedPolicyMemberDomains does not allow this member. Ask an administrator of the organization for an exception for the project $account" ;;
    esac
  elif grep -q -e 'iam\.disableServiceAccountCreation' "$work/error"; then
    explain "the organization policy constraints/iam.disableServiceAccountCreation does not allow service accounts. Ask an administrator of the organization for an exception for the project $account"
  elif grep -q -e 'Permission [^ ]* is not valid' "$work/error"; then
    explain "a request lists a permission that Google does not know, or that a custom role of a project cannot contain. Correct or exclude the request, then render, export and apply again"
  elif grep -q -e 'SERVICE_DISABLED' -e 'has not been used in project' "$work/error"; then
    service=$(sed -n 's|^.*/apis/api/\([a-z0-9.-]*\)/.*$|\1|p' "$work/error" | sed -n 1p)
    explain "to enable the service, run: gcloud services enable ${service:-iam.googleapis.com cloudresourcemanager.googleapis.com} --project=$account"
  fi
  case $1 in
    projects | services) stop_at_failure "gcloud $1 $2" ;;
    *) stop_at_failure "gcloud $1 $2 $3" ;;
  esac
}
