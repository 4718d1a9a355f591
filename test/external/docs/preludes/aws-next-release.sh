# A package for AWS that is applied, and a release in which ingress gains an action, the registry loses one, and the actions of
# the storage are only written in another way.
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
ccf apply --yes --quiet clusters/demo
cp -R credrequests next
sed -i 's/^\( *- \)route53:ListHostedZones$/&\n\1sts:AssumeRole/' next/20-ingress.yaml
sed -i 's/"s3:CreateBucket", //' next/10-registry.yaml
sed -i 's/"ec2:CreateVolume", "ec2:AttachVolume"/"EC2:AttachVolume", "ec2:CreateVolume"/' next/30-storage.yaml
