# A cluster in mint mode, whose key pair is in ../cluster-keys, and a release.
ccf create-key-pair --quiet --no-installer --output-dir ../cluster-keys
mkdir -p ../releases
mv credrequests ../releases/4.21.3
rm serviceaccount-signer.public
cp ../cluster-keys/serviceaccount-signer.public ../signer.public
