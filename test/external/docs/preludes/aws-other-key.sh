# An applied package for AWS without the key with which its cluster signs, and a token of that cluster.
ccf create-key-pair --quiet --no-installer --output-dir ../cluster-keys
. "$PRELUDES/aws-applied.sh"
oc create token ingress-operator --namespace openshift-ingress-operator --audience openshift > token
