# An applied package for AWS in a Git repository.
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
mv credrequests ../releases-demo
rm serviceaccount-signer.public
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo
git init --quiet
git config user.name reader
git config user.email reader@example.com
git add .
git commit --quiet --message "Add demo"
