# A package for AWS that is applied, and a release in which ingress gains an action, the registry loses one, and the actions of
# the storage are only written in another way.
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo
mkdir -p ../releases
cp -R credrequests ../releases/4.19.7
cp -R ../releases/4.19.7 ../releases/4.20.3
sed -i 's/^\( *- \)route53:ListHostedZones$/&\n\1sts:AssumeRole/' ../releases/4.20.3/20-ingress.yaml
sed -i 's/"s3:CreateBucket", //' ../releases/4.20.3/10-registry.yaml
sed -i 's/"ec2:CreateVolume", "ec2:AttachVolume"/"EC2:AttachVolume", "ec2:CreateVolume"/' ../releases/4.20.3/30-storage.yaml
