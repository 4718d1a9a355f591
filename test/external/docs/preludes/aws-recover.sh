# An applied package for AWS in a Git repository.
. "$PRELUDES/aws-applied.sh"
mv credrequests ../releases-demo
rm serviceaccount-signer.public
git init --quiet
git config user.name reader
git config user.email reader@example.com
git add .
git commit --quiet --message "Add demo"
