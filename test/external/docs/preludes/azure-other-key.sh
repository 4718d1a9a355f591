# An applied package for Azure without the key with which its cluster signs, and a token of that cluster.
ccf create-key-pair --quiet --output-dir ../cluster-keys
. "$PRELUDES/azure.sh"
oc create token ingress-operator --namespace openshift-ingress-operator --audience openshift > token
