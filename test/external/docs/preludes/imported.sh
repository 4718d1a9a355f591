# A package that is imported from a cluster of ccoctl on the cloud that CLOUD names.
. "$PRELUDES/import.sh"
. ../variables
PACKAGE=clusters/demo
case $CLOUD in
  aws)
    aws iam get-account-authorization-details --filter Role --output json > roles.json
    aws iam list-roles --output json > sessions.json
    import_cluster --from roles.json --from sessions.json
    ;;
  gcp) import_cluster --key-storage Bucket --region us-central1 ;;
  azure) import_cluster ;;
esac
