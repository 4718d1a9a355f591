# A package for AWS that is applied.
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo
