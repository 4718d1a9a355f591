# A function that imports the cluster as docs/guides/import.md says, with the options that it is given.
cat > ../variables <<'VARIABLES'
import_cluster() {
  oc get authentications.config.openshift.io,infrastructures,featuregates,clusterversions,credentialsrequests \
    --all-namespaces --output yaml > dump.yaml
  oc get configmap bound-sa-token-signing-certs --namespace openshift-kube-apiserver --output yaml > keys.yaml
  oc get credentialsrequests --all-namespaces \
    --output go-template='{{range .items}}{{.spec.secretRef.namespace}} {{.spec.secretRef.name}}{{"\n"}}{{end}}' |
    while read -r namespace name; do
      oc get secret "$name" --namespace "$namespace" --ignore-not-found --output yaml < /dev/null
      echo ---
    done |
    ccf import "$PACKAGE" --from dump.yaml --from keys.yaml --from - "$@"
}
VARIABLES
