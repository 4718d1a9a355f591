# What docs/guides/azure.md leaves: a cluster that is applied and exported.
ccf init clusters/demo --quiet --platform azure --name demo --subscription-id 00000000-1111-2222-3333-444444444444 \
  --tenant-id 55555555-6666-7777-8888-999999999999 --region eastus \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo > ../applied.txt
ccf export --quiet clusters/demo --output-dir ../demo-out
