# What docs/guides/gcp.md leaves: a cluster that is applied.
ccf init clusters/demo --quiet --platform gcp --name demo --project-id my-project --project-number 123456789012 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo > ../applied.txt
