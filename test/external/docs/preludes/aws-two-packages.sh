# Two packages for AWS, which are not rendered.
for name in one two; do
  ccf init clusters/$name --quiet --platform aws --name $name --account-id 123456789012 --region us-east-2 \
    --public-key-file serviceaccount-signer.public --credentials-requests credrequests
done
