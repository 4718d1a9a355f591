# An applied package for AWS without the key with which its cluster signs, and a token of that cluster.
ccf create-key-pair --quiet --no-installer --output-dir ../cluster-keys
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo
oc create token ingress-operator --namespace openshift-ingress-operator --audience openshift > token
