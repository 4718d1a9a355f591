# Two clusters on AWS with a key each, applied.
for name in one two; do
  ccf create-key-pair --quiet --output-dir keys/$name
  ccf init clusters/$name --quiet --platform aws --name $name --account-id 123456789012 --region us-east-2 \
    --public-key-file keys/$name/serviceaccount-signer.public --credentials-requests credrequests
done
ccf render --quiet --recursive clusters
ccf apply --yes --quiet --recursive clusters
